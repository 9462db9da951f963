//! What people and programs are shown about a decision.

use aqueduct_rules::{Behavior, Call, Rule, decide};
use aqueduct_wire::hint::HintedError as _;

use crate::world::{input, shell, with_rules};

fn shown(rules: &[&str], command: &str) -> String {
    serde_json::to_string_pretty(&shell(&with_rules("default", rules), command)).expect("JSON")
}

#[test]
fn a_command_is_taken_apart() {
    insta::assert_snapshot!(shown(
        &["allow Bash(make:*)"],
        "make && cat notes.txt > copy.txt; curl https://example.com"
    ));
}

#[test]
fn a_denied_command_names_its_rule() {
    insta::assert_snapshot!(shown(
        &["allow Bash", "deny Bash(git push:*)"],
        "echo start; bash -c 'git push'"
    ));
}

#[test]
fn an_uncertainty_is_reported_and_nothing_is_suggested() {
    insta::assert_snapshot!(shown(&[], "echo $(make)"));
}

#[test]
fn a_file_outside() {
    let decision = decide(&with_rules("default", &[]), &Call::new("Read", &input("Read", "/etc/hostname")));
    insta::assert_snapshot!(serde_json::to_string_pretty(&decision).expect("JSON"));
}

#[test]
fn rules_that_cannot_be_read_are_explained() {
    let wrong = [
        "Bash(git",
        "git)",
        "",
        "(x)",
        "Bash()",
        "Ba sh(x)",
        "mcp__",
        "mcp__*",
        "mcp__a__b(c)",
        "Read(!x)",
        "WebFetch(x)",
        "B*sh",
    ];
    let lines: Vec<String> =
        wrong.iter().map(|text| Rule::parse(text).expect_err("refused").advised()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_decision_has_a_trace() {
    for (tool, subject) in [
        ("Bash", "ls"),
        ("Bash", "x"),
        ("Bash", "("),
        ("Read", "/proj/a"),
        ("Write", "x"),
        ("WebFetch", "https://a.b"),
        ("Task", "x"),
        ("New", ""),
    ] {
        let decision = decide(&with_rules("default", &[]), &Call::new(tool, &input(tool, subject)));
        assert!(!decision.trace.is_empty(), "{tool} {subject}");
        assert!(!decision.reason.is_empty(), "{tool} {subject}");
        assert!(decision.behavior == Behavior::Ask || decision.suggestions.is_empty(), "{tool} {subject}");
    }
}

#[test]
fn a_sandbox_makes_questions_needless_but_for_rules_and_protected_places() {
    let rules = ["deny Bash(curl:*)", "ask Bash(git push:*)", "deny Read(.env)"];
    let decided = |mode: &str, command: &str| {
        let mut context = with_rules(mode, &rules);
        context.set_sandboxed(true);
        shell(&context, command).behavior
    };
    for command in ["make", "npm test; ./a.sh", "x=1; make \"$x\""] {
        assert_eq!(decided("default", command), Behavior::Allow, "{command}");
        assert_ne!(decided("plan", command), Behavior::Allow, "{command}");
    }
    for command in ["curl example.com", "make && curl x", "cat .env"] {
        assert_eq!(decided("default", command), Behavior::Deny, "{command}");
    }
    for command in ["git push", "rm -rf ~", "echo x > .git/hooks/pre-commit", "cat ~/.ssh/id_rsa", "$x push"]
    {
        assert_eq!(decided("default", command), Behavior::Ask, "{command}");
    }
}
