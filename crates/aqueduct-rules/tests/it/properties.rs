//! What must hold for every call, every rule and every text.

use aqueduct_rules::{Behavior, Call, Context, Rule, Source, decide, settings};
use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleValue};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{context, input};

/// Rules that meet each other and the calls below.
fn rule() -> impl Strategy<Value = String> {
    let content = prop::sample::select(vec![
        "git:*",
        "git push:*",
        "git status",
        "git * status",
        "npm run *",
        "npm run test:*",
        "touch*",
        "rm:*",
        "echo:*",
        "cat:*",
        "*",
        ":*",
        "make",
        "* --version",
        "bash:*",
        "find:*",
        "FOO=1 make:*",
    ]);
    let pattern = prop::sample::select(vec![
        "src/**",
        "./.env",
        "*.pem",
        "//etc/**",
        "~/x/**",
        "/settings/**",
        ".git/**",
        "**",
        "a/../b",
        "qux/",
    ]);
    let whole = prop::sample::select(vec![
        "Bash",
        "Read",
        "Edit",
        "Write",
        "WebFetch",
        "WebSearch",
        "mcp__files",
        "mcp__files__read",
        "mcp__files__*",
        "Task",
        "TodoWrite",
        "AskUserQuestion",
        "Bash(",
        "Read(!x)",
        ")",
        "WebFetch(x)",
        "",
    ]);
    let host = prop::sample::select(vec!["example.com", "*.example.com", "*"]);
    prop_oneof![
        content.prop_map(|content| format!("Bash({content})")),
        pattern.clone().prop_map(|pattern| format!("Read({pattern})")),
        pattern.prop_map(|pattern| format!("Edit({pattern})")),
        whole.prop_map(str::to_owned),
        host.prop_map(|host| format!("WebFetch(domain:{host})")),
    ]
}

fn behavior() -> impl Strategy<Value = Behavior> {
    prop::sample::select(Behavior::ALL.to_vec())
}

fn source() -> impl Strategy<Value = Source> {
    prop::sample::select(Source::ALL.to_vec())
}

type Rules = Vec<(Source, Behavior, String)>;

fn rules() -> impl Strategy<Value = Rules> {
    prop::collection::vec((source(), behavior(), rule()), 0..8)
}

/// Pieces of shell that mean something, glued together at random.
fn command() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "git",
        "status",
        "push",
        "-C",
        ".",
        "npm",
        "run",
        "test",
        "touch",
        "x",
        "rm",
        "-rf",
        "echo",
        "cat",
        ".env",
        "src/a.rs",
        "/etc/passwd",
        "~",
        "../x",
        "bash",
        "-c",
        "'git push'",
        "\"$(rm x)\"",
        "`ls`",
        "$(",
        ")",
        "(",
        "{",
        "}",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "\n",
        ">",
        ">>",
        "<",
        "<<E",
        "<<'E'",
        "E",
        "$x",
        "$HOME",
        "${x}",
        "'",
        "\"",
        "\\",
        "#",
        "*",
        "{a,b}",
        "$'a'",
        "if",
        "then",
        "fi",
        "for",
        "in",
        "do",
        "done",
        "case",
        "esac",
        "FOO=1",
        "env",
        "sudo",
        "timeout",
        "5",
        "xargs",
        "find",
        "-exec",
        "sed",
        "-i",
        "s/a/b/",
        "cd",
        "!",
        "[[",
        "]]",
        "[",
        "]",
        "time",
        "f()",
        "\t",
        "\u{a0}",
        "make",
        "--version",
        "diff",
        "-N",
        "grep",
        "--dir=rec",
        "head",
        "docs",
        "-E",
        "-script-shell=./x",
        "~/.npmrc",
        "~/.docker/*",
        "cargo",
        "--manifest-path=x",
    ]);
    let glued = (piece, prop::sample::select(vec!["", " ", " ", " "]));
    prop::collection::vec(glued, 0..14)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| format!("{piece}{gap}")).collect())
}

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let path = prop::sample::select(vec![
        "/proj/src/a.rs",
        "/proj/.env",
        "/etc/passwd",
        "x",
        "../x",
        "~/x/y",
        "/proj/.git/config",
        "/proj/k.pem",
        "~root/x",
        "",
    ]);
    let url = prop::sample::select(vec!["https://example.com", "https://a.example.com/x", "nonsense"]);
    prop_oneof![
        4 => command().prop_map(|command| ("Bash", json!({ "command": command }))),
        2 => (prop::sample::select(vec!["Read", "Write", "Edit", "Grep", "NotebookEdit"]), path)
            .prop_map(|(tool, path)| (tool, input(tool, path))),
        1 => url.prop_map(|url| ("WebFetch", input("WebFetch", url))),
        1 => prop::sample::select(vec!["TodoWrite", "WebSearch", "mcp__files__read", "Task", "AskUserQuestion", "New"])
            .prop_map(|tool| (tool, json!({ "subagent_type": "x" }))),
    ]
}

