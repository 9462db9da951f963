//! Lines to the agent, one after the other. No task and no lock: the driver polls it beside everything else, so
//! that an agent that does not read is still read from.

use std::collections::VecDeque;
use std::io;

use aqueduct_wire::machine::{MAX_OPEN_REQUESTS, RequestId};
use tokio::io::AsyncWriteExt;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::Error;
use crate::transport::AgentWriter;

/// How many lines may wait before the agent is no longer read: it has to read its answers first. An agent may
/// ask as much as this at once before it reads the first answer.
const LINES_BOUND: usize = MAX_OPEN_REQUESTS;

/// How many bytes of lines may wait likewise; one line may always wait, whatever its size.
const BYTES_BOUND: usize = 64 << 20;

/// A line to be written.
#[derive(Debug)]
pub(super) struct OutgoingLine {
    line: String,
    purpose: LinePurpose,
    /// The place of a handle's line among those that may wait. Given back when the line is written.
    place: Option<OwnedSemaphorePermit>,
}

/// What a line is, for those who have to know what becomes of it.
#[derive(Debug)]
pub(super) enum LinePurpose {
    /// A prompt, by its id.
    Prompt { id: String, written: Option<WrittenSender> },
    /// A request of this side.
    Request(RequestId),
    /// A frame that the caller has made.
    Frame(WrittenSender),
    /// An answer to the agent.
    Answer,
}

/// Receives that a line has been written, or why it can't be.
pub(super) type WrittenSender = oneshot::Sender<Result<(), Error>>;

impl OutgoingLine {
    pub(super) fn new(line: String, purpose: LinePurpose, place: Option<OwnedSemaphorePermit>) -> Self {
        OutgoingLine { line, purpose, place }
    }

    /// Whether this is the prompt with an id.
    pub(super) fn is_prompt(&self, prompt: &str) -> bool {
        matches!(&self.purpose, LinePurpose::Prompt { id, .. } if id == prompt)
    }

    pub(super) fn into_purpose(self) -> LinePurpose {
        self.purpose
    }
}

/// What waits to be written, and where to.
pub(super) struct LineWriter {
    /// `None` once it is closed or lost.
    input: Option<AgentWriter>,
    backlog: VecDeque<OutgoingLine>,
    bytes: usize,
    /// How much of the first line has been written.
    offset: usize,
    unflushed: bool,
    closing: bool,
}

impl LineWriter {
    pub(super) fn new(input: AgentWriter) -> Self {
        LineWriter {
            input: Some(input),
            backlog: VecDeque::new(),
            bytes: 0,
            offset: 0,
            unflushed: false,
            closing: false,
        }
    }

    /// Adds a line. Answers that come after the input was closed or lost can't be given any more; the agent has
    /// given them up itself.
    pub(super) fn push(&mut self, mut outgoing: OutgoingLine) {
        if self.input.is_none() && matches!(outgoing.purpose, LinePurpose::Answer) {
            return;
        }
        outgoing.line.push('\n');
        self.bytes += outgoing.line.len();
        self.backlog.push_back(outgoing);
    }

    /// Closes the input once all that waits is written.
    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// Whether so little waits that the agent may send more, which may have to be answered.
    pub(super) fn has_room(&self) -> bool {
        self.backlog.len() <= 1 || (self.backlog.len() < LINES_BOUND && self.bytes < BYTES_BOUND)
    }

    /// Whether there is something to write, to flush or to close.
    pub(super) fn has_work(&self) -> bool {
        self.input.is_some() && (!self.backlog.is_empty() || self.unflushed || self.closing)
    }

    /// Does the next piece of work. Nothing is lost or written twice when it is dropped before it is done.
    pub(super) async fn work(&mut self) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        if let Some(first) = self.backlog.front() {
            let rest = &first.line.as_bytes()[self.offset..];
            match input.write(rest).await {
                Ok(0) => return Err(self.lose(io::ErrorKind::WriteZero.into())),
                Ok(count) => self.offset += count,
                Err(error) => return Err(self.lose(error)),
            }
            self.unflushed = true;
            if self.offset == first.line.len() {
                self.next_line();
            }
        } else if self.unflushed {
            if let Err(error) = input.flush().await {
                return Err(self.lose(error));
            }
            self.unflushed = false;
        } else if self.closing {
            // Dropping is enough for a pipe; a socket has to be shut down. One that is broken can't be.
            let _ = input.shutdown().await;
            self.input = None;
        }
        Ok(())
    }

    /// The first line is written.
    fn next_line(&mut self) {
        self.offset = 0;
        let Some(OutgoingLine { line, purpose, place }) = self.backlog.pop_front() else { return };
        self.bytes -= line.len();
        drop(place);
        match purpose {
            LinePurpose::Prompt { written: Some(written), .. } | LinePurpose::Frame(written) => {
                // The sender of the line may have stopped waiting.
                let _ = written.send(Ok(()));
            }
            LinePurpose::Prompt { written: None, .. } | LinePurpose::Request(_) | LinePurpose::Answer => {}
        }
    }

    fn lose(&mut self, error: io::Error) -> io::Error {
        self.input = None;
        error
    }

    /// Takes back a prompt of which nothing has been written. Returns whether there was one.
    pub(super) fn withdraw(&mut self, prompt: &str) -> bool {
        let first_unwritten = usize::from(self.offset > 0);
        let found =
            (first_unwritten..self.backlog.len()).find(|&place| self.backlog[place].is_prompt(prompt));
        let Some(outgoing) = found.and_then(|place| self.backlog.remove(place)) else { return false };
        self.bytes -= outgoing.line.len();
        true
    }

    /// Gives up what waits.
    pub(super) fn take_unwritten(&mut self) -> impl Iterator<Item = LinePurpose> + use<> {
        self.bytes = 0;
        std::mem::take(&mut self.backlog).into_iter().map(OutgoingLine::into_purpose)
    }
}
