//! An empty file or folder where nothing may be created, as long as commands run.
//!
//! A file can't be prevented from being created without a mount over it. So there is an empty file, or
//! folder, in its place while a command runs in the sandbox, and it is taken away when the last one has
//! ended. Sessions that work in the same folder see each other's by their locks.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::layout::{Layout, LayoutAccess, PathKind};
use aqueduct_os::mutex::lock;

/// The file by which git finds the hooks and the configuration of a repository. An empty one is an error to git.
pub(super) const COMMON: &str = "commondir";
/// Its content if they are where it is itself.
const HERE: &[u8] = b".\n";

/// The placeholders of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Placeholders(Arc<Mutex<HeldPlaceholders>>);

/// What is held.
#[derive(Debug, Default)]
struct HeldPlaceholders {
    /// How many commands need them.
    users: usize,
    made: Vec<PlaceholderFile>,
    /// Locks on placeholders of other agents.
    others: Vec<(PathBuf, File)>,
}

/// A placeholder.
#[derive(Debug)]
struct PlaceholderFile {
    path: PathBuf,
    kind: PathKind,
    /// Others that rely on it have a lock, too.
    lock: File,
}

/// A command that needs the placeholders, until it is dropped.
#[derive(Debug)]
pub(crate) struct PlaceholderHold(Arc<Mutex<HeldPlaceholders>>);

impl Placeholders {
    /// Lays out the files for a command, and makes what it needs.
    pub(super) fn hold(
        &self,
        lay: impl FnOnce(&dyn Fn(&Path) -> bool) -> Layout,
    ) -> io::Result<(Layout, PlaceholderHold)> {
        let mut held = lock(&self.0);
        held.users += 1;
        let hold = PlaceholderHold(Arc::clone(&self.0));
        let mut layout = lay(&|path| held.made.iter().any(|made| made.path == path));
        let made = held.make(&mut layout);
        drop(held);
        // With the hold it is undone.
        made?;
        Ok((layout, hold))
    }

    /// Whether something is a placeholder.
    pub(super) fn is_held(&self, path: &Path) -> bool {
        lock(&self.0).made.iter().any(|made| made.path == path)
    }
}

impl HeldPlaceholders {
    fn make(&mut self, layout: &mut Layout) -> io::Result<()> {
        let absent: Vec<(PathBuf, PathKind)> =
            layout.absent().map(|(path, kind)| (path.to_owned(), kind)).collect();
        for (path, kind) in absent {
            if self.made.iter().any(|made| made.path == path) {
                continue;
            }
            let made = match kind {
                PathKind::Folder => fs::create_dir(&path).and_then(|()| File::open(&path)),
                PathKind::File => make_file(&path),
            };
            let made = made.or_else(|error| match error.kind() {
                // Of another session, or of one that was killed: the last one takes it away.
                io::ErrorKind::AlreadyExists if is_placeholder(&path) => File::open(&path),
                _ => Err(error),
            });
            let lock = match made {
                Ok(lock) => lock,
                // Where the user can't make it, a command can't, either.
                Err(error)
                    if [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem]
                        .contains(&error.kind()) =>
                {
                    layout.places.remove(&path);
                    continue;
                }
                Err(error) => {
                    let what = format!("nothing can be held at {}: {error}", path.display());
                    return Err(io::Error::new(error.kind(), what));
                }
            };
            // Without locks, other agents are not seen.
            let _ = lock.try_lock_shared();
            self.made.push(PlaceholderFile { path, kind, lock });
        }
        for path in layout.with(LayoutAccess::Keep) {
            let is_known = self.made.iter().any(|made| made.path == path)
                || self.others.iter().any(|(known, _)| known == path);
            if !is_known
                && is_placeholder(path)
                && let Ok(file) = File::open(path)
            {
                let _ = file.try_lock_shared();
                self.others.push((path.to_owned(), file));
            }
        }
        Ok(())
    }

    /// Removes every placeholder that is still empty and that no other agent uses.
    fn clear(&mut self) {
        self.others.clear();
        for made in self.made.drain(..).rev() {
            if made.lock.try_lock().is_err() || !is_placeholder(&made.path) {
                continue;
            }
            // What is gone already needs no removing.
            let _ = match made.kind {
                PathKind::Folder => fs::remove_dir(&made.path),
                PathKind::File => fs::remove_file(&made.path),
            };
        }
    }
}

impl Drop for PlaceholderHold {
    fn drop(&mut self) {
        let mut held = lock(&self.0);
        held.users -= 1;
        if held.users == 0 {
            held.clear();
        }
    }
}

/// Whether there is a placeholder of an agent that was killed. Other programs create no such file.
pub(super) fn is_left_over(path: &Path) -> bool {
    let is_folder = path.is_dir();
    path.file_name()
        .is_some_and(|name| (name == ".mcp.json" && is_folder) || name == COMMON || name == "alternates")
        && is_placeholder(path)
}

/// Creates an empty placeholder file, and opens it.
fn make_file(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Err(error) = file.write_all(nothing(path)) {
        // Half of it would be an error to git.
        let _ = fs::remove_file(path);
        return Err(error);
    }
    Ok(file)
}

/// The content of a placeholder file.
fn nothing(path: &Path) -> &'static [u8] {
    if path.file_name().is_some_and(|name| name == COMMON) { HERE } else { b"" }
}

/// Whether there is a placeholder file or folder.
fn is_placeholder(path: &Path) -> bool {
    let nothing = nothing(path);
    fs::symlink_metadata(path).is_ok_and(|found| match found.is_dir() {
        true => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        false => {
            found.is_file()
                && found.len() == nothing.len() as u64
                && fs::read(path).is_ok_and(|bytes| bytes == nothing)
        }
    })
}
