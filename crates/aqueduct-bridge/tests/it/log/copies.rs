//! Logs that are older than what happened: a write-ahead log that was cut, copies that were made under load.
//!
//! The rule: a log that opens has no input in a state that nothing resolves.

use std::fs::{self, DirBuilder, OpenOptions};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use aqueduct_bridge::log::{
    Append, Log, LogError, PageLimits, PagePosition, SessionChange, StoredInputState,
};

use super::{NOON, Scene, new_input as input, new_session, one};

const FILE: &str = "log.sqlite3";
const WAL: &str = "log.sqlite3-wal";
const NOTHING: PageLimits = PageLimits { count: 1, bytes: 1 };

fn to(id: &str, state: StoredInputState) -> SessionChange {
    SessionChange::Input { id: id.to_owned(), to: state }
}

/// What becomes of a prompt, commit by commit, as a session writes it down.
fn steps(id: &str) -> Vec<Append> {
    let append = |text: &str| one(&format!("{text} {id} {}", "x".repeat(2000)));
    vec![
        Append::new(NOON).change(SessionChange::Keeper(Some(format!("keepers/{id}")))),
        append("prompt").change(to(id, StoredInputState::Sent)),
        append("answer").change(SessionChange::Cursor { from: 0, to: 10 }),
        append("result")
            .change(SessionChange::Cursor { from: 10, to: 20 })
            .change(to(id, StoredInputState::Taken)),
        append("idle").change(to(id, StoredInputState::Done)),
        append("ended").change(SessionChange::Keeper(None)),
    ]
}

/// Copies the files of a log, in this order, as `cp` does while a bridge writes.
fn copy(from: &Path, to: &Path, files: &[&str]) {
    DirBuilder::new().mode(0o700).create(to).unwrap();
    for name in files {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

/// Whatever is not over is a session's in work, continues, and can be written.
async fn assert_driven(folder: &Path, what: &str) {
    let log = match Log::open(folder) {
        Ok(log) => log,
        // It is reported, and nothing is acknowledged.
        Err(LogError::Corrupt { .. }) => return,
        Err(error) => panic!("{what}: {error}"),
    };
    for session in log.sessions_in_work().await.unwrap() {
        let found = log.attach(&*session.id, PagePosition::After(u64::MAX), NOTHING).await.unwrap();
        for input in found.inputs {
            let is_driven = match input.state {
                // An agent gets it: the one that the keeper has, or the next.
                StoredInputState::Queued | StoredInputState::Sent | StoredInputState::Returned => true,
                // Its turn is ended by the keeper's output.
                StoredInputState::Taken => session.keeper.is_some(),
                StoredInputState::Unconfirmed | StoredInputState::Done | StoredInputState::Cancelled => true,
            };
            assert!(is_driven, "{what}: {} is {:?} without a keeper", input.id, input.state);
        }
        match log.append(&*session.id, one("on").after(session.last_seq)).await {
            Ok(_) | Err(LogError::Corrupt { .. }) => {}
            Err(error) => panic!("{what}: {} can't continue: {error}", session.id),
        }
    }
    log.close().await;
}

#[tokio::test]
async fn copies_under_load_leave_no_input_unresolved() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let place = crate::private_folder();
    let mut copies = 0;
    for number in 0..12 {
        let id = format!("i{number}");
        let session = if number % 2 == 0 { "a" } else { "b" };
        scene.log.enqueue(session, input(&id), Append::new(NOON)).await.unwrap();
        scene.log.enqueue(session, input(&format!("next-{id}")), Append::new(NOON)).await.unwrap();
        for step in steps(&id) {
            scene.log.append(session, step).await.unwrap();
            copies += 1;
            let target = place.path().join(copies.to_string());
            match copies % 3 {
                0 => copy(scene.folder.path(), &target, &[FILE, WAL]),
                1 => copy(scene.folder.path(), &target, &[WAL, FILE]),
                // Much happens between the two: the write-ahead log is moved into the database and begins anew.
                _ => {
                    copy(scene.folder.path(), &target, &[FILE]);
                    for _ in 0..150 {
                        scene.log.append(session, one("more")).await.unwrap();
                    }
                    scene.log.settle().await.unwrap();
                    scene.log.append(session, one("more")).await.unwrap();
                    fs::copy(scene.folder.path().join(WAL), target.join(WAL)).unwrap();
                }
            }
            assert_driven(&target, &format!("copy {copies}")).await;
        }
    }
}

/// A cut at any place sets the log back to an earlier commit as a whole.
#[tokio::test]
async fn a_write_ahead_log_that_was_cut_sets_everything_back_together() {
    let scene = Scene::with_sessions(&["a"]).await;
    for id in ["one", "two", "three"] {
        scene.log.enqueue("a", input(id), Append::new(NOON)).await.unwrap();
        for step in steps(id) {
            scene.log.append("a", step).await.unwrap();
        }
    }
    let place = crate::private_folder();
    let size = fs::metadata(scene.folder.path().join(WAL)).unwrap().len();
    let mut last = 0;
    for (number, cut) in (0..=size).step_by(9973).chain([size]).enumerate() {
        let target = place.path().join(number.to_string());
        copy(scene.folder.path(), &target, &[FILE, WAL]);
        OpenOptions::new().write(true).open(target.join(WAL)).unwrap().set_len(cut).unwrap();
        assert_driven(&target, &format!("cut at {cut}")).await;
        let log = Log::open(&target).unwrap();
        assert_eq!(log.check().await.unwrap(), Vec::<String>::new(), "cut at {cut}");
        let seq = log.session("a").await.map_or(0, |session| session.last_seq);
        assert!(seq + 1 >= last, "cut at {cut}: {seq} after {last}");
        last = seq;
    }
    assert!(last >= 15, "{last}");
}

/// An input that was answered, without an agent that could end its turn, does not hold up those behind it.
#[tokio::test]
async fn an_answered_input_without_an_agent_is_done() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    for session in ["a", "b"] {
        scene.log.enqueue(session, input("one"), Append::new(NOON)).await.unwrap();
        scene.log.enqueue(session, input("two"), Append::new(NOON)).await.unwrap();
        for step in steps("one").into_iter().take(4) {
            scene.log.append(session, step).await.unwrap();
        }
    }
    let gone = Append::new(NOON).change(SessionChange::Keeper(None));
    scene.log.append("a", gone).await.unwrap();
    let scene = scene.reopen().await;
    let state = async |session: &'static str, id: &'static str| {
        scene.log.input(session, id).await.unwrap().unwrap().state
    };
    assert_eq!(
        (state("a", "one").await, state("a", "two").await),
        (StoredInputState::Done, StoredInputState::Queued)
    );
    assert_eq!(state("b", "one").await, StoredInputState::Taken);
}

/// The next event of a session never has the number of one that is there.
#[tokio::test]
async fn a_count_that_is_behind_the_events_is_put_right() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.enqueue("a", input("one"), one("x")).await.unwrap();
    scene.log.append("a", one("y")).await.unwrap();
    scene.log.close().await;
    let connection = rusqlite::Connection::open(scene.folder.path().join(FILE)).unwrap();
    connection.execute("UPDATE sessions SET last_seq = 1", ()).unwrap();
    connection.close().unwrap();
    let log = Log::open(scene.folder.path()).unwrap();
    assert_eq!(log.append("a", one("z")).await.unwrap().last_seq, 3);
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    log.create_session(new_session("b"), one("x")).await.unwrap();
}