fn mode() -> impl Strategy<Value = aqueduct_rules::Mode> {
    prop::sample::select(aqueduct_rules::Mode::ALL.to_vec())
}

fn with(mode: aqueduct_rules::Mode, rules: &Rules) -> Context {
    let mut context = context().with_mode(mode).expect("any mode can be started in");
    for (source, behavior, rule) in rules {
        // Some can't be used.
        let _ = context.add_rules(*source, *behavior, [rule]);
    }
    context
}

fn decided(context: &Context, call: &(&str, Value)) -> Behavior {
    crate::world::decided(context, call.0, &call.1).behavior
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_deny_or_ask_rule_never_makes_anything_looser(
        mode in mode(), rules in rules(), call in call(), extra in rule(), denies in any::<bool>(), source in source(),
    ) {
        let before = decided(&with(mode, &rules), &call);
        let behavior = if denies { Behavior::Deny } else { Behavior::Ask };
        let mut more = rules;
        more.push((source, behavior, extra));
        let after = decided(&with(mode, &more), &call);
        prop_assert!(after != Behavior::Allow || before == Behavior::Allow, "{before} became {after}");
    }

    #[test]
    fn taking_an_allow_rule_away_never_allows_anything(
        mode in mode(), rules in rules(), call in call(), extra in rule(), source in source(),
    ) {
        let after = decided(&with(mode, &rules), &call);
        let mut more = rules;
        more.push((source, Behavior::Allow, extra));
        let before = decided(&with(mode, &more), &call);
        prop_assert!(after >= before, "{before} became {after}");
    }

    #[test]
    fn the_order_of_rules_never_matters(mode in mode(), rules in rules(), call in call(), seed in any::<u64>()) {
        let before = decided(&with(mode, &rules), &call);
        let mut mixed = rules;
        let count = mixed.len();
        let mut state = seed;
        for at in (1..count).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            mixed.swap(at, (state >> 33) as usize % (at + 1));
        }
        prop_assert_eq!(before, decided(&with(mode, &mixed), &call));
    }

    /// A clone shares the rules it has; that must not be seen.
    #[test]
    fn a_changed_clone_decides_as_a_context_made_that_way(
        mode in mode(), rules in rules(), more in rules(), call in call(),
    ) {
        let before = with(mode, &rules);
        let mut clone = before.clone();
        more.iter().for_each(|(source, behavior, rule)| {
            let _ = clone.add_rules(*source, *behavior, [rule]);
        });
        let made = with(mode, &[rules.clone(), more].concat());
        let call = Call::new(call.0, &call.1);
        prop_assert_eq!(decide(&clone, &call), decide(&made, &call));
        prop_assert_eq!(decide(&before, &call), decide(&with(mode, &rules), &call));
    }

    /// Rules are one way to allow a call, directories and the mode together another.
    #[test]
    fn what_is_offered_suffices(mode in mode(), rules in rules(), call in call()) {
        let context = with(mode, &rules);
        let call = Call::new(call.0, &call.1);
        let is_rule = |suggestion: &PermissionUpdate<'_>| matches!(suggestion, PermissionUpdate::AddRules(_));
        let (added, others): (Vec<_>, Vec<_>) =
            decide(&context, &call).suggestions.into_iter().partition(is_rule);
        for way in [added, others].iter().filter(|way| !way.is_empty()) {
            let mut after = context.clone();
            for change in way {
                prop_assert_eq!(after.apply(change), Ok(()));
            }
            prop_assert_eq!(decide(&after, &call).behavior, Behavior::Allow, "{:?}", way);
        }
    }

    #[test]
    fn every_text_is_decided(mode in mode(), rules in rules(), text in any::<String>(), tool in "[A-Za-z_(]{0,12}") {
        let context = with(mode, &rules);
        decided(&context, &("Bash", json!({ "command": text })));
        decided(&context, &("Read", json!({ "file_path": text })));
        decided(&context, &("Write", json!({ "file_path": text })));
        decided(&context, &("WebFetch", json!({ "url": text })));
        decided(&context, &(&tool, json!({ "command": text })));
    }

    #[test]
    fn any_bytes_are_decided(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let context = with(aqueduct_rules::Mode::Default, &vec![(Source::Session, Behavior::Deny, "Bash(rm:*)".to_owned())]);
        decided(&context, &("Bash", json!({ "command": text })));
    }

    #[test]
    fn a_rule_is_the_same_after_printing(text in "[A-Za-z_]{1,8}(\\([^\n]{0,20}\\))?") {
        if let Ok(rule) = Rule::parse(&text) {
            prop_assert_eq!(Rule::parse(&rule.to_string()), Ok(rule));
        }
    }

    #[test]
    fn any_content_survives_printing(content in "[()\\\\ *:]{0,4}[a-z][a-z()\\\\ *:]{0,12}") {
        let rule = Rule::with_content("Bash", content);
        prop_assert_eq!(Rule::parse(&rule.to_string()), Ok(rule));
    }

    #[test]
    fn adding_and_removing_rules_restores_the_file(
        text in document(), rules in prop::collection::vec("[a-z ]{0,3}[a-z][a-z ]{0,2}", 1..4), behavior in behavior(),
    ) {
        let rules: Vec<Rule> = rules.iter().map(|content| Rule::with_content("New", format!("fresh {content}"))).collect();
        let values: Vec<RuleValue<'_>> = rules.iter().map(Into::into).collect();
        let add = PermissionUpdate::add_rules(values.clone(), behavior.into(), Destination::LocalSettings);
        let remove = PermissionUpdate::remove_rules(values, behavior.into(), Destination::LocalSettings);
        if let Ok(more) = settings::edit("f", &text, &add) {
            let (read, _) = settings::read("f", &more);
            for rule in &rules {
                prop_assert!(read.rules(behavior).contains(&rule.to_string()), "{more}");
            }
            prop_assert_eq!(settings::edit("f", &more, &remove), Ok(text), "{}", more);
        }
    }

    #[test]
    fn any_settings_text_is_read(text in any::<String>()) {
        settings::read("f", &text);
    }
}

