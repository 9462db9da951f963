//! Data folders made of backups.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use aqueduct_bridge::backup::archive::{ArchiveWriter, BackupHeader, EntryName};
use aqueduct_bridge::backup::{BackupError, check};
use aqueduct_bridge::log::{Append, Log, LogError, NewEvent, NewSession, Time};
use aqueduct_wire::hint::HintedError as _;

use super::{NOON, Place, device, names};

/// The data folder has what was backed up.
async fn assert_restored(folder: &Path) {
    assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    for name in names(folder) {
        let mode = fs::metadata(folder.join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    assert_eq!(fs::read_to_string(folder.join("push.key")).unwrap(), "a key");
    let log = Log::open(folder).unwrap();
    assert_eq!(log.session("s1").await.unwrap().last_seq, 2);
    assert!(log.device_of_token([1; 32]).await.unwrap().is_some());
    assert_eq!(log.pushes().await.unwrap().len(), 1);
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    log.close().await;
}

#[tokio::test]
async fn a_backup_becomes_a_data_folder() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    fs::create_dir(place.path("used")).unwrap();
    fs::set_permissions(place.path("used"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(place.path("used").join("log.lock"), "4711").unwrap();
    for to in ["new", "empty", "used", "below/another"] {
        let restored = place.restore(to, false).unwrap();
        assert_eq!((restored.old, restored.revoked), (None, 0), "{to}");
        assert_restored(&place.path(to)).await;
    }
    let expected = ["backup.tar", "below", "data", "empty", "new", "used"];
    assert_eq!(place.names(), expected, "nothing is left behind");
}

#[tokio::test]
async fn data_is_replaced_on_request_and_kept() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    let log = place.log();
    let note = Append::new(NOON).event(NewEvent::new("note", "\"later\""));
    log.create_session(NewSession::new("s2", "/proj", "builtin", "idle"), note).await.unwrap();
    log.close().await;

    let error = place.restore("data", false).unwrap_err();
    assert!(matches!(error, BackupError::HasData { .. }), "{error}");
    assert!(
        error.advised().contains("pass --replace to keep it beside the restored one"),
        "{}",
        error.advised()
    );
    let restored = place.restore("data", true).unwrap();
    let old = restored.old.unwrap();
    assert_eq!(old.file_name().unwrap(), "data.old-20250615T150640Z");
    assert_restored(&place.data()).await;
    let log = Log::open(&old).unwrap();
    assert_eq!(log.session("s2").await.unwrap().last_seq, 1);
    log.close().await;
    // The next one gets a name of its own.
    let again = place.restore("data", true).unwrap().old.unwrap();
    assert_eq!(again.file_name().unwrap(), "data.old-20250615T150640Z-2");
    assert_eq!(place.names().len(), 4, "{:?}", place.names());
}

#[tokio::test]
async fn a_data_folder_in_use_is_left_alone() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    let log = place.log();
    let error = place.restore("data", true).unwrap_err();
    assert!(matches!(&error, BackupError::Log(LogError::InUse { .. })), "{error}");
    log.close().await;
    place.restore("data", true).unwrap();
}

/// A link to the data folder stays a link.
#[tokio::test]
async fn a_data_folder_behind_a_link_is_replaced_where_it_is() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    symlink(place.data(), place.path("link")).unwrap();
    place.restore("link", true).unwrap();
    assert!(place.path("link").symlink_metadata().unwrap().is_symlink());
    assert_restored(&place.data()).await;
}

#[tokio::test]
async fn revoked_devices_stay_revoked() {
    let place = Place::with_data().await;
    let log = place.log();
    log.add_device(device("laptop", 2), NOON).await.unwrap();
    log.close().await;
    place.back_up().unwrap();
    let log = place.log();
    log.revoke_device("phone", Time(NOON.0 + 1)).await.unwrap();
    log.save_revocations().await.unwrap();
    log.close().await;

    assert_eq!(place.restore("data", true).unwrap().revoked, 1);
    let log = place.log();
    assert_eq!(log.device_of_token([1; 32]).await.unwrap(), None);
    assert!(log.device_of_token([2; 32]).await.unwrap().is_some());
    assert_eq!(log.pushes().await.unwrap(), []);
    log.close().await;
}

/// An old log that can't be read is why one restores.
#[tokio::test]
async fn a_damaged_log_is_replaced() {
    let place = Place::with_data().await;
    place.back_up().unwrap();
    fs::write(place.data().join("log.sqlite3"), b"nonsense".repeat(1000)).unwrap();
    let restored = place.restore("data", true).unwrap();
    assert_restored(&place.data()).await;
    let old = restored.old.unwrap();
    assert_eq!(fs::read(old.join("log.sqlite3")).unwrap(), b"nonsense".repeat(1000));
}

/// Every refusal leaves the data folder as it was, and nothing beside it.
#[tokio::test]
async fn what_is_not_sound_changes_nothing() {
    let place = Place::with_data().await;
    let data = place.data();
    place.back_up().unwrap();
    let sound = fs::read(place.file()).unwrap();
    let archive = |header: &BackupHeader, log: Option<&[u8]>| {
        let mut writer = ArchiveWriter::new(Vec::new(), header).unwrap();
        if let Some(log) = log {
            writer.add(&EntryName::Log, log.len() as u64, log).unwrap();
        }
        writer.finish().unwrap().0
    };
    let at = sound.windows(6).position(|bytes| bytes == b"SQLite").unwrap();
    let log = fs::read(data.join("log.sqlite3")).unwrap();
    let mut flipped = sound.clone();
    flipped[at + 5000] ^= 1;
    let mut damaged = log.clone();
    damaged[4096..8192].fill(7);
    let contents = check(&data, &sound[..], &mut |_| {}).unwrap();
    let header = contents.header;
    let other = BackupHeader::new("0.0.0", NOON.0, "another", header.log_form);
    let errors: Vec<String> = [
        ("no backup", b"nonsense".repeat(1000)),
        ("cut off", sound[..sound.len() / 2].to_vec()),
        ("flipped bit", flipped),
        ("without a log", archive(&header, None)),
        ("no database", archive(&header, Some(&b"nonsense".repeat(1000)))),
        ("empty log", archive(&header, Some(b""))),
        ("damaged log", archive(&header, Some(&damaged))),
        ("another log", archive(&other, Some(&log))),
    ]
    .iter()
    .map(|(what, bytes)| {
        let error = place.restore_bytes("data", true, bytes).unwrap_err();
        let checked = check(&data, &bytes[..], &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), checked.to_string());
        format!("{what}: {}", error.advised())
    })
    .collect();
    insta::assert_snapshot!(errors.join("\n"));
    assert_restored(&data).await;
    assert_eq!(place.names(), ["backup.tar", "data"]);
}

#[tokio::test]
async fn a_backup_of_a_restored_folder_is_the_same() {
    let place = Place::with_data().await;
    let first = place.back_up().unwrap();
    place.restore("data", true).unwrap();
    let second = place.back_up_to("second.tar", false).unwrap();
    assert_eq!((first.counts, &first.header), (second.counts, &second.header));
    let names = |manifest: &aqueduct_bridge::backup::archive::Manifest| {
        manifest.files.iter().map(|file| (file.path.clone(), file.size)).collect::<Vec<_>>()
    };
    assert_eq!(names(&first.manifest), names(&second.manifest));
}
