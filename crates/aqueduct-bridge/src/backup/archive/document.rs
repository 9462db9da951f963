//! The two documents of a backup.

use serde::{Deserialize, Serialize};

use super::ArchiveError;

/// The header's entry.
pub(super) const HEADER: &str = "aqueduct-backup.json";
/// The manifest's entry.
pub(super) const MANIFEST: &str = "manifest.json";

/// What distinguishes a backup from other documents.
const FORMAT: &str = "aqueduct-backup";
/// The version of the format that this program writes, and the newest that it reads.
const VERSION: u32 = 1;

/// What a backup is of: its first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupHeader {
    format: String,
    version: u32,
    /// The version of the program that made it.
    pub program: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// The id of the log.
    pub log_id: String,
    /// The form of the log's database.
    pub log_form: i64,
}

/// What every version of a header has.
#[derive(Deserialize)]
struct HeaderVersion {
    format: String,
    version: u32,
}

impl BackupHeader {
    /// The header of a new backup.
    pub fn new(program: impl Into<String>, created: i64, log_id: impl Into<String>, log_form: i64) -> Self {
        BackupHeader {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: program.into(),
            created,
            log_id: log_id.into(),
            log_form,
        }
    }

    /// The version of the format.
    pub fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let known: HeaderVersion = serde_json::from_slice(bytes).map_err(|_| ArchiveError::Foreign)?;
        if known.format != FORMAT {
            return Err(ArchiveError::Foreign);
        }
        if known.version != VERSION {
            return Err(ArchiveError::Version { found: known.version, known: VERSION });
        }
        parse(HEADER, bytes)
    }
}

/// What a backup has: its last entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The other entries, in their order.
    pub files: Vec<ManifestFile>,
}

/// An entry of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its name in the archive.
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// Their SHA-256, in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ArchiveError> {
        parse(MANIFEST, bytes)
    }

    /// Fails unless `found` is what the manifest lists.
    pub(super) fn check(&self, found: &[ManifestFile]) -> Result<(), ArchiveError> {
        for (listed, found) in self.files.iter().zip(found) {
            if listed.path != found.path {
                return Err(ArchiveError::Order { listed: listed.path.clone(), found: found.path.clone() });
            }
            if listed != found {
                return Err(ArchiveError::Checksum { name: found.path.clone() });
            }
        }
        if let Some(missing) = self.files.get(found.len()) {
            return Err(ArchiveError::Missing { name: missing.path.clone() });
        }
        match found.get(self.files.len()) {
            Some(unlisted) => Err(ArchiveError::Unlisted { name: unlisted.path.clone() }),
            None => Ok(()),
        }
    }
}

fn parse<'b, T: Deserialize<'b>>(name: &'static str, bytes: &'b [u8]) -> Result<T, ArchiveError> {
    serde_json::from_slice(bytes).map_err(|error| ArchiveError::Document { name, detail: error.to_string() })
}
