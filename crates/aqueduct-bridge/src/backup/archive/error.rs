use std::io;

use aqueduct_wire::hint::{Hint, HintedError};

/// Why an archive can't be read or written as a backup.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It is another kind of file.
    #[error("it is not a backup of aqueduct")]
    Foreign,
    /// Its format is another one.
    #[error("its format has the version {found}, and this program reads the version {known}")]
    Version {
        /// The version that it has.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// A name that no backup has.
    #[error("it has an entry named {name:?}, which no backup has")]
    Name {
        /// The name.
        name: String,
    },
    /// An entry that is not a regular file.
    #[error("its entry {name:?} is not a regular file but {kind}")]
    Kind {
        /// The entry's name.
        name: String,
        /// What it is.
        kind: &'static str,
    },
    /// Two entries of the same name.
    #[error("it has two entries named {name}")]
    Twice {
        /// Their name.
        name: String,
    },
    /// A document that is larger than it may be.
    #[error("its {name} has {size} bytes, more than {limit}")]
    TooLarge {
        /// The document.
        name: &'static str,
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// It ends too early.
    #[error("it is cut off in {name}")]
    Truncated {
        /// The entry in which it ends.
        name: String,
    },
    /// It ends without a manifest.
    #[error("it is cut off: its manifest is missing")]
    NoManifest,
    /// A document that is not as it has to be.
    #[error("its {name} can't be read: {detail}")]
    Document {
        /// The document.
        name: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// An entry has other content than the manifest has.
    #[error("its {name} is damaged: size or checksum are not those of the manifest")]
    Checksum {
        /// The entry.
        name: String,
    },
    /// Entries are in another order.
    #[error("it has {found} where its manifest lists {listed}")]
    Order {
        /// What the manifest lists.
        listed: String,
        /// What is there.
        found: String,
    },
    /// An entry that the manifest lists and that is not there.
    #[error("its {name} is missing")]
    Missing {
        /// The entry.
        name: String,
    },
    /// An entry that the manifest does not list.
    #[error("it has {name}, which its manifest does not list")]
    Unlisted {
        /// The entry.
        name: String,
    },
    /// Something follows the manifest.
    #[error("it continues after its manifest")]
    Trailing,
    /// It can't be read.
    #[error("it can't be read: {0}")]
    Read(#[source] io::Error),
    /// It can't be written.
    #[error("it can't be written: {0}")]
    Write(#[source] io::Error),
}

impl HintedError for ArchiveError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            ArchiveError::Foreign => Hint::clause("name a file that aqueduct backup wrote, uncompressed"),
            ArchiveError::Version { found, known } if found > known => Hint::clause("update this program"),
            ArchiveError::Write(_) => Hint::clause("make room, or choose another place"),
            ArchiveError::Name { .. } | ArchiveError::Kind { .. } => {
                Hint::sentence("It was changed or made by another program: use another backup")
            }
            _ => Hint::clause("use another backup, or another copy of this one"),
        })
    }
}
