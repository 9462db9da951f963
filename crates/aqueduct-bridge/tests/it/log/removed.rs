//! Files of a log that are removed, moved, replaced or overwritten while it is open.
//!
//! The rule: what is appended after that is refused, and is never acknowledged and then gone.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use aqueduct_bridge::log::{Append, EnqueueOutcome, Log, LogError, NewInput};
use aqueduct_wire::hint::HintedError as _;
use tempfile::TempDir;

use super::{NOON, new_session, one};

const FILE: &str = "log.sqlite3";

/// A log with one session in a folder of its own, and a copy of its files from before the last append.
struct Scene {
    place: TempDir,
    folder: PathBuf,
    copy: PathBuf,
    log: Log,
}

impl Scene {
    async fn new() -> Self {
        let place = crate::private_folder();
        let (folder, copy) = (place.path().join("data"), place.path().join("copy"));
        let log = Log::open(&folder).unwrap();
        log.create_session(new_session("a"), one("first")).await.unwrap();
        log.settle().await.unwrap();
        copy_folder(&folder, &copy);
        log.append("a", one("second")).await.unwrap();
        Scene { place, folder, copy, log }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Everything is refused with a reason until the log is opened again.
    async fn assert_refused(&self, what: &str) {
        let lost = self.log.append("a", one("lost")).await.unwrap_err();
        assert!(matches!(lost, LogError::Lost { .. }), "{what}: {lost}");
        assert!(lost.advised().contains("restart the bridge"), "{what}: {lost}");
        let input =
            NewInput { id: "i".into(), client_id: None, sender: None, content: "{}".into(), position: None };
        let enqueued = self.log.enqueue("a", input, Append::new(NOON)).await;
        assert_eq!(enqueued.unwrap_err(), lost, "{what}");
        assert_eq!(self.log.session("a").await.unwrap_err(), lost, "{what}");
        assert_eq!(self.log.settle().await.unwrap_err(), lost, "{what}");
        assert_eq!(self.log.lost().await.unwrap(), lost, "{what}");
        self.log.close().await;
    }

    /// What a bridge finds that is started on a folder.
    async fn found(&self, folder: &Path) -> u64 {
        let log = Log::open(folder).unwrap();
        log.session("a").await.map_or(0, |session| session.last_seq)
    }
}

fn copy_folder(from: &Path, to: &Path) {
    DirBuilder::new().mode(0o700).create(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn overwrite(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn cut(path: &Path, size: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(size).unwrap();
}

/// Every way in which the log's files get lost under it.
#[tokio::test]
async fn nothing_is_acknowledged_into_files_that_are_gone() {
    type Harm = fn(&Scene);
    let harms: &[(&str, Harm)] = &[
        ("database removed", |scene| fs::remove_file(scene.file(FILE)).unwrap()),
        ("write-ahead log removed", |scene| fs::remove_file(scene.file("log.sqlite3-wal")).unwrap()),
        ("shared memory removed", |scene| fs::remove_file(scene.file("log.sqlite3-shm")).unwrap()),
        ("lock removed", |scene| fs::remove_file(scene.file("log.lock")).unwrap()),
        ("all removed", |scene| fs::remove_dir_all(&scene.folder).unwrap()),
        ("folder moved", |scene| fs::rename(&scene.folder, scene.place.path().join("moved")).unwrap()),
        ("folder moved and made anew", |scene| {
            fs::rename(&scene.folder, scene.place.path().join("moved")).unwrap();
            copy_folder(&scene.copy, &scene.folder);
        }),
        ("database moved and another in its place", |scene| {
            fs::rename(scene.file(FILE), scene.file("old")).unwrap();
            fs::copy(scene.copy.join(FILE), scene.file(FILE)).unwrap();
        }),
        ("database renamed over", |scene| fs::rename(scene.copy.join(FILE), scene.file(FILE)).unwrap()),
        ("write-ahead log replaced", |scene| {
            fs::rename(scene.copy.join("log.sqlite3-wal"), scene.file("log.sqlite3-wal")).unwrap();
        }),
        ("database overwritten in place", |scene| overwrite(&scene.copy.join(FILE), &scene.file(FILE))),
        ("all overwritten in place", |scene| {
            for name in [FILE, "log.sqlite3-wal", "log.sqlite3-shm"] {
                overwrite(&scene.copy.join(name), &scene.file(name));
            }
        }),
        ("write-ahead log overwritten in place", |scene| {
            overwrite(&scene.copy.join("log.sqlite3-wal"), &scene.file("log.sqlite3-wal"));
        }),
        ("write-ahead log emptied", |scene| cut(&scene.file("log.sqlite3-wal"), 0)),
        ("write-ahead log cut in half", |scene| {
            let path = scene.file("log.sqlite3-wal");
            cut(&path, fs::metadata(&path).unwrap().len() / 2);
        }),
        ("database cut in half", |scene| {
            let path = scene.file(FILE);
            cut(&path, fs::metadata(&path).unwrap().len() / 2);
        }),
        ("database emptied", |scene| drop(File::create(scene.file(FILE)).unwrap())),
    ];
    for (what, harm) in harms {
        let scene = Scene::new().await;
        harm(&scene);
        scene.assert_refused(what).await;
    }
}

/// Files that lead elsewhere now are as good as gone: the next bridge reads what they lead to.
#[tokio::test]
async fn a_link_to_the_data_folder_that_changes_is_noticed() {
    let place = crate::private_folder();
    let [first, second, link] = ["first", "second", "link"].map(|name| place.path().join(name));
    drop(Log::open(&first).unwrap());
    drop(Log::open(&second).unwrap());
    symlink(&first, &link).unwrap();
    let log = Log::open(&link).unwrap();
    log.create_session(new_session("a"), one("x")).await.unwrap();
    fs::remove_file(&link).unwrap();
    symlink(&second, &link).unwrap();
    let lost = log.append("a", one("lost")).await.unwrap_err();
    assert!(matches!(lost, LogError::Lost { .. }), "{lost}");
}

/// What was acknowledged before is saved where the database itself is as it was.
#[tokio::test]
async fn without_the_files_beside_it_the_database_keeps_what_was_acknowledged() {
    for name in ["log.sqlite3-wal", "log.sqlite3-shm", "log.lock"] {
        let scene = Scene::new().await;
        fs::remove_file(scene.file(name)).unwrap();
        scene.assert_refused(name).await;
        assert_eq!(scene.found(&scene.folder).await, 2, "{name}");
    }
}

/// A folder that was moved has everything that was acknowledged, and closing the log changes nothing in what is in
/// its place now.
#[tokio::test]
async fn a_log_that_is_lost_leaves_other_files_alone() {
    let scene = Scene::new().await;
    let moved = scene.place.path().join("moved");
    fs::rename(&scene.folder, &moved).unwrap();
    copy_folder(&scene.copy, &scene.folder);
    scene.assert_refused("moved").await;
    for name in [FILE, "log.sqlite3-wal"] {
        assert_eq!(fs::read(scene.file(name)).unwrap(), fs::read(scene.copy.join(name)).unwrap(), "{name}");
    }
    assert_eq!(scene.found(&scene.folder).await, 1);
    assert_eq!(scene.found(&moved).await, 2);

    let scene = Scene::new().await;
    for name in [FILE, "log.sqlite3-wal"] {
        overwrite(&scene.copy.join(name), &scene.file(name));
    }
    scene.assert_refused("restored").await;
    for name in [FILE, "log.sqlite3-wal"] {
        assert_eq!(fs::read(scene.file(name)).unwrap(), fs::read(scene.copy.join(name)).unwrap(), "{name}");
    }
    assert_eq!(scene.found(&scene.folder).await, 1);
}

/// Reading and copying a log, as a backup does, and links to it, are harmless.
#[tokio::test]
async fn a_backup_is_not_a_reason_to_refuse() {
    let scene = Scene::new().await;
    let reader = rusqlite::Connection::open(scene.file(FILE)).unwrap();
    let events: u64 = reader.query_row("SELECT count(*) FROM events", (), |row| row.get(0)).unwrap();
    assert_eq!(events, 2);
    let backup = scene.place.path().join("backup.sqlite3");
    reader.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    drop(reader);
    fs::hard_link(scene.file(FILE), scene.place.path().join("link")).unwrap();
    copy_folder(&scene.folder, &scene.place.path().join("other"));
    for _ in 0..300 {
        scene.log.append("a", one("more")).await.unwrap();
    }
    scene.log.settle().await.unwrap();
    let input =
        NewInput { id: "i".into(), client_id: None, sender: None, content: "{}".into(), position: None };
    let enqueued = scene.log.enqueue("a", input, Append::new(NOON)).await.unwrap();
    assert!(matches!(enqueued, EnqueueOutcome::New(_)));
    assert_eq!(scene.log.session("a").await.unwrap().last_seq, 302);
}

/// Without an idle period the write-ahead log is moved into the database at a size, and shrinks.
#[tokio::test]
async fn the_write_ahead_log_stays_bounded() {
    let scene = Scene::new().await;
    let large = "x".repeat(1 << 20);
    for _ in 0..64 {
        scene.log.append("a", one(&large)).await.unwrap();
    }
    let size = fs::metadata(scene.file("log.sqlite3-wal")).unwrap().len();
    assert!(size < 32 << 20, "{size}");
    assert_eq!(scene.log.session("a").await.unwrap().last_seq, 66);
}
