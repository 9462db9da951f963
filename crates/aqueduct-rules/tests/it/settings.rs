//! Settings files: what is read, what is wrong, what a change leaves alone.

use aqueduct_rules::{Behavior, Mode, Rule, settings};
use aqueduct_wire::hint::HintedError;
use aqueduct_wire::permission::{Destination, PermissionMode, PermissionUpdate, RuleBehavior, RuleValue};

fn add(rule: &str, behavior: Behavior) -> PermissionUpdate<'static> {
    let rules = vec![Rule::parse(rule).expect("a rule").into()];
    PermissionUpdate::add_rules(rules, behavior.into(), Destination::LocalSettings)
}

fn removing(rule: RuleValue<'static>) -> PermissionUpdate<'static> {
    PermissionUpdate::remove_rules(vec![rule], RuleBehavior::Allow, Destination::LocalSettings)
}

fn edited(text: &str, update: &PermissionUpdate<'_>) -> String {
    settings::edit("settings.json", text, update).expect("edited")
}

#[test]
fn everything_about_permissions_is_read() {
    let text = r#"{
        // Comments are fine, and so are trailing commas.
        "model": "any",
        "permissions": {
            "allow": ["Bash(npm run test:*)", "Read(~/notes/**)",],
            "ask": ["WebFetch"], /* asked */
            "deny": ["Bash(curl:*)"],
            "defaultMode": "acceptEdits",
            "additionalDirectories": ["../docs"],
            "disableBypassPermissionsMode": "disable",
        },
    }"#;
    let (settings, errors) = settings::read("settings.json", text);
    assert_eq!(errors, []);
    assert_eq!(settings.allow, ["Bash(npm run test:*)", "Read(~/notes/**)"]);
    assert_eq!(settings.rules(Behavior::Ask), ["WebFetch"]);
    assert_eq!(settings.deny, ["Bash(curl:*)"]);
    assert_eq!(settings.default_mode, Some(Mode::AcceptEdits));
    assert_eq!(settings.additional_directories, ["../docs"]);
    assert!(settings.disables_bypass);
}

