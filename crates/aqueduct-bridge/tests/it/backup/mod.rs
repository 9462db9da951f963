//! Backups of data folders, without processes: the format, what is copied, what is restored.

mod format;
mod making;
mod restoring;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use aqueduct_bridge::backup::{
    BackupError, BackupRequest, CreatedBackup, RestoreRequest, RestoredBackup, create_file, restore,
};
use aqueduct_bridge::log::{Append, Grant, Log, NewDevice, NewEvent, NewSession, PushSubscription, Time};
use tempfile::TempDir;

const NOON: Time = Time(1_750_000_000_000);

/// A place with a data folder, and room beside it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(crate::private_folder())
    }

    /// With a log that has a session of two messages and a device with a subscription, and with a key.
    async fn with_data() -> Self {
        let place = Place::new();
        let log = place.log();
        let events = [NewEvent::new("user_input", "\"hello\""), NewEvent::new("result", "\"done\"")];
        let append = events.into_iter().fold(Append::new(NOON), Append::event);
        log.create_session(NewSession::new("s1", "/proj", "builtin", "idle"), append).await.unwrap();
        log.add_device(device("phone", 1), NOON).await.unwrap();
        let text = |text: &str| text.to_owned();
        let push = PushSubscription {
            device_id: text("phone"),
            endpoint: text("https://push.example/1"),
            p256dh: text("key"),
            auth: text("secret"),
            content: true,
        };
        log.put_push(push, NOON).await.unwrap();
        log.close().await;
        let key = place.data().join("push.key");
        fs::write(&key, "a key").unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    fn log(&self) -> Log {
        Log::open(&self.data()).unwrap()
    }

    fn file(&self) -> PathBuf {
        self.path("backup.tar")
    }

    /// Makes a backup of the data folder.
    fn back_up(&self) -> Result<CreatedBackup, BackupError> {
        self.back_up_to("backup.tar", false)
    }

    fn back_up_to(&self, name: &str, replace: bool) -> Result<CreatedBackup, BackupError> {
        let data = self.data();
        let request = BackupRequest { data: &data, program: "0.0.0", created: NOON };
        create_file(&request, &self.path(name), replace, &mut |_| {})
    }

    fn restore(&self, to: &str, replace: bool) -> Result<RestoredBackup, BackupError> {
        self.restore_bytes(to, replace, &fs::read(self.file()).unwrap())
    }

    fn restore_bytes(&self, to: &str, replace: bool, bytes: &[u8]) -> Result<RestoredBackup, BackupError> {
        let request = RestoreRequest { data: &self.path(to), replace, now: NOON };
        restore(&request, bytes, &mut |_| {})
    }

    /// What is in the place.
    fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn device(id: &str, token: u8) -> NewDevice {
    NewDevice {
        id: id.to_owned(),
        kind: "device".to_owned(),
        name: id.to_owned(),
        token_hash: [token; 32],
        public_key: None,
        grant: Grant::full(),
    }
}
