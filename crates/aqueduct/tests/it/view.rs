//! `aqueduct wire view`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::aqueduct;

#[test]
fn a_pipe_is_followed_as_it_comes() {
    let mut child = aqueduct(&["wire", "view"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (frame, shown) in [
        (r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}"#, "hello\n"),
        (
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#,
            "● Bash  ls\n",
        ),
    ] {
        // The line is there before the next frame is sent.
        writeln!(input, "{frame}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, shown);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_closes_is_not_an_error() {
    let mut child = aqueduct(&["wire", "view"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may end before it has read everything.
    for _ in 0..10_000 {
        if writeln!(
            input,
            r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"hello"}}]}}}}"#
        )
        .is_err()
        {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
