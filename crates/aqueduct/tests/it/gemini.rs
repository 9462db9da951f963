//! `aqueduct wire check` and `aqueduct wire view` with a stream of Gemini CLI.

use crate::{aqueduct, file, run};

const SESSION: &str = include_str!("../../../aqueduct-wire/tests/fixtures/gemini/session.jsonl");

#[test]
fn a_stream_of_gemini_is_checked() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "gemini.jsonl", SESSION);
    let checked = run(&mut aqueduct(&["wire", "check", "--strict", &path]));
    assert_eq!(checked.code, 0, "{}", checked.out);
    for kind in ["init", "message", "tool_use", "tool_result", "error", "result"] {
        assert!(checked.out.contains(&format!("gemini/{kind}")), "{kind}: {}", checked.out);
    }
}

#[test]
fn an_unknown_kind_of_gemini_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let text = format!("{SESSION}{}\n", r#"{"type":"thought","timestamp":"t","text":"hm"}"#);
    let path = file(&directory, "gemini.jsonl", &text);
    let checked = run(&mut aqueduct(&["wire", "check", &path]));
    assert_eq!(checked.code, 1, "{}", checked.out);
    assert!(checked.out.contains("gemini/thought"), "{}", checked.out);
}

#[test]
fn a_stream_of_gemini_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "gemini.jsonl", SESSION);
    let shown = run(&mut aqueduct(&["wire", "view", &path]));
    assert_eq!(shown.code, 0, "{}", shown.err);
    for text in [
        "gemini-2.5-flash",
        "> read a.txt and missing.txt",
        "read_file",
        "File not found: /proj/missing.txt",
        "! Loop detected, stopping execution",
        "One of them is missing.",
        "Reached max session turns",
    ] {
        assert!(shown.out.contains(text), "{text}: {}", shown.out);
    }
}
