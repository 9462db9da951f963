use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_wire::json::{IntoOwned, Raw};

/// Lines that were written and that the host has not received yet. Clones share them.
///
/// They are sent before the next frame, so there are never more than what one step of a turn writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mirror(Arc<Mutex<Vec<(PathBuf, String)>>>);

impl Mirror {
    /// Takes a line that was written to a file.
    pub(crate) fn note(&self, path: &Path, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), line));
    }

    /// The lines so far, by file. They are not given again.
    pub(crate) fn take(&self) -> Vec<(PathBuf, Vec<Raw<'static>>)> {
        let lines = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let parsed = |line: &str| Raw::parse(line).ok().map(IntoOwned::into_owned);
        lines
            .chunk_by(|(one, _), (next, _)| one == next)
            .filter_map(|group| {
                let (path, _) = group.first()?;
                Some((path.clone(), group.iter().filter_map(|(_, line)| parsed(line)).collect()))
            })
            .collect()
    }
}
