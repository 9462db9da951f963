//! A bridge goes, and its agents go on.

use std::fs;

use rustix::process::Signal;
use serde_json::json;

use super::served::{Served, aqueduct};
use crate::terminal::Place;

/// Lets the agent run commands.
fn allow_commands(place: &Place) {
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::write(place.home().join(".claude/settings.json"), r#"{"permissions":{"allow":["Bash"]}}"#).unwrap();
}

/// A pipe that is opened for reading by somebody when this returns.
fn knock(path: &std::path::Path) {
    drop(fs::OpenOptions::new().write(true).open(path).unwrap());
}

fn pipe(path: &std::path::Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
}

#[test]
fn a_turn_goes_on_while_the_bridge_is_away() {
    let place = Place::new();
    allow_commands(&place);
    // The command says that it runs by reading the first pipe, and waits for the second.
    let (runs, goes_on) = (place.project().join("runs"), place.project().join("goes_on"));
    pipe(&runs);
    pipe(&goes_on);
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let script = format!("@tool Bash {}", json!({ "command": "cat runs; cat goes_on; echo went" }));
    let session = served.session(&token, &place, &script);
    knock(&runs);
    let errors = place.aside("errors");
    assert_eq!(served.stop(Signal::TERM), 0);
    let told = fs::read_to_string(&errors).unwrap();
    assert!(told.contains("1 session goes on; start aqueduct serve again to pick it up"), "{told}");

    let served = Served::start(&place, &["--no-pair"]);
    knock(&goes_on);
    let result = served.hear(&session, &token, "result");
    assert_eq!(result["result"], "after: went");
    let history = served.http(&format!("GET /api/v1/sessions/{session}/messages"), Some(&token), None).json();
    let kinds: Vec<&str> = history["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    let inputs = kinds.iter().filter(|kind| **kind == "user_input").count();
    let results = kinds.iter().filter(|kind| **kind == "tool_result").count();
    assert_eq!((inputs, results), (1, 1), "nothing is lost and nothing comes twice: {kinds:?}");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
    assert_eq!(served.stop(Signal::INT), 0);
    let told = fs::read_to_string(&errors).unwrap();
    assert_eq!(told.matches("goes on;").count(), 1, "no session is left: {told}");
}

#[test]
fn what_a_bridge_leaves_behind_is_no_obstacle() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    served.stop(Signal::KILL);
    assert!(place.home().join(".local/share/aqueduct/admin.sock").exists(), "it was killed");
    let listed = aqueduct(&place, &["devices"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let served = Served::start(&place, &["--no-pair"]);
    assert_eq!(served.http("GET /healthz", None, None).status, 200);
    assert_eq!(served.stop(Signal::TERM), 0);
    assert!(!place.home().join(".local/share/aqueduct/admin.sock").exists(), "it went in good order");
}
