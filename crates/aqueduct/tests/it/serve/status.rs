//! `aqueduct status`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::served::{Served, aqueduct, command};
use crate::terminal::Place;

#[test]
fn a_bridge_that_does_not_run_is_reported() {
    let place = Place::new();
    let reported = aqueduct(&place, &["status"]);
    assert_eq!((reported.code, &*reported.out), (3, ""), "{}", reported.err);
    assert_eq!(
        reported.err,
        "aqueduct: no bridge runs with the data folder ~/.local/share/aqueduct; start it with aqueduct serve, or name \
         another --data-dir\n"
    );
    let reported = aqueduct(&place, &["status", "--json"]);
    let status: Value = serde_json::from_str(&reported.out).unwrap();
    assert_eq!((reported.code, &status["running"]), (3, &json!(false)));
    // One that ran and left its socket behind is not taken for one that runs.
    Served::start(&place, &["--no-pair"]).stop(Signal::KILL);
    assert_eq!(aqueduct(&place, &["status"]).code, 3);
}

#[test]
fn sessions_and_what_they_wait_for_are_shown() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let empty = aqueduct(&place, &["status"]);
    assert_eq!(empty.code, 0, "{}", empty.err);
    assert!(empty.out.contains("ready, started just now"), "{}", empty.out);
    assert!(empty.out.contains("sessions  none"), "{}", empty.out);

    let session = served.session(&token, &place, r#"@tool Bash {"command":"touch made"}"#);
    let asked = served.wait_for_message(&session, &token, "permission_request");
    let page = aqueduct(&place, &["status"]).out;
    let short = &session[..8];
    assert!(page.contains("sessions  1 waiting"), "{page}");
    assert!(page.contains(&format!("  {short}  Bash, asked just now")), "{page}");
    assert!(page.lines().any(|line| line.starts_with(&format!("  {short}  waiting  "))), "{page}");

    let status: Value = serde_json::from_str(&aqueduct(&place, &["status", "--json"]).out).unwrap();
    assert_eq!(status["running"], true);
    let status = &status["status"];
    assert_eq!(status["readiness"]["ready"], true, "{status:#}");
    assert_eq!(status["waiting"][0]["id"], asked["id"]);
    assert_eq!(status["waiting"][0]["toolName"], "Bash");
    let text = status.to_string();
    assert!(!text.contains(&token), "no credential: {text}");
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
}

#[test]
fn a_bridge_that_is_not_ready_has_its_own_exit_code() {
    let place = Place::new();
    let _served = Served::start(&place, &["--no-pair"]);
    std::fs::remove_file(place.home().join(".local/share/aqueduct/log.sqlite3")).unwrap();
    let reported = aqueduct(&place, &["status"]);
    assert_eq!(reported.code, 1, "{}", reported.out);
    assert!(reported.out.contains("fails     log: a file of the event log was removed"), "{}", reported.out);
    let doctor = aqueduct(&place, &["doctor"]);
    assert_eq!(doctor.code, 1, "{}", doctor.out);
    assert!(doctor.out.contains("aqueduct stop; aqueduct serve"), "{}", doctor.out);
}

#[test]
fn a_watch_shows_what_changes() {
    let place = Place::new();
    let mut watch = command(&place, &["status", "--watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("no bridge runs"));
    let served = Served::start(&place, &["--no-pair"]);
    // An empty line is between two pages.
    assert_eq!(lines.next().unwrap().unwrap(), "");
    let page = lines.next().unwrap().unwrap();
    assert!(page.starts_with("● aqueduct ") && !page.contains('\x1b'), "{page}");
    assert_eq!(served.stop(Signal::TERM), 0);
    assert!(lines.any(|line| line.unwrap().starts_with("no bridge runs")), "it looks again");
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[test]
fn a_terminal_is_drawn_again() {
    let place = Place::new();
    let _served = Served::start(&place, &["--no-pair"]);
    let mut terminal = place.aqueduct(&["status", "--watch"]).with_sequences().at_a_terminal();
    terminal.expect("\x1b[H").expect("ready").expect("\x1b[J").expect("\x1b[H").expect("ready");
}
