use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use aqueduct_rules::{Editability, Error, Source, settings};
use aqueduct_wire::permission::PermissionUpdate;

use super::scope::file_of;
use super::{Configuration, ConfigurationError};
use crate::environment::Environment;

impl Configuration {
    /// Writes a change that a person granted to the settings file of its destination, which is made where
    /// there is none. The file that was written; none where the change lasts for the session only.
    pub(crate) fn save(
        environment: &Environment,
        update: &PermissionUpdate<'_>,
    ) -> Result<Option<PathBuf>, ConfigurationError> {
        let destination = Source::of_update(update)?;
        match destination.editability() {
            Editability::Session => return Ok(None),
            Editability::Readonly => {
                return Err(Error::ReadOnlySource { source_name: destination }.into());
            }
            Editability::Persistent => {}
        }
        let Some(file) = file_of(environment, destination) else { return Ok(None) };
        // A link stays a link: what it leads to is changed.
        let file = fs::canonicalize(&file).unwrap_or(file);
        let reported = |error| ConfigurationError::Save { path: file.clone(), error };
        let folder = file.parent().unwrap_or(&environment.cwd);
        fs::create_dir_all(folder).map_err(reported)?;
        let _others_wait = lock(folder).map_err(reported)?;
        let before = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(reported(error)),
        };
        let after = settings::edit(&file.to_string_lossy(), &before, update)?;
        if after != before {
            replace(&file, &after).map_err(reported)?;
        }
        Ok(Some(file))
    }
}

/// Keeps others of this program from changing the folder's settings until it is dropped, so that of two
/// changes at once none is lost.
fn lock(folder: &Path) -> io::Result<File> {
    let handle = File::open(folder)?;
    // A file system without locks does without.
    let _ = handle.lock();
    Ok(handle)
}

/// Puts a text in a file's place, whole or not at all, with the file's permissions.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let temporary = file.with_extension(format!("json.{}.part", uuid::Uuid::new_v4().simple()));
    let write = || {
        let mut out = File::options().write(true).create_new(true).mode(0o644).open(&temporary)?;
        if let Ok(about) = fs::metadata(file) {
            out.set_permissions(about.permissions())?;
        }
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        fs::rename(&temporary, file)
    };
    write().inspect_err(|_| {
        // The first error is the one that matters.
        let _ = fs::remove_file(&temporary);
    })
}
