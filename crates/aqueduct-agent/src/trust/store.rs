//! The trust store: a JSON file with the folders that the user trusts.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private;
use aqueduct_os::regular_file::open_without_last_link;
use aqueduct_os::user;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::entry::TrustEntry;
use super::error::{TrustError, TrustStoreError};

/// The version of the format. A file of a newer one is not touched.
const VERSION: u64 = 1;

/// The member with the folders.
const FOLDERS: &str = "folders";

/// What the store holds. Members that are not known here stay as they are.
#[derive(Debug)]
pub(super) struct TrustStore {
    file: PathBuf,
    value: Map<String, Value>,
}

impl TrustStore {
    /// Reads the store. One that is not there holds nothing.
    pub(super) fn read(file: &Path) -> Result<Self, TrustError> {
        let wrong = |problem: TrustStoreError| TrustError::Store { path: file.to_owned(), problem };
        let text = match private_text(file) {
            Ok(text) => text,
            Err(TrustStoreError::File(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(TrustStore { file: file.to_owned(), value: Map::new() });
            }
            Err(problem) => return Err(wrong(problem)),
        };
        let value = match serde_json::from_str(&text) {
            Ok(Value::Object(value)) => value,
            Ok(_) => return Err(wrong(TrustStoreError::NotAnObject)),
            Err(error) => return Err(wrong(error.into())),
        };
        match value.get("version").and_then(Value::as_u64) {
            Some(VERSION) => Ok(TrustStore { file: file.to_owned(), value }),
            _ => Err(wrong(TrustStoreError::Version)),
        }
    }

    /// What is recorded of a folder. An entry of another shape is none.
    pub(super) fn get(&self, folder: &str) -> TrustEntry {
        self.value
            .get(FOLDERS)
            .and_then(|folders| folders.get(folder))
            .map(TrustEntry::read)
            .unwrap_or_default()
    }

    /// Every folder that something is recorded of, by its path.
    pub(super) fn folders(&self) -> Vec<(String, TrustEntry)> {
        let folders = self.value.get(FOLDERS).and_then(Value::as_object).into_iter().flatten();
        folders.map(|(folder, entry)| (folder.clone(), TrustEntry::read(entry))).collect()
    }

    /// Changes what is recorded of a folder, in the file as it is now. Others of this program wait meanwhile.
    pub(super) fn change<R>(
        file: &Path,
        folder: &str,
        change: impl FnOnce(&mut TrustEntry) -> R,
    ) -> Result<R, TrustError> {
        let failed = |error: io::Error| TrustError::Store { path: file.to_owned(), problem: error.into() };
        let above = file.parent().unwrap_or(Path::new("/"));
        make_private(above).map_err(failed)?;
        let _others_wait = lock(&file.with_extension("lock")).map_err(failed)?;
        let mut store = TrustStore::read(file)?;
        let mut entry = store.get(folder);
        let result = change(&mut entry);
        store.put(folder, &entry);
        store.write().map_err(failed)?;
        Ok(result)
    }

    fn put(&mut self, folder: &str, entry: &TrustEntry) {
        self.value.insert("version".to_owned(), VERSION.into());
        let folders = self.value.entry(FOLDERS).or_insert_with(|| json!({}));
        if !folders.is_object() {
            *folders = json!({});
        }
        let Value::Object(folders) = folders else { return };
        if entry.is_empty() {
            folders.remove(folder);
        } else {
            entry.write(folders.entry(folder).or_insert_with(|| json!({})));
        }
    }

    /// Puts the store in the file's place, whole or not at all.
    fn write(&self) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.value)?;
        let part = self.file.with_extension(format!("{}.part", Uuid::new_v4().simple()));
        let write = || {
            let mut out = File::options().write(true).create_new(true).mode(0o600).open(&part)?;
            out.write_all(text.as_bytes())?;
            out.sync_all()?;
            fs::rename(&part, &self.file)
        };
        write().inspect_err(|_| {
            // The first error is the one that matters.
            let _ = fs::remove_file(&part);
        })
    }
}

/// The text of a file that only the user can have written.
fn private_text(file: &Path) -> Result<String, TrustStoreError> {
    let own = user::effective_id();
    let others_write = |about: &fs::Metadata| about.uid() != own || about.mode() & 0o022 != 0;
    let refused = |path: &Path| TrustStoreError::Shared { path: path.to_owned() };
    let handle = open_without_last_link(file)?;
    let about = handle.metadata()?;
    if !about.is_file() || others_write(&about) {
        return Err(refused(file));
    }
    if let Some(folder) =
        file.parent().filter(|folder| fs::metadata(folder).is_ok_and(|about| others_write(&about)))
    {
        return Err(refused(folder));
    }
    Ok(io::read_to_string(handle)?)
}

fn lock(file: &Path) -> io::Result<File> {
    let handle = File::options().create(true).truncate(false).write(true).mode(0o600).open(file)?;
    // A file system without locks does without.
    let _ = handle.lock();
    Ok(handle)
}
