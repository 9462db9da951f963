//! `aqueduct replay`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::{aqueduct, file, run};

const RECORDING: &str = concat!(
    r#"{"t":0,"dir":"note","text":"command [\"agent\"]"}"#,
    "\n",
    r#"{"t":0.1,"dir":"in","msg":{"type":"control_request","request_id":"rec-1","request":{"subtype":"initialize"}}}"#,
    "\n",
    r#"{"t":5,"dir":"out","msg":{"type":"control_response","response":{"subtype":"success","request_id":"rec-1","response":{"n": 1e2}}}}"#,
    "\n",
    r#"{"t":6,"dir":"in","msg":{"type":"user","message":{"role":"user","content":"recorded"}}}"#,
    "\n",
    r#"{"t":7,"dir":"out","msg":{"type":"control_request","request_id":"agent-1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}}"#,
    "\n",
    r#"{"t":8,"dir":"in","msg":{"type":"control_response","response":{"subtype":"success","request_id":"agent-1","response":{"behavior":"allow"}}}}"#,
    "\n",
    r#"{"t":9,"dir":"err","text":"a warning"}"#,
    "\n",
    r#"{"t":9,"dir":"out","msg":{"type":"result","subtype":"success"}}"#,
    "\n",
    r#"{"t":9.5,"dir":"note","text":"stdin closed"}"#,
    "\n",
    r#"{"t":9.6,"dir":"note","text":"exit 3"}"#,
    "\n",
);

#[test]
fn a_host_drives_it_in_lockstep() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "r.jsonl", RECORDING);
    let mut child = aqueduct(&["replay", "--instant", &path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || output.next().unwrap().unwrap();
    // A line that is not awaited, and the user's message before its time: both are set aside.
    writeln!(input, r#"{{"type":"user","message":{{"role":"user","content":"live"}}}}"#).unwrap();
    writeln!(input, r#"{{"type":"keep_alive"}}"#).unwrap();
    writeln!(
        input,
        r#"{{"type":"control_request","request_id":"live-9","request":{{"subtype":"initialize"}}}}"#
    )
    .unwrap();
    assert_eq!(
        next(),
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"live-9","response":{"n": 1e2}}}"#
    );
    assert!(next().contains(r#""request_id":"agent-1""#));
    writeln!(input, r#"{{"type":"control_response","response":{{"subtype":"error","request_id":"agent-1","error":"no"}}}}"#).unwrap();
    assert!(next().contains(r#""type":"result""#));
    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3));
    insta::assert_snapshot!(String::from_utf8_lossy(&ended.stderr), @r#"
    aqueduct: replay: waiting for "control_request" "initialize", got "user"; set aside
    a warning
    "#);
}

#[test]
fn what_a_host_adds_is_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "r.jsonl", RECORDING);
    let added = ["--output-format", "stream-json", "--verbose", "--model=m", "text"];
    let mut arguments = vec!["replay", "--instant", &path];
    arguments.extend(added);
    assert_eq!(run(&mut aqueduct(&arguments)).code, 0);
    // Its own options count before these, on either side of the file.
    let arguments = ["replay", &path, "--instant", "--no-wait", "--verbose"];
    assert_eq!(run(&mut aqueduct(&arguments)).out.lines().count(), 3);
}

#[test]
fn stdin_that_ends_early_ends_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "r.jsonl", RECORDING);
    let run = run(&mut aqueduct(&["replay", "--instant", &path]));
    assert_eq!((run.code, run.out.as_str()), (0, ""));
}

#[test]
fn without_waiting_all_of_it_is_printed() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "r.jsonl", RECORDING);
    let run = run(&mut aqueduct(&["replay", "--instant", "--no-wait", &path]));
    assert_eq!((run.code, run.out.lines().count()), (3, 3));
    assert_eq!(run.err, "a warning\n");
}

#[test]
fn pauses_are_made_and_scaled() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(
        &directory,
        "r.jsonl",
        concat!(
            r#"{"t":0.0,"dir":"out","text":"a"}"#,
            "\n",
            r#"{"t":20,"dir":"out","text":"b","cut":true}"#,
            "\n"
        ),
    );
    let start = std::time::Instant::now();
    let run = run(&mut aqueduct(&["replay", "--speed", "200", &path]));
    assert_eq!(run.out, "a\nb");
    assert!(start.elapsed().as_millis() >= 100);
}

#[test]
fn a_plain_stream_is_printed_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let stream = "{\"type\":\"keep_alive\", \"n\":1e2}\nnot JSON\n";
    let path = file(&directory, "s.jsonl", stream);
    let run = run(&mut aqueduct(&["replay", &path]));
    assert_eq!((run.code, run.out.as_str()), (0, stream));
}

#[test]
fn what_was_recorded_can_be_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let recording = directory.path().join("r.jsonl").to_str().unwrap().to_owned();
    let script = "printf '{\"type\":\"a\"}\\n\\377\\n'; echo text; exit 9";
    let recorded = aqueduct(&["record", "-o", &recording, "--", "sh", "-c", script]).output().unwrap();
    let replayed = aqueduct(&["replay", "--instant", &recording]).output().unwrap();
    assert_eq!(recorded.stdout, replayed.stdout);
    assert_eq!(recorded.status.code(), replayed.status.code());
}

#[test]
fn a_speed_must_be_a_speed() {
    assert_eq!(run(&mut aqueduct(&["replay", "--speed", "0", "x"])).code, 2);
    assert_eq!(run(&mut aqueduct(&["replay", "-"])).code, 2);
}
