//! A session's transcript: JSON line by line, every message with its parent before it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::acknowledged::Acknowledged;

pub(super) struct Transcript {
    entries: Vec<Value>,
    /// What the newest message goes back to: the uuids from it to the beginning.
    chain: HashSet<String>,
}

impl Transcript {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut entries = Vec::new();
        // A line that was torn is made blank.
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let entry: Value = serde_json::from_str(line)
                .with_context(|| format!("line {} of the transcript is broken", index + 1))?;
            entries.push(entry);
        }
        ensure!(text.ends_with('\n'), "the transcript's last line is torn");
        let chain = chain(&entries);
        Ok(Self { entries, chain })
    }

    /// Every parent is there, and comes first; there is one beginning.
    pub(super) fn check_chain(&self) -> Result<()> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut beginnings = 0;
        for entry in self.entries.iter().filter(|entry| entry["isSidechain"] != true) {
            let Some(uuid) = entry["uuid"].as_str() else {
                continue;
            };
            match entry.get("parentUuid").and_then(Value::as_str) {
                None => beginnings += 1,
                Some(parent) if seen.contains(parent) => {}
                Some(parent) => bail!("the parent {parent} of {uuid} is not in the transcript before it"),
            }
            ensure!(seen.insert(uuid), "{uuid} is in the transcript twice");
        }
        ensure!(beginnings == 1, "the transcript begins {beginnings} times");
        Ok(())
    }

    /// Whether a message is there, where the newest one goes back to.
    pub(super) fn has(&self, message: &Acknowledged) -> bool {
        self.entries.iter().any(|entry| {
            self.reaches(entry) && (message.is_in_message(&entry["message"]) || is_queued(message, entry))
        })
    }

    /// Whether the newest message goes back to an entry. Calls that ran side by side are answered each
    /// behind its own call: of these the newest message goes back to one, and means all.
    fn reaches(&self, entry: &Value) -> bool {
        let is_on_chain =
            |entry: &Value| entry["uuid"].as_str().is_some_and(|uuid| self.chain.contains(uuid));
        let has_sibling = |entry: &Value| {
            let is_sibling = |other: &&Value| other["message"]["id"] == entry["message"]["id"];
            entry["type"] == "assistant" && self.entries.iter().filter(is_sibling).any(is_on_chain)
        };
        let answers = |call: &&Value| call["uuid"] == entry["parentUuid"] && has_sibling(call);
        is_on_chain(entry) || has_sibling(entry) || self.entries.iter().any(|call| answers(&call))
    }
}

/// A prompt that was taken in the middle of a turn is an attachment of that turn.
fn is_queued(message: &Acknowledged, entry: &Value) -> bool {
    let Acknowledged::Prompt(text) = message else {
        return false;
    };
    let prompt = &entry["attachment"]["prompt"];
    let blocks = || prompt.as_array().into_iter().flatten();
    prompt == text.as_str() || blocks().any(|block| block["text"] == text.as_str())
}

fn chain(entries: &[Value]) -> HashSet<String> {
    let word = |entry: &Value, member: &str| entry[member].as_str().map(str::to_owned);
    let parents: HashMap<String, Option<String>> =
        entries.iter().filter_map(|entry| Some((word(entry, "uuid")?, word(entry, "parentUuid")))).collect();
    let mut chain = HashSet::new();
    let is_message = |entry: &&Value| entry["type"] == "user" || entry["type"] == "assistant";
    let mut next = entries.iter().rfind(is_message).and_then(|entry| word(entry, "uuid"));
    while let Some(uuid) = next.take() {
        next = parents.get(&uuid).cloned().flatten();
        if !chain.insert(uuid) {
            break;
        }
    }
    chain
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(uuid: &str, parent: Option<&str>, text: &str) -> String {
        let message = json!({ "role": "user", "content": text });
        json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "message": message }).to_string() + "\n"
    }

    #[test]
    fn a_whole_transcript_is_well() {
        let text = entry("a", None, "one") + &entry("b", Some("a"), "two");
        let transcript = Transcript::parse(&text).expect("is JSON");
        transcript.check_chain().expect("is whole");
        assert!(transcript.has(&Acknowledged::Prompt("one".into())));
        assert!(!transcript.has(&Acknowledged::Prompt("three".into())));
    }

    #[test]
    fn torn_lines_and_lost_parents_are_noticed() {
        assert!(Transcript::parse("{\"type\":\"us").is_err());
        let lost = Transcript::parse(&entry("b", Some("a"), "two")).expect("is JSON");
        assert!(lost.check_chain().is_err());
    }

    #[test]
    fn calls_side_by_side_are_all_reached() {
        let call = |uuid: &str, parent: &str, id: &str| {
            let message = json!({ "id": "msg_1", "content": [{ "type": "tool_use", "id": id }] });
            json!({ "type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message }).to_string()
                + "\n"
        };
        let answer = |uuid: &str, parent: &str, id: &str| {
            let message = json!({ "content": [{ "type": "tool_result", "tool_use_id": id }] });
            json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "message": message }).to_string()
                + "\n"
        };
        let entries = [
            entry("a", None, "one"),
            call("b", "a", "t1"),
            call("c", "b", "t2"),
            answer("d", "c", "t2"),
            answer("e", "b", "t1"),
            entry("f", Some("e"), "two"),
        ];
        let transcript = Transcript::parse(&entries.concat()).expect("is JSON");
        transcript.check_chain().expect("is whole");
        for id in ["t1", "t2"] {
            assert!(transcript.has(&Acknowledged::ToolResult(id.into())), "{id}");
        }
    }

    #[test]
    fn what_the_newest_message_does_not_go_back_to_is_lost() {
        let text = entry("a", None, "one") + &entry("b", Some("a"), "two") + &entry("c", Some("a"), "three");
        let transcript = Transcript::parse(&text).expect("is JSON");
        assert!(!transcript.has(&Acknowledged::Prompt("two".into())));
    }
}
