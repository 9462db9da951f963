//! What differs in every run gets a name: ids by the order in which they first appear, paths by what
//! they are, times by being times.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::frame::Frame;

/// The directories of one run, and what they are called in a comparison.
#[derive(Default)]
pub(in crate::conformance) struct Places(Vec<(String, &'static str)>);

impl Places {
    pub(in crate::conformance) fn new(home: &Path, project: &Path) -> Self {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        // Transcripts are in a directory that is named after the project's path.
        let folder = |path: &Path| {
            text(path).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
        };
        Self(vec![
            (text(project), "<project>"),
            (folder(project), "<project-folder>"),
            (text(home), "<home>"),
        ])
    }
}

/// Members whose values are ids that other members refer to.
const IDS: &[(&str, &str)] = &[
    ("session_id", "session"),
    ("tool_use_id", "tool"),
    ("parent_tool_use_id", "tool"),
    ("toolUseID", "tool"),
    ("api_message_id", "message"),
    ("agent_id", "agent"),
    ("task_id", "task"),
    ("run_id", "run"),
    ("hook_id", "hook"),
    ("request_id", "request"),
];

/// A member `id` of the scripted model's messages shows its kind by its prefix.
const PREFIXES: &[(&str, &str)] = &[("toolu_", "tool"), ("msg_", "message")];

/// The names of one side: sessions of one scenario share them.
pub(super) struct Names {
    places: Places,
    ids: HashMap<String, String>,
    counts: HashMap<&'static str, usize>,
}

impl Names {
    pub(super) fn new(places: Places) -> Self {
        Self { places, ids: HashMap::new(), counts: HashMap::new() }
    }

    pub(super) fn replace(&mut self, mut frames: Vec<Frame>) -> Vec<Frame> {
        // Messages of subagents are interleaved at no fixed place: they are counted behind the rest.
        let (beside, main): (Vec<&Frame>, Vec<&Frame>) =
            frames.iter().partition(|frame| frame.is_of_a_subagent());
        for frame in main.into_iter().chain(beside).map(|frame| &frame.value) {
            // Ids of requests to the Messages API depend on how many there were: they are not counted.
            if frame["type"] == "assistant" {
                self.collect("message", &frame["message"]);
                self.collect("session_id", &frame["session_id"]);
            } else {
                self.collect("", frame);
            }
        }
        frames.iter_mut().for_each(|frame| self.rename(&mut frame.value));
        frames
    }

    fn collect(&mut self, key: &str, value: &Value) {
        match value {
            Value::String(text) => {
                if let Some(family) = family(key, text) {
                    self.add(family, text);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(key, item)),
            Value::Object(members) => members.iter().for_each(|(key, value)| self.collect(key, value)),
            _ => {}
        }
    }

    fn add(&mut self, family: &'static str, id: &str) {
        // What a scenario chose itself is the same on both sides.
        if id.is_empty() || id.starts_with("request-") || self.ids.contains_key(id) {
            return;
        }
        let count = self.counts.entry(family).or_default();
        *count += 1;
        self.ids.insert(id.to_owned(), format!("<{family} {count}>"));
    }

    fn rename(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.name(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.rename(item)),
            Value::Object(members) => members.values_mut().for_each(|value| self.rename(value)),
            _ => {}
        }
    }

    fn name(&self, text: &str) -> String {
        if let Some(name) = self.ids.get(text) {
            return name.clone();
        }
        if is_time(text) {
            return "<time>".to_owned();
        }
        let mut text = text.to_owned();
        for (place, name) in &self.places.0 {
            text = text.replace(place.as_str(), name);
        }
        self.name_inside(&text)
    }

    /// Ids inside longer texts: every word of letters, digits, `-` and `_` is looked at.
    fn name_inside(&self, text: &str) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            named.push_str(before);
            match self.ids.get(word) {
                Some(name) => named.push_str(name),
                None if is_uuid(word) => named.push_str("<uuid>"),
                None => named.push_str(word),
            }
            rest = after;
        }
        named.push_str(rest);
        named
    }
}

fn family(key: &str, id: &str) -> Option<&'static str> {
    let by_prefix = PREFIXES.iter().find(|(prefix, _)| key == "id" && id.starts_with(prefix));
    let by_key = || IDS.iter().find(|(name, _)| *name == key);
    by_prefix.or_else(by_key).map(|(_, family)| *family)
}

fn is_uuid(word: &str) -> bool {
    let groups: Vec<&str> = word.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// `2026-01-02T03:04:05.678Z`
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    (20..=30).contains(&bytes.len())
        && [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')].iter().all(|(at, c)| bytes[*at] == *c)
        && text.ends_with('Z')
}
