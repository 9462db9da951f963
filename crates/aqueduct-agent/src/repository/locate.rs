//! Finding the repository that a directory belongs to, as git does.

use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::inspect::read_small;

/// What git finds on the way from a directory to the root.
pub(super) enum Located {
    /// No repository.
    Nothing,
    /// A repository with a work tree.
    Tree(WorkTree),
    /// Something that git takes for a repository, or may take for one. The text completes the sentence "git would run
    /// in `/x`, …".
    Unclear(String),
}

/// A repository with a work tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WorkTree {
    /// The top of the work tree.
    pub(super) top: PathBuf,
    /// The folder of this work tree's own records.
    pub(super) git: PathBuf,
    /// The folder with the configuration, which several work trees may share.
    pub(super) common: PathBuf,
}

impl WorkTree {
    /// Whether this is a linked work tree of the same repository, which it knows about.
    pub(super) fn is_worktree_of(&self, own: &WorkTree) -> bool {
        let is_linked = self.git.parent() == Some(&own.common.join("worktrees")) || self.git == own.common;
        let back = match read_small(&self.git.join("gitdir")) {
            Ok(Some(text)) => PathBuf::from(text.trim()).canonicalize().ok(),
            _ => None,
        };
        let knows = self.git == self.common || back.as_deref() == Some(&self.top.join(".git"));
        self.common == own.common && is_linked && knows
    }
}

/// What a name in a folder is, without following links; none where nothing is there.
fn kind(path: &Path) -> Result<Option<FileType>, std::io::Error> {
    match fs::symlink_metadata(path) {
        Ok(data) => Ok(Some(data.file_type())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Finds the nearest repository of a directory, which must be a real path.
pub(super) fn locate(directory: &Path) -> Located {
    for folder in directory.ancestors() {
        match at(folder) {
            Ok(None) => {}
            Ok(Some(located)) => return located,
            Err(error) => {
                return Located::Unclear(format!("and `{}` can't be looked at: {error}", folder.display()));
            }
        }
    }
    Located::Nothing
}

fn at(folder: &Path) -> Result<Option<Located>, std::io::Error> {
    let unclear = |what: &str| Ok(Some(Located::Unclear(format!("and `{}` {what}", folder.display()))));
    let records = folder.join(".git");
    match kind(&records)? {
        Some(kind) if kind.is_symlink() => return unclear("has a link for a repository"),
        Some(kind) if kind.is_dir() => {
            // One without content is passed over by git, which then looks further up.
            if !looks_bare(&records)? || self::kind(&records.join("commondir"))?.is_some() {
                return unclear("has a `.git` that is not complete");
            }
            let (git, common) = (records.clone(), records);
            return Ok(Some(Located::Tree(WorkTree { top: folder.to_owned(), git, common })));
        }
        Some(_) => {
            return match linked(folder, &records) {
                Some(tree) => Ok(Some(Located::Tree(tree))),
                None => unclear("has a `.git` file that can't be followed"),
            };
        }
        None => {}
    }
    if looks_bare(folder)? { unclear("is a bare repository") } else { Ok(None) }
}

/// Whether git may take a folder itself for a repository.
fn looks_bare(folder: &Path) -> Result<bool, std::io::Error> {
    if kind(&folder.join("HEAD"))?.is_none() {
        return Ok(false);
    }
    for name in ["objects", "refs", "commondir"] {
        if kind(&folder.join(name))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The repository that a `.git` file leads to.
fn linked(top: &Path, file: &Path) -> Option<WorkTree> {
    let text = read_small(file).ok()??;
    let git = top.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    if !looks_bare(&git).ok()? {
        return None;
    }
    let common = match read_small(&git.join("commondir")).ok()? {
        Some(text) => git.join(text.trim()).canonicalize().ok()?,
        None => git.clone(),
    };
    Some(WorkTree { top: top.to_owned(), git, common })
}
