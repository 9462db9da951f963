//! Who is at work on a session.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::Duration;

use aqueduct_os::lock;
use aqueduct_os::process_table::is_running;
use aqueduct_wire::json::{Json, Map, Number, Raw, Reader, Str};

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::session::StoredSession;

/// How long the note of a running process may be.
const NOTE_LIMIT: u64 = 64 << 10;

/// How often a locked file is tried again, and after how long: a reader holds it for less.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(10);

/// Takes a session's file for this program alone, unless an agent is at work on it: `aqueduct-agent` has a shared
/// lock on it while a turn runs. It is free again when the file is closed. A process of the reference is found by
/// the note it keeps.
pub(super) fn claim(session: &StoredSession, file: &File) -> Result<(), TranscriptError> {
    lock(session, file)?;
    no_process(session)
}

impl StoredSession {
    /// Fails where an agent is at work on the session. One that has it open and waits for a prompt is not.
    pub fn check_free(&self) -> Result<(), TranscriptError> {
        let file = self.file()?;
        lock(self, &file)?;
        // Closing alone would leave it locked for as long as a process that is just being started has the file too.
        let _ = file.unlock();
        no_process(self)
    }
}

/// Locks a session's file. A file system without locks does without.
fn lock(session: &StoredSession, file: &File) -> Result<(), TranscriptError> {
    let mut tries = 0..TRIES;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if tries.next().is_some() => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(in_use(session, None)),
            Err(TryLockError::Error(error)) if lock::is_unsupported(&error) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(TranscriptError::write(&session.path())(error)),
        }
    }
}

fn no_process(session: &StoredSession) -> Result<(), TranscriptError> {
    match noted_process(session.store().config(), session.id()) {
        Some(process) => Err(in_use(session, Some(process))),
        None => Ok(()),
    }
}

fn in_use(session: &StoredSession, process: Option<i32>) -> TranscriptError {
    TranscriptError::InUse { session: session.id().to_owned(), process }
}

/// The running process that has noted that it is at work on a session. Notes that can't be read are ignored.
fn noted_process(config: &Path, id: &str) -> Option<i32> {
    let folder = TranscriptFolder::root(&config.join("sessions")).ok()??;
    let entries = folder.entries().ok()?;
    entries.iter().filter(|entry| entry.is_file && entry.name.ends_with(".json")).find_map(|entry| {
        let mut text = String::new();
        folder.file(&entry.name).ok()??.take(NOTE_LIMIT).read_to_string(&mut text).ok()?;
        let note = Map::<Raw<'_>>::read(&mut Reader::new(&text)).ok()?;
        let words = |key| note.get(key).and_then(|value| value.view::<Str<'_>>());
        if words("sessionId").as_deref() != Some(id) || words("status").as_deref() == Some("idle") {
            return None;
        }
        let process = i32::try_from(note.get("pid")?.view::<Number<'_>>()?.as_u64()?).ok()?;
        is_running(process, words("procStart").as_deref()).then_some(process)
    })
}
