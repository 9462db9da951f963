//! Two corresponding frames, member by member.

use serde_json::Value;

use super::finding::{Finding, What};
use super::frame::Frame;
use super::rules::{self, Rule};

/// How far two numbers may be apart that are the same up to rounding.
const ROUNDING: f64 = 1e-9;

/// With this the scripted model begins when it repeats what a tool answered.
const ECHO: &str = "after: ";

/// In how many deltas a text was sent.
const PIECES: &str = "event.pieces";

pub(super) fn compare(scenario: &str, theirs: &Frame, ours: &Frame, findings: &mut Vec<Finding>) {
    let is_echo = theirs.value["event"]["delta"]["text"].as_str().is_some_and(|text| text.starts_with(ECHO));
    let may_be_shorter = is_echo || rules::is_cut(scenario);
    let mut comparer = Comparer { scenario, kind: &theirs.kind, may_be_shorter, findings };
    comparer.compare("", Rule::Equal, &theirs.value, &ours.value);
}

struct Comparer<'a> {
    scenario: &'a str,
    kind: &'a str,
    /// Whether this is a text that was cut, or that repeats a program's own words.
    may_be_shorter: bool,
    findings: &'a mut Vec<Finding>,
}

impl Comparer<'_> {
    /// `inherited` is the rule of what this value is a part of. Only a shape is one of parts too: a
    /// text that may be worded freely implies nothing about members of an object in its place.
    fn compare(&mut self, field: &str, inherited: Rule, theirs: &Value, ours: &Value) {
        let rule = match rules::rule_for(self.kind, field) {
            Rule::Equal if inherited == Rule::Shape => Rule::Shape,
            own => own,
        };
        match (rule, theirs, ours) {
            (_, Value::Object(_), Value::Object(_)) => self.members(field, rule, theirs, ours),
            (Rule::Shape, Value::Array(their_items), Value::Array(our_items)) => {
                self.expect(their_items.is_empty() == our_items.is_empty(), field, theirs, ours);
                // One element represents all.
                if let Some((their, our)) = their_items.first().zip(our_items.first()) {
                    self.compare(&format!("{field}[]"), rule, their, our);
                }
            }
            (_, Value::Array(their_items), Value::Array(our_items)) => {
                self.expect(their_items.len() == our_items.len(), field, theirs, ours);
                for (their, our) in their_items.iter().zip(our_items) {
                    self.compare(&format!("{field}[]"), rule, their, our);
                }
            }
            (Rule::Shape, ..) => self.expect(have_one_shape(theirs, ours), field, theirs, ours),
            (Rule::Near, ..) => self.expect(are_near(theirs, ours), field, theirs, ours),
            (Rule::Prose, Value::String(their), Value::String(our)) => {
                self.expect(their.is_empty() == our.is_empty(), field, theirs, ours);
                self.note_wording(field, theirs, ours);
            }
            (_, Value::String(their), Value::String(our)) => self.texts(field, their, our),
            // Of a text that may be shorter here there may be fewer pieces.
            _ if field == PIECES && self.may_be_shorter => {}
            _ => self.expect(theirs == ours, field, theirs, ours),
        }
    }

    fn members(&mut self, field: &str, rule: Rule, theirs: &Value, ours: &Value) {
        let (Some(theirs), Some(ours)) = (theirs.as_object(), ours.as_object()) else {
            return;
        };
        let path = |name: &str| match field {
            "" => name.to_owned(),
            _ => format!("{field}.{name}"),
        };
        for (name, their) in theirs {
            match ours.get(name) {
                Some(our) => self.compare(&path(name), rule, their, our),
                None => self.find(&path(name), What::Missing, Some(their), None),
            }
        }
        for (name, our) in ours.iter().filter(|(name, _)| !theirs.contains_key(*name)) {
            self.find(&path(name), What::Extra, None, Some(our));
        }
    }

    /// Texts of the model are the same, except for incomplete text and for what it
    /// repeats of a program's own words.
    fn texts(&mut self, field: &str, theirs: &str, ours: &str) {
        let is_cut = rules::is_cut(self.scenario) && field.contains("text");
        let same = theirs == ours || is_cut && (theirs.starts_with(ours) || ours.starts_with(theirs));
        let (their_value, our_value) = (Value::from(theirs), Value::from(ours));
        if !same && theirs.starts_with(ECHO) && ours.starts_with(ECHO) {
            self.note_wording(field, &their_value, &our_value);
        } else {
            self.expect(same, field, &their_value, &our_value);
        }
    }

    fn expect(&mut self, holds: bool, field: &str, theirs: &Value, ours: &Value) {
        if !holds {
            self.find(field, What::Differs, Some(theirs), Some(ours));
        }
    }

    fn note_wording(&mut self, field: &str, theirs: &Value, ours: &Value) {
        if theirs != ours {
            self.find(field, What::Worded, Some(theirs), Some(ours));
        }
    }

    fn find(&mut self, field: &str, what: What, theirs: Option<&Value>, ours: Option<&Value>) {
        self.findings.push(Finding::new(self.kind, field, what, theirs.cloned(), ours.cloned()));
    }
}

fn have_one_shape(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::String(theirs), Value::String(ours)) => theirs.is_empty() == ours.is_empty(),
        (Value::Number(_), Value::Number(_)) | (Value::Bool(_), Value::Bool(_)) => true,
        _ => theirs == ours,
    }
}

fn are_near(theirs: &Value, ours: &Value) -> bool {
    theirs.as_f64().zip(ours.as_f64()).is_some_and(|(theirs, ours)| (theirs - ours).abs() <= ROUNDING)
}
