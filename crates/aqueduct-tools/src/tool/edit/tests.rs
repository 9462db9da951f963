use proptest::prelude::*;
use serde_json::json;

use crate::tool::file_fixture::{FileFixture, patched};

#[test]
fn the_only_place_is_replaced() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "one\ntwo\nthree");
    fixture.see("a.txt");
    let answer = fixture.edit("a.txt", "two", "2").unwrap();
    assert_eq!(fixture.get("a.txt"), b"one\n2\nthree");
    assert_eq!(
        answer.result,
        json!({"filePath": path, "oldString": "two", "newString": "2", "originalFile": "one\ntwo\nthree",
            "structuredPatch": [{"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 3,
                "lines": [" one", "-two", "+2", " three", "\\ No newline at end of file"]}],
            "userModified": false, "replaceAll": false})
    );
    fixture.edit("a.txt", "\nthree", "").unwrap();
    assert_eq!(fixture.get("a.txt"), b"one\n2");
}

#[test]
fn several_places_need_replace_all() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "a\na b\n");
    fixture.see("a.txt");
    let refused = fixture.edit("a.txt", "a", "c").unwrap_err();
    assert!(refused.contains("2 times") && refused.contains("lines 1, 2"), "{refused}");
    for all in [json!(true), json!("true")] {
        fixture.put("a.txt", "a\na b\n");
        fixture.see("a.txt");
        let input = json!({"file_path": path, "old_string": "a", "new_string": "c", "replace_all": all});
        let answer = fixture.edit_with(input).unwrap();
        assert_eq!(answer.result["replaceAll"], true);
        assert_eq!(fixture.get("a.txt"), b"c\nc b\n");
    }
}

#[test]
fn the_file_must_be_known() {
    let fixture = FileFixture::new();
    fixture.put("a.txt", "one\n");
    assert!(fixture.edit("a.txt", "one", "two").unwrap_err().contains("has not been read"));
    fixture.read(json!({"file_path": "a.txt", "offset": 1, "limit": 1})).unwrap();
    fixture.put("a.txt", "one, and more\n");
    assert!(fixture.edit("a.txt", "none", "two").unwrap_err().contains("has changed on disk"));
    // What is still there can be changed.
    let stale = fixture.edit("a.txt", "more", "less").unwrap();
    assert_eq!(
        (&stale.result["staleRecovered"], &stale.result["contentNotInModelContext"]),
        (&json!(true), &json!(true))
    );
    fixture.see("a.txt");
    fixture.edit("a.txt", "one", "two").unwrap();
    assert_eq!(fixture.get("a.txt"), b"two, and less\n");
}

#[test]
fn an_empty_old_string_makes_a_file() {
    let fixture = FileFixture::new();
    let answer = fixture.edit("new/a.txt", "", "hello\n").unwrap();
    assert_eq!(fixture.get("new/a.txt"), b"hello\n");
    assert_eq!(answer.result["originalFile"], "");
    assert_eq!(
        answer.result["structuredPatch"],
        json!([{"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": 1, "lines": ["+hello"]}])
    );
    fixture.put("empty.txt", "");
    fixture.edit("empty.txt", "", "x").unwrap();
    assert_eq!(fixture.get("empty.txt"), b"x");
    for (name, bytes) in [("full.txt", "abcdef"), ("small.txt", "a")] {
        fixture.put(name, bytes);
        assert!(fixture.edit(name, "", "x").unwrap_err().contains("not empty"));
        assert_eq!(fixture.get(name), bytes.as_bytes());
    }
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "x");
    fixture.put("a.ipynb", "{}");
    assert!(fixture.edit("a.txt", "x", "x").unwrap_err().contains("identical"));
    assert!(fixture.edit("b.txt", "x", "y").unwrap_err().contains("In the same folder there is: a.txt"));
    assert!(fixture.edit("", "x", "y").unwrap_err().contains("is a directory"));
    assert!(fixture.edit("a.ipynb", "x", "y").unwrap_err().contains("NotebookEdit"));
    assert!(
        fixture
            .edit_with(json!({"file_path": path, "old_string": "x"}))
            .unwrap_err()
            .contains("`new_string`")
    );
    let wrong = json!({"file_path": path, "old_string": "x", "new_string": "y", "replace_all": 3});
    assert!(fixture.edit_with(wrong).unwrap_err().contains("`replace_all`"));
}