/// Settings files in many shapes, most of them valid.
fn document() -> impl Strategy<Value = String> {
    let gap = || {
        prop::sample::select(vec![
            "",
            " ",
            "\n",
            "\n  ",
            "\n    ",
            "\r\n  ",
            " // note\n",
            "\t // note \n\n   ",
            " // note \r\n",
            "// note\r\r\n\t",
            " /* note */ ",
            "/* note\n */",
            "/*/ note */\n",
            "\t",
            "\r",
        ])
    };
    let item = prop::sample::select(vec!["\"Bash(ls:*)\"", "\"Read\"", "7", "\"Bash(a, b)\""]);
    let comma = || prop::sample::select(vec!["", ","]);
    let list = (gap(), prop::collection::vec((item, gap(), gap()), 0..4), comma(), gap()).prop_map(
        |(open, items, comma, close)| {
            let count = items.len();
            let mut text = format!("[{open}");
            for (at, (item, before, after)) in items.into_iter().enumerate() {
                let separator = if at + 1 < count { "," } else { comma };
                text.push_str(&format!("{item}{before}{separator}{after}"));
            }
            format!("{text}{close}]")
        },
    );
    let member = (prop::sample::select(vec!["allow", "deny", "ask", "other"]), gap(), list)
        .prop_map(|(key, gap, list)| format!("\"{key}\":{gap}{list}"));
    let object = (gap(), prop::collection::vec((member, gap(), gap()), 0..4), comma(), gap()).prop_map(
        |(open, members, comma, close)| {
            let count = members.len();
            let mut text = format!("{{{open}");
            for (at, (member, before, after)) in members.into_iter().enumerate() {
                let separator = if at + 1 < count { "," } else { comma };
                text.push_str(&format!("{member}{before}{separator}{after}"));
            }
            format!("{text}{close}}}")
        },
    );
    let whole = (
        gap(),
        object,
        gap(),
        prop::sample::select(vec!["", "\"model\": \"x\",", "\"permissionsX\": {},"]),
        gap(),
        prop::sample::select(vec!["permissions", "permissions", "hooks"]),
        comma(),
    )
        .prop_map(|(before, object, inside, other, after, key, comma)| {
            format!("{before}{{{inside}{other}{inside}\"{key}\": {object}{after}{comma}{inside}}}{after}")
        });
    prop_oneof![
        6 => whole,
        1 => prop::sample::select(vec!["", "{}", "{ }", "{\n}", "{\"a\": 1}", "{\n  \"a\": 1,\n}\n", "// only a note", "// a note\n", "\n", "[]", "{\"permissions\": 1}"])
            .prop_map(str::to_owned),
    ]
}
