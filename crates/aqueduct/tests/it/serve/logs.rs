//! The log of `aqueduct serve`.

use std::fs;

use aqueduct_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::logged::LoggedEvents;
use super::served::{Served, aqueduct};
use crate::terminal::Place;

#[test]
fn a_day_of_a_bridge_is_in_its_log_without_what_was_said() {
    let place = Place::new();
    let (mut served, logged) = LoggedEvents::start(&place, &["--log", "debug"]);
    let code = served.code();
    let name = "Ada's phone\n\u{1b}[31m";
    let answer = served.http("POST /api/v1/pair", None, Some(&json!({ "code": code, "name": name })));
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    let session = served.session(&token, &place, "@say confidential-answer");
    served.wait_for_message(&session, &token, "result");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
    assert_eq!(served.stop(Signal::TERM), 0);
    wait_until("the end is logged", || !logged.of("bridge.stopped").is_empty());

    for event in ["bridge.started", "bridge.stopping"] {
        assert_eq!(logged.of(event).len(), 1, "{event} in {}", logged.text());
    }
    assert_eq!(logged.of("device.paired")[0]["name"], "Ada's phone[31m");
    for event in [
        "session.created",
        "agent.started",
        "keeper.attached",
        "turn.begun",
        "turn.ended",
        "agent.ended",
        "session.deleted",
    ] {
        let lines = logged.of(event);
        assert_eq!(lines.len(), 1, "{event} in {}", logged.text());
        assert_eq!(lines[0]["session_id"], session.as_str(), "{}", lines[0]);
    }
    assert_eq!(logged.of("turn.begun")[0]["spans"], json!(["session"]));
    let text = logged.text();
    for secret in [&*code, &*token, "confidential-answer", "\u{1b}"] {
        assert!(!text.contains(secret), "{secret:?} in {text}");
    }
}

#[test]
fn text_is_the_default_and_off_writes_nothing() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    wait_until("it has started", || served.errors().contains("bridge.started"));
    let line = served.errors();
    assert!(line.contains(" INFO  bridge.started: the bridge takes connections version="), "{line}");
    assert_eq!(served.stop(Signal::TERM), 0);

    let place = Place::new();
    let served = Served::start(&place, &["--no-pair", "--log", "off"]);
    served.http("GET /api/v1/sessions", Some("wrong"), None);
    let errors = place.aside("errors");
    assert_eq!(served.stop(Signal::TERM), 0);
    assert_eq!(fs::read_to_string(errors).unwrap(), "aqueduct: stopping; a second signal ends it at once\n");
}

#[test]
fn a_log_file_is_begun_anew_when_it_is_long_and_when_it_was_renamed() {
    let place = Place::new();
    let file = place.aside("bridge.log");
    let name = file.to_str().unwrap().to_owned();
    let arguments = [
        "--no-pair",
        "--log-file",
        &name,
        "--log-file-size",
        "2KiB",
        "--log-file-count",
        "2",
        "--log-format",
        "json",
    ];
    let served = Served::start(&place, &arguments);
    wait_until("the start is logged", || {
        fs::read_to_string(&file).is_ok_and(|text| text.contains("bridge.started"))
    });
    assert_eq!(served.errors(), "");

    let moved = place.aside("moved.log");
    fs::rename(&file, &moved).unwrap();
    kill_process(Pid::from_raw(i32::try_from(served.pid()).unwrap()).unwrap(), Signal::HUP).unwrap();
    wait_until("the file is opened again", || file.exists());
    assert!(fs::read_to_string(&moved).unwrap().contains("bridge.started"));

    let older = place.aside("bridge.log.1");
    wait_until("the file is renamed", || {
        let token = aqueduct(&place, &["token", "new", "program"]);
        assert_eq!(token.code, 0, "{}", token.err);
        older.exists()
    });
    for path in [&file, &older] {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.len() <= 2048, "{} bytes", text.len());
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert!(line["event"].is_string(), "{line}");
        }
    }
    assert_eq!(served.stop(Signal::TERM), 0);
}

#[test]
fn what_can_not_be_logged_is_an_error_at_the_start() {
    let place = Place::new();
    for (arguments, expected) in [
        (
            &["--log", "loud"][..],
            "--log: `loud` is not a level (off, error, warn, info, debug, trace) or a filter, such as warn,bridge=debug",
        ),
        (&["--log-format", "xml"][..], "--log-format: `xml` is not text or json"),
        (
            &["--log-file", "/proc/none/log"][..],
            "the log file /proc/none/log can't be written: No such file or directory (os error 2); name another with --log-file",
        ),
    ] {
        let ended = aqueduct(&place, &[&["serve"], arguments].concat());
        assert_eq!(ended.code, 2);
        assert!(ended.err.contains(expected), "{}", ended.err);
    }
}
