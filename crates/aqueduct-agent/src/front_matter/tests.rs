use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;

use super::*;

/// Front matter around some YAML.
fn fenced(yaml: &str) -> String {
    format!("---\n{yaml}\n---\nBody\n")
}

/// The entries of a list of tools; `None` where it is missing or unreadable.
fn tools(yaml: &str, key: &str) -> Option<Vec<String>> {
    let text = fenced(yaml);
    let mut matter = FrontMatter::read(&text);
    let listed = matter.tools(key)?;
    Some(listed.into_iter().map(|entry| entry.text).collect())
}

/// The only error of front matter that is invalid as a whole.
fn refused(yaml: &str) -> Diagnostic {
    let text = fenced(yaml);
    let matter = FrontMatter::read(&text);
    assert!(matter.is_invalid() && matter.is_unread() && matter.entries.is_empty(), "{yaml}: {matter:?}");
    assert_eq!((matter.diagnostics.len(), matter.body), (1, "Body\n"), "{yaml}");
    matter.diagnostics[0].clone()
}

#[test]
fn a_comment_grants_nothing() {
    for (yaml, granted) in [
        ("allowed-tools: # Bash is too dangerous\n- Read", vec!["Read"]),
        (
            "allowed-tools: # Bash is too dangerous\n  - Read # not Bash\n  # - Bash\n  - Grep",
            vec!["Read", "Grep"],
        ),
        ("allowed-tools:\t# Bash\n  [Read, # Bash\n   Grep # , Bash\n  ]", vec!["Read", "Grep"]),
        ("allowed-tools: Read # , Bash", vec!["Read"]),
        ("allowed-tools: # Bash", vec![]),
        ("allowed-tools:\n  # - Bash", vec![]),
        ("allowed-tools: # Bash\n  Read", vec!["Read"]),
        ("# allowed-tools: Bash\nallowed-tools: \"Read\" # Bash", vec!["Read"]),
        ("'allowed-tools': # Bash\n- 'Read'", vec!["Read"]),
    ] {
        assert_eq!(
            tools(yaml, "allowed-tools"),
            Some(granted.iter().map(|rule| rule.to_string()).collect()),
            "{yaml}"
        );
    }
    // A `#` inside of a text is no comment to YAML, but it is one to a reader.
    for yaml in [
        "allowed-tools: |\n  Read\n  # Bash\n  Grep",
        "allowed-tools: >-\n  Read # Bash",
        "allowed-tools: \"Read # Bash\"",
        "allowed-tools:\n  - 'Read # Bash'",
        "allowed-tools: Read,\n  # Bash\n  Grep",
    ] {
        assert_eq!(tools(yaml, "allowed-tools"), None, "{yaml}");
    }
}

#[test]
fn lists_of_tools_have_a_meaning_for_every_type() {
    for (value, meant) in [
        ("", Some(vec![])),
        (" ~", Some(vec![])),
        (" null", Some(vec![])),
        (" \"\"", Some(vec![])),
        (" []", Some(vec![])),
        (" '*'", Some(vec!["*"])),
        (" *", Some(vec!["*"])),
        (" Read", Some(vec!["Read"])),
        (" Read Grep,Glob", Some(vec!["Read", "Grep", "Glob"])),
        (
            " Bash(git add:*), Bash(git status:*), mcp__x__*",
            Some(vec!["Bash(git add:*)", "Bash(git status:*)", "mcp__x__*"]),
        ),
        (" Read,\n  Grep", Some(vec!["Read", "Grep"])),
        (" >-\n  Read,\n  Grep", Some(vec!["Read", "Grep"])),
        (" [Read, 'Bash(echo a, b)', \"Grep\"]", Some(vec!["Read", "Bash(echo a, b)", "Grep"])),
        (
            "\n- Read\n-\n- Bash(echo a, b)\n- Grep, Glob",
            Some(vec!["Read", "Bash(echo a, b)", "Grep", "Glob"]),
        ),
        (" true", None),
        (" 5", None),
        (" {Read: true}", None),
        ("\n  Read: true", None),
        (" [[Read]]", None),
        (" [Read, 5]", None),
        (" [Read, false]", None),
        ("\n- Read: x", None),
        // A comma in a list of YAML ends the item, also inside parentheses.
        (" [Bash(echo a, Write, b)]", None),
        (" Bash(echo a, Write", None),
        (" Read), Write", None),
        // A space before the parenthesis must not make it all of Bash.
        (" Bash (git log:*)", None),
        ("\n- Bash (git log:*)", None),
        (" \"[Read, Write]\"", None),
        (" 'Read; Write'", None),
    ] {
        let meant = meant.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(tools(&format!("tools:{value}"), "tools"), meant, "{value}");
    }
    assert_eq!(tools("name: x", "tools"), None);
    assert_eq!(tools("allowed-tools: *", "allowed-tools"), None);
}

