use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use aqueduct_wire::transcript::End;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::TranscriptError;
use crate::file::make_private;

/// A transcript's file, open and locked.
///
/// The lock keeps others of this program out. It is the system's: it goes with the process, however that
/// ends.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// How the file ends, which the next line has to repair: one that was broken off is cut off.
    pub(super) end: End,
    /// Everything from here to `own_end` was written by this process. Only such bytes are ever cut off.
    own_start: u64,
    /// The end of the file as this process left it.
    own_end: u64,
}

impl Log {
    /// Opens a file that is there.
    pub(super) fn open(path: PathBuf, session_id: &str) -> Result<Self, TranscriptError> {
        let told = |error| TranscriptError::Read { path: path.clone(), error };
        let file = open(&path, false).map_err(told)?;
        lock(&file, session_id, told)?;
        let length = file.metadata().map_err(told)?.len();
        Ok(Log { path, file, end: End::Closed, own_start: length, own_end: length })
    }

    /// Makes the file of a new conversation. Another process may have done so in the meantime.
    pub(super) fn make(path: PathBuf, session_id: &str) -> Result<Self, TranscriptError> {
        let told = |error| TranscriptError::Write { path: path.clone(), error };
        let file = open(&path, true).map_err(told)?;
        lock(&file, session_id, told)?;
        let metadata = file.metadata().map_err(told)?;
        if metadata.len() > 0 {
            return Err(TranscriptError::AlreadyUsed { session_id: session_id.to_owned() });
        }
        if metadata.nlink() == 0 {
            // The process that had it open removed it before the lock was free.
            return Log::make(path, session_id);
        }
        Ok(Log { path, file, end: End::Closed, own_start: 0, own_end: 0 })
    }

    /// Makes a file that is there only once `fill` has written all of it.
    pub(super) fn copy(
        path: PathBuf,
        session_id: &str,
        fill: impl FnOnce(&File) -> io::Result<()>,
    ) -> Result<Self, TranscriptError> {
        let unfinished = path.with_extension("jsonl.part");
        let log = Log::make(unfinished.clone(), session_id)?;
        match fill(&log.file).and_then(|()| fs::rename(&unfinished, &path)) {
            Ok(()) => {
                let length = log.file.metadata();
                let length =
                    length.map_err(|error| TranscriptError::Read { path: path.clone(), error })?.len();
                Ok(Log { path, own_end: length, ..log })
            }
            Err(error) => {
                // What was begun is of no use, and the error that matters is the first one.
                let _ = fs::remove_file(&unfinished);
                Err(TranscriptError::Write { path, error })
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Where the next line begins.
    pub(super) fn length(&self) -> u64 {
        match self.end {
            End::Torn { from } => from,
            End::Open | End::Closed => self.own_end,
        }
    }

    /// Appends a line with one write. A line that does not fit on the disk is removed again.
    pub(super) fn append(&mut self, line: String) -> Result<(), TranscriptError> {
        self.write(line).map_err(|error| TranscriptError::Write { path: self.path.clone(), error })
    }

    /// Removes the lines behind `start`, where nobody else has written there. Where the disk refuses, the next
    /// line removes them before it is written.
    pub(super) fn truncate(&mut self, start: u64) {
        let length = self.file.metadata().map(|metadata| metadata.len());
        let is_own = start >= self.own_start && length.is_ok_and(|length| length == self.own_end);
        if !is_own || start >= self.own_end {
            return;
        }
        match self.file.set_len(start) {
            Ok(()) => (self.own_end, self.end) = (start, self.end_at(start)),
            Err(_) => self.end = End::Torn { from: start },
        }
    }

    /// How the file ends if it ends there.
    fn end_at(&self, length: u64) -> End {
        let mut last = [b'\n'];
        let read = length.checked_sub(1).map_or(Ok(()), |place| self.file.read_exact_at(&mut last, place));
        if read.is_ok() && last == *b"\n" { End::Closed } else { End::Open }
    }

    /// Removes the file, if nothing is in it.
    pub(super) fn remove_if_empty(&self) {
        if self.file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
            // An empty file that stays costs nothing but its name.
            let _ = fs::remove_file(&self.path);
        }
    }

    fn write(&mut self, mut line: String) -> io::Result<()> {
        let mut before = self.file.metadata()?.len();
        if before != self.own_end {
            // Another program has written; where its line follows a torn one, that one ends here.
            (self.own_start, self.own_end) = (before, before);
            if matches!(self.end, End::Torn { .. }) {
                self.end = End::Open;
            }
        }
        if let End::Torn { from } = self.end {
            self.file.set_len(from)?;
            (before, self.own_end, self.end) = (from, from, self.end_at(from));
            self.own_start = self.own_start.min(from);
        }
        line.push('\n');
        if self.end == End::Open {
            line.insert(0, '\n');
        }
        // All of it goes with the first write, or the second says why not.
        let Err(error) = self.file.write_all(line.as_bytes()) else {
            self.own_end = before + line.len() as u64;
            self.end = End::Closed;
            return Ok(());
        };
        let after = self.file.metadata()?.len();
        let torn = after.saturating_sub(before);
        // More than the line can only be another program's: then nothing may be cut off.
        if torn >= line.len() as u64 {
            self.end = End::Open;
        } else if torn > 0 {
            self.own_end = after;
            match self.file.set_len(before) {
                Ok(()) => self.own_end = before,
                Err(_) => self.end = End::Torn { from: before },
            }
        }
        Err(error)
    }
}

/// Opens a file to read it and to append to it. It is the user's alone, and so is the folder that is made
/// for it: it holds what files and commands said.
fn open(path: &Path, make: bool) -> io::Result<File> {
    if make && let Some(folder) = path.parent() {
        make_private(folder)?;
    }
    OpenOptions::new().read(true).append(true).create(make).mode(0o600).open(path)
}

/// How often a locked file is tried again: whoever only looks whether it is free has it for a moment.
const TRIES: u32 = 5;

/// How long a look at a file takes at most.
const A_MOMENT: Duration = Duration::from_millis(10);

/// Locks the file. A file system without locks does without.
fn lock(
    file: &File,
    session_id: &str,
    told: impl FnOnce(io::Error) -> TranscriptError,
) -> Result<(), TranscriptError> {
    let mut tries = 0..TRIES;
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) | Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(()),
            Err(Errno::WOULDBLOCK) if tries.next().is_some() => thread::sleep(A_MOMENT),
            Err(Errno::WOULDBLOCK) => {
                return Err(TranscriptError::InUse { session_id: session_id.to_owned() });
            }
            Err(error) => return Err(told(error.into())),
        }
    }
}
