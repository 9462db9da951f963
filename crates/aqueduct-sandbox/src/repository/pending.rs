//! What was there before commands began, on disk: an agent that is killed leaves the check to the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private;
use serde::{Deserialize, Serialize};

use super::place::RepositoryState;
use super::watch::RepositoryBaseline;

/// How much of a file is read.
const LIMIT: u64 = 64 << 20;

/// The same as [`RepositoryBaseline`], with paths as bytes.
#[derive(Serialize, Deserialize)]
struct SavedBaseline {
    roots: Vec<Vec<u8>>,
    kept: Vec<Vec<u8>>,
    states: Vec<(Vec<u8>, RepositoryState)>,
    unread: Vec<Vec<u8>>,
}

/// A file that is there while commands run. Its lock shows that the agent is alive.
#[derive(Debug)]
pub(super) struct PendingRecord {
    path: PathBuf,
    file: File,
}

impl PendingRecord {
    /// Notes what was there before commands began.
    pub(super) fn write(path: &Path, known: &RepositoryBaseline) -> io::Result<PendingRecord> {
        make_private(path.parent().unwrap_or(path))?;
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
        // Without locks, another agent checks too early, and finds what this one would.
        let _ = file.try_lock();
        let mut pending = PendingRecord { path: path.to_owned(), file };
        pending.rewrite(known)?;
        Ok(pending)
    }

    /// The same for a note that is there.
    pub(super) fn rewrite(&mut self, known: &RepositoryBaseline) -> io::Result<()> {
        let bytes = |paths: &mut dyn Iterator<Item = &PathBuf>| -> Vec<Vec<u8>> {
            paths.map(|path| path.as_os_str().as_bytes().to_vec()).collect()
        };
        let saved = SavedBaseline {
            roots: bytes(&mut known.roots.iter()),
            kept: bytes(&mut known.kept.iter()),
            states: known
                .states
                .iter()
                .map(|(path, state)| (path.as_os_str().as_bytes().to_vec(), state.clone()))
                .collect(),
            unread: bytes(&mut known.unread.iter()),
        };
        let text = serde_json::to_vec(&saved)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(&text)
    }

    /// Everything has been checked.
    pub(super) fn done(self) {
        // One that stays is checked again by the next session, which finds nothing.
        let _ = fs::remove_file(&self.path);
    }

    /// The notes of agents that were killed.
    pub(super) fn left_over(folder: &Path) -> Vec<(PendingRecord, RepositoryBaseline)> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.flatten().map(|entry| entry.path());
        let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.filter_map(|path| read(&path)).collect()
    }
}

/// Reads a note whose agent is gone. One that is not whole was written before any command began.
fn read(path: &Path) -> Option<(PendingRecord, RepositoryBaseline)> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    let mut text = Vec::new();
    (&mut file).take(LIMIT).read_to_end(&mut text).ok()?;
    let pending = PendingRecord { path: path.to_owned(), file };
    let Ok(saved) = serde_json::from_slice::<SavedBaseline>(&text) else {
        pending.done();
        return None;
    };
    let path = |bytes: Vec<u8>| PathBuf::from(std::ffi::OsString::from_vec(bytes));
    let known = RepositoryBaseline {
        roots: saved.roots.into_iter().map(path).collect(),
        kept: saved.kept.into_iter().map(path).collect(),
        states: saved
            .states
            .into_iter()
            .map(|(place, state)| (path(place), state))
            .collect::<BTreeMap<_, _>>(),
        unread: saved.unread.into_iter().map(path).collect::<BTreeSet<_>>(),
        is_cut: false,
        gitlinks: None,
    };
    Some((pending, known))
}
