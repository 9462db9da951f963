use super::payload::PayloadReader;
use super::{Malformed, STDERR_LIMIT};

/// How the agent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentExit {
    /// By itself or by a signal.
    pub ended: AgentEnd,
    /// Whether the keeper has ended it because no bridge came.
    pub unattended: bool,
    /// Whether its last line had no end. The spool has one, so that lines that follow are lines.
    pub unterminated: bool,
    /// How many processes that it started could not be ended, because they are another user's or the kernel
    /// does not let them go.
    pub left: u32,
    /// The end of its stderr, at most [`STDERR_LIMIT`] bytes.
    pub stderr: Vec<u8>,
    /// How many bytes of stderr came before that.
    pub stderr_cut: u64,
}

/// By what a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentEnd {
    /// With this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// The first byte where the keeper has ended the agent because no bridge came.
const UNATTENDED: u8 = 0x80;

impl AgentExit {
    /// The length of everything but stderr.
    const FIXED: usize = 1 + 4 + 1 + 4 + 8;

    /// The most that an encoded exit takes.
    pub(super) const LIMIT: usize = AgentExit::FIXED + STDERR_LIMIT;

    /// The length of the encoded form.
    pub(super) fn length(&self) -> usize {
        AgentExit::FIXED + self.stderr.len()
    }

    /// Appends the form that goes over the socket and into the file `exit`.
    pub(in crate::keeper) fn encode(&self, out: &mut Vec<u8>) {
        let (how, number) = match self.ended {
            AgentEnd::Code(code) => (0, code),
            AgentEnd::Signal(signal) => (1, signal),
        };
        out.push(how | if self.unattended { UNATTENDED } else { 0 });
        out.extend_from_slice(&number.to_le_bytes());
        out.push(self.unterminated.into());
        out.extend_from_slice(&self.left.to_le_bytes());
        out.extend_from_slice(&self.stderr_cut.to_le_bytes());
        out.extend_from_slice(&self.stderr);
    }

    /// Reads that form. The kind is for the error.
    pub(in crate::keeper) fn decode(kind: u8, bytes: &[u8]) -> Result<AgentExit, Malformed> {
        let mut payload = PayloadReader::new(kind, bytes);
        let how = payload.u8()?;
        let number = payload.i32()?;
        let unattended = how & UNATTENDED != 0;
        let ended = match how & !UNATTENDED {
            0 => AgentEnd::Code(number),
            1 => AgentEnd::Signal(number),
            _ => return Err(payload.malformed()),
        };
        let unterminated = payload.bool()?;
        let left = payload.u32()?;
        let stderr_cut = payload.u64()?;
        Ok(AgentExit { ended, unattended, unterminated, left, stderr_cut, stderr: payload.rest().to_vec() })
    }
}
