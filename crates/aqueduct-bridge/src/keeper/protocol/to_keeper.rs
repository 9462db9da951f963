use std::time::Duration;

use super::messages::head;
use super::payload::PayloadReader;
use super::{INPUT_LIMIT, InputId, Malformed, ProtocolMessage, Unattended};

/// Messages from a bridge to a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToKeeper {
    /// This connection takes over, and wants all output from this offset on. What is below is remembered, as
    /// if it were acknowledged.
    Attach {
        /// Where a line begins.
        from: u64,
    },
    /// A line for the agent's stdin.
    Input {
        /// Its name: under the same name it is written once.
        id: InputId,
        /// The line, without its line end.
        line: Vec<u8>,
    },
    /// All output below this offset is remembered, and needs to be kept no longer.
    Ack {
        /// Where a line begins, or the end of all output.
        offset: u64,
    },
    /// A signal for the agent alone: what it started is the agent's business.
    Signal(AgentSignal),
    /// The end of the agent and of everything that it started.
    End(ShutdownLadder),
    /// What has been spooled is to be on the disk, not only in the system's memory.
    Sync,
    /// What to do while no bridge is attached. For keepers whose [`KeeperHello`](super::KeeperHello) reports that they
    /// support it.
    Unattended(Unattended),
}

/// A signal for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentSignal {
    /// SIGINT.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGKILL.
    Kill,
}

/// The steps to an agent's end: its stdin is closed; everyone gets SIGTERM; everyone is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShutdownLadder {
    /// The time between the first step and the second, in whole milliseconds.
    pub close: Duration,
    /// The time between the second step and the third, in whole milliseconds.
    pub terminate: Duration,
}

impl Default for ShutdownLadder {
    fn default() -> ShutdownLadder {
        ShutdownLadder { close: Duration::from_secs(3), terminate: Duration::from_secs(2) }
    }
}

const ATTACH: u8 = 0x01;
const INPUT: u8 = 0x02;
const ACK: u8 = 0x03;
const SIGNAL: u8 = 0x04;
const END: u8 = 0x05;
const SYNC: u8 = 0x06;
const UNATTENDED: u8 = 0x07;

const SIGNALS: [(u8, AgentSignal); 3] =
    [(1, AgentSignal::Interrupt), (2, AgentSignal::Terminate), (3, AgentSignal::Kill)];

impl ProtocolMessage for ToKeeper {
    fn limit(kind: u8) -> Option<usize> {
        Some(match kind {
            ATTACH | ACK | END => 8,
            INPUT => 1 + InputId::LONGEST + INPUT_LIMIT,
            SIGNAL => 1,
            SYNC => 0,
            UNATTENDED => Unattended::LENGTH,
            _ => return None,
        })
    }

    fn decode(kind: u8, mut bytes: Vec<u8>) -> Result<ToKeeper, Malformed> {
        let mut payload = PayloadReader::new(kind, &bytes);
        match kind {
            ATTACH => {
                let from = payload.u64()?;
                payload.end().map(|()| ToKeeper::Attach { from })
            }
            INPUT => {
                let length = usize::from(payload.u8()?);
                let (id, line) = payload.rest().split_at_checked(length).ok_or(Malformed::Payload(kind))?;
                let id = std::str::from_utf8(id).ok().and_then(|id| InputId::new(id).ok());
                let id = id.ok_or(Malformed::Payload(kind))?;
                if line.len() > INPUT_LIMIT || memchr::memchr(b'\n', line).is_some() {
                    return Err(Malformed::Payload(kind));
                }
                // The line stays where it is: it may be large.
                bytes.drain(..1 + length);
                Ok(ToKeeper::Input { id, line: bytes })
            }
            ACK => {
                let offset = payload.u64()?;
                payload.end().map(|()| ToKeeper::Ack { offset })
            }
            SIGNAL => {
                let number = payload.u8()?;
                let signal = SIGNALS.iter().find(|(known, _)| *known == number);
                let (_, signal) = signal.ok_or(payload.malformed())?;
                payload.end().map(|()| ToKeeper::Signal(*signal))
            }
            END => {
                let close = Duration::from_millis(payload.u32()?.into());
                let terminate = Duration::from_millis(payload.u32()?.into());
                payload.end().map(|()| ToKeeper::End(ShutdownLadder { close, terminate }))
            }
            SYNC => payload.end().map(|()| ToKeeper::Sync),
            UNATTENDED => Unattended::decode(kind, &bytes).map(ToKeeper::Unattended),
            _ => Err(Malformed::Kind(kind)),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            ToKeeper::Attach { from } => {
                head(out, ATTACH, 8);
                out.extend_from_slice(&from.to_le_bytes());
            }
            ToKeeper::Input { id, line } => {
                let id = id.as_str().as_bytes();
                head(out, INPUT, 1 + id.len() + line.len());
                out.push(id.len() as u8);
                out.extend_from_slice(id);
                out.extend_from_slice(line);
            }
            ToKeeper::Ack { offset } => {
                head(out, ACK, 8);
                out.extend_from_slice(&offset.to_le_bytes());
            }
            ToKeeper::Signal(signal) => {
                head(out, SIGNAL, 1);
                out.extend(SIGNALS.iter().filter(|(_, known)| known == signal).map(|(number, _)| *number));
            }
            ToKeeper::End(ladder) => {
                head(out, END, 8);
                for time in [ladder.close, ladder.terminate] {
                    // A time that does not fit is seven weeks, and as good as any longer one.
                    let time = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
                    out.extend_from_slice(&time.to_le_bytes());
                }
            }
            ToKeeper::Sync => head(out, SYNC, 0),
            ToKeeper::Unattended(unattended) => {
                head(out, UNATTENDED, Unattended::LENGTH);
                unattended.encode(out);
            }
        }
    }
}