#[test]
fn every_fault_is_named_with_its_place() {
    let text = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(x\", 7],\n    \"deny\": \"Bash\",\n    \"defaultMode\": \"auto\",\n    \"disableBypassPermissionsMode\": 1\n  }\n}\n";
    let (settings, errors) = settings::read("my/settings.json", text);
    assert!(settings.disables_bypass, "an error must not switch a ban off");
    let lines: Vec<String> = errors.iter().map(HintedError::advised).collect();
    insta::assert_snapshot!(lines.join("\n"));
    for (text, _) in
        [("{", 0), ("{\"a\": }", 0), ("{} x", 0), ("{\"a\" 1}", 0), ("/* x", 0), ("{\"a\": \"b", 0)]
    {
        let (_, errors) = settings::read("s", text);
        assert_eq!(errors.len(), 1, "{text}");
        assert!(settings::edit("s", text, &add("Bash", Behavior::Allow)).is_err(), "{text}");
    }
}

#[test]
fn a_new_file_is_written_as_a_person_would() {
    let text = edited("", &add("Bash(npm run *)", Behavior::Allow));
    insta::assert_snapshot!(text);
    let more = edited(&text, &add("Bash(git push *)", Behavior::Deny));
    insta::assert_snapshot!(more);
}

#[test]
fn comments_formatting_and_unknown_keys_stay() {
    let text = "{\n\t// mine\n\t\"theme\": \"dark\", // keep\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\", // all of it\n\t\t\t\"Bash(ls)\" // why not\n\t\t],\n\t\t\"zeta\": 1e2\n\t}\n}";
    let more = edited(text, &add("Bash(make)", Behavior::Allow));
    insta::assert_snapshot!(more);
    let remove = removing(RuleValue::with_content("Bash", "make"));
    assert_eq!(edited(&more, &remove), text);
}

#[test]
fn modes_directories_and_replacements() {
    let text = "{\n  \"permissions\": {\n    \"defaultMode\": \"plan\"\n  }\n}\n";
    let destination = Destination::UserSettings;
    let text = edited(text, &PermissionUpdate::set_mode(PermissionMode::AcceptEdits, destination.clone()));
    let directories = vec!["/srv".into()];
    let text = edited(&text, &PermissionUpdate::add_directories(directories.clone(), destination.clone()));
    insta::assert_snapshot!(text);
    let gone = edited(&text, &PermissionUpdate::remove_directories(directories, destination.clone()));
    assert_eq!(gone, "{\n  \"permissions\": {\n    \"defaultMode\": \"acceptEdits\"\n  }\n}\n");
    let rules = vec![RuleValue::new("Read"), RuleValue::new("WebSearch")];
    let before = r#"{"permissions": {"allow": ["Bash", "Read"]}}"#;
    let after = edited(before, &PermissionUpdate::replace_rules(rules, RuleBehavior::Allow, destination));
    assert_eq!(after, r#"{"permissions": {"allow": ["Read", "WebSearch"]}}"#);
}

#[test]
fn a_rule_that_is_there_is_not_added_twice() {
    let text = r#"{"permissions":{"allow":["Bash(a)"]}}"#;
    assert_eq!(edited(text, &add("Bash(a)", Behavior::Allow)), text);
}

#[test]
fn a_text_without_an_object_comes_back_whatever_ends_it() {
    for text in [
        "",
        "\n",
        "\r",
        "\n\n\r",
        "\r\n",
        "// note",
        "// note\n",
        "/* note */\r",
        " ",
        "// note\r",
        "// note\r \n",
        "// a\r\n// b\r",
    ] {
        let (more, less) = added_and_removed(text);
        assert_eq!(less, text, "after {more:?}");
    }
}

fn added_and_removed(text: &str) -> (String, String) {
    let more = edited(text, &add("Fresh(rule)", Behavior::Allow));
    let less = edited(&more, &removing(RuleValue::with_content("Fresh", "rule")));
    (more, less)
}

/// Comments keep the blanks at their ends, and what follows them stays where it was.
#[test]
fn a_rule_that_comes_and_goes_leaves_every_byte() {
    let sections = [
        "{\"\":\n 6\t //////////////// \n\n           }",
        "{\n  \"a\": 1 // note \t\n}",
        "{\r\n  \"a\": 1 // note \r\r\n}",
        "{\"a\": 1, // note  \n\n\n}",
        "{\"a\": 1 /* note */  \n , /* more */ // and more \n }",
        "{\"a\": 1 /* one\ntwo */ }",
        "{ // note \n }",
        "{ /**/ /*/ note */ }",
        "{}",
        "{\n\n}",
        "{\"a\": 1,}",
        "{\"a\": 1\r}",
        "{\n\t\"a\": 1\n\t,\n}",
    ];
    let lists = [
        "[]",
        "[ ]",
        "[\n // note \n ]",
        "[\"A\" // note \n\n]",
        "[\"A\", // note \n\n]",
        "[\n  \"A\" /* x */ // note \n\n  ,\n]",
    ];
    let nested = sections.map(|section| format!("{{\"permissions\": {section}}}"));
    let deep =
        lists.map(|list| format!("{{\"permissions\": {{\"allow\": {list} // note \n }} // note \n }}"));
    for text in sections.map(str::to_owned).into_iter().chain(nested).chain(deep) {
        for text in [format!("// note \n{text}\n// note \n"), text] {
            let (more, less) = added_and_removed(&text);
            assert_eq!(less, text, "after {more:?}");
        }
    }
}

#[test]
fn comments_above_a_rule_that_goes_still_end() {
    let remove = removing(RuleValue::new("B"));
    for (text, less) in [
        ("[\"A\",\n// b\n\"B\"]", "[\"A\"\n// b\n]"),
        ("[\n  \"A\",\n  // b\n  \"B\"\n]", "[\n  \"A\"\n  // b\n]"),
        ("[\"A\", // a\n// b\n\"B\",\n]", "[\"A\", // a\n// b\n]"),
        ("[\"A\", /* b */ \"B\"]", "[\"A\" /* b */]"),
    ] {
        let whole = |list: &str| format!("{{\"permissions\": {{\"allow\": {list}}}}}");
        assert_eq!(edited(&whole(text), &remove), whole(less));
        assert_eq!(settings::read("s", &whole(less)).1, [], "{less}");
    }
}

#[test]
fn a_value_is_found_by_the_way_that_leads_to_it() {
    use settings::PathStep::{Item, Member};
    let text = "{\n  \"hooks\": { /* two\n     lines */\n    \"Stop\": [\n      {},\n      { \"hooks\":\n        [7] }\n    ]\n  }\n}\n";
    let stop = [Member("hooks"), Member("Stop")];
    assert_eq!(settings::line_of(text, &stop), 4);
    assert_eq!(settings::line_of(text, &[stop[0], stop[1], Item(1)]), 6);
    assert_eq!(settings::line_of(text, &[stop[0], stop[1], Item(1), Member("hooks"), Item(0)]), 7);
    // What is not there is where it should be.
    assert_eq!(settings::line_of(text, &[stop[0], stop[1], Item(1), Member("matcher")]), 6);
    assert_eq!(settings::line_of(text, &[Member("hooks"), Item(3)]), 2);
    assert_eq!(settings::line_of("{", &stop), 1);
}
