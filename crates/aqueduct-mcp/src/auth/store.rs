use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_os::atomic_file::put_private_durably;
use aqueduct_os::lock::{LockError, LockFile};
use aqueduct_os::privacy::check_secret;
use aqueduct_os::private_dir::make_private;
use reqwest::Url;
use sha2::{Digest as _, Sha256};

use super::error::SignInError;
use super::record::SignInRecord;

/// How much of a file is read.
const FILE_BYTES: u64 = 256 * 1024;

/// How long to wait for another process that renews the same tokens.
const LOCK_TIME: Duration = Duration::from_secs(45);

/// How often to look whether it is done.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// The user's sign-ins: a file for each server, which other users can't read. Agents that run at the same time share them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInStore {
    folder: PathBuf,
}

/// The sign-in to a server, while no other process changes it.
#[derive(Debug)]
pub(super) struct LockedSignIn {
    file: PathBuf,
    server: String,
    _lock: LockFile,
}

impl SignInStore {
    /// The sign-ins in a folder, which is made when one is stored.
    pub fn new(folder: PathBuf) -> Self {
        SignInStore { folder }
    }

    /// Whether there are tokens for a server.
    pub fn is_signed_in(&self, server: &str) -> bool {
        let server = Url::parse(server).ok();
        server.and_then(|server| self.read(&server).ok()?).is_some_and(|record| record.tokens.is_some())
    }

    /// The sign-in to a server.
    pub(super) fn read(&self, server: &Url) -> Result<Option<SignInRecord>, SignInError> {
        let server = key(server);
        read(&self.file(&server), &server)
    }

    /// Waits until no other process changes the sign-in to a server.
    pub(super) async fn lock(&self, server: &Url) -> Result<LockedSignIn, SignInError> {
        let server = key(server);
        let file = self.file(&server);
        make_private(&self.folder)?;
        let path = file.with_extension("lock");
        let taken = async {
            loop {
                match LockFile::take(&path) {
                    Err(LockError::Held { .. }) => tokio::time::sleep(LOCK_PAUSE).await,
                    taken => return taken,
                }
            }
        };
        let lock = tokio::time::timeout(LOCK_TIME, taken).await.map_err(|_| SignInError::Busy)??;
        Ok(LockedSignIn { file, server, _lock: lock })
    }

    fn file(&self, server: &str) -> PathBuf {
        // The address may have keys in its query, and is longer than a file's name may be.
        let digest = Sha256::digest(server.as_bytes());
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.json"))
    }
}

impl LockedSignIn {
    /// The sign-in as it is now.
    pub(super) fn read(&self) -> Result<Option<SignInRecord>, SignInError> {
        read(&self.file, &self.server)
    }

    /// Stores it.
    pub(super) fn write(&self, record: &SignInRecord) -> Result<(), SignInError> {
        let record = SignInRecord { server: self.server.clone(), ..record.clone() };
        let text =
            serde_json::to_vec_pretty(&record).map_err(|error| SignInError::NotStored(error.to_string()))?;
        Ok(put_private_durably(&self.file, &text)?)
    }

    /// Forgets it; whether there was one.
    pub(super) fn remove(&self) -> Result<bool, SignInError> {
        match fs::remove_file(&self.file) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The server as the store names it.
fn key(server: &Url) -> String {
    let mut server = server.clone();
    server.set_fragment(None);
    server.to_string()
}

/// Reads a file. One that can't be read as a sign-in, or is for another server, counts as none.
fn read(path: &Path, server: &str) -> Result<Option<SignInRecord>, SignInError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    check_secret(path, &file)?;
    let mut text = String::new();
    file.take(FILE_BYTES).read_to_string(&mut text)?;
    let record: Option<SignInRecord> = serde_json::from_str(&text).ok();
    Ok(record.filter(|record| record.server == server))
}
