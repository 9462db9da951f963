//! Which inputs have been written to the agent, on disk, so that none is ever written twice.
//!
//! A record is a line: `+ID` before the first byte of an input is written, `=ID` after the last one, `-ID` if it
//! turned out that not a byte could be written. An input with a `+` alone is unconfirmed when its keeper is gone: the
//! agent may have read it.
//!
//! The last [`REMEMBERED`] inputs are remembered. A bridge sends one input at a time and remembers each answer,
//! so after a crash it asks about the newest one only; the rest is reserve.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::protocol::InputId;

/// How many inputs are remembered.
pub(super) const REMEMBERED: usize = 1024;

/// How long the file may become before it is written anew with what is remembered. Two records an input, and
/// as much again.
const LONGEST: u64 = (REMEMBERED * 4 * (InputId::LONGEST + 2)) as u64;

/// What is known of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteState {
    /// It has begun to be written.
    Begun,
    /// It has been written completely.
    Written,
}

/// The newest inputs, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct WriteStates {
    /// The oldest first.
    inputs: VecDeque<(InputId, WriteState)>,
    /// There are records in the file.
    has_records: bool,
    /// The file contains something that is not a record.
    is_damaged: bool,
}

impl WriteStates {
    /// The content of complete records.
    fn of(records: &[u8]) -> WriteStates {
        let mut write_states = WriteStates::default();
        for record in records.split(|byte| *byte == b'\n') {
            let Some((mark, id)) = record.split_first() else { continue };
            let id = std::str::from_utf8(id).ok().and_then(|id| InputId::new(id).ok());
            // After a power cut there may be zeros in place of records. They name no input.
            let Some(id) = id else {
                write_states.is_damaged = true;
                continue;
            };
            write_states.has_records = true;
            match mark {
                b'+' => write_states.set(id, Some(WriteState::Begun)),
                b'=' => write_states.set(id, Some(WriteState::Written)),
                b'-' => write_states.set(id, None),
                _ => write_states.is_damaged = true,
            }
        }
        write_states
    }

    /// Whether an input that is not here was not given. A keeper gives its agent a first line before any input, so a
    /// journal without records has lost some.
    pub(super) fn is_complete(&self) -> bool {
        !self.is_damaged && self.has_records
    }

    /// What is known of this input.
    pub(super) fn fate(&self, id: &InputId) -> Option<WriteState> {
        // The newest are asked about.
        self.inputs.iter().rev().find(|(known, _)| known == id).map(|(_, fate)| *fate)
    }

    fn set(&mut self, id: InputId, fate: Option<WriteState>) {
        let at = self.inputs.iter().rposition(|(known, _)| *known == id);
        match (at, fate) {
            (Some(at), Some(fate)) => self.inputs[at].1 = fate,
            (Some(at), None) => {
                self.inputs.remove(at);
            }
            (None, Some(fate)) => {
                if self.inputs.len() == REMEMBERED {
                    self.inputs.pop_front();
                }
                self.inputs.push_back((id, fate));
            }
            (None, None) => {}
        }
    }
}

/// The journal of inputs, to be written.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// The end of the last record.
    length: u64,
    write_states: WriteStates,
}

impl Journal {
    /// Opens the journal at this place, or begins one.
    pub(super) fn open(path: &Path) -> io::Result<Journal> {
        let mut file = open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let records = whole(&bytes);
        let length = records.len() as u64;
        file.set_len(length)?;
        Ok(Journal { path: path.to_owned(), file, length, write_states: WriteStates::of(records) })
    }

    /// The content of the journal at this path.
    pub(super) fn read(path: &Path) -> io::Result<WriteStates> {
        fs::read(path).map(|bytes| WriteStates::of(whole(&bytes)))
    }

    /// What is known of this input.
    pub(super) fn fate(&self, id: &InputId) -> Option<WriteState> {
        self.write_states.fate(id)
    }

    /// To be called before the first byte of the input is written.
    pub(super) fn begin(&mut self, id: &InputId) -> io::Result<()> {
        if self.length > LONGEST {
            self.compact()?;
        }
        self.record(b'+', id)?;
        self.write_states.set(id.clone(), Some(WriteState::Begun));
        Ok(())
    }

    /// To be called after the last byte of the input has been written.
    pub(super) fn written(&mut self, id: &InputId) -> io::Result<()> {
        self.record(b'=', id)?;
        self.write_states.set(id.clone(), Some(WriteState::Written));
        Ok(())
    }

    /// To be called when not a byte of the input could be written.
    pub(super) fn undo(&mut self, id: &InputId) -> io::Result<()> {
        self.record(b'-', id)?;
        self.write_states.set(id.clone(), None);
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Appends a record. One that fails half-way is overwritten by the next.
    fn record(&mut self, mark: u8, id: &InputId) -> io::Result<()> {
        let mut record = Vec::with_capacity(InputId::LONGEST + 2);
        record.push(mark);
        record.extend_from_slice(id.as_str().as_bytes());
        record.push(b'\n');
        self.file.write_all_at(&record, self.length)?;
        self.length += record.len() as u64;
        Ok(())
    }

    /// Writes the file anew with what is remembered.
    fn compact(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (id, fate) in &self.write_states.inputs {
            bytes.push(if *fate == WriteState::Written { b'=' } else { b'+' });
            bytes.extend_from_slice(id.as_str().as_bytes());
            bytes.push(b'\n');
        }
        let new = self.path.with_extension("new");
        let file = open(&new)?;
        file.set_len(0)?;
        file.write_all_at(&bytes, 0)?;
        file.sync_data()?;
        fs::rename(&new, &self.path)?;
        self.file = file;
        self.length = bytes.len() as u64;
        Ok(())
    }
}

/// The records that are complete: one that a crash cut off never led to anything.
fn whole(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)]
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> InputId {
        InputId::new(&format!("input-{number}")).unwrap()
    }

    #[test]
    fn a_new_keeper_knows_what_the_old_one_did() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inputs");
        let mut journal = Journal::open(&path).unwrap();
        journal.begin(&id(1)).unwrap();
        journal.written(&id(1)).unwrap();
        journal.begin(&id(2)).unwrap();
        journal.undo(&id(2)).unwrap();
        journal.begin(&id(3)).unwrap();
        drop(journal);
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.fate(&id(1)), Some(WriteState::Written));
        assert_eq!(journal.fate(&id(2)), None);
        assert_eq!(journal.fate(&id(3)), Some(WriteState::Begun));
        assert_eq!(journal.fate(&id(4)), None);
    }

    #[test]
    fn a_record_that_was_cut_off_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inputs");
        fs::write(&path, "+input-1\n=input-1\n+input-").unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.fate(&id(1)), Some(WriteState::Written));
        journal.begin(&id(2)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "+input-1\n=input-1\n+input-2\n");
    }

    #[test]
    fn the_file_stays_small_and_the_newest_are_remembered() {
        let id = |number: usize| InputId::new(&format!("{number:064}")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inputs");
        let mut journal = Journal::open(&path).unwrap();
        for number in 0..4_000 {
            journal.begin(&id(number)).unwrap();
            journal.written(&id(number)).unwrap();
        }
        assert!(fs::metadata(&path).unwrap().len() <= LONGEST + 200);
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.write_states.inputs.len(), REMEMBERED);
        assert_eq!(journal.fate(&id(3_999)), Some(WriteState::Written));
        assert_eq!(journal.fate(&id(4_000 - REMEMBERED)), Some(WriteState::Written));
        assert_eq!(journal.fate(&id(0)), None);
    }
}