#[test]
fn what_only_a_reader_of_yaml_would_see_is_refused() {
    for (yaml, line, what) in [
        ("a: &x Bash\nallowed-tools: *x", 2, "anchors"),
        ("allowed-tools: *x", 2, "not valid YAML"),
        ("allowed-tools: !!str Bash", 2, "tags"),
        ("a: !x [Bash]", 2, "tags"),
        ("name: a\n<<: {allowed-tools: Bash}", 3, "merge keys"),
        ("tools: Read\nname: x\n\"tools\": Bash", 4, "duplicate key \"tools\"; it is on line 2"),
        ("hooks:\n  a: 1\n  b: 2\n  a: 3", 5, "duplicate key \"a\"; it is on line 3"),
        ("? [a, b]\n: c", 2, "a key must be a text"),
        (": x", 2, "a key must be a text"),
        ("%YAML 1.2\nallowed-tools: Bash", 2, "not valid YAML"),
        ("allowed-tools: Bash\n--- \nx", 2, ""),
        ("name: x\n--- {allowed-tools: Bash}", 3, "single YAML document"),
        ("description: x\rallowed-tools: Bash", 2, "control character"),
        ("name: \u{1b}[2K", 2, "control character"),
        ("\tname: x", 2, "begins with a tab"),
        ("allowed-tools: [Bash", 3, "not valid YAML"),
        ("allowed-tools: Bash: x", 2, "not valid YAML"),
        ("allowed-tools: \"Bash\" x", 2, "not valid YAML"),
        ("allowed-tools: `Bash`", 2, "not valid YAML"),
        ("just a text", 2, "lines of `key: value`"),
        ("- Bash", 2, "lines of `key: value`"),
    ] {
        if what.is_empty() {
            // The line ends the front matter: what follows is the body.
            assert_eq!(FrontMatter::read(&fenced(yaml)).body, "x\n---\nBody\n");
            continue;
        }
        let diagnostic = refused(yaml);
        assert!(diagnostic.line() == line && diagnostic.to_string().contains(what), "{yaml}: {diagnostic:?}");
    }
    let deep = format!("hooks: {}{}", "[".repeat(40), "]".repeat(40));
    assert!(refused(&deep).message.contains("nested more than"));
    let long = format!("description: {}", "x".repeat(yaml::SIZE_LIMIT));
    assert!(refused(&long).message.contains("more than 64 KiB"));
    let line = "x ".repeat(30_000);
    assert_eq!(FrontMatter::read(&fenced(&format!("description: {line}"))).diagnostics, []);
}

