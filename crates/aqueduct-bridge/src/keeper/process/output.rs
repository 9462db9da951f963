//! The agent's output on its way into the spool, and its end.

use std::io;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use aqueduct_os::descendants;

use super::agent::{self, AgentOutput};
use super::ready::{PollSource, ReadySources};
use super::watch::KeeperLoop;
use crate::fault::{FaultPoint, pass};
use crate::keeper::protocol::AgentExit;

/// How much of stdout is read at a time.
const PIECE: usize = 32 << 10;

/// How much of stderr is read at a time.
const STDERR_PIECE: usize = 4 << 10;

/// The most that a pipe can hold: what is read of it when everyone is gone, and no more if someone is not.
const PIPE: usize = 1 << 20;

/// Bytes that the agent has written and that could not be spooled yet. As long as there are any, nothing more
/// is read.
#[derive(Default)]
pub(super) struct UnspooledOutput {
    bytes: Vec<u8>,
    /// How many of them are in the spool.
    spooled: usize,
    /// Whether the last line had no end.
    unterminated: bool,
}

impl KeeperLoop {
    /// Reads the agent's output, if there is any.
    pub(super) fn take_output(&mut self, ready: &ReadySources) -> io::Result<()> {
        if ready.has(PollSource::Stdout) { self.read_stdout().map(drop) } else { self.spool_output() }
    }

    /// Reads stdout once; returns whether there may be more.
    fn read_stdout(&mut self) -> io::Result<bool> {
        self.spool_output()?;
        let Some(stdout) = &mut self.agent.stdout else { return Ok(false) };
        self.output.bytes.resize(PIECE, 0);
        let agent_output = agent::read(stdout, &mut self.output.bytes);
        let count = if let AgentOutput::Bytes(count) = agent_output { count } else { 0 };
        self.output.bytes.truncate(count);
        if let Some(activity) = self.heads.read(&self.output.bytes) {
            self.attendance.note(activity, Instant::now());
        }
        self.output.spooled = 0;
        if let AgentOutput::End = agent_output {
            self.agent.stdout = None;
        }
        if count > 0 {
            pass(FaultPoint::KeeperOutputRead);
        }
        self.spool_output()?;
        if count > 0 {
            pass(FaultPoint::KeeperOutputSpooled);
        }
        Ok(count > 0)
    }

    fn spool_output(&mut self) -> io::Result<()> {
        let mut rest = &self.output.bytes[self.output.spooled..];
        let spooled = self.spool.append(&mut rest);
        self.output.spooled = self.output.bytes.len() - rest.len();
        spooled
    }

    /// Reads stderr once; returns whether there may be more.
    pub(super) fn read_stderr(&mut self) -> bool {
        let Some(stderr) = &mut self.agent.stderr else { return false };
        let mut bytes = [0; STDERR_PIECE];
        match agent::read(stderr, &mut bytes) {
            AgentOutput::Bytes(count) => {
                self.tail.push(&bytes[..count]);
                self.stderr.append(&bytes[..count], milliseconds());
                return true;
            }
            AgentOutput::Nothing => {}
            AgentOutput::End => self.agent.stderr = None,
        }
        false
    }

    /// Records the agent's end, when all processes have ended and their output has been spooled.
    pub(super) fn conclude(&mut self, now: Instant) -> io::Result<()> {
        let Some(ended) = self.agent.ended().filter(|_| self.exit.is_none()) else { return Ok(()) };
        if !self.agent.is_gone() && !self.ending.gives_up(now) {
            return Ok(());
        }
        // No process is left to write more than the pipes hold. Their end may still not come, if one was
        // inherited by a foreign process, or a process can't be killed.
        for _ in 0..=PIPE / PIECE {
            if !self.read_stdout()? {
                break;
            }
        }
        for _ in 0..=PIPE / STDERR_PIECE {
            if !self.read_stderr() {
                break;
            }
        }
        self.agent.stdout = None;
        self.agent.stderr = None;
        self.output.unterminated |= self.spool.finish()?;
        let left = if self.agent.is_gone() { 0 } else { descendants::count() as u32 };
        let (stderr, stderr_cut) = self.tail.take();
        let exit = AgentExit {
            ended,
            unattended: self.is_unattended,
            unterminated: self.output.unterminated,
            left,
            stderr,
            stderr_cut,
        };
        pass(FaultPoint::KeeperExitSeen);
        if let Err(error) = self.folder.write_exit(&exit) {
            self.tail.push(&exit.stderr);
            return Err(error);
        }
        pass(FaultPoint::KeeperExitRecorded);
        self.exited(exit, now);
        Ok(())
    }
}

/// The time, in milliseconds since 1970.
fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
