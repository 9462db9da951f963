//! What "always allow" offers.

use aqueduct_rules::{Behavior, Call, Operation, decide};

use crate::world::{input, shell, with_rules};

fn rules_for(command: &str) -> Vec<String> {
    let decision = shell(&with_rules("default", &[]), command);
    let rules = decision.suggestions.iter().filter_map(|suggestion| match suggestion {
        Operation::AddRules { rules, .. } => Some(rules.iter().map(ToString::to_string)),
        _ => None,
    });
    rules.flatten().collect()
}

#[test]
fn the_narrowest_rule_that_covers_the_siblings() {
    for (command, rule) in [
        ("npm run test", "Bash(npm run *)"),
        ("npm", "Bash(npm)"),
        ("git commit -m x", "Bash(git commit *)"),
        ("git push origin main", "Bash(git push *)"),
        ("cargo build --release", "Bash(cargo build *)"),
        ("make", "Bash(make)"),
        ("pytest -x", "Bash(pytest -x)"),
        ("./build.sh fast", "Bash(./build.sh fast *)"),
        ("curl https://example.com", "Bash(curl https://example.com)"),
        ("FOO=1 make", "Bash(FOO=1 make)"),
        ("chmod +x build.sh", "Bash(chmod +x build.sh)"),
    ] {
        assert_eq!(rules_for(command), [rule], "{command}");
    }
}

#[test]
fn no_rule_where_it_would_be_dangerous() {
    for command in [
        "bash -c ls",
        "sh x.sh",
        "python3 x.py",
        "node -e 1",
        "sudo make",
        "rm x",
        "xargs make",
        "env make",
        "eval make",
        "perl -e 1",
        "ssh host make",
        "echo $(make)",
        "make &",
        "(make)",
        "git -c a=b status",
        "find . -delete",
    ] {
        assert_eq!(rules_for(command), [""; 0], "{command}");
    }
}

#[test]
fn what_is_suggested_is_enough() {
    for command in [
        "npm run test",
        "npm",
        "git commit -m x && git push",
        "make; just",
        "touch new",
        "touch /tmp/x",
        "cat /etc/hostname",
        "ls > out",
        "make > /tmp/log",
        "mkdir a && make",
        "cat /etc/hosts | grep x",
        "FOO=1 make",
        "mv a b",
        "rm -rf build",
    ] {
        let context = with_rules("default", &[]);
        let decision = shell(&context, command);
        assert_eq!(decision.behavior, Behavior::Ask, "{command}");
        assert!(!decision.suggestions.is_empty(), "{command}");
        let mut after = context;
        decision.suggestions.iter().for_each(|suggestion| after.apply(suggestion).expect("applied"));
        let again = shell(&after, command);
        assert_eq!(again.behavior, Behavior::Allow, "{command}: {}", again.reason);
    }
    for (tool, subject) in [
        ("Read", "/etc/hostname"),
        ("Write", "/proj/a"),
        ("Write", "/tmp/d/a"),
        ("WebFetch", "https://a.b"),
        ("Skill", "x"),
        ("mcp__a__b", ""),
    ] {
        let mut context = with_rules("default", &[]);
        let input = input(tool, subject);
        let decision = decide(&context, &Call::new(tool, &input));
        decision.suggestions.iter().for_each(|suggestion| context.apply(suggestion).expect("applied"));
        assert_eq!(decide(&context, &Call::new(tool, &input)).behavior, Behavior::Allow, "{tool} {subject}");
    }
}

#[test]
fn nothing_is_suggested_for_protected_places() {
    let context = with_rules("default", &[]);
    for command in ["touch .git/x", "echo x > .bashrc", "cat .ssh/id_ed25519", "rm -rf ~"] {
        assert_eq!(shell(&context, command).suggestions, [], "{command}");
    }
}
