use serde::{Deserialize, Serialize};

use super::messages::head;
use super::payload::PayloadReader;
use super::{AgentExit, InputId, KeeperHello, Malformed, OUTPUT_LIMIT, ProtocolMessage};

/// Messages from a keeper to a bridge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FromKeeper {
    /// The first message of every connection.
    Hello(KeeperHello),
    /// The answer to [`ToKeeper::Attach`](super::ToKeeper::Attach): output follows.
    Attached {
        /// Where it begins.
        from: u64,
        /// The input that is being written to the agent for a bridge before. Its answer comes to this one, and
        /// until then others are refused.
        writing: Option<InputId>,
    },
    /// The other answer: no line starts at that offset. The connection can attach elsewhere.
    Misplaced(OffsetError),
    /// A piece of the spool.
    Output {
        /// Its offset there.
        offset: u64,
        /// The bytes, at most [`OUTPUT_LIMIT`].
        bytes: Vec<u8>,
    },
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
    /// The agent has ended. All of its output came before.
    Exited(AgentExit),
    /// All output below this offset is on the disk.
    Synced {
        /// The end of what is there.
        next: u64,
    },
    /// The agent is not being read, for this reason; or is again.
    Trouble(Option<Trouble>),
    /// Another connection has taken over. This was the last message.
    Replaced,
}

/// Why an offset can't be attached to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffsetError {
    /// The output there was acknowledged and deleted.
    Gone {
        /// The first offset that is available.
        oldest: u64,
    },
    /// No output has been written there yet.
    Ahead {
        /// The end of all output.
        next: u64,
    },
    /// No line begins there.
    Inside,
}

/// Why an input was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputRefusal {
    /// Another input is being written. Send it again when that one is answered.
    Busy,
    /// The agent's stdin is closed, because the agent has ended or is asked to.
    Closed,
}

/// Why the agent is not being read. It waits at its full pipe meanwhile, and nothing is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What kind of trouble it is.
    pub kind: TroubleKind,
    /// The system's error, and what to do.
    pub message: String,
}

/// What kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// The spool or the journal of inputs can't be written: the disk is full or read-only. It is tried again
    /// every second.
    Storage,
    /// The spool has reached its limit, because output is not acknowledged.
    Full,
}

const HELLO: u8 = 0x81;
const ATTACHED: u8 = 0x82;
const MISPLACED: u8 = 0x83;
const OUTPUT: u8 = 0x84;
const TOOK: u8 = 0x85;
const UNCONFIRMED: u8 = 0x86;
const REFUSED: u8 = 0x87;
const EXITED: u8 = 0x88;
const SYNCED: u8 = 0x89;
const TROUBLE: u8 = 0x8a;
const REPLACED: u8 = 0x8b;

/// How long the messages in JSON may be.
const JSON_LIMIT: usize = 16 << 10;

impl ProtocolMessage for FromKeeper {
    fn limit(kind: u8) -> Option<usize> {
        Some(match kind {
            HELLO | TROUBLE => JSON_LIMIT,
            ATTACHED => 8 + InputId::LONGEST,
            SYNCED => 8,
            MISPLACED => 9,
            OUTPUT => 8 + OUTPUT_LIMIT,
            TOOK | UNCONFIRMED => InputId::LONGEST,
            REFUSED => 1 + InputId::LONGEST,
            EXITED => AgentExit::LIMIT,
            REPLACED => 0,
            _ => return None,
        })
    }

