//! What Glob and Grep share: where they look, how long, and how they name what they find.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use super::ToolFailure;
use super::row::{CallSummary, FileUse, ToolFacts};
pub(super) use crate::hidden::{Hidden, HiddenFilter};

mod effort;
mod folders;
#[cfg(test)]
pub(super) mod random_tree;
#[cfg(test)]
mod tests;
mod watch;

pub(super) use effort::SearchEffort;
pub(super) use folders::{Visitor, walk};
use watch::CancelOnDrop;
pub(super) use watch::SearchWatch;

/// What the agent asks about a tool that searches.
pub(super) const FACTS: ToolFacts = ToolFacts {
    reads_only: true,
    files: Some(FileUse::Search),
    path: Some("path"),
    summary: Some(CallSummary { verb: "Searching for ", members: &["pattern"] }),
    ..ToolFacts::NONE
};

/// How long a search may take. What was found by then is the answer.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// How long a search that has to end may take to hand over what it has. A disk that does not answer holds a thread,
/// but not the turn.
const GRACE: Duration = Duration::from_secs(1);
/// Folders of version control: their files are records, not sources.
const RECORDS: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/// Runs a search on a thread for blocking work. It ends when the call is cancelled, when it takes too long, and when
/// the future is dropped.
pub(super) async fn run<T: Send + 'static>(
    cancel: &CancellationToken,
    search: impl FnOnce(&SearchWatch) -> Result<T, ToolFailure> + Send + 'static,
) -> Result<T, ToolFailure> {
    let watch = SearchWatch::default();
    let _ends_with_us = CancelOnDrop(watch.clone());
    let watched = watch.clone();
    let mut search = tokio::task::spawn_blocking(move || search(&watched));
    tokio::select! {
        found = &mut search => return ended(found),
        () = cancel.cancelled() => watch.cancel(),
        () = tokio::time::sleep(TIME_LIMIT) => watch.expire(),
    }
    match tokio::time::timeout(GRACE, search).await {
        Ok(found) => ended(found),
        Err(_) if watch.is_cancelled() => Err(ToolFailure::Interrupted(String::new())),
        Err(_) => Err(ToolFailure::Failed(format!(
            "the file system did not answer within {} seconds; search another directory",
            TIME_LIMIT.as_secs()
        ))),
    }
}

fn ended<T>(search: Result<Result<T, ToolFailure>, JoinError>) -> Result<T, ToolFailure> {
    search.unwrap_or_else(|error| Err(ToolFailure::Failed(format!("the search failed: {error}"))))
}

/// The path that a call names, from the working directory, and what is there.
pub(super) fn place(cwd: &Path, path: Option<&str>) -> Result<(PathBuf, Metadata), ToolFailure> {
    let path = path.filter(|path| !path.is_empty()).map_or_else(|| cwd.to_owned(), |path| cwd.join(path));
    match std::fs::metadata(&path) {
        Ok(about) => Ok((path, about)),
        Err(error) => Err(ToolFailure::Rejected(format!(
            "can't search {}: {error}; the working directory is {}",
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

/// Whether a folder with this name is version control's, and passed over.
pub(super) fn is_records(name: Option<&OsStr>) -> bool {
    name.is_some_and(|name| RECORDS.iter().any(|records| name == *records))
}
