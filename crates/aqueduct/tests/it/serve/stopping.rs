//! A bridge goes, and its agents continue.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use aqueduct_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::served::{Served, aqueduct};
use crate::terminal::Place;

/// Lets the agent run commands.
fn allow_commands(place: &Place) {
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::write(place.home().join(".claude/settings.json"), r#"{"permissions":{"allow":["Bash"]}}"#).unwrap();
}

fn send_signal(served: &Served, signal: Signal) {
    kill_process(Pid::from_raw(served.pid() as i32).unwrap(), signal).unwrap();
}

/// A pipe that a process has opened for reading when this returns.
fn knock(path: &std::path::Path) {
    drop(fs::OpenOptions::new().write(true).open(path).unwrap());
}

fn pipe(path: &std::path::Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
}

#[test]
fn a_turn_continues_while_the_bridge_is_away() {
    let place = Place::new();
    allow_commands(&place);
    // The command shows that it runs by reading the first pipe, and waits for the second.
    let (runs, released) = (place.project().join("runs"), place.project().join("released"));
    pipe(&runs);
    pipe(&released);
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let script = format!("@tool Bash {}", json!({ "command": "cat runs; cat released; echo went" }));
    let session = served.session(&token, &place, &script);
    knock(&runs);
    let errors = place.aside("errors");
    assert_eq!(served.stop(Signal::TERM), 0);
    let reported = fs::read_to_string(&errors).unwrap();
    assert!(reported.contains("1 session continues; start aqueduct serve again to pick it up"), "{reported}");

    let served = Served::start(&place, &["--no-pair"]);
    knock(&released);
    let result = served.wait_for_message(&session, &token, "result");
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
    let reported = fs::read_to_string(&errors).unwrap();
    assert_eq!(reported.matches("continues;").count(), 1, "no session is left: {reported}");
}

#[test]
fn what_a_bridge_leaves_behind_does_not_block_a_start() {
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

#[test]
fn doctor_knows_a_bridge_that_runs() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    let found = aqueduct(&place, &["doctor", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    let checks = found["checks"].as_array().unwrap();
    let bridge = checks.iter().find(|check| check["subject"] == "bridge").expect("a check of the bridge");
    assert_eq!(bridge["status"], "ok", "{bridge}");
    assert!(bridge["found"].as_str().unwrap().contains("runs, with"), "{bridge}");
    assert_eq!(bridge["detail"][0]["name"], "builtin");
    assert!(!checks.iter().any(|check| check["subject"] == "port"), "its port is taken by itself");
    assert_eq!(served.stop(Signal::TERM), 0);
}

#[test]
fn doctor_names_an_error_in_the_configuration() {
    let place = Place::new();
    let file = place.home().join(".config/aqueduct/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "idle = \"5 minutes\"\n").unwrap();
    let left = aqueduct(&place, &["doctor"]);
    assert_eq!(left.code, 1);
    let reported = format!("{}:1: `5 minutes` is not a time, such as 90s, 15m or never", file.display());
    assert!(left.out.contains(&reported), "{}", left.out);
}

#[test]
fn a_hang_up_without_a_terminal_stops_nothing() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    send_signal(&served, Signal::HUP);
    assert_eq!(served.http("GET /healthz", None, None).status, 200);
    assert_eq!(served.stop(Signal::TERM), 0);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    // A request whose body never comes holds the end up.
    let mut stream = TcpStream::connect(&served.address).unwrap();
    let head = format!(
        "POST /api/v1/pair HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\
         Expect: 100-continue\r\n\r\n",
        served.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100", "the body is waited for");
    send_signal(&served, Signal::TERM);
    wait_until("the bridge stops", || served.errors().contains("stopping"));
    assert_eq!(served.stop(Signal::TERM), 143);
}
