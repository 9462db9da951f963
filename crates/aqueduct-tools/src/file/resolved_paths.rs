//! Where the paths of calls led when rules and people looked at them.
//!
//! Whatever runs beside the agent, a command in the sandbox for one, can put a link in the way of a path after it was
//! looked at. So a tool for files works on the file that was looked at, or not at all.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The resolved paths of calls that are being checked, or about to run, by call id.
#[derive(Debug, Default)]
pub struct ResolvedPathTable(Mutex<HashMap<String, ResolvedPaths>>);

/// Where the paths of a call led.
#[derive(Debug)]
pub struct ResolvedPaths {
    /// The call's input. Of another one, which a host or a hook made of it, nothing is known.
    input: String,
    real: Vec<PathBuf>,
}

impl ResolvedPaths {
    /// Whether a file is one of those that were looked at.
    pub fn knows(&self, real: &Path) -> bool {
        self.real.iter().any(|known| known == real)
    }
}

impl ResolvedPathTable {
    /// Notes where the paths of a call lead.
    pub fn note(&self, id: &str, input: &str, real: Vec<PathBuf>) {
        if !real.is_empty() {
            self.lock().insert(id.to_owned(), ResolvedPaths { input: input.to_owned(), real });
        }
    }

    /// Takes what was noted of a call, if it runs with the input that was looked at.
    pub fn take(&self, id: &str, input: &str) -> Option<ResolvedPaths> {
        self.lock().remove(id).filter(|resolved| resolved.input == input)
    }

    /// Forgets a call that does not run.
    pub fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, ResolvedPaths>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::ResolvedPathTable;
    use crate::file::{FileError, Precondition, open, replace};

    #[test]
    fn a_link_that_is_laid_in_the_way_later_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("outside")).unwrap();
        std::fs::write(root.join("outside/file"), "old").unwrap();
        symlink("outside", root.join("folder")).unwrap();
        let moved = |error: FileError| matches!(error, FileError::Moved(_));
        assert!(open(&root.join("folder/file")).is_err_and(moved));
        assert!(replace(&root.join("folder/file"), b"new", Precondition::Anything).is_err_and(moved));
        assert_eq!(std::fs::read_to_string(root.join("outside/file")).unwrap(), "old");
    }

    #[test]
    fn what_was_looked_at_is_known_once_and_for_that_input() {
        let resolved_paths = ResolvedPathTable::default();
        let note = |id: &str| resolved_paths.note(id, "{}", vec!["/proj/a".into()]);
        note("a");
        assert!(resolved_paths.take("a", "{}").is_some_and(|resolved| resolved.knows("/proj/a".as_ref())));
        assert!(resolved_paths.take("a", "{}").is_none());
        note("b");
        assert!(resolved_paths.take("b", "{\"other\":1}").is_none());
        note("c");
        resolved_paths.forget("c");
        assert!(resolved_paths.take("c", "{}").is_none());
    }
}
