//! Names for what is different in every run: ids are numbered in the order in which they appear, so that an id that
//! refers to the wrong thing is noticed; times, durations and folders are named by what they are.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// The names that were given in one duty.
pub(super) struct Names {
    folders: [(String, &'static str); 2],
    ids: BTreeMap<String, String>,
}

/// How ids begin, and what they are called.
const PREFIXES: [(&str, &str); 3] = [("toolu_", "TOOL"), ("msg_", "MESSAGE"), ("req_", "REQUEST")];

impl Names {
    pub(super) fn new(folder: &Path) -> Self {
        let folder = folder.display().to_string();
        // Transcripts are kept in a folder whose name is the project's path.
        let flat = folder.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Self { folders: [(folder, "/FOLDER"), (flat, "-FOLDER")], ids: BTreeMap::new() }
    }

    /// An event as a line. Members are in the order of their names.
    pub(super) fn line(&mut self, event: &Value) -> String {
        let mut event = event.clone();
        self.rename(&mut event);
        event.to_string()
    }

    fn rename(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.rename(value)),
            Value::Object(members) => {
                for (name, value) in members.iter_mut() {
                    match is_duration(name) && value.is_number() {
                        true => *value = "DURATION".into(),
                        false => self.rename(value),
                    }
                }
            }
            _ => {}
        }
    }

    /// A text in which every id, time and folder has a name.
    pub(super) fn text(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (folder, name) in &self.folders {
            text = text.replace(folder, name);
        }
        let mut named = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(next) = rest.chars().next() {
            let begins = named.chars().next_back().is_none_or(|before| !before.is_ascii_alphanumeric());
            match begins.then(|| self.named(rest)).flatten() {
                Some((name, length)) => {
                    named.push_str(&name);
                    rest = &rest[length..];
                }
                None => {
                    named.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        named
    }

    /// The name of what a text begins with, and how long that is.
    fn named(&mut self, text: &str) -> Option<(String, usize)> {
        if let Some(length) = timestamp(text) {
            return Some(("TIME".to_owned(), length));
        }
        if let Some(length) = uuid(text) {
            return Some((self.numbered("ID", &text[..length]), length));
        }
        let (prefix, name) = PREFIXES.iter().find(|(prefix, _)| text.starts_with(prefix))?;
        let length =
            prefix.len() + text[prefix.len()..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        Some((self.numbered(name, &text[..length]), length))
    }

    fn numbered(&mut self, kind: &str, id: &str) -> String {
        let next = self.ids.values().filter(|name| name.starts_with(kind)).count() + 1;
        self.ids.entry(id.to_owned()).or_insert_with(|| format!("{kind}{next}")).clone()
    }
}

fn is_duration(member: &str) -> bool {
    let member = member.to_ascii_lowercase();
    ["duration", "timestamp", "createdat", "updatedat"].iter().any(|word| member.contains(word))
        || member.ends_with("_ms")
        || member.ends_with("_at")
}

/// The length of a UUID at the beginning.
fn uuid(text: &str) -> Option<usize> {
    matches(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

/// The length of a date or a time or both at the beginning.
fn timestamp(text: &str) -> Option<usize> {
    let Some(date) = matches(text, "dddd-dd-dd") else { return matches(text, "dd:dd:dd") };
    let rest = &text[date..];
    let Some(time) = matches(rest, "Tdd:dd").or_else(|| matches(rest, " dd:dd")) else { return Some(date) };
    let more = rest[time..].bytes().take_while(|c| c.is_ascii_digit() || b":.Z".contains(c)).count();
    Some(date + time + more)
}

/// Whether a text begins with a pattern in which `d` is a digit and `x` a hexadecimal one; the pattern's length.
fn matches(text: &str, pattern: &str) -> Option<usize> {
    let fits = |(c, wanted): (u8, u8)| match wanted {
        b'd' => c.is_ascii_digit(),
        b'x' => c.is_ascii_hexdigit(),
        other => c == other,
    };
    let is_long_enough = text.len() >= pattern.len();
    (is_long_enough && text.bytes().zip(pattern.bytes()).all(fits)).then_some(pattern.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_in_every_run_has_a_name() {
        let mut names = Names::new(Path::new("/tmp/aqueduct-a1b2"));
        let event = json!({
            "b": "toolu_0012 and toolu_0013, then toolu_0012",
            "a": "in /tmp/aqueduct-a1b2/project (-tmp-aqueduct-a1b2-project) at 2026-11-17T04:06:25.123Z",
            "duration_ms": 12,
            "id": "0b7f8a52-0000-4000-8000-3a2b1c0d9e8f",
        });
        assert_eq!(
            names.line(&event),
            json!({
                "a": "in /FOLDER/project (-FOLDER-project) at TIME",
                "b": "TOOL1 and TOOL2, then TOOL1",
                "duration_ms": "DURATION",
                "id": "ID1",
            })
            .to_string()
        );
    }

    #[test]
    fn words_that_look_like_ids_stay() {
        let mut names = Names::new(Path::new("/nowhere"));
        assert_eq!(
            names.text("room 12345678-90 on 3.4.2026, ünïcode"),
            "room 12345678-90 on 3.4.2026, ünïcode"
        );
        assert_eq!(names.text("2026-11-17 04:06 and 2026-11-17"), "TIME and TIME");
    }
}