#[test]
fn a_text_that_is_not_there_comes_with_help() {
    let fixture = FileFixture::new();
    fixture.put("a.py", "def f():\n\treturn 1\n\n\nclass A:\n\tpass\n");
    fixture.see("a.py");
    let refused = |old: &str| fixture.edit("a.py", old, "x").unwrap_err();
    assert!(refused("def f():\n    return 1").contains("Lines 1 to 2 differ only in whitespace"));
    assert!(refused("class A:\n\tdef g(): ...").contains("matches line 5"));
    assert!(refused("5\tclass A:\n6\t\tpass").contains("without the line numbers"));
    assert!(refused("nothing like it").contains("old_string: nothing like it"));
    assert!(refused("   ").contains("is not in"));
}

#[test]
fn line_ends_and_encoding_are_kept() {
    let fixture = FileFixture::new();
    for (before, old, new, after) in [
        ("a\r\nb\r\nc\r\n", "b\nc", "B\nC\nD", "a\r\nB\r\nC\r\nD\r\n"),
        ("a\r\nb\r\n", "\nb", "", "a\r\n"),
        ("a\r\nb\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\nc\r\n"),
        ("a\nb\n", "a\r\nb", "c", "c\n"),
        ("a\nb\n", "a\n", "a\r\n", "a\r\nb\n"),
        ("\u{feff}a\nb", "a", "c", "\u{feff}c\nb"),
    ] {
        fixture.put("file", before);
        fixture.see("file");
        fixture.edit("file", old, new).unwrap();
        assert_eq!(String::from_utf8(fixture.get("file")).unwrap(), after, "{before:?}");
    }
    fixture.put("file", "a\r\nb\r\n");
    fixture.see("file");
    assert!(fixture.edit("file", "a\r\n", "a\n").unwrap_err().contains("does not change"));
    fixture.put("file", b"\xfe\xff\0a\0\r\0\n\0b");
    fixture.see("file");
    fixture.edit("file", "b", "ü\nc").unwrap();
    assert_eq!(fixture.get("file"), b"\xfe\xff\0a\0\r\0\n\0\xfc\0\r\0\n\0c");
}

#[test]
fn straight_quotes_find_typographic_ones() {
    let fixture = FileFixture::new();
    fixture.put("a.txt", "é “so” it’s – “so”\n");
    fixture.see("a.txt");
    let answer = fixture.edit("a.txt", "\"so\" it's", "(\"no\") it's 'fine'").unwrap();
    assert_eq!(answer.result["oldString"], "“so” it’s");
    assert_eq!(answer.result["newString"], "(\"no\") it's 'fine'");
    assert_eq!(String::from_utf8(fixture.get("a.txt")).unwrap(), "é (“no”) it’s ‘fine’ – “so”\n");
    assert!(fixture.edit("a.txt", "\"", "x").unwrap_err().contains("4 times"));
    fixture.edit("a.txt", "– “so”", "- \"so\"").unwrap();
    assert_eq!(String::from_utf8(fixture.get("a.txt")).unwrap(), "é (“no”) it’s ‘fine’ - \"so\"\n");
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
        let fixture = FileFixture::new();
        let mark = if mark { "\u{feff}" } else { "" };
        let before = format!("{mark}{}", line_ended(&format!("{head}{old}{tail}"), crlf && head.contains('\n')));
        fixture.put("file", &before);
        fixture.see("file");
        let there = fixture.edit("file", &old, &new).unwrap();
        let plain = there.result["originalFile"].as_str().unwrap();
        prop_assert_eq!(
            patched(plain, &there.result["structuredPatch"]),
            String::from_utf8(fixture.get("file")).unwrap().replace("\r\n", "\n")
        );
        fixture.edit("file", &new, &old).unwrap();
        prop_assert_eq!(fixture.get("file"), before.as_bytes());
    }
}
