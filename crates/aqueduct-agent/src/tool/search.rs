//! What Glob and Grep share: where they look, how long, and how they name what they find.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ignore::DirEntry;
use tokio_util::sync::CancellationToken;

use super::Failure;

/// How long a search may take. What was found by then is the answer.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Folders of version control: their files are records, not sources.
const RECORDS: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/// Says when a search has to end.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    cancel: CancellationToken,
    deadline: Instant,
}

impl Watch {
    pub(super) fn new(cancel: CancellationToken) -> Self {
        Watch { cancel, deadline: Instant::now() + TIME_LIMIT }
    }

    /// Whether the user interrupted the search.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Whether the search took too long.
    pub(super) fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Whether the search has to end, for either reason.
    pub(super) fn is_over(&self) -> bool {
        self.is_cancelled() || self.is_late()
    }
}

/// Runs a search on a thread for work that blocks. It ends when the call is cancelled, and when nobody
/// waits for it any more.
pub(super) async fn run<T: Send + 'static>(
    cancel: &CancellationToken,
    search: impl FnOnce(Watch) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let ours = cancel.child_token();
    let _ends_with_us = ours.clone().drop_guard();
    match tokio::task::spawn_blocking(move || search(Watch::new(ours))).await {
        Ok(found) => found,
        Err(error) => Err(Failure::Failed(format!("the search broke off: {error}"))),
    }
}

/// The path that a call names, from the working directory, and what is there.
pub(super) fn place(cwd: &Path, path: Option<&str>) -> Result<(PathBuf, Metadata), Failure> {
    let path = path.filter(|path| !path.is_empty()).map_or_else(|| cwd.to_owned(), |path| cwd.join(path));
    match std::fs::metadata(&path) {
        Ok(about) => Ok((path, about)),
        Err(error) => Err(Failure::Rejected(format!(
            "can't look in {}: {error}; the working directory is {}",
            path.display(),
            cwd.display()
        ))),
    }
}

/// A path as it is shown: from the working directory, if it is below.
pub(super) fn shown(path: &Path, cwd: &Path) -> String {
    let path = path.strip_prefix(cwd).unwrap_or(path);
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// Whether an entry is a folder of version control that was met on the way.
pub(super) fn is_records(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && RECORDS.iter().any(|name| entry.file_name() == *name)
}
