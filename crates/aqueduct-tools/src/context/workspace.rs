//! Where a conversation works.

use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use crate::worktree::Worktrees;
use aqueduct_os::mutex::lock;
use aqueduct_wire::hint::{Hint, HintedError};

/// Where a conversation works: its folder, the directories beside it, and the working directory of commands.
#[derive(Default)]
pub struct ToolWorkspace {
    /// The folder in which the conversation started.
    start: PathBuf,
    /// The working directory of commands; `cd` in a command changes it.
    cwd: Mutex<PathBuf>,
    directories: Mutex<Vec<PathBuf>>,
    /// The worktree that the conversation has entered.
    pub worktrees: Worktrees,
}

/// Why there is no directory to run a command in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MissingDirectory {
    /// The folder of the conversation does not exist.
    #[error("The project directory {} does not exist, so no command can run", .0.display())]
    Folder(PathBuf),
    /// The working directory does not exist; it has been set to the folder of the conversation.
    #[error("The working directory {} does not exist any more", missing.display())]
    WorkingDirectory {
        /// The directory that does not exist.
        missing: PathBuf,
        /// The working directory now.
        folder: PathBuf,
    },
}

impl HintedError for MissingDirectory {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            MissingDirectory::Folder(_) => "The user has to restore it.".to_owned(),
            MissingDirectory::WorkingDirectory { folder, .. } => format!(
                "The working directory is {} now; run the command again if it applies there.",
                folder.display()
            ),
        }))
    }
}

impl ToolWorkspace {
    /// A conversation that starts in a folder and may work in further directories.
    pub fn new(start: PathBuf, directories: Vec<PathBuf>) -> Self {
        ToolWorkspace {
            cwd: Mutex::new(start.clone()),
            start,
            directories: Mutex::new(directories),
            worktrees: Worktrees::default(),
        }
    }

    /// The same for a subagent, which starts where its sender is.
    pub(super) fn for_subagent(&self) -> Self {
        ToolWorkspace {
            start: self.start.clone(),
            cwd: Mutex::new(self.cwd()),
            directories: Mutex::new(self.directories()),
            worktrees: self.worktrees.for_subagent(),
        }
    }

    /// The working directory of commands.
    pub fn cwd(&self) -> PathBuf {
        lock(&self.cwd).clone()
    }

    /// Sets the working directory of commands.
    pub(crate) fn set_cwd(&self, folder: PathBuf) {
        *lock(&self.cwd) = folder;
    }

    /// The working directory of commands, if it exists. If it does not, it becomes the folder of the conversation, and
    /// the command does not run: it was meant for another directory.
    pub(crate) fn existing_cwd(&self) -> Result<PathBuf, MissingDirectory> {
        let mut cwd = lock(&self.cwd);
        if cwd.is_dir() {
            return Ok(cwd.clone());
        }
        let folder = self.folder();
        if !folder.is_dir() {
            return Err(MissingDirectory::Folder(folder));
        }
        let missing = std::mem::replace(&mut *cwd, folder.clone());
        Err(MissingDirectory::WorkingDirectory { missing, folder })
    }

    /// Sets the working directory to the one in which a command ended. If the agent may not work there, it becomes the
    /// folder of the conversation, which is returned.
    pub(crate) fn follow(&self, place: PathBuf) -> Option<PathBuf> {
        // A folder that does not exist any more has no links to follow.
        let place = place.canonicalize().unwrap_or(place);
        let is_plain = place.components().all(|part| !matches!(part, Component::ParentDir));
        let is_in = |folder: &Path| place.starts_with(folder.canonicalize().as_deref().unwrap_or(folder));
        if is_plain && self.roots().iter().any(|root| is_in(root)) {
            self.set_cwd(place);
            return None;
        }
        let folder = self.folder();
        self.set_cwd(folder.clone());
        Some(folder)
    }

    /// The folder that the conversation works in: the one in which it started, or the worktree that it has entered.
    pub fn folder(&self) -> PathBuf {
        self.worktrees.folder().unwrap_or_else(|| self.start.clone())
    }

    /// The directories beside the folder.
    pub fn directories(&self) -> Vec<PathBuf> {
        lock(&self.directories).clone()
    }

    /// All folders in which the agent may work.
    pub fn roots(&self) -> Vec<PathBuf> {
        std::iter::once(self.folder()).chain(self.directories()).collect()
    }

    /// Adds directories, and returns those that are new.
    pub(super) fn add_directories(&self, more: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
        let mut directories = lock(&self.directories);
        let mut added = Vec::new();
        for directory in more {
            if !directories.contains(&directory) {
                directories.push(directory.clone());
                added.push(directory);
            }
        }
        added
    }

    /// Removes directories.
    pub fn remove_directories(&self, gone: &[PathBuf]) {
        lock(&self.directories).retain(|directory| !gone.contains(directory));
    }
}
