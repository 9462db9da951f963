//! The log of the agent: none unless it is asked for, and never what was said.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::host::Place;

/// Runs a prompt that calls a tool, and returns what was written to stderr.
fn stderr_of(place: &Place, change: impl FnOnce(&mut Command)) -> String {
    let prompt = "@tool Bash {\"command\":\"echo confidential\",\"description\":\"e\"}\n@say confidential";
    let arguments = ["-p", "--model", "scripted", "--dangerously-skip-permissions", prompt];
    let mut command = place.command(&arguments);
    change(&mut command);
    let output = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("confidential"));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn nothing_is_logged_by_default() {
    assert_eq!(stderr_of(&Place::new(), |_| {}), "");
}

#[test]
fn a_variable_asks_for_a_log_on_stderr() {
    let stderr = stderr_of(&Place::new(), |command| {
        command.env("AQUEDUCT_LOG", "info").env("AQUEDUCT_LOG_FORMAT", "json");
    });
    let events: Vec<Value> = stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["session.started", "turn.ended", "session.ended"]);
    assert!(events.iter().all(|event| event["session_id"] == events[0]["session_id"]), "{events:#?}");
    assert_eq!((events[1]["end"].as_str(), events[1]["requests"].as_u64()), (Some("completed"), Some(2)));
    assert!(!stderr.contains("confidential"), "{stderr}");
}

#[test]
fn a_call_is_in_the_span_of_its_turn() {
    let stderr = stderr_of(&Place::new(), |command| {
        command.env("AQUEDUCT_LOG", "off,agent=debug").env("AQUEDUCT_LOG_FORMAT", "json");
    });
    let events: Vec<Value> = stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let decided = events.iter().find(|event| event["event"] == "call.decided").unwrap();
    assert_eq!(decided["spans"], serde_json::json!(["session", "turn", "call"]), "{decided}");
    assert_eq!((decided["tool"].as_str(), decided["decision"].as_str()), (Some("Bash"), Some("allow")));
    assert_eq!(decided["session_id"], events[0]["session_id"]);
    assert!(!stderr.contains("confidential"), "{stderr}");
}

#[test]
fn a_variable_that_is_no_filter_is_an_error() {
    let output = Place::new()
        .command(&["-p", "--model", "scripted", "@say hi"])
        .env("AQUEDUCT_LOG", "loud")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(stderr.contains("the variable AQUEDUCT_LOG can't be used: `loud` is not a level"), "{stderr}");
}
