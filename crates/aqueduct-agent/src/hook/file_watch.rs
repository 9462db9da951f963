//! Files that hooks watch.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aqueduct_os::mutex::lock;
use aqueduct_wire::hook::{FileChangedInput, FileEvent, HookEvent};

use super::hooks::Hooks;
use super::input::reported;
use super::occasion::HookOccurrence;
use crate::session::AgentSession;

/// How many files are looked at.
const FILES_LIMIT: usize = 256;

/// The files that are looked at, and how they were.
#[derive(Debug, Default)]
pub(super) struct WatchedFiles {
    /// Those that hooks have asked for.
    asked: BTreeSet<PathBuf>,
    seen: BTreeMap<PathBuf, Option<FileSignature>>,
}

/// By what a change of a file is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileSignature {
    modified: Option<SystemTime>,
    size: u64,
}

impl WatchedFiles {
    /// Adds files that a hook asks for. Their changes are reported from now on.
    pub(super) fn ask(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            if path.is_absolute() && self.asked.len() < FILES_LIMIT {
                self.seen.entry(path.clone()).or_insert_with(|| look(&path));
                self.asked.insert(path);
            }
        }
    }

    /// Notes how files are that matchers name. Their changes are reported from now on.
    fn begin(&mut self, named: impl IntoIterator<Item = PathBuf>) {
        for path in named.into_iter().take(FILES_LIMIT) {
            self.seen.entry(path).or_insert_with_key(|path| look(path));
        }
    }

    /// What has happened to these files and to those that were asked for since the last look.
    fn changes(&mut self, named: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, FileEvent<'static>)> {
        let paths: BTreeSet<PathBuf> = named.into_iter().chain(self.asked.iter().cloned()).collect();
        self.seen.retain(|path, _| paths.contains(path));
        let mut changes = Vec::new();
        for path in paths.into_iter().take(FILES_LIMIT) {
            let now = look(&path);
            let event = match (self.seen.insert(path.clone(), now), now) {
                (None, _) => continue,
                (Some(before), now) if before == now => continue,
                (Some(None), _) => FileEvent::Add,
                (Some(Some(_)), None) => FileEvent::Unlink,
                (Some(Some(_)), Some(_)) => FileEvent::Change,
            };
            changes.push((path, event));
        }
        changes
    }
}

fn look(path: &Path) -> Option<FileSignature> {
    let about = std::fs::metadata(path).ok().filter(|about| about.is_file())?;
    Some(FileSignature { modified: about.modified().ok(), size: about.len() })
}

impl Hooks {
    /// The names of files in matchers: `.envrc|.env` is two files of the working directory.
    fn named_files(text: &str) -> impl Iterator<Item = &str> {
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter))
        };
        text.split('|').map(str::trim).filter(is_name)
    }
}

impl AgentSession {
    /// Begins to watch the files that matchers name: when the session starts, and when the host has set its hooks.
    pub(crate) fn watch_named_files(&self) {
        if let Some(named) = self.files_of_matchers() {
            lock(&self.hooks.watched).begin(named);
        }
    }

    /// The files that matchers of hooks name; none, where no hook watches files.
    fn files_of_matchers(&self) -> Option<Vec<PathBuf>> {
        let texts = self.matchers_of(&HookEvent::FileChanged);
        if texts.is_empty() {
            return None;
        }
        let cwd = self.tool_context.workspace.cwd();
        Some(texts.iter().flat_map(|text| Hooks::named_files(text)).map(|name| cwd.join(name)).collect())
    }

    /// Checks whether files that hooks watch have changed.
    pub(crate) fn look_at_files(&self) {
        let Some(named) = self.files_of_matchers() else { return };
        let changes = lock(&self.hooks.watched).changes(named);
        for (path, event) in changes {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            self.observe(HookOccurrence::new(&HookEvent::FileChanged, name.as_deref()), |base| {
                let mut input = FileChangedInput::new();
                input.file_path = Some(path.display().to_string().into());
                input.event = Some(event);
                reported!(base, FileChanged(input))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_to_a_file_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let (named, asked) = (folder.path().join("named"), folder.path().join("asked"));
        std::fs::write(&asked, "a").unwrap();
        let mut watched = WatchedFiles::default();
        watched.ask([asked.clone(), PathBuf::from("relative")]);
        watched.begin([named.clone()]);
        let mut changes = || watched.changes([named.clone()]);
        std::fs::write(&named, "n").unwrap();
        std::fs::write(&asked, "ab").unwrap();
        assert_eq!(changes(), [(asked.clone(), FileEvent::Change), (named.clone(), FileEvent::Add)]);
        assert_eq!(changes(), []);
        std::fs::remove_file(&named).unwrap();
        assert_eq!(changes(), [(named.clone(), FileEvent::Unlink)]);
    }

    #[test]
    fn to_begin_again_loses_no_change() {
        let folder = tempfile::tempdir().unwrap();
        let named = folder.path().join("named");
        let mut watched = WatchedFiles::default();
        watched.begin([named.clone()]);
        std::fs::write(&named, "n").unwrap();
        watched.begin([named.clone()]);
        assert_eq!(watched.changes([named.clone()]), [(named, FileEvent::Add)]);
    }
}
