//! The format of a backup: a tar archive of known files, with a header in front and a manifest at the end.
//!
//! ```text
//! aqueduct-backup.json      BackupHeader: the format's version, the program, the log
//! keepers/NAME/…            what each keeper's folder has: card, journal, exit, segments of the spool
//! push.key, trust.json      keys and answers, where the data folder has them
//! log.sqlite3               the log, as one file
//! manifest.json             Manifest: size and SHA-256 of each entry before it
//! ```
//!
//! It is plain ustar, so any tar can list and extract it. A reader takes less than that:
//!
//! - Entries are regular files whose names [`EntryName`] knows. Links, other kinds, paths with `..`, and names that occur
//!   twice are errors, so no archive writes a file that no backup has.
//! - Nothing is taken for granted that the archive claims: an entry is read as a stream, a size beyond what is there is a
//!   truncated archive, and the two documents have limits.
//! - The manifest comes last and has to match exactly. An archive that was cut off has none.
//!
//! This module uses no other one of the crate, so that a fuzz target can build it alone.

mod document;
mod entry_name;
mod error;
mod reader;
mod writer;

pub use document::{BackupHeader, Manifest, ManifestFile};
pub use entry_name::{EntryName, KeeperFile};
pub use error::ArchiveError;
pub use reader::{BackupContents, read};
pub use writer::ArchiveWriter;
