//! `aqueduct wire check`.

use crate::{aqueduct, file, run};

const GOOD: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"s","tools":["Bash"]}"#,
    "\n",
    r#"{"subtype":"success","n":1e2,"is_error":false,"type":"result"}"#,
    "\n",
    "\n",
    r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#,
    "\n",
);

const DRIFTING: &str = concat!(
    r#"{"t":0.1,"dir":"in","msg":{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"wild"}}}"#,
    "\n",
    r#"{"t":0.2,"dir":"out","msg":{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mode":"plan","brand_new":[1]}}}}"#,
    "\n",
    r#"{"t":0.3,"dir":"out","msg":{"type":"keep_alive","api_key":"abc"}}"#,
    "\n",
    r#"{"t":0.4,"dir":"out","msg":{"type":"assistant","message":{"content":[{"type":"text","text":"a","shiny":"sk-ant-abcdefgh1"}],"id":7}}}"#,
    "\n",
    r#"{"t":0.5,"dir":"err","text":"not looked at"}"#,
    "\n",
    r#"{"t":0.6,"dir":"note","msg":"exit 0"}"#,
    "\n",
);

const BROKEN: &str = concat!(
    "no frame\n",
    "[1]\n",
    r#"{"type":"brand_new"}"#,
    "\n",
    r#"{"type":"system","subtype":"brand_new"}"#,
    "\n",
    r#"{"type":"assistant","message":{"content":[{"type":"hologram"}]}}"#,
    "\n",
    r#"{"type":"assistant"}"#,
    "\n",
    r#"{"type":"keep_al"#,
);

#[test]
fn a_good_stream_has_no_fault() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "good.jsonl", GOOD);
    let run = run(&mut aqueduct(&["wire", "check", &path]));
    assert_eq!(run.code, 0, "{}", run.out);
    insta::assert_snapshot!(run.out);
}

#[test]
fn drift_is_reported_and_no_fault() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "drift.jsonl", DRIFTING);
    let lenient = run(&mut aqueduct(&["wire", "check", &path]));
    assert_eq!(lenient.code, 0, "{}", lenient.out);
    assert_eq!(run(&mut aqueduct(&["wire", "check", "--strict", &path])).code, 1);
    insta::assert_snapshot!(lenient.out);
}

#[test]
fn faults_are_reported_with_their_lines() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "broken.jsonl", BROKEN);
    let text = run(&mut aqueduct(&["wire", "check", &path]));
    assert_eq!(text.code, 1);
    insta::assert_snapshot!("broken", text.out);
    let json = run(&mut aqueduct(&["wire", "check", "--json", &path]));
    assert_eq!(json.code, 1);
    insta::assert_snapshot!("broken_json", json.out);
}

#[test]
fn bytes_that_are_not_text_cost_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let path =
        file(&directory, "bytes.jsonl", b"{\"type\":\"keep_alive\"}\n\xff\xfe\n{\"type\":\"keep_alive\"}\n");
    let run = run(&mut aqueduct(&["wire", "check", &path]));
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("3 lines, 2 frames, 1 kind; 1 fault; no drift\n"), "{}", run.out);
    assert!(run.out.contains("line 2: not UTF-8 from byte 0 on"), "{}", run.out);
}

#[test]
fn a_line_over_the_limit_costs_one_fault() {
    let directory = tempfile::tempdir().unwrap();
    let long = format!("{{\"type\":\"user\",\"message\":\"{}\"}}\n", "x".repeat(3 << 20));
    let path = file(&directory, "long.jsonl", format!("{GOOD}{long}{GOOD}"));
    let run = run(&mut aqueduct(&["wire", "check", "--line-limit", "1000000", &path]));
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("7 lines, 6 frames, 3 kinds; 1 fault;"), "{}", run.out);
}

#[test]
fn the_side_can_be_given() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(
        &directory,
        "host.jsonl",
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n",
    );
    for (from, heading) in
        [("auto", "From the agent"), ("agent", "From the agent"), ("host", "From the host")]
    {
        let run = run(&mut aqueduct(&["wire", "check", "--from", from, &path]));
        assert!(run.out.contains(heading), "{}", run.out);
    }
}

#[test]
fn what_can_not_be_read_is_reported_in_one_line() {
    let run = run(&mut aqueduct(&["wire", "check", "/nowhere/at/all"]));
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}
