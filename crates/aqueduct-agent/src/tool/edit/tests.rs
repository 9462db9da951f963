use proptest::prelude::*;
use serde_json::json;

use crate::tool::file_desk::{Desk, patched};

#[test]
fn the_only_place_is_replaced() {
    let desk = Desk::new();
    let path = desk.put("a.txt", "one\ntwo\nthree");
    desk.see("a.txt");
    let answer = desk.edit("a.txt", "two", "2").unwrap();
    assert_eq!(desk.get("a.txt"), b"one\n2\nthree");
    assert_eq!(
        answer.result,
        json!({"filePath": path, "oldString": "two", "newString": "2", "originalFile": "one\ntwo\nthree",
            "structuredPatch": [{"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 3,
                "lines": [" one", "-two", "+2", " three", "\\ No newline at end of file"]}],
            "userModified": false, "replaceAll": false})
    );
    desk.edit("a.txt", "\nthree", "").unwrap();
    assert_eq!(desk.get("a.txt"), b"one\n2");
}

#[test]
fn several_places_need_replace_all() {
    let desk = Desk::new();
    let path = desk.put("a.txt", "a\na b\n");
    desk.see("a.txt");
    let refused = desk.edit("a.txt", "a", "c").unwrap_err();
    assert!(refused.contains("2 times") && refused.contains("lines 1, 2"), "{refused}");
    for all in [json!(true), json!("true")] {
        desk.put("a.txt", "a\na b\n");
        desk.see("a.txt");
        let input = json!({"file_path": path, "old_string": "a", "new_string": "c", "replace_all": all});
        let answer = desk.edit_with(input).unwrap();
        assert_eq!(answer.result["replaceAll"], true);
        assert_eq!(desk.get("a.txt"), b"c\nc b\n");
    }
}

#[test]
fn the_file_must_be_known() {
    let desk = Desk::new();
    desk.put("a.txt", "one\n");
    assert!(desk.edit("a.txt", "one", "two").unwrap_err().contains("has not been read"));
    desk.read(json!({"file_path": "a.txt", "offset": 1, "limit": 1})).unwrap();
    desk.put("a.txt", "one, and more\n");
    assert!(desk.edit("a.txt", "one", "two").unwrap_err().contains("has changed on disk"));
    desk.see("a.txt");
    desk.edit("a.txt", "one", "two").unwrap();
    assert_eq!(desk.get("a.txt"), b"two, and more\n");
}

#[test]
fn an_empty_old_string_makes_a_file() {
    let desk = Desk::new();
    let answer = desk.edit("new/a.txt", "", "hello\n").unwrap();
    assert_eq!(desk.get("new/a.txt"), b"hello\n");
    assert_eq!(answer.result["originalFile"], "");
    assert_eq!(
        answer.result["structuredPatch"],
        json!([{"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": 1, "lines": ["+hello"]}])
    );
    desk.put("empty.txt", "");
    desk.edit("empty.txt", "", "x").unwrap();
    assert_eq!(desk.get("empty.txt"), b"x");
    for (name, bytes) in [("full.txt", "abcdef"), ("small.txt", "a")] {
        desk.put(name, bytes);
        assert!(desk.edit(name, "", "x").unwrap_err().contains("not empty"));
        assert_eq!(desk.get(name), bytes.as_bytes());
    }
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let desk = Desk::new();
    let path = desk.put("a.txt", "x");
    desk.put("a.ipynb", "{}");
    assert!(desk.edit("a.txt", "x", "x").unwrap_err().contains("the same"));
    assert!(desk.edit("b.txt", "x", "y").unwrap_err().contains("In the same folder there is: a.txt"));
    assert!(desk.edit("", "x", "y").unwrap_err().contains("is a folder"));
    assert!(desk.edit("a.ipynb", "x", "y").unwrap_err().contains("NotebookEdit"));
    assert!(
        desk.edit_with(json!({"file_path": path, "old_string": "x"})).unwrap_err().contains("`new_string`")
    );
    let wrong = json!({"file_path": path, "old_string": "x", "new_string": "y", "replace_all": 3});
    assert!(desk.edit_with(wrong).unwrap_err().contains("`replace_all`"));
}

