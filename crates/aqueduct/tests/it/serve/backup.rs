//! `aqueduct backup` and `aqueduct restore` with a bridge and agents that run, and with processes that are killed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use aqueduct_bridge::log::Log;
use aqueduct_testing::wait_until;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::served::{Served, aqueduct, command};
use crate::terminal::Place;
use crate::{Run, run};

fn data(place: &Place) -> PathBuf {
    place.home().join(".local/share/aqueduct")
}

fn archive(place: &Place) -> String {
    place.aside("backup.tar").to_str().unwrap().to_owned()
}

fn ok(run: Run) -> Run {
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    run
}

/// The stored messages of a session.
fn history(served: &Served, session: &str, token: &str) -> Vec<Value> {
    let page = served.http(&format!("GET /api/v1/sessions/{session}/messages"), Some(token), None).json();
    page["messages"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
}

fn of<'m>(messages: &'m [Value], kind: &str) -> Vec<&'m Value> {
    messages.iter().filter(|message| message["type"] == kind).collect()
}

/// How many bytes the largest segment of a keeper's output has.
fn spooled(place: &Place) -> u64 {
    let keepers = fs::read_dir(data(place).join("keepers")).into_iter().flatten().flatten();
    let segments =
        keepers.flat_map(|keeper| fs::read_dir(keeper.path().join("spool")).into_iter().flatten().flatten());
    segments.filter_map(|segment| Some(segment.metadata().ok()?.len())).max().unwrap_or_default()
}

