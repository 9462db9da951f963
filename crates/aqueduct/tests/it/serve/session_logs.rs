//! `aqueduct logs`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::served::{Served, aqueduct, command};
use crate::terminal::Place;

/// An agent that writes to stderr before it begins.
fn loud_agent(place: &Place) -> String {
    let own = env!("CARGO_BIN_EXE_aqueduct");
    let script = format!("printf 'careful: \\033[31mred\\nand more\\n' >&2\nexec {own} agent \"$@\"");
    place.script("bin/loud", &script).to_str().unwrap().to_owned()
}

#[test]
fn events_and_stderr_are_shown_while_the_agent_runs() {
    let place = Place::new();
    let mut served = Served::start(&place, &["--agent", &loud_agent(&place)]);
    let token = served.pair("phone");
    let start = json!({ "projectPath": place.project(), "text": "@say One." });
    let started = served.http("POST /api/v1/sessions", Some(&token), Some(&start)).json();
    let session = started["sessionId"].as_str().unwrap().to_owned();
    served.wait_for_message(&session, &token, "result");

    let shown = aqueduct(&place, &["logs", &session[..8]]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let has = |line: &str| shown.out.lines().any(|found| found.ends_with(line));
    assert!(has("  stderr    careful: \\x1b[31mred") && has("  stderr    and more"), "{}", shown.out);
    assert!(has("  input     @say One. (by phone)") && has("  answer    One."), "{}", shown.out);
    assert!(shown.out.lines().last().unwrap().contains("  turn      success"), "{}", shown.out);
    let newest = aqueduct(&place, &["logs", &session, "-n", "1"]);
    assert_eq!(newest.out.lines().count(), 1, "{}", newest.out);
    let later = aqueduct(&place, &["logs", &session, "--since", "2199-01-01"]);
    assert_eq!((later.code, &*later.out), (0, ""));

    let objects = aqueduct(&place, &["logs", &session, "--json"]).out;
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let stderr = objects.iter().find(|object| object["type"] == "stderr").unwrap();
    assert_eq!(stderr["text"], "careful: \x1b[31mred");
    assert!(objects.iter().any(|object| object["type"] == "result" && object["seq"].is_u64()));

    let mut follow = command(&place, &["logs", &session, "--follow"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follow.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("  turn      success")));
    let input = json!({ "text": "@say Two." });
    let sent = served.http(&format!("POST /api/v1/sessions/{session}/inputs"), Some(&token), Some(&input));
    assert_eq!(sent.status, 200, "{sent:?}");
    assert!(lines.any(|line| line.unwrap().ends_with("  answer    Two.")), "what is new is shown");
    follow.kill().unwrap();
    follow.wait().unwrap();

    // The agent outlives the bridge, and its log can be read all the same.
    assert_eq!(served.stop(Signal::TERM), 0);
    let alone = aqueduct(&place, &["logs", &session[..8]]);
    assert_eq!(alone.code, 0, "{}", alone.err);
    assert!(alone.out.contains("and more") && alone.out.contains("answer    Two."), "{}", alone.out);
    let refused = aqueduct(&place, &["logs", &session, "--follow"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("aqueduct serve"), "{}", refused.err);

    let served = Served::start(&place, &["--no-pair"]);
    let deleted = served.http(&format!("DELETE /api/v1/sessions/{session}"), Some(&token), None);
    assert_eq!(deleted.status, 200, "{deleted:?}");
}

#[test]
fn an_agent_that_fails_is_explained() {
    let place = Place::new();
    let broken = place.script("bin/broken", "echo 'no licence' >&2; exit 3");
    let mut served = Served::start(&place, &["--agent", broken.to_str().unwrap()]);
    let token = served.pair("phone");
    let start = json!({ "projectPath": place.project(), "text": "Hello" });
    let started = served.http("POST /api/v1/sessions", Some(&token), Some(&start)).json();
    let session = started["sessionId"].as_str().unwrap().to_owned();
    served.wait_for_message(&session, &token, "system");
    aqueduct_testing::wait_until("the agent has ended", || {
        let shown = aqueduct(&place, &["logs", &session]).out;
        shown.contains("stderr    no licence") && shown.contains("session   agent exited with code 3")
    });
    aqueduct_testing::wait_until("the session has failed", || {
        aqueduct(&place, &["doctor"]).out.contains(&format!("aqueduct logs {session}"))
    });
    let status: Value = serde_json::from_str(&aqueduct(&place, &["status", "--json"]).out).unwrap();
    let failure = &status["status"]["recentFailures"][0];
    assert_eq!(failure["sessionId"], session.as_str(), "{status:#}");
    let totals = status["status"]["failures"].as_array().unwrap();
    assert!(totals.iter().any(|total| total["kind"] == failure["kind"]), "{status:#}");
    assert!(aqueduct(&place, &["status"]).out.contains("Latest failures"));
}

#[test]
fn a_session_that_does_not_exist_is_reported() {
    let place = Place::new();
    let nothing = aqueduct(&place, &["logs", "3f2a91c0"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("no bridge has run"), "{}", nothing.err);
    let _served = Served::start(&place, &["--no-pair"]);
    for (id, why) in
        [("3f2a91c0", "no session id begins with"), ("x/../y", "is no session id"), ("", "is no session id")]
    {
        let unknown = aqueduct(&place, &["logs", id]);
        assert_eq!(unknown.code, 2, "{id}");
        assert!(unknown.err.contains(why), "{id}: {}", unknown.err);
    }
}
