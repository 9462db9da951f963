use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
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
    /// How the file ends, which the next line has to mend: one that was broken off is cut off.
    pub(super) end: End,
}

impl Log {
    /// Opens a file that is there.
    pub(super) fn open(path: PathBuf, session_id: &str) -> Result<Self, TranscriptError> {
        let told = |error| TranscriptError::Read { path: path.clone(), error };
        let file = open(&path, false).map_err(told)?;
        lock(&file, session_id, told)?;
        Ok(Log { path, file, end: End::Closed })
    }

    /// Makes the file of a new conversation. Another process may have done so in the meantime.
    pub(super) fn make(path: PathBuf, session_id: &str) -> Result<Self, TranscriptError> {
        let told = |error| TranscriptError::Write { path: path.clone(), error };
        let file = open(&path, true).map_err(told)?;
        lock(&file, session_id, told)?;
        if file.metadata().map_err(told)?.len() > 0 {
            return Err(TranscriptError::AlreadyUsed { session_id: session_id.to_owned() });
        }
        Ok(Log { path, file, end: End::Closed })
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
            Ok(()) => Ok(Log { path, ..log }),
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

    /// Appends a line with one write. One that does not fit on the disk is taken back.
    pub(super) fn append(&mut self, line: String) -> Result<(), TranscriptError> {
        self.write(line).map_err(|error| TranscriptError::Write { path: self.path.clone(), error })
    }

    fn write(&mut self, mut line: String) -> io::Result<()> {
        if let End::Torn { from } = self.end {
            self.file.set_len(from)?;
            self.end = End::Closed;
        }
        line.push('\n');
        if self.end == End::Open {
            line.insert(0, '\n');
        }
        let before = self.file.metadata()?.len();
        // All of it goes with the first write, or the second says why not.
        let Err(error) = self.file.write_all(line.as_bytes()) else {
            self.end = End::Closed;
            return Ok(());
        };
        let torn = self.file.metadata()?.len() - before;
        // More than the line can only be another program's: then nothing may be cut off.
        if torn >= line.len() as u64 {
            self.end = End::Open;
        } else if torn > 0 && self.file.set_len(before).is_err() {
            self.end = End::Torn { from: before };
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
