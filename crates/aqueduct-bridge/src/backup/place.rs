//! The place of a data folder that is restored.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aqueduct_os::atomic_folder;
use aqueduct_os::lock::{LockError, LockFile};
use aqueduct_os::privacy::check_folder;
use jiff::Timestamp;

use super::{BackupError, keepers};
use crate::fault::{FaultPoint, pass};
use crate::keeper;
use crate::log::{LogError, Time};

/// The lock of a bridge that runs.
const LOCK: &str = "log.lock";
/// What a bridge that has ended may leave in a data folder without data.
const LEFT_BEHIND: [&str; 2] = [LOCK, "admin.sock"];

/// A place where no bridge runs and no agent, and where there is nothing, or something that may be replaced. As long as
/// this exists, no bridge can use what is there.
#[derive(Debug)]
pub(super) struct DataPlace {
    /// Without links.
    path: PathBuf,
    content: PlaceContent,
    _lock: Option<LockFile>,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlaceContent {
    /// Nothing, or an empty folder.
    Nothing,
    /// What a bridge leaves behind without data.
    Traces,
    /// Data.
    Data,
}

impl DataPlace {
    /// The place of a data folder. One that is in use is refused, and so is one with data unless it may be replaced.
    pub(super) fn take(folder: &Path, replace: bool) -> Result<Self, BackupError> {
        let failed = |error| BackupError::file("read", folder)(error);
        let path = match fs::canonicalize(folder) {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = std::path::absolute(folder).map_err(failed)?;
                if let Some(above) = path.parent() {
                    keepers::make(above)?;
                }
                return Ok(DataPlace { path, content: PlaceContent::Nothing, _lock: None });
            }
            Err(error) => return Err(failed(error)),
        };
        if !path.is_dir() {
            return Err(BackupError::NotAFolder { path });
        }
        let mut names = fs::read_dir(&path)
            .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>())
            .map_err(failed)?;
        names.sort();
        let content = match () {
            () if names.is_empty() => PlaceContent::Nothing,
            () if names.iter().all(|name| LEFT_BEHIND.iter().any(|known| name == *known)) => {
                PlaceContent::Traces
            }
            () => PlaceContent::Data,
        };
        if content != PlaceContent::Nothing {
            check_folder(&path)?;
        }
        let lock = lock(&path)?;
        check_agents(&path)?;
        if let (PlaceContent::Data, false) = (content, replace) {
            let is_data = |name: &&std::ffi::OsString| !LEFT_BEHIND.iter().any(|known| name == known);
            let example = names.iter().find(is_data).map(|name| name.to_string_lossy().into_owned());
            return Err(BackupError::HasData { folder: path, example: example.unwrap_or_default() });
        }
        Ok(DataPlace { path, content, _lock: lock })
    }

    /// The place itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is data that is going to be replaced.
    pub(super) fn has_data(&self) -> bool {
        self.content == PlaceContent::Data
    }

    /// Puts a folder there, in one step. Data that was there is beside it afterwards, at the path that is returned.
    pub(super) fn put(self, new: &Path, now: Time) -> Result<Option<PathBuf>, BackupError> {
        if self.content == PlaceContent::Nothing {
            fs::rename(new, &self.path).map_err(BackupError::file("put the data at", &self.path))?;
            pass(FaultPoint::RestoreExchanged);
            self.sync()?;
            return Ok(None);
        }
        // From the beginning under the name that the old folder gets: whenever this ends, what has this name is not
        // half of anything, and nothing removes it.
        let old = self.free_name(now);
        fs::rename(new, &old).map_err(BackupError::file("make", &old))?;
        pass(FaultPoint::RestorePlaced);
        if let Err(error) = atomic_folder::exchange(&old, &self.path) {
            let _ = fs::remove_dir_all(&old);
            return Err(match error.kind() {
                io::ErrorKind::Unsupported => BackupError::NotExchangeable { folder: self.path },
                _ => BackupError::file("replace", &self.path)(error),
            });
        }
        pass(FaultPoint::RestoreExchanged);
        self.sync()?;
        match self.content {
            PlaceContent::Data => Ok(Some(old)),
            _ => {
                // Nothing is lost with it, and it hinders no process.
                let _ = fs::remove_dir_all(&old);
                Ok(None)
            }
        }
    }

    /// A name beside the place that nothing has.
    fn free_name(&self, now: Time) -> PathBuf {
        let time =
            Timestamp::from_millisecond(now.0).unwrap_or_default().strftime("%Y%m%dT%H%M%SZ").to_string();
        let names =
            std::iter::once(format!("old-{time}")).chain((2..).map(|number| format!("old-{time}-{number}")));
        let mut paths = names.map(|name| beside(&self.path, &name));
        paths.find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| beside(&self.path, "old"))
    }

    fn sync(&self) -> Result<(), BackupError> {
        let above = self.path.parent().unwrap_or(&self.path);
        atomic_folder::sync(above).map_err(BackupError::file("write", above))
    }
}

/// A path beside another one: `aqueduct.old` beside `aqueduct`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or(OsStr::new("aqueduct")).to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Keeps bridges away from a folder that one has used.
fn lock(folder: &Path) -> Result<Option<LockFile>, BackupError> {
    let path = folder.join(LOCK);
    if !path.exists() {
        return Ok(None);
    }
    match LockFile::take(&path) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::Held { process }) => {
            Err(LogError::InUse { folder: folder.to_owned(), process }.into())
        }
        Err(LockError::Io(error)) => Err(BackupError::file("lock", &path)(error)),
    }
}

/// Fails if agents run.
fn check_agents(folder: &Path) -> Result<(), BackupError> {
    let keepers = folder.join("keepers");
    let failed = |error| BackupError::file("read", &keepers)(error);
    let entries = match fs::read_dir(&keepers) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    let mut count = 0;
    for entry in entries {
        count += usize::from(keeper::is_alive(&entry.map_err(failed)?.path()).map_err(failed)?);
    }
    match count {
        0 => Ok(()),
        count => Err(BackupError::AgentsRun { folder: folder.to_owned(), count }),
    }
}
