//! What a new worktree gets of the main checkout that git does not bring: links to folders, and ignored files.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use aqueduct_os::environment::Environment;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::settings::is_inside;
use super::{WorktreeSettings, git};

/// The file that names ignored files to copy.
const INCLUDES: &str = ".worktreeinclude";

/// The most files that are copied.
const MOST_FILES: usize = 10_000;

/// Carries over what settings and [`INCLUDES`] name. What can't be carried over is missing, and nothing else.
pub(super) async fn over(environment: &Environment, root: &Path, path: &Path, settings: &WorktreeSettings) {
    for link in &settings.links {
        let _ = connect(root, path, link);
    }
    let Some(includes) = includes(root) else { return };
    let arguments = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
    let Some(answer) = git(environment, root).run(&[], &arguments).await.filter(|answer| answer.is_whole)
    else {
        return;
    };
    let wanted = answer.text.split_terminator('\0').filter(|file| is_wanted(&includes, file));
    for file in wanted.take(MOST_FILES) {
        let _ = copy(root, path, file);
    }
}

fn includes(root: &Path) -> Option<Gitignore> {
    let file = root.join(INCLUDES);
    fs::symlink_metadata(&file).ok().filter(fs::Metadata::is_file)?;
    let mut builder = GitignoreBuilder::new(root);
    // A line that can't be read includes nothing.
    let _ = builder.add(&file);
    builder.build().ok()
}

fn is_wanted(includes: &Gitignore, file: &str) -> bool {
    let is_included = includes.matched_path_or_any_parents(file, false).is_ignore();
    // The worktrees themselves are below the main checkout.
    is_included && is_inside(file) && !file.starts_with(".claude/worktrees/")
}

/// Makes a link to a folder of the main checkout.
fn connect(root: &Path, path: &Path, link: &str) -> io::Result<()> {
    let source = root.join(link);
    if !fs::canonicalize(&source)?.starts_with(root) || !source.is_dir() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    symlink(source, place(path, link)?)
}

/// Copies a file of the main checkout. A file that is there already stays as it is.
fn copy(root: &Path, path: &Path, file: &str) -> io::Result<()> {
    let source = root.join(file);
    let data = fs::symlink_metadata(&source)?;
    if !data.is_file() || !fs::canonicalize(&source)?.starts_with(root) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut target = OpenOptions::new().write(true).create_new(true).open(place(path, file)?)?;
    io::copy(&mut fs::File::open(&source)?, &mut target)?;
    target.set_permissions(data.permissions())
}

/// Where something goes in a worktree. The folder for it is made, and is really in there: what was checked out may
/// have links.
fn place(path: &Path, file: &str) -> io::Result<PathBuf> {
    let target = path.join(file);
    let folder = target.parent().unwrap_or(path);
    let existing = folder.ancestors().find(|folder| folder.symlink_metadata().is_ok()).unwrap_or(path);
    if !fs::canonicalize(existing)?.starts_with(path) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    fs::create_dir_all(folder)?;
    match fs::canonicalize(folder)? == folder {
        true => Ok(target),
        false => Err(io::ErrorKind::InvalidInput.into()),
    }
}
