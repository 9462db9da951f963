//! Backups of a data folder: made while a bridge runs, checked, and restored.
//!
//! [`create_file`] writes one, [`check`] reads one, [`restore`] puts one in the place of a data folder.
//!
//! | file | contents |
//! |---|---|
//! | `archive/` | the format: reads and writes it, without knowing what is in the files |
//! | `file.rs`, `create.rs`, `keepers.rs` | the file that a backup is; its content; copies of keepers' folders that fit the copy of the log |
//! | `restore.rs`, `unpack.rs` | a data folder made of a backup; a backup that is unpacked and checked |
//! | `place.rs` | what is at the place of a data folder, and the exchange |
//! | `staging.rs` | the folder in which something is prepared |
//! | `error.rs` | errors |
//!
//! # Invariants
//!
//! - **Everything acknowledged is in it.** The log is copied from one read transaction, which sees all commits before it. A
//!   keeper's output is copied after that transaction began, and counts only if nothing is missing between the position
//!   in the log and the oldest byte of the copy; otherwise all of it is tried again with a newer state of the log.
//! - **No input runs twice because of a restore.** A keeper's journal is copied last, so it knows every input whose output
//!   is in the copy.
//! - **A file is whole or not there.** A backup gets its name after it is on the disk. A data folder is exchanged in one
//!   step, after everything in the new one was compared with its checksums, and the old one stays.
//! - **A running bridge notices nothing**, and a data folder in use is never replaced.
//!
//! # What it does not own
//!
//! Agents' transcripts, the configuration and projects are elsewhere and not in a backup.

pub mod archive;

mod create;
mod error;
mod file;
mod keepers;
mod place;
mod restore;
mod staging;
mod unpack;

pub use create::{BackupRequest, CreatedBackup};
pub use error::BackupError;
pub use file::{create_file, create_stream};
pub use restore::{RestoreRequest, RestoredBackup, check, restore};
pub use unpack::CheckedBackup;

/// What is being done, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupProgress {
    /// The step.
    pub step: BackupStep,
    /// How many bytes are done.
    pub done: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
}

/// A step of a backup or a restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupStep {
    /// The log is copied.
    Copy,
    /// The archive is written.
    Write,
    /// The archive is read.
    Read,
    /// The log of the archive is examined.
    Examine,
}

/// Receives the progress.
pub type ReportProgress<'a> = &'a mut dyn FnMut(BackupProgress);