    fn decode(kind: u8, mut bytes: Vec<u8>) -> Result<FromKeeper, Malformed> {
        let mut payload = PayloadReader::new(kind, &bytes);
        let id =
            |payload: PayloadReader<'_>| InputId::new(payload.text()?).map_err(|_| Malformed::Payload(kind));
        match kind {
            HELLO => json(kind, &bytes).map(FromKeeper::Hello),
            ATTACHED => {
                let from = payload.u64()?;
                let writing = if payload.is_empty() { None } else { Some(id(payload)?) };
                Ok(FromKeeper::Attached { from, writing })
            }
            MISPLACED => {
                let how = payload.u8()?;
                let place = payload.u64()?;
                let misplaced = match how {
                    0 => OffsetError::Gone { oldest: place },
                    1 => OffsetError::Ahead { next: place },
                    2 if place == 0 => OffsetError::Inside,
                    _ => return Err(payload.malformed()),
                };
                payload.end().map(|()| FromKeeper::Misplaced(misplaced))
            }
            OUTPUT => {
                let offset = payload.u64()?;
                bytes.drain(..8);
                Ok(FromKeeper::Output { offset, bytes })
            }
            TOOK => id(payload).map(FromKeeper::Took),
            UNCONFIRMED => id(payload).map(FromKeeper::Unconfirmed),
            REFUSED => {
                let reason = match payload.u8()? {
                    0 => InputRefusal::Busy,
                    1 => InputRefusal::Closed,
                    _ => return Err(payload.malformed()),
                };
                id(payload).map(|id| FromKeeper::Refused { id, reason })
            }
            EXITED => AgentExit::decode(kind, &bytes).map(FromKeeper::Exited),
            SYNCED => {
                let next = payload.u64()?;
                payload.end().map(|()| FromKeeper::Synced { next })
            }
            TROUBLE => json(kind, &bytes).map(FromKeeper::Trouble),
            REPLACED => payload.end().map(|()| FromKeeper::Replaced),
            _ => Err(Malformed::Kind(kind)),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            FromKeeper::Hello(hello) => write_json(out, HELLO, hello),
            FromKeeper::Attached { from, writing } => {
                let writing = writing.as_ref().map_or(&[][..], |id| id.as_str().as_bytes());
                head(out, ATTACHED, 8 + writing.len());
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(writing);
            }
            FromKeeper::Misplaced(misplaced) => {
                let (how, place) = match *misplaced {
                    OffsetError::Gone { oldest } => (0, oldest),
                    OffsetError::Ahead { next } => (1, next),
                    OffsetError::Inside => (2, 0),
                };
                head(out, MISPLACED, 9);
                out.push(how);
                out.extend_from_slice(&place.to_le_bytes());
            }
            FromKeeper::Output { offset, bytes } => {
                out.extend_from_slice(&output_header(*offset, bytes.len()));
                out.extend_from_slice(bytes);
            }
            FromKeeper::Took(id) => text(out, TOOK, id),
            FromKeeper::Unconfirmed(id) => text(out, UNCONFIRMED, id),
            FromKeeper::Refused { id, reason } => {
                head(out, REFUSED, 1 + id.as_str().len());
                out.push(match reason {
                    InputRefusal::Busy => 0,
                    InputRefusal::Closed => 1,
                });
                out.extend_from_slice(id.as_str().as_bytes());
            }
            FromKeeper::Exited(exit) => {
                head(out, EXITED, exit.length());
                exit.encode(out);
            }
            FromKeeper::Synced { next } => {
                head(out, SYNCED, 8);
                out.extend_from_slice(&next.to_le_bytes());
            }
            FromKeeper::Trouble(trouble) => write_json(out, TROUBLE, trouble),
            FromKeeper::Replaced => head(out, REPLACED, 0),
        }
    }
}

/// The header of a piece of the spool: it is read from the file to behind this.
pub(crate) fn output_header(offset: u64, length: usize) -> [u8; 13] {
    let mut header = [0; 13];
    header[0] = OUTPUT;
    header[1..5].copy_from_slice(&((8 + length) as u32).to_le_bytes());
    header[5..].copy_from_slice(&offset.to_le_bytes());
    header
}

fn json<'b, T: Deserialize<'b>>(kind: u8, bytes: &'b [u8]) -> Result<T, Malformed> {
    serde_json::from_slice(bytes).map_err(|_| Malformed::Payload(kind))
}

fn write_json(out: &mut Vec<u8>, kind: u8, value: &impl Serialize) {
    let begin = out.len();
    head(out, kind, 0);
    // Records of numbers and strings into memory: there is nothing that could fail.
    let _ = serde_json::to_writer(&mut *out, value);
    let length = (out.len() - begin - 5) as u32;
    out[begin + 1..begin + 5].copy_from_slice(&length.to_le_bytes());
}

fn text(out: &mut Vec<u8>, kind: u8, id: &InputId) {
    head(out, kind, id.as_str().len());
    out.extend_from_slice(id.as_str().as_bytes());
}
