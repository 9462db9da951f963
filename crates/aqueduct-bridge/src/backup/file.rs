//! Where a backup goes: a file, which gets its name when it is whole, or a stream.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use aqueduct_os::atomic_folder;

use super::create::{STAGING, create};
use super::staging::Staging;
use super::{BackupError, BackupRequest, CreatedBackup, ReportProgress, keepers};
use crate::fault::{FaultPoint, pass};

/// How much is written at once.
const PIECE: usize = 256 << 10;

/// Writes a backup into a file for this user alone. With `replace`, it takes the place of an earlier file. Until it is whole
/// and on the disk, the name has what it had before.
pub fn create_file(
    request: &BackupRequest<'_>,
    file: &Path,
    replace: bool,
    progress: ReportProgress<'_>,
) -> Result<CreatedBackup, BackupError> {
    let (folder, staging) = beside(file)?;
    check_free(file, replace)?;
    let staging = Staging::take(&staging)?;
    let path = staging.join("archive");
    let target = keepers::new_file(&path)?;
    let writer = BufWriter::with_capacity(PIECE, &target);
    let created = create(request, &staging, writer, progress)?;
    target.sync_all().map_err(BackupError::file("write", &path))?;
    check_free(file, replace)?;
    fs::rename(&path, file).map_err(BackupError::file("name", file))?;
    pass(FaultPoint::BackupNamed);
    atomic_folder::sync(&folder).map_err(BackupError::file("write", &folder))?;
    Ok(created)
}

/// Writes a backup into a stream. The copies for it are made in the data folder.
pub fn create_stream(
    request: &BackupRequest<'_>,
    target: impl Write,
    progress: ReportProgress<'_>,
) -> Result<CreatedBackup, BackupError> {
    if !request.data.is_dir() {
        return Err(BackupError::NoLog { folder: request.data.to_owned() });
    }
    let staging = Staging::take(&request.data.join(STAGING))?;
    create(request, &staging, BufWriter::with_capacity(PIECE, target), progress)
}

/// The folder of a file, and where the file is prepared in it.
fn beside(file: &Path) -> Result<(PathBuf, PathBuf), BackupError> {
    let named = file.file_name().filter(|_| !file.is_dir());
    let Some(name) = named else { return Err(BackupError::NotAFile { path: file.to_owned() }) };
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    // A missing folder is reported before anything is made.
    File::open(&folder).map_err(BackupError::file("open", &folder))?;
    let mut staging = OsString::from(".");
    staging.push(name);
    staging.push(".partial");
    let staging = folder.join(staging);
    Ok((folder, staging))
}

fn check_free(file: &Path, replace: bool) -> Result<(), BackupError> {
    match fs::symlink_metadata(file) {
        Ok(_) if !replace => Err(BackupError::Exists { path: file.to_owned() }),
        // A device or a pipe is not replaced by a file.
        Ok(data) if !data.is_file() => Err(BackupError::NotAFile { path: file.to_owned() }),
        _ => Ok(()),
    }
}
