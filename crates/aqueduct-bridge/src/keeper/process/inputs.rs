//! Lines on their way to the agent's stdin: one at a time, each once.

use std::io::{self, PipeWriter, Write};

use crate::fault::{FaultPoint, pass};
use crate::keeper::journal::{Journal, WriteState};
use crate::keeper::protocol::{FromKeeper, InputId, InputRefusal};

/// The journal, and the input that is being written.
pub(super) struct Inputs {
    journal: Journal,
    writing: Option<InputWrite>,
}

struct InputWrite {
    id: InputId,
    /// With its line end.
    line: Vec<u8>,
    step: WriteStep,
}

/// How far an input is. Each step that is to be written down is tried until it has been.
enum WriteStep {
    /// To be written down as begun.
    Begin,
    /// This much has been given to the agent.
    Write(usize),
    /// To be written down as written.
    Finish,
    /// To be written down as never begun.
    Undo,
}

impl Inputs {
    pub(super) fn new(journal: Journal) -> Inputs {
        Inputs { journal, writing: None }
    }

    /// The input that is being written.
    pub(super) fn writing(&self) -> Option<&InputId> {
        self.writing.as_ref().map(|writing| &writing.id)
    }

    /// Whether there is something for the agent's stdin.
    pub(super) fn wants_pipe(&self) -> bool {
        matches!(self.writing, Some(InputWrite { step: WriteStep::Write(_), .. }))
    }

    /// Takes an input, unless there is an answer at once.
    pub(super) fn offer(&mut self, id: InputId, mut line: Vec<u8>, open: bool) -> Option<FromKeeper> {
        if self.writing() == Some(&id) {
            // The same one again: its answer is still to come.
            return None;
        }
        match self.journal.fate(&id) {
            Some(WriteState::Written) => Some(FromKeeper::Took(id)),
            Some(WriteState::Begun) => Some(FromKeeper::Unconfirmed(id)),
            None if !open => Some(FromKeeper::Refused { id, reason: InputRefusal::Closed }),
            None if self.writing.is_some() => Some(FromKeeper::Refused { id, reason: InputRefusal::Busy }),
            None => {
                pass(FaultPoint::KeeperInputReceived);
                line.push(b'\n');
                self.writing = Some(InputWrite { id, line, step: WriteStep::Begin });
                None
            }
        }
    }

    /// Continues as far as possible without blocking; returns the answer when there is one. An error is the
    /// journal's, and the step is to be tried again. A pipe that turns out to be broken is removed.
    pub(super) fn advance(&mut self, pipe: &mut Option<PipeWriter>) -> io::Result<Option<FromKeeper>> {
        let Some(writing) = &mut self.writing else { return Ok(None) };
        let answer: fn(InputId) -> FromKeeper = loop {
            match writing.step {
                WriteStep::Begin if pipe.is_none() => break refused,
                WriteStep::Begin => {
                    self.journal.begin(&writing.id)?;
                    pass(FaultPoint::KeeperInputBegun);
                    writing.step = WriteStep::Write(0);
                }
                WriteStep::Write(written) => match pipe {
                    None if written == 0 => writing.step = WriteStep::Undo,
                    None => break FromKeeper::Unconfirmed,
                    Some(open) => match open.write(&writing.line[written..]) {
                        Ok(count) if written + count == writing.line.len() => {
                            writing.step = WriteStep::Finish
                        }
                        Ok(count) => writing.step = WriteStep::Write(written + count),
                        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        // The agent has closed its stdin, or is gone.
                        Err(_) => *pipe = None,
                    },
                },
                WriteStep::Finish => {
                    pass(FaultPoint::KeeperInputWritten);
                    self.journal.written(&writing.id)?;
                    pass(FaultPoint::KeeperInputRecorded);
                    break FromKeeper::Took;
                }
                WriteStep::Undo => {
                    self.journal.undo(&writing.id)?;
                    break refused;
                }
            }
        };
        Ok(self.writing.take().map(|writing| answer(writing.id)))
    }

    /// Waits until the journal is on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.journal.sync()
    }
}

fn refused(id: InputId) -> FromKeeper {
    FromKeeper::Refused { id, reason: InputRefusal::Closed }
}