/// Sends an input and waits until it is acknowledged.
fn input(served: &Served, session: &str, token: &str, text: &str) {
    let path = format!("POST /api/v1/sessions/{session}/inputs");
    let answer = served.http(&path, Some(token), Some(&json!({ "text": text })));
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Waits until a session has a result with this text.
fn wait_for_result(served: &Served, session: &str, token: &str, text: &str) {
    wait_until("the turn has ended", || {
        of(&history(served, session, token), "result").iter().any(|result| result["result"] == text)
    });
}

/// Runs a command that dies at a point.
fn die_at(place: &Place, point: &str, arguments: &[&str]) {
    let died = run(command(place, arguments).env("AQUEDUCT_FAULT", point));
    assert_eq!(died.code, -1, "{point} was not passed: {}{}", died.out, died.err);
}

fn names_beside(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A turn that writes, one that waits for a decision, an input that waits, a device: all of it is there afterwards.
#[test]
fn what_was_acknowledged_before_a_backup_is_restored() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let done = served.session(&token, &place, "@say One.");
    served.wait_for_message(&done, &token, "result");
    let asks = served.session(&token, &place, "@tool Bash {\"command\":\"touch two\"}\n@say Two.");
    served.wait_for_question(&asks, &token);
    input(&served, &asks, &token, "@say Three.");
    // It writes as long as the backup takes, and longer.
    let writes = served.session(&token, &place, "@slow 20000 0.002");
    wait_until("it writes", || spooled(&place) > 20_000);
    let before: Vec<Vec<Value>> =
        [&done, &asks, &writes].iter().map(|session| history(&served, session, &token)).collect();

    let backed_up = ok(aqueduct(&place, &["backup", &archive(&place)]));
    assert!(
        backed_up.err.contains("3 sessions,") && backed_up.err.contains("1 device,"),
        "{}",
        backed_up.err
    );
    assert!(backed_up.err.contains("it contains secrets"), "{}", backed_up.err);
    assert_eq!(fs::metadata(archive(&place)).unwrap().permissions().mode() & 0o777, 0o600);
    ok(aqueduct(&place, &["restore", "--check", &archive(&place)]));

    // Running agents keep it from being replaced, and so does the bridge.
    let refused = aqueduct(&place, &["restore", "--replace", &archive(&place)]);
    assert!(refused.code == 2 && refused.err.contains("another bridge"), "{}", refused.err);
    assert_eq!(served.stop(Signal::TERM), 0);
    let refused = aqueduct(&place, &["restore", "--replace", &archive(&place)]);
    assert!(refused.err.contains("end them with aqueduct stop --agents"), "{}", refused.err);
    ok(aqueduct(&place, &["stop", "--agents"]));
    let refused = aqueduct(&place, &["restore", &archive(&place)]);
    assert!(refused.err.contains("pass --replace"), "{}", refused.err);
    let restored = ok(aqueduct(&place, &["restore", "--replace", &archive(&place)]));
    assert!(restored.err.contains("the data that was there is in"), "{}", restored.err);

    let served = Served::start(&place, &["--no-pair"]);
    for (session, before) in [&done, &asks, &writes].into_iter().zip(&before) {
        let after = history(&served, session, &token);
        assert_eq!(after.get(..before.len()), Some(&before[..]), "the history continues from where it was");
    }
    // The agent that asked is gone with its turn; the input behind it is answered, once.
    wait_for_result(&served, &asks, &token, "Three.");
    input(&served, &done, &token, "@say Four.");
    wait_for_result(&served, &done, &token, "Four.");
    let messages = history(&served, &asks, &token);
    assert_eq!(of(&messages, "user_input").len(), 2, "{messages:#?}");
    assert_eq!(of(&messages, "result").iter().filter(|result| result["result"] == "Three.").count(), 1);
    assert_eq!(served.stop(Signal::TERM), 0);
    ok(aqueduct(&place, &["stop", "--agents"]));
}

/// Whenever a backup is killed, its file is the earlier one or the new one, and the next backup succeeds.
#[test]
fn a_backup_that_is_killed_leaves_a_whole_file_or_none() {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    let session = served.session(&token, &place, "@say One.");
    served.wait_for_message(&session, &token, "result");
    let file = place.aside("backup.tar");
    for point in ["backup.copied", "backup.written"] {
        die_at(&place, point, &["backup", &archive(&place)]);
        assert!(!file.exists(), "{point}");
    }
    ok(aqueduct(&place, &["backup", &archive(&place)]));
    for point in ["backup.copied", "backup.written", "backup.named"] {
        die_at(&place, point, &["backup", "--replace", &archive(&place)]);
        ok(aqueduct(&place, &["restore", "--check", &archive(&place)]));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    ok(aqueduct(&place, &["backup", "--replace", &archive(&place)]));
    let left = names_beside(&file);
    assert!(!left.iter().any(|name| name.contains("partial")), "{left:?}");

    // One that writes into a pipe that no process reads is killed somewhere in the middle.
    let mut stuck = command(&place, &["backup", "-"]);
    let mut stuck = stuck.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut begun = [0; 1024];
    stuck.stdout.as_mut().unwrap().read_exact(&mut begun).unwrap();
    stuck.kill().unwrap();
    stuck.wait().unwrap();
    let streamed =
        ok(run(command(&place, &["backup", "-"]).stdout(File::create(place.aside("streamed")).unwrap())));
    assert!(streamed.err.contains("wrote the backup: 1 session,"), "{}", streamed.err);
    ok(aqueduct(&place, &["restore", "--check", place.aside("streamed").to_str().unwrap()]));
    assert!(!data(&place).join("backup.partial").exists());
    // The bridge has noticed nothing.
    input(&served, &session, &token, "@say Two.");
    wait_for_result(&served, &session, &token, "Two.");
    assert_eq!(served.stop(Signal::TERM), 0);
    ok(aqueduct(&place, &["stop", "--agents"]));
}

/// The titles of the sessions in a data folder.
async fn titles(data: &Path) -> Vec<String> {
    let log = Log::open(data).unwrap();
    let query = aqueduct_bridge::log::SessionQuery {
        project: None,
        root: None,
        text: None,
        archived: true,
        offset: 0,
        limit: 100,
    };
    let sessions = log.sessions(query).await.unwrap();
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    log.close().await;
    sessions.into_iter().map(|session| session.first_prompt.unwrap_or_default()).collect()
}

/// A data folder with two sessions, and a backup from before the second.
fn two_states() -> Place {
    let place = Place::new();
    let mut served = Served::start(&place, &[]);
    let token = served.pair("phone");
    for (text, is_last) in [("@say One.", false), ("@say Two.", true)] {
        let session = served.session(&token, &place, text);
        served.wait_for_message(&session, &token, "result");
        if !is_last {
            ok(aqueduct(&place, &["backup", &archive(&place)]));
        }
    }
    assert_eq!(served.stop(Signal::TERM), 0);
    ok(aqueduct(&place, &["stop", "--agents"]));
    place
}

/// Whenever a restore is killed, the data folder is the old one or the new one.
#[tokio::test]
async fn a_restore_that_is_killed_leaves_one_state_or_the_other() {
    let place = two_states();
    let data = data(&place);
    let (old, new) = (vec!["@say Two.", "@say One."], vec!["@say One."]);
    for (point, expected) in
        [("restore.unpacked", &old), ("restore.placed", &old), ("restore.exchanged", &new)]
    {
        die_at(&place, point, &["restore", "--replace", &archive(&place)]);
        assert_eq!(&titles(&data).await, expected, "{point}");
    }
    // One that waits for the rest of the backup is killed in the middle.
    let bytes = fs::read(archive(&place)).unwrap();
    let mut half = command(&place, &["restore", "--replace", "-"]);
    let mut half = half.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    half.stdin.as_mut().unwrap().write_all(&bytes[..bytes.len() / 2]).unwrap();
    wait_until("it has begun", || data.with_file_name("aqueduct.restore").join("new").exists());
    half.kill().unwrap();
    half.wait().unwrap();
    assert_eq!(titles(&data).await, new);

    ok(aqueduct(&place, &["restore", "--replace", &archive(&place)]));
    assert_eq!(titles(&data).await, new);
    let left = names_beside(&data);
    assert!(!left.iter().any(|name| name == "aqueduct.restore"), "{left:?}");
    // The old state was kept by the one that was killed after the exchange.
    let mut kept = Vec::new();
    for name in left.iter().filter(|name| name.starts_with("aqueduct.old-")) {
        kept.push(titles(&data.with_file_name(name)).await);
    }
    assert!(kept.iter().any(|titles| *titles == old), "{left:?} {kept:?}");
}

#[tokio::test]
async fn a_restore_into_a_new_folder_that_is_killed_leaves_none_or_all() {
    let place = two_states();
    let other = place.aside("other");
    let into = ["restore", "--data-dir", other.to_str().unwrap(), &archive(&place)].map(str::to_owned);
    let into: Vec<&str> = into.iter().map(String::as_str).collect();
    die_at(&place, "restore.unpacked", &into);
    assert!(!other.exists());
    die_at(&place, "restore.exchanged", &into);
    assert_eq!(titles(&other).await, ["@say One."]);
    let refused = aqueduct(&place, &into);
    assert!(refused.code == 2 && refused.err.contains("has data"), "{}", refused.err);
}

#[test]
fn what_is_printed_for_programs_is_json() {
    let place = two_states();
    let backed_up = ok(aqueduct(&place, &["backup", "--json", "--replace", &archive(&place)]));
    let backed_up: Value = serde_json::from_str(&backed_up.out).unwrap();
    assert_eq!(backed_up["sessions"], 2);
    assert_eq!(backed_up["file"], archive(&place));
    assert_eq!(backed_up["files"][0]["path"], "aqueduct-backup.json");
    let checked = ok(aqueduct(&place, &["restore", "--json", "--check", &archive(&place)]));
    let checked: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!(checked["files"], backed_up["files"]);
    let restored = ok(aqueduct(&place, &["restore", "--json", "--replace", &archive(&place)]));
    let restored: Value = serde_json::from_str(&restored.out).unwrap();
    assert_eq!(restored["dataDir"], data(&place).to_str().unwrap());
    assert!(Path::new(restored["old"].as_str().unwrap()).join("log.sqlite3").exists());

    let refused = aqueduct(&place, &["backup", "--json", "-"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    fs::set_permissions(archive(&place), fs::Permissions::from_mode(0o644)).unwrap();
    let checked = ok(aqueduct(&place, &["restore", "--check", &archive(&place)]));
    assert!(checked.err.contains("other users of this machine can read"), "{}", checked.err);
    for (file, error) in
        [("/is/not/there", "can't read /is/not/there"), ("/dev/null", "it is not a backup of aqueduct")]
    {
        let refused = aqueduct(&place, &["restore", "--check", file]);
        assert!(refused.code == 2 && refused.err.contains(error), "{}", refused.err);
    }
}