#[test]
fn a_text_that_is_not_there_comes_with_help() {
    let desk = Desk::new();
    desk.put("a.py", "def f():\n\treturn 1\n\n\nclass A:\n\tpass\n");
    desk.see("a.py");
    let refused = |old: &str| desk.edit("a.py", old, "x").unwrap_err();
    assert!(refused("def f():\n    return 1").contains("Lines 1 to 2 are like it but for white space"));
    assert!(refused("class A:\n\tdef g(): ...").contains("like line 5"));
    assert!(refused("5\tclass A:\n6\t\tpass").contains("without the line numbers"));
    assert!(refused("nothing like it").contains("old_string: nothing like it"));
    assert!(refused("   ").contains("does not stand in"));
}

#[test]
fn line_ends_and_encoding_are_kept() {
    let desk = Desk::new();
    for (before, old, new, after) in [
        ("a\r\nb\r\nc\r\n", "b\nc", "B\nC\nD", "a\r\nB\r\nC\r\nD\r\n"),
        ("a\r\nb\r\n", "\nb", "", "a\r\n"),
        ("a\r\nb\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\nc\r\n"),
        ("a\nb\n", "a\r\nb", "c", "c\n"),
        ("a\nb\n", "a\n", "a\r\n", "a\r\nb\n"),
        ("\u{feff}a\nb", "a", "c", "\u{feff}c\nb"),
    ] {
        desk.put("file", before);
        desk.see("file");
        desk.edit("file", old, new).unwrap();
        assert_eq!(String::from_utf8(desk.get("file")).unwrap(), after, "{before:?}");
    }
    desk.put("file", "a\r\nb\r\n");
    desk.see("file");
    assert!(desk.edit("file", "a\r\n", "a\n").unwrap_err().contains("leaves"));
    desk.put("file", b"\xfe\xff\0a\0\r\0\n\0b");
    desk.see("file");
    desk.edit("file", "b", "ü\nc").unwrap();
    assert_eq!(desk.get("file"), b"\xfe\xff\0a\0\r\0\n\0\xfc\0\r\0\n\0c");
}

#[test]
fn straight_quotes_find_typographic_ones() {
    let desk = Desk::new();
    desk.put("a.txt", "é “so” it’s – “so”\n");
    desk.see("a.txt");
    let answer = desk.edit("a.txt", "\"so\" it's", "(\"no\") it's 'fine'").unwrap();
    assert_eq!(answer.result["oldString"], "“so” it’s");
    assert_eq!(answer.result["newString"], "(\"no\") it's 'fine'");
    assert_eq!(String::from_utf8(desk.get("a.txt")).unwrap(), "é (“no”) it’s ‘fine’ – “so”\n");
    assert!(desk.edit("a.txt", "\"", "x").unwrap_err().contains("4 times"));
    desk.edit("a.txt", "– “so”", "- \"so\"").unwrap();
    assert_eq!(String::from_utf8(desk.get("a.txt")).unwrap(), "é (“no”) it’s ‘fine’ - \"so\"\n");
}

fn line_ended(text: &str, crlf: bool) -> String {
    if crlf { text.replace('\n', "\r\n") } else { text.to_owned() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn an_edit_and_its_reverse_give_the_bytes_back(
        head in "(a|b|é|\n){0,20}",
        old in "(o|p|\n){0,5}O",
        new in "N(n|m|\n){0,5}",
        tail in "(a|b|“|\n){0,20}",
        crlf: bool,
        mark: bool,
    ) {
        let desk = Desk::new();
        let mark = if mark { "\u{feff}" } else { "" };
        let before = format!("{mark}{}", line_ended(&format!("{head}{old}{tail}"), crlf && head.contains('\n')));
        desk.put("file", &before);
        desk.see("file");
        let there = desk.edit("file", &old, &new).unwrap();
        let plain = there.result["originalFile"].as_str().unwrap();
        prop_assert_eq!(
            patched(plain, &there.result["structuredPatch"]),
            String::from_utf8(desk.get("file")).unwrap().replace("\r\n", "\n")
        );
        desk.edit("file", &new, &old).unwrap();
        prop_assert_eq!(desk.get("file"), before.as_bytes());
    }
}
