//! What Glob and Grep share: where they look, how long, and how they name what they find.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aqueduct_rules::tool::{Kind, kind};
use aqueduct_rules::{Behavior, Context, Entry, Mode, ReasonType, decide};
use ignore::DirEntry;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Failure;
use crate::real_path::real_path;

/// How long a search may take. What was found by then is the answer.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Folders of version control: their files are records, not sources.
const RECORDS: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/// The files that a search passes over in silence: they hold credentials, or a rule keeps them from being read. A
/// search that was allowed would else show by the way what the model may not see.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hidden {
    rules: Option<Arc<Context>>,
    /// Whether a rule is about files. Most sessions have none, and their searches look at credentials alone.
    by_rule: bool,
}

impl Hidden {
    /// What is hidden under these rules.
    pub(crate) fn by(rules: &Context, cwd: &Path) -> Self {
        let hides = |entry: &Entry| {
            let is_about_files = |name: &str| matches!(kind(name), Kind::Read(_) | Kind::Edit(_));
            entry.behavior != Behavior::Allow
                && entry.rule.as_ref().is_ok_and(|rule| is_about_files(&rule.tool_name))
        };
        let by_rule = rules.rules().any(hides);
        let mut rules = rules.clone();
        rules.set_cwd(cwd.to_string_lossy());
        Hidden { rules: Some(Arc::new(rules)), by_rule }
    }

    /// Whether a file is hidden. One that needs a question is: nobody asks about each file of a search.
    pub(super) fn hides(&self, path: &Path) -> bool {
        let Some(rules) = &self.rules else { return false };
        let path = path.to_string_lossy();
        let is_credential = rules.mode() != Mode::BypassPermissions && rules.credential(&path).is_some();
        if !is_credential && !self.by_rule {
            return false;
        }
        let resolved = [(path.to_string(), real_path(&path))];
        let input = json!({ "file_path": path });
        let decision = decide(rules, &aqueduct_rules::Call::new("Read", &input).with_resolved(&resolved));
        decision.behavior == Behavior::Deny
            || is_credential && decision.behavior != Behavior::Allow
            || (decision.behavior == Behavior::Ask && decision.reason_type == ReasonType::Rule)
    }
}

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
