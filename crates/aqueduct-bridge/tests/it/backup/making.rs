//! What is in a backup, and that a log which is written to meanwhile does not disturb it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use aqueduct_bridge::backup::{BackupRequest, create_file, create_stream};
use aqueduct_bridge::log::{Append, Log, LogSnapshot, NewEvent, NewSession, SessionChange};

use super::{NOON, Place, names};

fn note(text: &str) -> Append {
    Append::new(NOON).event(NewEvent::new("note", format!("\"{text}\"")))
}

#[tokio::test]
async fn a_backup_has_the_files_of_the_bridge() {
    let place = Place::with_data().await;
    fs::write(place.data().join("notes.txt"), "mine").unwrap();
    fs::write(place.data().join("log.lock"), "1").unwrap();
    let created = place.back_up().unwrap();
    let paths: Vec<&str> = created.manifest.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["aqueduct-backup.json", "push.key", "log.sqlite3"]);
    assert_eq!(created.left_out, ["notes.txt"]);
    assert_eq!((created.counts.sessions, created.counts.messages, created.counts.devices), (1, 2, 1));
    assert_eq!(fs::metadata(place.file()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(place.names(), ["backup.tar", "data"], "nothing is left behind");
    assert!(!names(&place.data()).iter().any(|name| name.contains("partial")));
}

#[tokio::test]
async fn a_stream_is_the_same_backup() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    let data = place.data();
    let request = BackupRequest { data: &data, program: "0.0.0", created: NOON };
    let mut bytes = Vec::new();
    create_stream(&request, &mut bytes, &mut |_| {}).unwrap();
    assert!(bytes == fs::read(place.file()).unwrap());
    assert!(!names(&data).iter().any(|name| name.contains("partial")), "{:?}", names(&data));
}

#[tokio::test]
async fn a_file_is_replaced_on_request_alone() {
    let place = Place::with_data().await;
    fs::write(place.file(), "mine").unwrap();
    let error = place.back_up().unwrap_err();
    assert!(error.to_string().ends_with("backup.tar exists"), "{error}");
    assert_eq!(fs::read_to_string(place.file()).unwrap(), "mine");
    place.back_up_to("backup.tar", true).unwrap();
    assert_ne!(fs::read(place.file()).unwrap(), b"mine");

    fs::create_dir(place.path("folder")).unwrap();
    symlink(place.path("elsewhere"), place.path("link")).unwrap();
    for name in ["folder", "link", "missing/backup.tar"] {
        place.back_up_to(name, true).unwrap_err();
    }
    assert!(!place.path("elsewhere").exists());
}

#[tokio::test]
async fn a_folder_without_a_log_is_an_error() {
    let place = Place::new();
    let error = place.back_up().unwrap_err().to_string();
    assert!(error.starts_with("there is no event log in"), "{error}");
    fs::create_dir(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let error = place.back_up().unwrap_err().to_string();
    assert!(error.starts_with("there is no event log in"), "{error}");
    assert_eq!(place.names(), ["data"]);
}

/// Commits between the steps of a copy: all that were there before are in it, and none is there in part.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_written_to_is_copied_as_it_was() {
    let place = Place::new();
    let log = place.log();
    // More than one step of the copy takes.
    let large = "x".repeat(1 << 20);
    log.create_session(NewSession::new("s", "/proj", "builtin", "idle"), note("first")).await.unwrap();
    for _ in 0..12 {
        log.append("s", note(&large)).await.unwrap();
    }
    let data = place.data();
    let request = BackupRequest { data: &data, program: "0.0.0", created: NOON };
    let before = log.session("s").await.unwrap().last_seq;
    let mut written = 0;
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        create_file(&request, &place.file(), false, &mut |_| {
            if written < 50 {
                handle.block_on(log.append("s", note(&large))).unwrap();
                written += 1;
            }
        })
        .unwrap();
    });
    assert!(written >= 4, "it has steps: {written}");
    let last = log.session("s").await.unwrap().last_seq;
    assert_eq!(last, before + written);
    log.close().await;

    place.restore("restored", false).unwrap();
    let restored = Log::open(&place.path("restored")).unwrap();
    assert_eq!(restored.session("s").await.unwrap().last_seq, before);
    assert_eq!(restored.check().await.unwrap(), Vec::<String>::new());
    restored.close().await;
}

/// A keeper that deletes output while it is copied has stored it in the log before: a newer state of the log is taken.
#[tokio::test]
async fn a_copy_of_a_keeper_fits_the_log() {
    let place = Place::with_data().await;
    let log = place.log();
    let keeper = |from: u64, to: u64| {
        Append::new(NOON)
            .change(SessionChange::Keeper(Some("k1".to_owned())))
            .change(SessionChange::Cursor { from, to })
    };
    log.append("s1", keeper(0, 30)).await.unwrap();
    let folder = place.data().join("keepers/k1");
    fs::create_dir_all(folder.join("spool")).unwrap();
    fs::write(folder.join("keeper.json"), "{}").unwrap();
    fs::write(folder.join("inputs"), "+a\n").unwrap();
    fs::write(folder.join("lock"), "").unwrap();
    let segment = |start: u64| folder.join(format!("spool/{start:020}"));
    fs::write(segment(20), "x".repeat(19) + "\n").unwrap();
    fs::write(segment(40), "tail\nunfinished").unwrap();
    let created = place.back_up().unwrap();
    let paths: Vec<&str> = created.manifest.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "aqueduct-backup.json",
            "keepers/k1/keeper.json",
            "keepers/k1/spool/00000000000000000020",
            "keepers/k1/spool/00000000000000000040",
            "keepers/k1/inputs",
            "push.key",
            "log.sqlite3"
        ]
    );
    // What the log needs and no process has is missing for the bridge as well: that is no reason to have no backup.
    fs::remove_file(segment(20)).unwrap();
    place.back_up_to("second.tar", false).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    place.back_up_to("third.tar", false).unwrap();
    log.close().await;
    let snapshot = LogSnapshot::open(&place.data()).unwrap().unwrap();
    assert_eq!(snapshot.kept_sessions().unwrap()[0].cursor, 30);
}
