use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use aqueduct_os::folder::{self, FileFacts, FileKind, present};

/// A folder that is held open. What is done in it is done there, whatever its path comes to mean meanwhile, and no
/// symbolic link in it is followed. What is not there, or is something else than was wanted, is `None`.
#[derive(Debug)]
pub(super) struct TranscriptFolder(folder::Folder);

/// Something in a folder.
#[derive(Debug, Clone)]
pub(super) struct TranscriptFolderEntry {
    pub(super) name: String,
    pub(super) is_folder: bool,
    pub(super) is_file: bool,
}

impl TranscriptFolder {
    /// Opens a folder by its path, wherever that leads.
    pub(super) fn root(path: &Path) -> io::Result<Option<Self>> {
        Ok(present(folder::Folder::root(path))?.map(TranscriptFolder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of something in the folder, for messages.
    pub(super) fn path_of(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A folder in this one.
    pub(super) fn folder(&self, name: &str) -> io::Result<Option<Self>> {
        Ok(present(self.0.folder(checked(name)?))?.map(TranscriptFolder))
    }

    /// A file in this folder to read.
    pub(super) fn file(&self, name: &str) -> io::Result<Option<File>> {
        Ok(present(self.0.file(checked(name)?))?.flatten())
    }

    /// A file in this folder to read and to append to.
    pub(super) fn file_to_append(&self, name: &str) -> io::Result<Option<File>> {
        Ok(present(self.0.file_to_append(checked(name)?))?.flatten())
    }

    /// Makes a file that is the user's alone. It must not be there yet.
    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        self.0.create(checked(name)?)
    }

    /// What is known of something in this folder.
    pub(super) fn facts(&self, name: &str) -> io::Result<Option<FileFacts>> {
        present(self.0.facts(checked(name)?))
    }

    /// What is in the folder, unsorted. Names that are not text are not ours.
    pub(super) fn entries(&self) -> io::Result<Vec<TranscriptFolderEntry>> {
        let mut found = Vec::new();
        for entry in self.0.entries()? {
            let Some(entry) = present(entry)? else { continue };
            let Ok(name) = entry.name.into_string() else { continue };
            let (is_folder, is_file) = (entry.kind == FileKind::Folder, entry.kind == FileKind::File);
            found.push(TranscriptFolderEntry { name, is_folder, is_file });
        }
        Ok(found)
    }

    /// Gives a file of this folder another name, unless that is taken.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(checked(from)?.as_os_str(), checked(to)?.as_os_str())
    }

    /// Removes a file. One that is not there is fine.
    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        present(self.0.remove_file(checked(name)?.as_os_str())).map(drop)
    }

    /// Removes a folder with all that is in it. Links are removed, never followed.
    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        present(self.0.remove_folder(checked(name)?.as_os_str())).map(drop)
    }
}

/// A name and no path: nothing leads out of the folder.
fn checked(name: &str) -> io::Result<&Path> {
    match name {
        "" | "." | ".." => Err(io::ErrorKind::InvalidInput.into()),
        _ if name.contains(['/', '\0']) => Err(io::ErrorKind::InvalidInput.into()),
        _ => Ok(Path::new(OsStr::new(name))),
    }
}