#[test]
fn descriptions_need_no_quotes() {
    for (yaml, key, meant) in [
        ("description: Use this: it helps", "description", "Use this: it helps"),
        ("description: It's: \"so\"", "description", "It's: \"so\""),
        ("description: Use this:\n  when it helps\n\n", "description", "Use this: when it helps"),
        ("description: First: this\n  then that", "description", "First: this then that"),
        ("description: [WIP] draft # later", "description", "[WIP] draft"),
        ("description: *bold* text", "description", "*bold* text"),
        ("description: `code` first", "description", "`code` first"),
        ("description: @me", "description", "@me"),
        ("description: \"fine: quoted\"\nname: a: b", "description", "fine: quoted"),
        ("argument-hint: [file]", "argument-hint", "[file]"),
        ("argument-hint: [issue] [priority]", "argument-hint", "[issue] [priority]"),
        ("argument-hint: [a, b | c]", "argument-hint", "[a, b | c]"),
        ("argument-hint: [key: value]", "argument-hint", "[key: value]"),
        ("argument-hint: <a> {b} c", "argument-hint", "<a> {b} c"),
        ("argument-hint: [a] [b]\r\nname: x\r", "argument-hint", "[a] [b]"),
    ] {
        let text = fenced(yaml);
        let mut matter = FrontMatter::read(&text);
        assert_eq!(matter.text_in_brackets(key).as_deref(), Some(meant), "{yaml}");
        assert_eq!(matter.diagnostics, [], "{yaml}");
    }
    let text = fenced("name: x\ndescription: \"a\" b\npaths:\n  - **/*.rs\n  - docs/**\nallowed-tools: Read");
    let mut matter = FrontMatter::read(&text);
    assert_eq!(matter.text("description").as_deref(), Some("\"a\" b"));
    assert_eq!(matter.list("paths"), Some(vec!["**/*.rs".to_owned(), "docs/**".to_owned()]));
    assert_eq!((matter.diagnostics.len(), matter.diagnostics[0].line()), (1, 3));
    assert_eq!((matter.line("allowed-tools"), matter.tools("allowed-tools").unwrap()[0].line), (7, 7));
    // What looks like a key below a text was meant to be one.
    refused("description: some\n  disallowedTools: Bash");
    refused("description: some: text\n  disallowedTools: Bash");
    refused("description: some: text\n  # allowed-tools: Bash\n  more");
    refused("description: some: text\nallowed-tools: *");
    refused("odd: *x");
}

#[test]
fn what_is_nested_becomes_json_on_the_same_lines() {
    let text = "---\nhooks:\n  PreToolUse:\n    - matcher: \"Bash|Edit\"\n      hooks:\n        # first\n        - type: command\n          command: ./check.sh \"$X\" # why\n          timeout: 5\n        - { type: command, command: 'two: {x}', once: true }\n  Stop:\n  - hooks: [{type: command, command: \"|\"}]\n    note: |\n      if x; then\n        two\n      fi\n    folded: >-\n      a\n      b\n    numbers: [0x10, 1.50, +3, 010, .5, ~, True, '5', 1e999]\n---\n";
    let mut matter = FrontMatter::read(text);
    let json = matter.nested("hooks").unwrap();
    assert_eq!(matter.diagnostics, []);
    insta::assert_snapshot!(json, @r#"
    {
    "hooks":{
    "PreToolUse":[
    {"matcher":"Bash|Edit",
    "hooks":[

    {"type":"command",
    "command":"./check.sh \"$X\"",
    "timeout":5},
    {"type":"command","command":"two: {x}","once":true}]}],
    "Stop":[
    {"hooks":[{"type":"command","command":"|"}],
    "note":"if x; then\n  two\nfi\n",



    "folded":"a b",


    "numbers":[16,1.50,3,10,0.5,null,true,"5","1e999"]}]}}
    "#);
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    for (yaml, line) in [("hooks: none", 2), ("name: x\nhooks: [a]", 3)] {
        let text = fenced(yaml);
        let mut matter = FrontMatter::read(&text);
        assert_eq!((matter.nested("hooks"), matter.diagnostics[0].line()), (None, line));
    }
}

#[test]
fn a_file_without_front_matter_is_all_body() {
    for text in ["", "Hello\n---\nx: y\n---\n", "--- \tx\n", "----\n"] {
        let matter = FrontMatter::read(text);
        assert_eq!((matter.entries.len(), matter.body, matter.diagnostics.len()), (0, text, 0));
        assert!(!matter.is_unread());
    }
    let open = FrontMatter::read("---\nname: x\n");
    assert_eq!((open.diagnostics[0].line(), open.body), (1, "---\nname: x\n"));
    assert!(open.is_unread() && !open.is_invalid());
    let empty = FrontMatter::read("---\n# nothing\n---\nBody");
    assert_eq!((empty.entries.len(), empty.body, empty.diagnostics.len()), (0, "Body", 0));
}

#[test]
fn texts_are_read_in_every_style() {
    let text = "\u{feff}---\r\n# A comment\nname: greet  # another\n\nquoted: \"a \\\"b\\\" # c\\u00e9\" # d\nsingle: 'it''s'\nempty:\nlong: |\n  first\n    second\n\n  third\nfolded: >-\n  first\n  second\n\n  third\nplain: first\n  second\nversion: 1.10\ntruth: yes\n---\nThe body.\n";
    let mut matter = FrontMatter::read(text);
    let keys = ["name", "quoted", "single", "empty", "long", "folded", "plain", "version", "truth"];
    let texts = keys.map(|key| matter.text(key));
    let texts: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or("nothing")).collect();
    assert_eq!(
        texts,
        [
            "greet",
            "a \"b\" # cé",
            "it's",
            "nothing",
            "first\n  second\n\nthird",
            "first second\nthird",
            "first second",
            "1.10",
            "yes"
        ]
    );
    assert_eq!(matter.truth("truth"), None);
    assert_eq!((matter.diagnostics.len(), matter.line("version"), matter.body), (1, 20, "The body.\n"));
}

