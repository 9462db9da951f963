use proptest::prelude::{any, proptest};

use super::*;

fn entries(text: &str) -> Vec<(String, Value)> {
    let read = FrontMatter::read(text);
    assert_eq!(read.mistakes, [], "{text}");
    read.entries.into_iter().map(|entry| (entry.key, entry.value)).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| (*item).to_owned()).collect())
}

fn deeper(lines: &[&str], first: usize) -> Value {
    Value::Deeper(Nested { lines: lines.iter().map(|line| (*line).to_owned()).collect(), first })
}

#[test]
fn what_lies_deeper_becomes_json_on_the_same_lines() {
    let text = "---\nhooks:\n  PreToolUse:\n    - matcher: \"Bash|Edit\"\n      hooks:\n        # first\n        - type: command\n          command: ./check.sh \"$X\" # why\n          timeout: 5\n        - { type: command, command: 'two: {x}', once: true }\n  Stop:\n  - hooks: [{type: command, command: |}]\n    note: |\n      two\n      lines\n---\n";
    let mut read = FrontMatter::read(text);
    let json = read.nested("hooks").unwrap();
    assert_eq!(read.mistakes, []);
    insta::assert_snapshot!(json, @r#"
    {

    "hooks":{"PreToolUse":[
    {"matcher":"Bash|Edit",
    "hooks":[

    {"type":"command",
    "command":"./check.sh \"$X\"",
    "timeout":5},
    {"type":"command","command":"two: {x}","once":true}]}],
    "Stop":[
    {"hooks":[{"type":"command","command":"|"}],
    "note":"two\nlines"}]}}
    "#);
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
}

#[test]
fn mistakes_that_lie_deeper_have_their_lines() {
    for (below, line, what) in [
        ("  a:\n    b: 1\n   c: 2", 5, "belongs to nothing"),
        ("  a:\n    b", 4, "no `key: value`"),
        ("  a: 1\n  a: 2", 4, "once more"),
        ("  a: [1, 2", 3, "must be closed"),
        ("  a: {b: 1} c", 3, "stands behind"),
        ("  a:\n  \tb: 1", 4, "not with tabs"),
        ("  a: \"open", 3, "not closed"),
    ] {
        let text = format!("---\nhooks:\n{below}\n---\n");
        let mut read = FrontMatter::read(&text);
        assert_eq!(read.nested("hooks"), None, "{below}");
        let mistake = &read.mistakes[0];
        assert!(mistake.line == line && mistake.what.contains(what), "{below}: {mistake:?}");
    }
    let mut read = FrontMatter::read("---\nhooks: none\n---\n");
    assert_eq!(read.nested("hooks"), None);
    assert_eq!(read.mistakes[0].line, 2);
}

#[test]
fn a_file_without_front_matter_is_all_body() {
    for text in ["", "Hello\n---\nx: y\n---\n", "--- \tx\n", "----\n"] {
        let read = FrontMatter::read(text);
        assert_eq!((read.entries.len(), read.body, read.mistakes.len()), (0, text, 0));
    }
}

#[test]
fn what_people_write_is_read() {
    let text_of = "---\r\n# A comment\nname: greet  # another\ndescription: Say hi: to all\n\nquoted: \"a \\\"b\\\" # c\" # d\nsingle: 'it''s'\nempty:\nlist: [Read, \"Grep\", Bash(git log:*, x), ]\nblock:\n  - one\n  - 'two'  \n  - Bash(npm run:*)\nflush:\n- a\n- b\nlong: |\n  first\n    second\n\n  third\nfolded: >-\n  first\n  second\n\n  third\nplain: first\n  second\ndeep:\n  a:\n    b: c\nlist-of-maps:\n  - a: b\n    c: d\nmap: { a: b }\n---\nThe body.\n";
    let read = FrontMatter::read(text_of);
    assert_eq!(read.body, "The body.\n");
    assert_eq!(
        entries(text_of),
        [
            ("name", text("greet")),
            ("description", text("Say hi: to all")),
            ("quoted", text("a \"b\" # c")),
            ("single", text("it's")),
            ("empty", Value::Nothing),
            ("list", list(&["Read", "Grep", "Bash(git log:*, x)"])),
            ("block", list(&["one", "two", "Bash(npm run:*)"])),
            ("flush", list(&["a", "b"])),
            ("long", text("first\n  second\n\nthird")),
            ("folded", text("first second\nthird")),
            ("plain", text("first second")),
            ("deep", deeper(&["  a:", "    b: c"], 30)),
            ("list-of-maps", deeper(&["  - a: b", "    c: d"], 33)),
            ("map", deeper(&["{ a: b }"], 35)),
        ]
        .map(|(key, value)| (key.to_owned(), value))
    );
}

#[test]
fn every_mistake_is_named_with_its_line_and_the_rest_counts() {
    let text = "---\n  stray: 1\nno key here\nname: \"open\ndescription: \"a\" b\ntools: [Read\nmodel: haiku\nmodel: opus\nescape: \"\\q\"\nflag: perhaps\nodd: 1\n---\nBody\n";
    let mut read = FrontMatter::read(text);
    assert_eq!(read.text("model").as_deref(), Some("haiku"));
    assert_eq!(read.truth("flag"), None);
    read.know(&["model", "flag"]);
    let mistakes: Vec<String> =
        read.mistakes.iter().map(|mistake| format!("{}: {}", mistake.line, mistake.what)).collect();
    insta::assert_snapshot!(mistakes.join("\n"), @r#"
    2: this line belongs to nothing; a key begins at the beginning of its line
    3: this line is no `key: value`
    4: name: the text in quotes is not closed on its line
    5: description: "b" stands behind the value
    6: tools: the list is not closed on its line; end it with `]`
    8: model stands here once more; the first one counts
    9: escape: `\q` in a text is not understood here
    10: flag must be true or false
    11: odd is not known here and is ignored
    "#);
    assert_eq!(read.body, "Body\n");
    let open = FrontMatter::read("---\nname: x\n");
    assert_eq!((open.mistakes[0].line, open.body), (1, "---\nname: x\n"));
}

proptest! {
    #[test]
    fn anything_is_read(text in any::<String>()) {
        let read = FrontMatter::read(&text);
        assert!(text.ends_with(read.body));
        FrontMatter::read(&format!("---\n{text}\n---\n"));
    }

    #[test]
    fn what_lies_deeper_is_json_or_a_mistake(text in "([ ]{0,4}(- )?[ab]{0,2}(: ?)?[\\[\\]{}\"'|,1x]{0,4}\n){0,8}") {
        let all = format!("---\nhooks:\n{text}---\n");
        let mut read = FrontMatter::read(&all);
        if let Some(json) = read.nested("hooks") {
            serde_json::from_str::<serde_json::Value>(&json).unwrap();
        }
    }

    #[test]
    fn lines_are_counted_in_any_order(lines in proptest::collection::vec("[a-z]{1,3}(: ?[-'\"\\[|> a-z]{0,6})?", 0..12)) {
        let text = format!("---\n{}\n---\nend", lines.join("\n"));
        let read = FrontMatter::read(&text);
        assert_eq!(read.body, "end");
        for line in read.entries.iter().map(|entry| entry.line).chain(read.mistakes.iter().map(|mistake| mistake.line)) {
            assert!((2..=lines.len() + 1).contains(&line), "{line} of {text:?}");
        }
    }
}
