use std::fs;
use std::future::poll_fn;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::task::Poll;

use aqueduct_bridge::log::{
    Append, EventQuery, Log, LogError, PageLimits, PagePosition, PendingState, SessionChange,
    StoredInputState,
};
use aqueduct_testing::{is_ordinary_user, require};
use aqueduct_wire::hint::HintedError as _;
use rusqlite::Connection;
use tokio::task::unconstrained;

use super::{ALL, NOON, Scene, new_session, one};

const FILE: &str = "log.sqlite3";
/// How many appends are asked for and not waited for: fewer than fit in the queue.
const FORGOTTEN: u64 = 200;

#[tokio::test]
async fn folder_and_files_are_for_the_user_alone() {
    let place = crate::private_folder();
    let folder = place.path().join("share/aqueduct");
    let log = Log::open(&folder).unwrap();
    log.create_session(new_session("a"), one("x")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(folder.parent().unwrap())), (0o700, 0o700));
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    log.close().await;

    // A file that others could read is closed to them.
    fs::set_permissions(folder.join(FILE), fs::Permissions::from_mode(0o644)).unwrap();
    let _log = Log::open(&folder).unwrap();
    assert_eq!(mode(&folder.join(FILE)), 0o600);
}

#[tokio::test]
async fn a_folder_has_one_bridge_at_a_time() {
    let scene = Scene::with_sessions(&["a"]).await;
    let error = Log::open(scene.folder.path()).unwrap_err();
    let LogError::InUse { process, .. } = &error else { panic!("{error}") };
    assert_eq!(*process, Some(std::process::id()));
    assert!(error.advised().contains("stop it, or choose another --data-dir"), "{error}");

    scene.log.close().await;
    let second = Log::open(scene.folder.path()).unwrap();
    assert_eq!(second.session("a").await.unwrap().id, "a");
    assert_eq!(second.id(), scene.log.id());
    assert_ne!(second.id(), Scene::new().log.id());
    // Closed handles return an error, and closing twice is harmless.
    scene.log.close().await;
    assert_eq!(scene.log.append("a", one("lost")).await.unwrap_err(), LogError::Closed);
    assert_eq!(scene.log.session("a").await.unwrap_err(), LogError::Closed);
    assert_eq!(scene.log.settle().await.unwrap_err(), LogError::Closed);
}

/// The lock is the process's: programs that it starts don't have it, and live on.
#[tokio::test]
async fn children_do_not_hold_the_lock() {
    let scene = Scene::new();
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    scene.log.close().await;
    let again = Log::open(scene.folder.path());
    child.kill().unwrap();
    child.wait().unwrap();
    again.unwrap();
}

#[tokio::test]
async fn dropping_the_last_handle_writes_what_was_asked_for() {
    let scene = Scene::with_sessions(&["a"]).await;
    let Scene { log, folder } = scene;
    // Each is polled once, so that it is in the queue, and then forgotten. The writer may be as fast as this, but
    // not for all of them.
    for _ in 0..FORGOTTEN {
        let mut append = Box::pin(unconstrained(log.append("a", one("kept"))));
        let polled = poll_fn(|context| Poll::Ready(append.as_mut().poll(context))).await;
        assert!(!matches!(polled, Poll::Ready(Err(_))), "{polled:?}");
    }
    drop(log);
    let log = Log::open(folder.path()).unwrap();
    assert_eq!(log.session("a").await.unwrap().last_seq, FORGOTTEN);
}

#[tokio::test]
async fn a_closed_log_is_one_file() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.append("a", one("x")).await.unwrap();
    scene.events("a").await;
    scene.log.close().await;
    let mut names: Vec<_> =
        fs::read_dir(scene.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["log.lock", FILE]);
}

/// A log of the first form, with something of everything, as the first version wrote it.
#[tokio::test]
async fn a_log_of_version_1_is_read() {
    let folder = crate::private_folder();
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    connection.execute_batch(include_str!("../../../src/log/schema/v1.sql")).unwrap();
    connection.execute_batch(include_str!("v1-rows.sql")).unwrap();
    connection.close().unwrap();

    let log = Log::open(folder.path()).unwrap();
    log.settle().await.unwrap();
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    let attachment = log.attach("session-1", PagePosition::Newest, ALL).await.unwrap();
    assert_eq!(attachment.session.project, "/proj/attic");
    assert_eq!((attachment.session.cursor, attachment.session.cost), (420, 0.25));
    assert_eq!(attachment.page.events.len(), 2);
    assert_eq!((&*attachment.inputs[0].id, attachment.inputs[0].state), ("input-1", StoredInputState::Taken));
    // The agent's id was the question's: clients know it, and the agent is answered by it. The bridge's own had a mark.
    let ids: Vec<(&str, Option<&str>, PendingState)> = attachment
        .pending
        .iter()
        .map(|pending| {
            let request = &pending.request;
            (&*request.request_id, request.agent_request_id.as_deref(), pending.state)
        })
        .collect();
    assert_eq!(
        ids,
        [
            ("request-1", Some("request-1"), PendingState::Open),
            ("bridge-2", Some("bridge-2"), PendingState::Decided),
            ("bridge-3", None, PendingState::Open),
            ("bridge-4", None, PendingState::Open),
        ]
    );
    assert_eq!(log.devices().await.unwrap()[0].name, "phone");
    assert_eq!(log.pushes().await.unwrap().len(), 1);
    assert_eq!(log.rate_limits().await.unwrap().len(), 1);
    let look =
        EventQuery { text: "attic".into(), project: None, root: None, session_id: None, offset: 0, limit: 9 };
    assert_eq!(log.search(look).await.unwrap().hits.len(), 1);
    log.append("session-1", one("next")).await.unwrap();
}