/// A tool or a rule that needs no quotes in a list of YAML.
fn rule() -> impl Strategy<Value = String> {
    select(&["Read", "Bash", "Bash(git log:*)", "Edit(src/**)", "mcp__x__y"][..]).prop_map(str::to_owned)
}

/// What may follow a value on its line, or be on a line between two.
fn comment() -> impl Strategy<Value = String> {
    prop_oneof![select(&["", " ", "   ", "\t"][..]).prop_map(str::to_owned), "[ ]{1,3}#[ -~]{0,20}"]
}

proptest! {
    #[test]
    fn anything_is_read(text in any::<String>()) {
        let matter = FrontMatter::read(&text);
        assert!(text.ends_with(matter.body));
        FrontMatter::read(&fenced(&text));
    }

    #[test]
    fn comments_and_whitespace_grant_nothing(
        items in vec((rule(), comment(), comment()), 0..6),
        head in comment(),
        indent in 0..5usize,
        between in comment(),
    ) {
        let rules: Vec<String> = items.iter().map(|(rule, ..)| rule.clone()).collect();
        let pad = " ".repeat(indent);
        let block: String = items.iter().map(|(rule, after, line)| format!("\n{pad}-  {rule}{after}\n{}", line.trim())).collect();
        prop_assert_eq!(tools(&format!("name: x\nallowed-tools:{head}{block}\n{}", between.trim()), "allowed-tools"), Some(rules.clone()));
        let flow: String = items.iter().map(|(rule, after, line)| format!("{rule}{after}\n  ,{line}\n  ")).collect();
        prop_assert_eq!(tools(&format!("allowed-tools:{head}\n  [{flow}]{between}"), "allowed-tools"), Some(rules.clone()));
        let text = rules.join(", ");
        prop_assert_eq!(tools(&format!("allowed-tools: {text}{head}"), "allowed-tools"), Some(rules.clone()));
        prop_assert_eq!(tools(&format!("allowed-tools:{head}\n  {text}{between}"), "allowed-tools"), Some(rules));
    }

    #[test]
    fn a_nested_value_is_json_or_an_error(text in "([ ]{0,4}(- )?[ab]{0,2}(: ?)?[\\[\\]{}\"'|,1x]{0,4}\n){0,8}") {
        let all = fenced(&format!("hooks:\n{text}"));
        let mut matter = FrontMatter::read(&all);
        if let Some(json) = matter.nested("hooks") {
            serde_json::from_str::<serde_json::Value>(&json).unwrap();
        }
    }

    #[test]
    fn lines_are_those_of_the_file(lines in vec("[a-z]{1,3}(: ?[-'\"\\[|> a-z]{0,6})?", 0..12)) {
        let text = fenced(&lines.join("\n"));
        let matter = FrontMatter::read(&text);
        assert_eq!(matter.body, "Body\n");
        for line in matter.entries.iter().map(|entry| entry.line).chain(matter.diagnostics.iter().map(Diagnostic::line)) {
            assert!((1..=lines.len() + 2).contains(&line), "{line} of {text:?}");
        }
    }
}
