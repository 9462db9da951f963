//! Commands that try to slip past a rule set; none of them may be allowed.

use aqueduct_rules::{Behavior, Context};

use crate::world::{shell, unmasked, with_rules};

fn rules(set: &str) -> Context {
    match set {
        "none" => with_rules("default", &[]),
        "git" => with_rules("default", &["allow Bash(git:*)"]),
        "npm" => with_rules("default", &["allow Bash(npm run test:*)"]),
        "echo" => with_rules("default", &["allow Bash(echo:*)"]),
        "deny" => with_rules(
            "default",
            &["allow Bash", "deny Bash(git push:*)", "deny Bash(rm:*)", "deny Bash(curl:*)"],
        ),
        "read" => with_rules(
            "default",
            &["allow Bash", "deny Read(./.env)", "deny Read(~/.ssh/**)", "deny Read(//etc/shadow)"],
        ),
        "write" => with_rules("default", &["allow Bash", "deny Edit(out.txt)"]),
        "edit" => with_rules("acceptEdits", &["deny Edit(secrets/**)"]),
        other => panic!("unknown set {other}"),
    }
}

fn corpus() -> Vec<(&'static str, String)> {
    let lines = include_str!("attacks.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| (line[..5].trim_end(), unmasked(&line[6..]))).collect()
}

#[test]
fn the_corpus_is_large() {
    assert!(corpus().len() >= 300);
}

#[test]
fn no_attack_is_allowed() {
    let allowed: Vec<String> = corpus()
        .into_iter()
        .filter_map(|(set, command)| {
            let decision = shell(&rules(set), &command);
            (decision.behavior == Behavior::Allow).then(|| format!("{set}: {command:?}: {}", decision.reason))
        })
        .collect();
    assert!(allowed.is_empty(), "allowed:\n{}", allowed.join("\n"));
}

/// A bypassing agent still obeys what is denied.
#[test]
fn bypassing_does_not_help_against_a_deny_rule() {
    for (_, command) in corpus().into_iter().filter(|(set, _)| *set == "deny") {
        let context = with_rules(
            "bypassPermissions",
            &["deny Bash(git push:*)", "deny Bash(rm:*)", "deny Bash(curl:*)"],
        );
        let decision = shell(&context, &command);
        assert_ne!(decision.behavior, Behavior::Allow, "{command:?}: {}", decision.reason);
    }
}
