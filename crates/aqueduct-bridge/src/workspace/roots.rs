use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use aqueduct_os::folder::Folder;
use aqueduct_os::regular_file::is_moving;

use crate::Failure;
use crate::message::ErrorCode;

/// How often a path is looked up again that changes while it is opened.
const ATTEMPTS: usize = 4;

/// The folders that contain everything that clients may see or work in.
///
/// A path is first resolved, with all symbolic links, and compared with the roots. It is then opened from the root's
/// descriptor without following any link, so that nothing that changes in between can lead out.
#[derive(Debug, Clone)]
pub struct Roots {
    /// Without symbolic links, where they are there at all.
    roots: Vec<PathBuf>,
}

impl Roots {
    /// These folders and all below them.
    pub fn new(roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let real = |root: PathBuf| root.canonicalize().unwrap_or(root);
        let mut roots: Vec<PathBuf> = roots.into_iter().map(real).collect();
        roots.sort();
        roots.dedup();
        Roots { roots }
    }

    /// The roots.
    pub fn paths(&self) -> &[PathBuf] {
        &self.roots
    }

    /// The part of these folders that is in one folder. The folder is taken as it is written: if a link takes its place
    /// later, nothing is in it.
    pub fn within(&self, folder: &Path) -> Roots {
        let roots = match self.hold(folder) {
            true => vec![folder.to_owned()],
            false => self.roots.iter().filter(|root| root.starts_with(folder)).cloned().collect(),
        };
        Roots { roots }
    }

    /// Whether a path that has no symbolic links is under a root.
    pub fn hold(&self, real: &Path) -> bool {
        self.root_of(real).is_some()
    }

    /// Where an absolute path leads, all symbolic links resolved. It must exist and be under a root. Blocks.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, Failure> {
        if !path.is_absolute() {
            return Err(not_absolute(path));
        }
        match path.canonicalize() {
            Ok(real) if self.hold(&real) => Ok(real),
            Ok(_) => Err(self.not_allowed(path)),
            // Whether something exists outside of the roots is not disclosed.
            Err(error) => Err(match nearest(path).is_some_and(|(real, _)| self.hold(&real)) {
                true => unreadable(path, &error),
                false => self.not_allowed(path),
            }),
        }
    }

    /// As [`Roots::resolve`], also for what is not there any more, such as a deleted file.
    pub(crate) fn resolve_absent(&self, path: &Path) -> Result<PathBuf, Failure> {
        if !path.is_absolute() {
            return Err(not_absolute(path));
        }
        let (real, rest) = nearest(path).ok_or_else(|| self.not_allowed(path))?;
        let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
        if !self.hold(&real) || !is_plain {
            return Err(self.not_allowed(path));
        }
        // A slash behind a file's name would make it a folder.
        Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    }

    /// Opens a folder.
    pub(super) fn folder(&self, path: &Path) -> Result<Folder, Failure> {
        let folder = self.reach(path, |root, relative| root.folder(relative))?.0;
        match folder.is_of_kernel() {
            Ok(false) => Ok(folder),
            Ok(true) => Err(self.not_allowed(path)),
            Err(error) => Err(unreadable(path, &error)),
        }
    }

    /// Opens a file to read, and gives its real path.
    pub(super) fn file(&self, path: &Path) -> Result<(File, PathBuf), Failure> {
        let (file, real) = self.reach(path, |root, relative| {
            // A root itself is not a file.
            if relative.as_os_str().is_empty() {
                return Ok(None);
            }
            let holder = root.folder(relative.parent().unwrap_or(Path::new("")))?;
            if holder.is_of_kernel()? {
                return Ok(None);
            }
            root.file(relative)
        })?;
        let file = file.ok_or_else(|| {
            let shown = path.display();
            let what = if real.is_dir() { "a folder" } else { "not a regular file" };
            Failure::new(ErrorCode::PathNotFound, format!("{shown} is {what}"))
                .sentence("Only files can be read.")
        })?;
        Ok((file, real))
    }

    /// Opens something from its root.
    fn reach<T>(
        &self,
        path: &Path,
        open: impl Fn(&Folder, &Path) -> io::Result<T>,
    ) -> Result<(T, PathBuf), Failure> {
        for _ in 0..ATTEMPTS {
            let real = self.resolve(path)?;
            let Some((root, relative)) = self.root_of(&real) else { break };
            match Folder::root(root).and_then(|root| open(&root, relative)) {
                Ok(opened) => return Ok((opened, real)),
                Err(error) if is_moving(&error) => continue,
                Err(error) => return Err(unreadable(path, &error)),
            }
        }
        Err(self.not_allowed(path))
    }

    /// The root that a real path is under, and the way from there.
    fn root_of<'p>(&self, real: &'p Path) -> Option<(&PathBuf, &'p Path)> {
        self.roots.iter().find_map(|root| Some((root, real.strip_prefix(root).ok()?)))
    }

    /// The path leads out of the roots.
    pub(crate) fn not_allowed(&self, path: &Path) -> Failure {
        let roots: Vec<String> = self.roots.iter().map(|root| root.display().to_string()).collect();
        let message = format!("{} is not under a root of this bridge ({})", path.display(), roots.join(", "));
        Failure::new(ErrorCode::PathNotAllowed, message)
            .sentence("Choose a folder there, or start the bridge with a further --root.")
    }
}

/// The nearest ancestor that is there, resolved, and the rest of the way.
fn nearest(path: &Path) -> Option<(PathBuf, PathBuf)> {
    path.ancestors().find_map(|ancestor| {
        let real = ancestor.canonicalize().ok()?;
        Some((real, path.strip_prefix(ancestor).ok()?.to_owned()))
    })
}

fn not_absolute(path: &Path) -> Failure {
    Failure::new(ErrorCode::PathNotFound, format!("`{}` is not an absolute path", path.display()))
        .sentence("Give one that begins with a slash.")
}

/// Something can't be read: it is not there, or not for us.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display();
    let failure = |message| Failure::new(ErrorCode::PathNotFound, message);
    match error.kind() {
        io::ErrorKind::NotFound => {
            failure(format!("{shown} does not exist")).sentence("It may have been moved or deleted.")
        }
        io::ErrorKind::NotADirectory => failure(format!("{shown} is not a folder.")),
        io::ErrorKind::PermissionDenied => {
            failure(format!("The bridge may not read {shown}")).sentence("Give its user the permission.")
        }
        _ => failure(format!("{shown} can't be read: {error}.")),
    }
}
