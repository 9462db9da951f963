//! From the path that the model wrote to the file it means.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::FileError;

/// How many names of a folder are looked at for one like the missing one.
const NAMES_LIMIT: usize = 10_000;

/// How like a name must be to be worth naming.
const LIKENESS: f32 = 0.7;

/// A file, whether it is there or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileLocation {
    /// The path as the model meant it, absolute.
    pub given: PathBuf,
    /// Where the bytes are: all symbolic links followed.
    pub real: PathBuf,
    /// Whether something is there.
    pub exists: bool,
}

/// Finds the file for a path of the model: a relative one is seen from `cwd`, `~/` is the home.
pub(crate) fn locate(path: &str, cwd: &Path, home: &Path) -> Result<FileLocation, FileError> {
    let given = match path.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => cwd.join(path),
    };
    match given.canonicalize() {
        Ok(real) => Ok(FileLocation { given, real, exists: true }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let real = real_of_missing(&given)?;
            Ok(FileLocation { given, real, exists: false })
        }
        Err(error) => Err(FileError::new("find", &given, error)),
    }
}

impl FileLocation {
    /// The error for a file that should be there, with the names that are like it.
    pub(crate) fn missing(&self) -> FileError {
        FileError::Missing { path: self.given.clone(), instead: instead(&self.given) }
    }

    /// Fails if nothing is there.
    pub(crate) fn must_exist(&self) -> Result<(), FileError> {
        if self.exists { Ok(()) } else { Err(self.missing()) }
    }
}

/// How many links that lead to a missing file are followed.
const LINKS_LIMIT: usize = 40;

/// Where a file would be made: the nearest folder that is there, resolved, and the rest of the path. A link
/// that leads to a missing file is followed, so that the file is made where the link points.
fn real_of_missing(given: &Path) -> Result<PathBuf, FileError> {
    let mut path = given.to_owned();
    for _ in 0..LINKS_LIMIT {
        let (folder, rest) = nearest(&path)?;
        let Some(name) = rest.components().next() else { return Ok(folder) };
        let first = folder.join(name);
        let target = match std::fs::read_link(&first) {
            Ok(target) => target,
            Err(_) => return without_steps_up(given, folder, &rest),
        };
        path = folder.join(target).join(rest.components().skip(1).collect::<PathBuf>());
    }
    Err(FileError::Loop(given.to_owned()))
}

/// The longest beginning of the path that is there, resolved, and what is left.
fn nearest(path: &Path) -> Result<(PathBuf, PathBuf), FileError> {
    let mut rest = Vec::<&OsStr>::new();
    let mut folder = path;
    loop {
        match folder.canonicalize() {
            Ok(real) => return Ok((real, rest.iter().rev().collect())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::new("find", path, error)),
        }
        let mut components = folder.components();
        let Some(last) = components.next_back() else { return Ok((PathBuf::from("/"), path.to_owned())) };
        rest.push(last.as_os_str());
        folder = components.as_path();
    }
}

/// Joins what is not there yet. Where a step up out of a folder that is not there leads is undefined.
fn without_steps_up(given: &Path, folder: PathBuf, rest: &Path) -> Result<PathBuf, FileError> {
    if rest.components().any(|part| part == Component::ParentDir) {
        return Err(FileError::Missing { path: given.to_owned(), instead: None });
    }
    Ok(folder.join(rest))
}

/// A sentence about what is there in place of a missing file.
fn instead(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let Ok(entries) = folder.read_dir() else {
        return Some(format!("Its folder {} can't be listed either.", folder.display()));
    };
    let names: Vec<String> = entries
        .take(NAMES_LIMIT)
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = path.file_name()?.to_string_lossy();
    let like = similar::get_close_matches(name.as_ref(), &names, 3, LIKENESS);
    (!like.is_empty()).then(|| format!("In the same folder there is: {}.", like.join(", ")))
}