/// A log as the version before this one left it while an agent was at work: an input was sent, and the keeper's folder is
/// named by its whole path.
#[tokio::test]
async fn a_log_of_version_4_is_read_in_the_middle_of_a_turn() {
    let folder = crate::private_folder();
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    connection.execute_batch(include_str!("../../../src/log/schema/v1.sql")).unwrap();
    connection.execute_batch(include_str!("v1-rows.sql")).unwrap();
    for version in [
        include_str!("../../../src/log/schema/v2.sql"),
        include_str!("../../../src/log/schema/v3.sql"),
        include_str!("../../../src/log/schema/v4.sql"),
    ] {
        connection.execute_batch(version).unwrap();
    }
    connection.execute_batch("UPDATE inputs SET state = 'sent'; PRAGMA user_version = 4").unwrap();
    connection.close().unwrap();

    let log = Log::open(folder.path()).unwrap();
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    let sessions = log.sessions_in_work().await.unwrap();
    assert_eq!(sessions[0].keeper.as_deref(), Some("/home/ada/keepers/1"));
    let found = log.attach("session-1", PagePosition::Newest, ALL).await.unwrap();
    assert_eq!((&*found.inputs[0].id, found.inputs[0].state), ("input-1", StoredInputState::Sent));
    // What this version adds can be written: the input goes back, since its agent never got it.
    let back = SessionChange::Input { id: "input-1".into(), to: StoredInputState::Returned };
    log.append("session-1", Append::new(NOON).change(back)).await.unwrap();
    let found = log.attach("session-1", PagePosition::Newest, ALL).await.unwrap();
    assert_eq!(found.inputs[0].state, StoredInputState::Returned);
}

/// Where the database may only be read, nothing is opened that would acknowledge what it can't keep.
#[tokio::test]
async fn a_database_that_may_only_be_read_is_not_opened() {
    require!(is_ordinary_user());
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.close().await;
    let file = scene.folder.path().join(FILE);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    let opened = Log::open(scene.folder.path());
    let error = match opened {
        Ok(log) => log.append("a", one("lost")).await.map(drop).unwrap_err(),
        Err(error) => error,
    };
    assert!(
        error.to_string().contains(&*file.to_string_lossy()) || error.to_string().contains("read"),
        "{error}"
    );
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let log = Log::open(scene.folder.path()).unwrap();
    log.append("a", one("kept")).await.unwrap();
}

#[tokio::test]
async fn errors_of_opening_state_what_to_do() {
    let folder = crate::private_folder();
    let file = folder.path().join(FILE);

    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("CREATE TABLE notes (name TEXT)").unwrap();
    connection.close().unwrap();
    let error = Log::open(folder.path()).unwrap_err();
    assert!(matches!(error, LogError::Foreign { .. }), "{error}");

    fs::remove_file(&file).unwrap();
    drop(Log::open(folder.path()).unwrap());
    let connection = Connection::open(&file).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    connection.close().unwrap();
    let error = Log::open(folder.path()).unwrap_err();
    assert!(matches!(error, LogError::Newer { found: 99, .. }), "{error}");
    assert!(error.advised().contains("update this program"), "{error}");

    fs::write(&file, "no database at all ".repeat(1000)).unwrap();
    let error = Log::open(folder.path()).unwrap_err();
    assert!(matches!(error, LogError::Corrupt { .. }), "{error}");
    assert!(error.advised().contains(".recover"), "{error}");

    let error = Log::open(&file).unwrap_err();
    assert!(matches!(error, LogError::Open { .. }), "{error}");
}

/// Damage in the middle is found when it is read, costs that reading, and the check names it.
#[tokio::test]
async fn damage_is_reported() {
    let scene = Scene::with_sessions(&["a"]).await;
    for number in 0..2000 {
        scene.log.append("a", one(&format!("{number} {}", "x".repeat(200)))).await.unwrap();
    }
    scene.log.close().await;
    let file = scene.folder.path().join(FILE);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4 * 4096].fill(0xa5);
    fs::write(&file, bytes).unwrap();

    let log = Log::open(scene.folder.path()).unwrap();
    let faults = log.check().await;
    assert!(
        matches!(&faults, Ok(faults) if !faults.is_empty())
            || matches!(faults, Err(LogError::Corrupt { .. }))
    );
    let error = log.page("a", PagePosition::After(0), ALL).await.unwrap_err();
    assert!(matches!(error, LogError::Corrupt { .. }), "{error}");
    let newest = log.page("a", PagePosition::Newest, PageLimits { count: 1, bytes: 1 }).await.unwrap();
    assert_eq!(newest.events[0].seq, 2000);
    log.append("a", Append::new(NOON)).await.unwrap();
}
