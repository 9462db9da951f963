//! The examples on docs/bridge-api.md are messages: typed, whole, and of the right direction.

use std::path::Path;

use aqueduct_bridge::message::{BridgeMessage, ClientMessage};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bridge-api.md");
    std::fs::read_to_string(path).unwrap()
}

/// The code blocks of a language, each with the number of its first line.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in page.lines().enumerate() {
        match &mut open {
            None if line == format!("```{language}") => open = Some((index + 2, String::new())),
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    blocks
}

#[test]
fn the_dialogues_are_messages() {
    let page = page();
    let dialogues = blocks(&page, "jsonl");
    assert!(!dialogues.is_empty());
    for (first, text) in dialogues {
        for (index, line) in text.lines().enumerate() {
            let place = format!("line {}: {line}", first + index);
            let mut faults = Vec::new();
            if let Some(line) = line.strip_prefix("> ") {
                ClientMessage::parse(line).unwrap_or_else(|refusal| panic!("{place}: {refusal}"));
            } else if let Some(line) = line.strip_prefix("< ") {
                let message = BridgeMessage::parse(line).unwrap_or_else(|error| panic!("{place}: {error}"));
                message.leftovers(&mut |leftover| faults.push(format!("{leftover:?}")));
                assert!(!matches!(message, BridgeMessage::Unknown(_)), "{place}");
            } else {
                panic!("{place}: no direction");
            }
            assert!(faults.is_empty(), "{place}: {faults:?}");
        }
    }
}

#[test]
fn every_message_has_a_section_with_its_example() {
    let page = page();
    let examples = blocks(&page, "json");
    for (heading, is_client) in [("## Messages of a client", true), ("## Messages of the bridge", false)] {
        let start = page.find(heading).unwrap();
        let section = &page[start..start + page[start + 3..].find("\n## ").unwrap() + 3];
        let kinds: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("### `")).collect();
        for kind in kinds {
            let kind = kind.trim_end_matches('`');
            let tag = format!("{{\"type\":\"{kind}\",");
            let mut found = examples.iter().filter(|(_, text)| text.starts_with(&tag));
            let typed = found.any(|(_, text)| match is_client {
                true => ClientMessage::parse(text).is_ok(),
                false => BridgeMessage::parse(text).is_ok_and(|message| message.delivery().is_some()),
            });
            assert!(typed, "{kind} has no example");
        }
    }
}
