//! A value held against a schema.

use std::cell::Cell;
use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::number::{compare, count, is_multiple, is_same};
use super::pattern::{MatchTime, PatternMatch};
use super::seen::Seen;
use super::{MAX_DEPTH, MAX_FAULTS, Schema};

/// Holds a value against a schema, and gathers faults.
pub(super) struct Checker<'s> {
    pub(super) schema: &'s Schema,
    /// How many comparisons are left.
    pub(super) work: &'s Cell<usize>,
    /// How long patterns may still take.
    pub(super) time: &'s MatchTime,
    pub(super) faults: Vec<String>,
}

impl<'s> Checker<'s> {
    /// Holds the value at a place against a schema. Returns what the schema looked at.
    pub(super) fn check(&mut self, schema: &'s Value, value: &Value, place: &str, depth: usize) -> Seen {
        let mut seen = Seen::default();
        let left = self.work.get();
        if depth > MAX_DEPTH || left == 0 {
            self.fault(place, "is nested too deeply");
            return seen;
        }
        self.work.set(left - 1);
        if self.faults.len() >= MAX_FAULTS {
            return seen;
        }
        let members = match schema {
            Value::Bool(true) => return seen,
            Value::Object(members) => members,
            _ => {
                self.fault(place, "must not be there");
                return seen;
            }
        };
        if let Some(target) =
            members.get("$ref").and_then(Value::as_str).and_then(|name| self.schema.find(name))
        {
            seen.add(self.check(target, value, place, depth + 1));
            if self.schema.is_legacy {
                return seen;
            }
        }
        if let Some(kind) = members.get("type")
            && !has_type(kind, value)
        {
            self.fault(place, &format!("must be {}", named(kind)));
            return seen;
        }
        if let Some(known) = members.get("const")
            && !is_same(known, value)
        {
            self.fault(place, &format!("must be {known}"));
        }
        if let Some(choices) = members.get("enum").and_then(Value::as_array)
            && !choices.iter().any(|choice| is_same(choice, value))
        {
            let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
            self.fault(place, &format!("must be one of {}", choices.join(", ")));
        }
        self.combined(members, value, place, depth, &mut seen);
        match value {
            Value::Object(object) => self.object(members, object, place, depth, &mut seen),
            Value::Array(items) => self.array(members, items, place, depth, &mut seen),
            Value::String(text) => self.text(members, text, place),
            Value::Number(number) => self.number(members, number, place),
            Value::Null | Value::Bool(_) => (),
        }
        seen
    }

    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{}: {what}", if place.is_empty() { "root" } else { place }));
    }

    /// What a schema looked at in a value that it matches, without a report of its errors.
    fn fits(&self, schema: &'s Value, value: &Value, depth: usize) -> Option<Seen> {
        let mut other = Checker { schema: self.schema, work: self.work, time: self.time, faults: Vec::new() };
        let seen = other.check(schema, value, "", depth + 1);
        other.faults.is_empty().then_some(seen)
    }

    fn combined(
        &mut self,
        members: &'s Map<String, Value>,
        value: &Value,
        place: &str,
        depth: usize,
        seen: &mut Seen,
    ) {
        let list =
            |key: &str| members.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for part in list("allOf") {
            seen.add(self.check(part, value, place, depth + 1));
        }
        let any = list("anyOf");
        let mut is_any = any.is_empty();
        for part in any {
            // What the others look at counts as well, but only where something asks for it.
            if is_any && !self.schema.collects {
                break;
            }
            if let Some(more) = self.fits(part, value, depth) {
                is_any = true;
                seen.add(more);
            }
        }
        if !is_any {
            self.fault(place, "must fit one of the schemas in anyOf");
        }
        let one = list("oneOf");
        let mut fitting = one.iter().filter_map(|part| self.fits(part, value, depth)).collect::<Vec<_>>();
        match fitting.len() {
            1 => seen.add(fitting.remove(0)),
            _ if one.is_empty() => {}
            _ => self.fault(place, "must fit exactly one of the schemas in oneOf"),
        }
        if members.get("not").is_some_and(|not| self.fits(not, value, depth).is_some()) {
            self.fault(place, "must not fit the schema in not");
        }
        if let Some(condition) = members.get("if") {
            let fitting = self.fits(condition, value, depth);
            let branch = if fitting.is_some() { "then" } else { "else" };
            seen.add(fitting.unwrap_or_default());
            if let Some(branch) = members.get(branch) {
                seen.add(self.check(branch, value, place, depth + 1));
            }
        }
    }

    fn object(
        &mut self,
        members: &'s Map<String, Value>,
        object: &Map<String, Value>,
        place: &str,
        depth: usize,
        seen: &mut Seen,
    ) {
        self.required(members.get("required"), object, place);
        let named = |key: &str| members.get(key).and_then(Value::as_object).into_iter().flatten();
        for (name, dependent) in named("dependentRequired").chain(named("dependencies")) {
            if object.contains_key(name) {
                self.required(Some(dependent), object, place);
            }
        }
        let schemas = |(_, dependent): &(&'s String, &'s Value)| !dependent.is_array();
        for (name, dependent) in named("dependentSchemas").chain(named("dependencies")).filter(schemas) {
            if object.contains_key(name) {
                let value = Value::Object(object.clone());
                seen.add(self.check(dependent, &value, place, depth + 1));
            }
        }
        if let Some(names) = members.get("propertyNames") {
            for name in object.keys() {
                self.check(names, &Value::from(name.as_str()), &format!("{place}/{name}"), depth + 1);
            }
        }
        let properties = members.get("properties").and_then(Value::as_object);
        for (name, value) in object {
            let inside = format!("{place}/{name}");
            let mut is_known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                is_known = true;
                self.check(schema, value, &inside, depth + 1);
            }
            for (pattern, schema) in named("patternProperties") {
                if self.matches(pattern, name, &inside) {
                    is_known = true;
                    self.check(schema, value, &inside, depth + 1);
                }
            }
            match members.get("additionalProperties").filter(|_| !is_known) {
                Some(Value::Bool(false)) => {
                    let what = format!("must NOT have additional properties ('{name}' is not allowed)");
                    self.fault(place, &what);
                }
                Some(schema) => {
                    is_known = true;
                    self.check(schema, value, &inside, depth + 1);
                }
                None => (),
            }
            if is_known && self.schema.collects {
                seen.name(name);
            }
        }
        if let Some(schema) = members.get("unevaluatedProperties") {
            for (name, value) in object.iter().filter(|(name, _)| !seen.has_name(name)) {
                match schema {
                    Value::Bool(false) => {
                        self.fault(place, &format!("must NOT have unevaluated properties ('{name}')"));
                    }
                    schema => {
                        self.check(schema, value, &format!("{place}/{name}"), depth + 1);
                    }
                }
            }
            seen.all_names();
        }
        self.size(members, ["minProperties", "maxProperties"], object.len(), "properties", place);
    }

    fn required(&mut self, names: Option<&Value>, object: &Map<String, Value>, place: &str) {
        for name in names.and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str().filter(|name| !object.contains_key(*name)) {
                self.fault(place, &format!("must have required property '{name}'"));
            }
        }
    }

    fn array(
        &mut self,
        members: &'s Map<String, Value>,
        items: &[Value],
        place: &str,
        depth: usize,
        seen: &mut Seen,
    ) {
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
                seen.item(index);
            }
        }
        self.contains(members, items, place, depth, seen);
        if let Some(schema) = members.get("unevaluatedItems") {
            for (index, item) in items.iter().enumerate().filter(|(index, _)| !seen.has_item(*index)) {
                self.check(schema, item, &format!("{place}/{index}"), depth + 1);
            }
            seen.all_items();
        }
        let is_repeated =
            |(index, item): (usize, &Value)| items[..index].iter().any(|other| is_same(other, item));
        if members.get("uniqueItems") == Some(&Value::Bool(true)) && items.iter().enumerate().any(is_repeated)
        {
            self.fault(place, "must not have the same item twice");
        }
        self.size(members, ["minItems", "maxItems"], items.len(), "items", place);
    }

    fn contains(
        &mut self,
        members: &'s Map<String, Value>,
        items: &[Value],
        place: &str,
        depth: usize,
        seen: &mut Seen,
    ) {
        let Some(wanted) = members.get("contains") else { return };
        let mut found = 0;
        for (index, item) in items.iter().enumerate() {
            if self.fits(wanted, item, depth).is_some() {
                found += 1;
                if !self.schema.is_legacy {
                    seen.item(index);
                }
            }
        }
        let limit = |key: &str| members.get(key).filter(|_| !self.schema.is_legacy).and_then(count);
        let (least, most) = (limit("minContains").unwrap_or(1), limit("maxContains").unwrap_or(u64::MAX));
        if found < least {
            self.fault(place, "must have an item that fits the schema in contains");
        }
        if found > most {
            self.fault(
                place,
                &format!("must NOT have more than {most} items that fit the schema in contains"),
            );
        }
    }

    fn text(&mut self, members: &Map<String, Value>, text: &str, place: &str) {
        if let Some(pattern) = members.get("pattern").and_then(Value::as_str)
            && !self.matches(pattern, text, place)
        {
            self.fault(place, &format!("must match pattern \"{pattern}\""));
        }
        self.size(members, ["minLength", "maxLength"], text.chars().count(), "characters", place);
    }

    /// Whether a text matches a pattern of the schema. If there is no answer within the limits, that is a fault.
    fn matches(&mut self, pattern: &str, text: &str, place: &str) -> bool {
        let Some(read) = self.schema.patterns.get(pattern) else { return true };
        match read.find_in(text, self.time) {
            PatternMatch::Matches => true,
            PatternMatch::Differs => false,
            PatternMatch::Unknown => {
                self.fault(place, &format!("takes too long to compare with pattern \"{pattern}\""));
                true
            }
        }
    }

    fn number(&mut self, members: &Map<String, Value>, number: &Number, place: &str) {
        type Holds = fn(Ordering) -> bool;
        const LIMITS: [(&str, &str, Holds); 4] = [
            ("minimum", ">=", Ordering::is_ge),
            ("maximum", "<=", Ordering::is_le),
            ("exclusiveMinimum", ">", Ordering::is_gt),
            ("exclusiveMaximum", "<", Ordering::is_lt),
        ];
        for (key, sign, holds) in LIMITS {
            let Some(limit) = members.get(key).and_then(Value::as_number) else { continue };
            if !compare(number, limit).is_some_and(holds) {
                self.fault(place, &format!("must be {sign} {limit}"));
            }
        }
        if let Some(step) = members.get("multipleOf").and_then(Value::as_number)
            && !is_multiple(number, step)
        {
            self.fault(place, &format!("must be multiple of {step}"));
        }
    }

    /// Limits on how much there is of something.
    fn size(&mut self, members: &Map<String, Value>, keys: [&str; 2], size: usize, what: &str, place: &str) {
        let [least, most] = keys.map(|key| members.get(key).and_then(count));
        if let Some(least) = least.filter(|least| (size as u64) < *least) {
            self.fault(place, &format!("must NOT have fewer than {least} {what}"));
        }
        if let Some(most) = most.filter(|most| (size as u64) > *most) {
            self.fault(place, &format!("must NOT have more than {most} {what}"));
        }
    }
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
