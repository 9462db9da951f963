//! Replacing a file as a whole: a reader sees the old bytes or the new ones, never something between.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::platform;
use crate::regular_file::{FileStamp, RegularFileError, must_be_regular, open_unlinked};

/// What the caller knows to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing: the file is to be made.
    Nothing,
    /// A file in this state.
    File(FileStamp),
    /// Whatever is there is to be replaced.
    Anything,
}

/// Puts `bytes` at `path` and returns the stamp of the new file. Missing folders are made.
///
/// The bytes go to a new file in the same folder, which is then given the name. So the file keeps its old
/// bytes if anything fails, and a process that has it open continues to read those. Permission bits are kept,
/// owner and group as far as the system lets us. Other hard links to the old file keep the old bytes, as
/// with most editors: their purpose, such as a package store, is unknown here.
///
/// `path` must have its links followed; a link at `path` itself would be replaced.
pub fn replace(path: &Path, bytes: &[u8], before: Precondition) -> Result<FileStamp, RegularFileError> {
    let failed = RegularFileError::system("write");
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(RegularFileError::Folder);
    };
    let old = match path.symlink_metadata() {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    match &old {
        Some(metadata) => must_be_regular(metadata)?,
        None => fs::create_dir_all(folder).map_err(made_folder)?,
    }
    // From here on the folder is the one that is open, whatever is laid in its way.
    let pinned = PinnedFolder::new(folder)?;
    let at = pinned.path.join(name);
    let mut draft = Draft::new(&pinned.path, if old.is_some() { 0o600 } else { 0o666 }).map_err(&failed)?;
    draft.file.write_all(bytes).map_err(&failed)?;
    if let Some(old) = &old {
        keep_owner(&draft.file, old);
        let mode = fs::Permissions::from_mode(old.mode() & 0o7777);
        draft.file.set_permissions(mode).map_err(&failed)?;
    }
    // Without this a power cut soon after could leave an empty file under the old name.
    draft.file.sync_data().map_err(&failed)?;
    let stamp = FileStamp::of(&draft.file.metadata().map_err(&failed)?);
    let now = at.symlink_metadata().ok().map(|metadata| FileStamp::of(&metadata));
    let as_expected = match before {
        Precondition::Nothing => now.is_none(),
        Precondition::File(stamp) => now == Some(stamp),
        Precondition::Anything => true,
    };
    if !as_expected {
        return Err(RegularFileError::Changed);
    }
    draft.name(&at).map_err(&failed)?;
    Ok(stamp)
}

/// A folder that stays the same, whatever becomes of its path.
struct PinnedFolder {
    /// Open, so that its path among the open files leads there.
    _file: File,
    path: PathBuf,
}

impl PinnedFolder {
    fn new(folder: &Path) -> Result<PinnedFolder, RegularFileError> {
        let file = open_unlinked(folder, platform::file::PASSAGE)?;
        let path = platform::file::path_of(&file).unwrap_or_else(|| folder.to_owned());
        Ok(PinnedFolder { _file: file, path })
    }
}

/// Puts a file at `path` that only the user can read: as a whole, but without waiting for the disk, so that a
/// power cut may leave less of it.
pub fn put_private(path: &Path, bytes: &[u8]) -> Result<(), RegularFileError> {
    let failed = RegularFileError::system("write");
    let Some(folder) = path.parent() else { return Err(RegularFileError::Folder) };
    let mut draft = Draft::new(folder, 0o600).map_err(&failed)?;
    draft.file.write_all(bytes).map_err(&failed)?;
    draft.name(path).map_err(&failed)
}

/// The same for bytes that must survive a power cut: the file and its name are on the disk when this returns.
pub fn put_private_durably(path: &Path, bytes: &[u8]) -> Result<(), RegularFileError> {
    let failed = RegularFileError::system("write");
    let Some(folder) = path.parent() else { return Err(RegularFileError::Folder) };
    let mut draft = Draft::new(folder, 0o600).map_err(&failed)?;
    draft.file.write_all(bytes).map_err(&failed)?;
    draft.file.sync_data().map_err(&failed)?;
    draft.name(path).map_err(&failed)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

/// The error of making folders: something on the way exists and is not a folder.
fn made_folder(error: io::Error) -> RegularFileError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => RegularFileError::ParentIsFile,
        _ => RegularFileError::System { doing: "make the folder of", source: error },
    }
}

/// Only root can give files away, and a group can be kept only by its members; who can't, owns the new file.
fn keep_owner(file: &File, old: &fs::Metadata) {
    let Ok(new) = file.metadata() else { return };
    if new.gid() != old.gid() {
        let _ = std::os::unix::fs::fchown(file, None, Some(old.gid()));
    }
    if new.uid() != old.uid() {
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), None);
    }
}

/// A file without its name yet. It is taken away again unless it gets one.
struct Draft {
    file: File,
    path: Option<PathBuf>,
}

impl Draft {
    fn new(folder: &Path, mode: u32) -> io::Result<Draft> {
        loop {
            let path = folder.join(format!(".aqueduct-{:016x}", Uuid::new_v4().as_u64_pair().0));
            match OpenOptions::new().write(true).create_new(true).mode(mode).open(&path) {
                Ok(file) => return Ok(Draft { file, path: Some(path) }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn name(mut self, name: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, name)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}
