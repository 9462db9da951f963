//! A value held against a schema.

use std::cell::Cell;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use serde_json::{Map, Value};

use super::sound::find;
use super::{MAX_DEPTH, MAX_FAULTS};

/// Holds a value against a schema, and gathers faults.
pub(super) struct Checker<'s> {
    pub(super) root: &'s Value,
    /// How many comparisons are left.
    pub(super) work: &'s Cell<usize>,
    pub(super) faults: Vec<String>,
}

impl<'s> Checker<'s> {
    /// Holds the value at a place against a schema.
    pub(super) fn check(&mut self, schema: &'s Value, value: &Value, place: &str, depth: usize) {
        let left = self.work.get();
        if depth > MAX_DEPTH || left == 0 {
            return self.fault(place, "is nested too deeply");
        }
        self.work.set(left - 1);
        if self.faults.len() >= MAX_FAULTS {
            return;
        }
        let members = match schema {
            Value::Bool(true) => return,
            Value::Object(members) => members,
            _ => return self.fault(place, "must not be there"),
        };
        if let Some(target) =
            members.get("$ref").and_then(Value::as_str).and_then(|name| find(self.root, name))
        {
            self.check(target, value, place, depth + 1);
        }
        if let Some(kind) = members.get("type")
            && !has_type(kind, value)
        {
            return self.fault(place, &format!("must be {}", named(kind)));
        }
        if let Some(known) = members.get("const")
            && !same(known, value)
        {
            self.fault(place, &format!("must be {known}"));
        }
        if let Some(choices) = members.get("enum").and_then(Value::as_array)
            && !choices.iter().any(|choice| same(choice, value))
        {
            let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
            self.fault(place, &format!("must be one of {}", choices.join(", ")));
        }
        self.combined(members, value, place, depth);
        match value {
            Value::Object(object) => self.object(members, object, place, depth),
            Value::Array(items) => self.array(members, items, place, depth),
            Value::String(text) => self.text(members, text, place),
            Value::Number(_) => self.number(members, value.as_f64().unwrap_or_default(), place),
            Value::Null | Value::Bool(_) => (),
        }
    }

    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{}: {what}", if place.is_empty() { "root" } else { place }));
    }

    /// Whether a value matches a schema, without a report of its errors.
    fn fits(&self, schema: &'s Value, value: &Value, depth: usize) -> bool {
        let mut other = Checker { root: self.root, work: self.work, faults: Vec::new() };
        other.check(schema, value, "", depth + 1);
        other.faults.is_empty()
    }

    fn combined(&mut self, members: &'s Map<String, Value>, value: &Value, place: &str, depth: usize) {
        let list =
            |key: &str| members.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for part in list("allOf") {
            self.check(part, value, place, depth + 1);
        }
        let any = list("anyOf");
        if !any.is_empty() && !any.iter().any(|part| self.fits(part, value, depth)) {
            self.fault(place, "must fit one of the schemas in anyOf");
        }
        let one = list("oneOf");
        if !one.is_empty() && one.iter().filter(|part| self.fits(part, value, depth)).count() != 1 {
            self.fault(place, "must fit exactly one of the schemas in oneOf");
        }
        if members.get("not").is_some_and(|not| self.fits(not, value, depth)) {
            self.fault(place, "must not fit the schema in not");
        }
        if let Some(condition) = members.get("if") {
            let branch = if self.fits(condition, value, depth) { "then" } else { "else" };
            if let Some(branch) = members.get(branch) {
                self.check(branch, value, place, depth + 1);
            }
        }
    }

    fn object(
        &mut self,
        members: &'s Map<String, Value>,
        object: &Map<String, Value>,
        place: &str,
        depth: usize,
    ) {
        for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str().filter(|name| !object.contains_key(*name)) {
                self.fault(place, &format!("must have required property '{name}'"));
            }
        }
        let properties = members.get("properties").and_then(Value::as_object);
        let patterns: Vec<(RegexMatcher, &'s Value)> = members
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(pattern, schema)| Some((RegexMatcher::new(pattern).ok()?, schema)))
            .collect();
        for (name, value) in object {
            let inside = format!("{place}/{name}");
            let mut is_known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                is_known = true;
                self.check(schema, value, &inside, depth + 1);
            }
            for (_, schema) in patterns.iter().filter(|(pattern, _)| matches(pattern, name)) {
                is_known = true;
                self.check(schema, value, &inside, depth + 1);
            }
            match members.get("additionalProperties").filter(|_| !is_known) {
                Some(Value::Bool(false)) => {
                    let what = format!("must NOT have additional properties ('{name}' is not allowed)");
                    self.fault(place, &what);
                }
                Some(schema) => self.check(schema, value, &inside, depth + 1),
                None => (),
            }
        }
        self.size(members, ["minProperties", "maxProperties"], object.len(), "properties", place);
    }

    fn array(&mut self, members: &'s Map<String, Value>, items: &[Value], place: &str, depth: usize) {
        let older = members.get("items").filter(|schema| schema.is_array());
        let first = members.get("prefixItems").or(older).and_then(Value::as_array);
        let first = first.map(Vec::as_slice).unwrap_or_default();
        let rest = match older {
            Some(_) => members.get("additionalItems"),
            None => members.get("items"),
        };
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or(rest) {
                self.check(schema, item, &format!("{place}/{index}"), depth + 1);
            }
        }
        if let Some(wanted) = members.get("contains")
            && !items.iter().any(|item| self.fits(wanted, item, depth))
        {
            self.fault(place, "must have an item that fits the schema in contains");
        }
        let is_repeated =
            |(index, item): (usize, &Value)| items[..index].iter().any(|other| same(other, item));
        if members.get("uniqueItems") == Some(&Value::Bool(true)) && items.iter().enumerate().any(is_repeated)
        {
            self.fault(place, "must not have the same item twice");
        }
        self.size(members, ["minItems", "maxItems"], items.len(), "items", place);
    }

    fn text(&mut self, members: &Map<String, Value>, text: &str, place: &str) {
        if let Some(pattern) = members.get("pattern").and_then(Value::as_str)
            && RegexMatcher::new(pattern).is_ok_and(|pattern| !matches(&pattern, text))
        {
            self.fault(place, &format!("must match pattern \"{pattern}\""));
        }
        self.size(members, ["minLength", "maxLength"], text.chars().count(), "characters", place);
    }

    fn number(&mut self, members: &Map<String, Value>, number: f64, place: &str) {
        let limit = |key: &str| members.get(key).and_then(Value::as_f64);
        if limit("minimum").is_some_and(|least| number < least) {
            self.fault(place, &format!("must be >= {}", limit("minimum").unwrap_or_default()));
        }
        if limit("maximum").is_some_and(|most| number > most) {
            self.fault(place, &format!("must be <= {}", limit("maximum").unwrap_or_default()));
        }
        if limit("exclusiveMinimum").is_some_and(|least| number <= least) {
            self.fault(place, &format!("must be > {}", limit("exclusiveMinimum").unwrap_or_default()));
        }
        if limit("exclusiveMaximum").is_some_and(|most| number >= most) {
            self.fault(place, &format!("must be < {}", limit("exclusiveMaximum").unwrap_or_default()));
        }
        if let Some(step) = limit("multipleOf").filter(|step| *step > 0.0) {
            let times = number / step;
            if (times - times.round()).abs() > 1e-9 {
                self.fault(place, &format!("must be multiple of {step}"));
            }
        }
    }

    /// Limits on how much there is of something.
    fn size(&mut self, members: &Map<String, Value>, keys: [&str; 2], size: usize, what: &str, place: &str) {
        let [least, most] = keys.map(|key| members.get(key).and_then(Value::as_u64));
        if let Some(least) = least.filter(|least| (size as u64) < *least) {
            self.fault(place, &format!("must NOT have fewer than {least} {what}"));
        }
        if let Some(most) = most.filter(|most| (size as u64) > *most) {
            self.fault(place, &format!("must NOT have more than {most} {what}"));
        }
    }
}

fn matches(pattern: &RegexMatcher, text: &str) -> bool {
    pattern.is_match(text.as_bytes()).unwrap_or(false)
}

/// Whether a value has a type, or one of several.
fn has_type(kind: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        // 1.0 is an integer, too.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        _ => value.is_null(),
    };
    match kind {
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        kind => kind.as_str().is_none_or(is),
    }
}

fn named(kind: &Value) -> String {
    match kind {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        kind => kind.as_str().unwrap_or_default().to_owned(),
    }
}

/// Whether two values are the same; 1 and 1.0 are.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
