//! The table of decisions in `decisions.txt`.

use aqueduct_rules::{Call, Context, decide};

use crate::world::{decided, input, named, unmasked, with_rules};

#[test]
fn every_decision_of_the_table() {
    let mut context: Option<Context> = None;
    let mut wrong = Vec::new();
    for line in
        include_str!("decisions.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        if let Some(set) = line.strip_prefix("== ") {
            let (mode, rules) = set.split_once("; ").unwrap_or((set, ""));
            let rules: Vec<&str> = rules.split("; ").filter(|rule| !rule.is_empty()).collect();
            context = Some(with_rules(mode, &rules));
            continue;
        }
        let mut fields = line.splitn(3, ' ');
        let (decision, tool) = (fields.next().expect("a decision"), fields.next().expect("a tool"));
        let subject = unmasked(fields.next().unwrap_or_default());
        let input = input(tool, &subject);
        let found = decided(context.as_ref().expect("a set before its calls"), tool, &input);
        if found.behavior != named(decision) {
            wrong.push(format!("{line}: got {} because {}", found.behavior, found.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a symlink leads to counts as much as its name.
#[test]
fn links_are_followed_where_the_host_resolves_them() {
    let context = with_rules("acceptEdits", &["deny Read(//etc/**)", "allow Edit(docs/**)"]);
    let check = |tool: &str, asked: &str, real: &str| {
        let resolved = [(asked.to_owned(), real.to_owned())];
        decide(&context, &Call::new(tool, &input(tool, asked)).with_resolved(&resolved)).behavior.name()
    };
    assert_eq!(check("Read", "/proj/link", "/proj/real"), "allow");
    assert_eq!(check("Read", "/proj/link", "/home/me/notes"), "ask");
    assert_eq!(check("Read", "/proj/link", "/etc/passwd"), "deny");
    assert_eq!(check("Write", "/proj/link", "/proj/.git/config"), "ask");
    assert_eq!(check("Write", "/proj/link", "/tmp/x"), "ask");
    assert_eq!(check("Write", "/proj/docs/link", "/tmp/x"), "ask");
    let input = serde_json::json!({ "command": "cat link" });
    let call = Call::new("Bash", &input);
    assert_eq!(aqueduct_rules::paths(&context, &call), ["/proj/link"]);
    let resolved = [("/proj/link".to_owned(), "/etc/passwd".to_owned())];
    assert_eq!(decide(&context, &call.with_resolved(&resolved)).behavior.name(), "deny");
}

/// Input that is not what the tool expects is decided too, and never allowed by accident.
#[test]
fn malformed_input_is_not_allowed() {
    let context = with_rules("acceptEdits", &["allow Bash", "allow Edit", "allow WebFetch"]);
    for (tool, text) in [
        ("Bash", "{}"),
        ("Bash", r#"{"command":7}"#),
        ("Read", "[]"),
        ("Write", r#"{"file_path":null}"#),
        ("WebFetch", "null"),
    ] {
        let input = serde_json::from_str(text).expect("JSON");
        assert_ne!(decide(&context, &Call::new(tool, &input)).behavior.name(), "allow", "{tool} {text}");
    }
}
