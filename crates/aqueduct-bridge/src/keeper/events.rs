//! Events from a keeper to a bridge.

use std::io;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;
use tokio::io::AsyncReadExt;
use tokio::net::unix::OwnedReadHalf;

use super::handle::{KeeperHandle, WriterTask};
use super::protocol::{
    AgentExit, FromKeeper, InputId, InputRefusal, Malformed, Messages, OUTPUT_LIMIT, Trouble,
};
use super::spool::{SpoolLine, SpoolLines};

/// What happens at a keeper.
#[derive(Debug)]
pub enum KeeperEvent {
    /// The agent wrote a line.
    Line(SpoolLine),
    /// This input has been written to the agent completely, now or before.
    Took(InputId),
    /// This input may have been written, in part or completely, when the agent or its keeper died. It is not
    /// written again.
    Unconfirmed(InputId),
    /// This input has not been written.
    Refused {
        /// Which.
        id: InputId,
        /// And why.
        reason: InputRefusal,
    },
    /// The agent has ended. All of its lines came before.
    Exited(AgentExit),
    /// All output below this offset is on the disk.
    Synced {
        /// The end of what is there.
        next: u64,
    },
    /// The agent is not being read, for this reason; or is again.
    Trouble(Option<Trouble>),
    /// The connection is closed. This was the last event.
    Closed(CloseReason),
}

/// Why a connection is closed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CloseReason {
    /// Another bridge has attached.
    #[error("another bridge has attached to the keeper")]
    Replaced,
    /// The keeper has ended, or does not want this connection.
    #[error("the keeper has closed the connection")]
    Gone(#[source] Option<io::Error>),
    /// The received bytes are not a message.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// What came does not fit what came before.
    #[error("the keeper sent a message out of order")]
    OutOfTurn,
}

impl HintedError for CloseReason {
    fn hint(&self) -> Option<Hint> {
        match self {
            CloseReason::Malformed(malformed) => malformed.hint(),
            CloseReason::Replaced | CloseReason::Gone(_) | CloseReason::OutOfTurn => None,
        }
    }
}

/// The events of a keeper. Nothing is read ahead: a bridge that does not read costs the keeper nothing but
/// its spool.
///
/// Dropping it closes the connection. The agent continues.
#[derive(Debug)]
pub struct KeeperEvents {
    reader: OwnedReadHalf,
    messages: Messages<FromKeeper>,
    /// What has been read and not been understood yet.
    bytes: Vec<u8>,
    at: usize,
    lines: SpoolLines,
    /// Output that has not been cut into lines yet.
    output: Vec<u8>,
    cut: usize,
    /// Keeps the other half of the connection open.
    _handle: KeeperHandle,
    speech: WriterTask,
    closed: bool,
}

impl KeeperEvents {
    pub(super) fn new(
        reader: OwnedReadHalf,
        messages: Messages<FromKeeper>,
        bytes: Vec<u8>,
        from: u64,
        handle: KeeperHandle,
        speech: WriterTask,
    ) -> KeeperEvents {
        KeeperEvents {
            reader,
            messages,
            bytes,
            at: 0,
            lines: SpoolLines::new(from),
            output: Vec::new(),
            cut: 0,
            _handle: handle,
            speech,
            closed: false,
        }
    }

    /// The next event; none after [`KeeperEvent::Closed`]. Nothing is lost when the future is dropped before it is
    /// ready.
    pub async fn next(&mut self) -> Option<KeeperEvent> {
        if self.closed {
            return None;
        }
        loop {
            let mut output = &self.output[self.cut..];
            let line = self.lines.next(&mut output);
            self.cut = self.output.len() - output.len();
            if let Some(line) = line {
                return Some(KeeperEvent::Line(line));
            }
            match self.message() {
                Ok(Some(message)) => match self.take(message) {
                    Ok(None) => {}
                    Ok(Some(event)) => return Some(event),
                    Err(why) => return self.close(why),
                },
                Err(malformed) => return self.close(malformed.into()),
                Ok(None) => {
                    if let Err(error) = self.read().await {
                        return self.close(CloseReason::Gone(error));
                    }
                }
            }
        }
    }

    /// The next message in what has been read.
    fn message(&mut self) -> Result<Option<FromKeeper>, Malformed> {
        let mut input = &self.bytes[self.at..];
        let message = self.messages.next(&mut input);
        self.at = self.bytes.len() - input.len();
        message
    }

    /// Reads more, when everything that was there has been understood. The end of it is an error without one.
    async fn read(&mut self) -> Result<(), Option<io::Error>> {
        self.bytes.clear();
        self.bytes.reserve(2 * OUTPUT_LIMIT);
        self.at = 0;
        match self.reader.read_buf(&mut self.bytes).await {
            Ok(0) => Err(None),
            Ok(_) => Ok(()),
            Err(error) => Err(Some(error)),
        }
    }

    /// The event of a message. Output is not an event: its lines are.
    fn take(&mut self, message: FromKeeper) -> Result<Option<KeeperEvent>, CloseReason> {
        Ok(Some(match message {
            FromKeeper::Output { offset, bytes } => {
                if offset != self.lines.at() {
                    return Err(CloseReason::OutOfTurn);
                }
                self.output = bytes;
                self.cut = 0;
                return Ok(None);
            }
            FromKeeper::Took(id) => {
                self.speech.answered();
                KeeperEvent::Took(id)
            }
            FromKeeper::Unconfirmed(id) => {
                self.speech.answered();
                KeeperEvent::Unconfirmed(id)
            }
            FromKeeper::Refused { id, reason } => {
                self.speech.answered();
                KeeperEvent::Refused { id, reason }
            }
            FromKeeper::Exited(exit) => KeeperEvent::Exited(exit),
            FromKeeper::Synced { next } => KeeperEvent::Synced { next },
            FromKeeper::Trouble(trouble) => KeeperEvent::Trouble(trouble),
            FromKeeper::Replaced => return Err(CloseReason::Replaced),
            FromKeeper::Hello(_) | FromKeeper::Attached { .. } | FromKeeper::Misplaced(_) => {
                return Err(CloseReason::OutOfTurn);
            }
        }))
    }

    fn close(&mut self, why: CloseReason) -> Option<KeeperEvent> {
        self.closed = true;
        self.speech.close();
        Some(KeeperEvent::Closed(why))
    }
}
