//! Any text as a skill or a subagent: its front matter is read without a panic, every tool and rule that it lists is
//! a word of a scalar in its YAML, what is nested is JSON, and a comment more changes nothing.

#![no_main]
// Only the reader is built: the rest of the agent would take minutes to instrument.
#![allow(dead_code, unreachable_pub, unused_imports)]

use front_matter::FrontMatter;
use libfuzzer_sys::fuzz_target;
use saphyr_parser::{Event, Parser};

#[path = "../../crates/aqueduct-agent/src/diagnostic.rs"]
mod diagnostic;

#[path = "../../crates/aqueduct-agent/src/front_matter/mod.rs"]
mod front_matter;

#[path = "../../crates/aqueduct-agent/src/options/list.rs"]
mod list;

/// Where the reader looks for it.
mod options {
    pub(crate) use super::list::split_list;
}

const KEYS: [&str; 3] = ["allowed-tools", "tools", "disallowedTools"];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Most inputs would have no front matter otherwise.
    let fenced = format!("---\n{text}\n---\nBody");
    for file in [text, &fenced] {
        check(file);
    }
});

fn check(file: &str) {
    let mut matter = FrontMatter::read(file);
    assert!(file.ends_with(matter.body));
    let lines = file.lines().count().max(1);
    let listed = KEYS.map(|key| matter.tools(key));
    for rule in listed.iter().flatten().flatten() {
        assert!((1..=lines).contains(&rule.line));
        assert!(
            aqueduct_rules::Rule::parse(&rule.text).is_err() || is_in_a_scalar(file, &rule.text),
            "{rule:?}"
        );
    }
    if let Some(json) = matter.nested("hooks") {
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    }
    assert!(
        matter.diagnostics.iter().all(|problem| problem.place.line.is_some_and(|line| line.get() <= lines)),
        "{:?}",
        matter.diagnostics
    );
    // A comment below the opening line grants and takes nothing.
    if let Some(rest) = file.strip_prefix("---\n") {
        let more = format!("---\n# tools: Bash\n{rest}");
        let mut commented = FrontMatter::read(&more);
        let texts = |list: &Option<Vec<front_matter::ListedTool>>| {
            list.as_ref().map(|list| list.iter().map(|rule| rule.text.clone()).collect::<Vec<_>>())
        };
        for (key, before) in KEYS.iter().zip(&listed) {
            assert_eq!(texts(&commented.tools(key)), texts(before));
        }
    }
}

/// Whether a rule is an entry of a scalar, as the parser sees the front matter. Where a description lacks its quotes, the
/// parser does not get to the end: then the rule is in the text, but for escapes and folded lines.
fn is_in_a_scalar(file: &str, rule: &str) -> bool {
    let yaml = file.strip_suffix(FrontMatter::read(file).body).unwrap_or(file);
    let events: Result<Vec<_>, _> = Parser::new_from_str(yaml.trim_start_matches('\u{feff}')).collect();
    let Ok(events) = events else {
        let squashed = |text: &str| text.replace(|c: char| c.is_whitespace() || "'\"".contains(c), "");
        return yaml.contains('\\') || squashed(yaml).contains(&squashed(rule));
    };
    events.iter().any(|(event, _)| match event {
        Event::Scalar(text, ..) => options::split_list(text).iter().any(|entry| entry == rule),
        _ => false,
    })
}
