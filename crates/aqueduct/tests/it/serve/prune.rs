//! Sessions that are deleted for their age: by the bridge, and by `aqueduct prune`.

use std::path::PathBuf;

use aqueduct_testing::wait_until;
use rustix::process::Signal;
use serde_json::Value;

use super::served::{Served, aqueduct, command};
use crate::terminal::Place;
use crate::{Run, run};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn data(place: &Place) -> PathBuf {
    place.home().join(".local/share/aqueduct")
}

fn ok(run: Run) -> Run {
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    run
}

/// Makes sessions older, while no bridge runs.
fn age(place: &Place, sessions: &[&String], days: i64) {
    let log = rusqlite::Connection::open(data(place).join("log.sqlite3")).unwrap();
    for session in sessions {
        let sql = "UPDATE sessions SET updated = updated - ?2 WHERE id = ?1";
        assert_eq!(log.execute(sql, (session, days * DAY)).unwrap(), 1);
    }
    log.close().unwrap();
}

/// The sessions in the log, with the number of their events.
fn stored(place: &Place) -> Vec<(String, i64)> {
    let log = rusqlite::Connection::open(data(place).join("log.sqlite3")).unwrap();
    let sql = "SELECT id, (SELECT count(*) FROM events WHERE session = sessions.key) FROM sessions \
               WHERE deleted = 0 ORDER BY key";
    let mut statement = log.prepare(sql).unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Sessions of which all but the last are so many days old, after their agents ended; the third waits for a decision. The
/// bridge does not run.
fn old_sessions(place: &Place, days: i64) -> (Vec<String>, String) {
    let mut served = Served::start(place, &[]);
    let token = served.pair("phone");
    let session = |text: &str| {
        let session = served.session(&token, place, text);
        served.wait_for_message(&session, &token, "result");
        session
    };
    let mut sessions = vec![session("@say One."), session("@say Two.")];
    for id in &sessions {
        let stopped = served.http(&format!("POST /api/v1/sessions/{id}/stop"), Some(&token), None);
        assert_eq!(stopped.status, 200, "{stopped:?}");
        wait_until("its agent has ended", || {
            let state = served.http(&format!("GET /api/v1/sessions/{id}"), Some(&token), None).json();
            state["snapshot"]["session"]["status"] == "stopped"
        });
    }
    let asks = served.session(&token, place, "@tool Bash {\"command\":\"touch x\"}");
    served.wait_for_question(&asks, &token);
    sessions.extend([asks, session("@say Four.")]);
    assert_eq!(served.stop(Signal::TERM), 0);
    age(place, &sessions.iter().take(3).collect::<Vec<_>>(), days);
    (sessions, token)
}

/// Whether a bridge has logged that it deleted a session.
fn is_expired(served: &Served, session: &str) -> bool {
    served.errors().lines().any(|line| line.contains("session.expired") && line.contains(session))
}

fn end(place: &Place) {
    ok(aqueduct(place, &["stop", "--agents"]));
}

#[test]
fn the_bridge_deletes_what_is_older_than_it_keeps() {
    let place = Place::new();
    let (sessions, token) = old_sessions(&place, 100);
    let served = Served::start(&place, &["--no-pair", "--retain-age", "90d"]);
    wait_until("the sessions are deleted", || served.errors().matches("session.expired").count() == 2);
    let errors = served.errors();
    let is_expiry = |line: &&str| line.contains("session.expired") && line.contains(&sessions[0]);
    let line = errors.lines().find(is_expiry).unwrap_or_else(|| panic!("{errors}"));
    for field in ["reason=age", "days=100", "bytes="] {
        assert!(line.contains(field), "{line}");
    }
    let status = |id: &str| served.http(&format!("GET /api/v1/sessions/{id}"), Some(&token), None).status;
    let statuses: Vec<u16> = sessions.iter().map(|id| status(id)).collect();
    assert_eq!(statuses, [404, 404, 200, 200]);
    assert_eq!(served.stop(Signal::TERM), 0);
    let left: Vec<String> = stored(&place).into_iter().map(|(id, _)| id).collect();
    assert_eq!(left, sessions[2..]);
    end(&place);
}

/// A bridge that dies between two deletions, and one after it, delete what one alone would have deleted.
#[test]
fn a_deletion_that_is_killed_is_finished_by_the_next_bridge() {
    let place = Place::new();
    let (sessions, _) = old_sessions(&place, 100);
    let before = stored(&place);
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--no-pair", "--retain-age", "90d"];
    let died = run(command(&place, &arguments).env("AQUEDUCT_FAULT", "prune.deleted"));
    assert_eq!(died.code, -1, "{}", died.err);
    assert_eq!(stored(&place), before[1..], "the first is deleted as a whole, and no other");
    let served = Served::start(&place, &["--no-pair", "--retain-age", "90d"]);
    wait_until("the other session is deleted", || is_expired(&served, &sessions[1]));
    assert_eq!(served.stop(Signal::TERM), 0);
    assert_eq!(stored(&place), before[2..]);
    end(&place);
}

#[test]
fn a_dry_run_lists_what_would_go_and_why() {
    let place = Place::new();
    let (sessions, _) = old_sessions(&place, 100);
    let before = stored(&place);
    let listed = ok(aqueduct(&place, &["prune", "--retain-age", "90d", "--dry-run"]));
    let mut page = format!("{}{}", listed.out, listed.err);
    for (number, id) in sessions.iter().enumerate() {
        page = page.replace(&id[..8], &format!("session{}", number + 1));
    }
    let page = page.replace(place.project().to_str().unwrap(), "/tmp/project");
    // Sizes depend on the width of ids and paths.
    let size = |word: &str| word.parse::<f64>().is_ok();
    let page: Vec<String> = page
        .lines()
        .map(|line| {
            line.split_whitespace()
                .map(|word| if size(word) { "N" } else { word })
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    insta::assert_snapshot!(page.join("\n"));
    assert_eq!(stored(&place), before);

    let json = ok(aqueduct(&place, &["prune", "--retain-age", "90d", "--dry-run", "--json"]));
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let ids: Vec<&str> = json["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["sessionId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, sessions[..2]);
    assert_eq!((&json["dryRun"], &json["inUse"]), (&Value::from(true), &Value::from(2)));
    end(&place);
}

#[test]
fn sessions_are_deleted_beside_a_bridge_and_without_one() {
    let place = Place::new();
    let (sessions, token) = old_sessions(&place, 100);
    let refused = aqueduct(&place, &["prune", "--retain-age", "90d"]);
    assert!(refused.code == 2 && refused.err.contains("pass --yes"), "{}", refused.err);
    let refused = aqueduct(&place, &["prune"]);
    assert!(refused.code == 2 && refused.err.contains("sessions are kept for ever"), "{}", refused.err);
    let refused = aqueduct(&place, &["prune", "--retain-age", "90"]);
    assert!(refused.err.contains("`90` is not a time of at least 1h"), "{}", refused.err);

    let served = Served::start(&place, &["--no-pair"]);
    // The first is open in a client.
    let open = served.http(&format!("GET /api/v1/sessions/{}", sessions[0]), Some(&token), None);
    assert_eq!(open.status, 200);
    let pruned = ok(aqueduct(&place, &["prune", "--retain-age", "90d", "--yes", "--json"]));
    let pruned: Value = serde_json::from_str(&pruned.out).unwrap();
    assert_eq!(pruned["sessions"].as_array().unwrap().len(), 1, "{pruned}");
    assert_eq!(pruned["sessions"][0]["sessionId"], *sessions[1]);
    assert_eq!(served.stop(Signal::TERM), 0);

    let pruned = ok(aqueduct(&place, &["prune", "--retain-age", "90d", "--yes"]));
    assert!(pruned.err.contains("1 session deleted"), "{}", pruned.err);
    let left: Vec<String> = stored(&place).into_iter().map(|(id, _)| id).collect();
    assert_eq!(left, sessions[2..]);
    let nothing = ok(aqueduct(&place, &["prune", "--retain-age", "90d", "--yes"]));
    assert!(nothing.err.contains("nothing to delete"), "{}", nothing.err);
    end(&place);
}
