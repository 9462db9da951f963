use std::io::{self, PipeReader, PipeWriter, Read};

use aqueduct_os::process::{self, ADOPTS_ORPHANS, Pid, Reaped, Signal};
use aqueduct_os::process_group;

use super::exec::SpawnedAgent;
use crate::keeper::protocol::{self, AgentEnd};

/// The agent: its process, and our ends of its pipes.
pub(super) struct AgentProcess {
    pid: Pid,
    /// Taken away when it is closed or broken.
    pub(super) stdin: Option<PipeWriter>,
    pub(super) stdout: Option<PipeReader>,
    pub(super) stderr: Option<PipeReader>,
    ended: Option<AgentEnd>,
    /// Whether everyone who descends from it has ended too.
    gone: bool,
}

/// What came of reading a pipe.
pub(super) enum AgentOutput {
    /// This many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// All writers have closed it.
    End,
}

impl AgentProcess {
    pub(super) fn new(born: SpawnedAgent) -> AgentProcess {
        let SpawnedAgent { pid, stdin, stdout, stderr } = born;
        AgentProcess {
            pid,
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            ended: None,
            gone: false,
        }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Its process group, as long as that can't be another one of the same number.
    pub(super) fn group(&self) -> Option<Pid> {
        (self.ended.is_none() || !ADOPTS_ORPHANS).then_some(self.pid)
    }

    /// How its process ended.
    pub(super) fn ended(&self) -> Option<AgentEnd> {
        self.ended
    }

    /// Whether none of its processes is left.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Sees to everyone who has ended. Who lost his parent is the keeper's child.
    pub(super) fn reap(&mut self) {
        loop {
            match process::reap() {
                Reaped::Child(pid, ended) if pid == self.pid => {
                    self.ended = Some(match ended {
                        process::ProcessEnd::Code(code) => AgentEnd::Code(code),
                        process::ProcessEnd::Signal(signal) => AgentEnd::Signal(signal),
                    });
                    self.stdin = None;
                    if !ADOPTS_ORPHANS {
                        // Its group is all that can be found.
                        process_group::signal(self.pid, Signal::KILL);
                    }
                }
                Reaped::Child(..) => {}
                Reaped::None => return,
                Reaped::NoChildren => {
                    self.gone = true;
                    return;
                }
            }
        }
    }

    /// Sends a signal to the agent's process alone.
    pub(super) fn signal(&self, signal: protocol::AgentSignal) {
        if self.ended.is_none() {
            let signal = match signal {
                protocol::AgentSignal::Interrupt => Signal::INT,
                protocol::AgentSignal::Terminate => Signal::TERM,
                protocol::AgentSignal::Kill => Signal::KILL,
            };
            process::signal_child(self.pid, signal);
        }
    }
}

/// Reads a pipe that does not block. One that can't be read is at its end.
pub(super) fn read(pipe: &mut PipeReader, bytes: &mut [u8]) -> AgentOutput {
    match pipe.read(bytes) {
        Ok(0) => AgentOutput::End,
        Ok(count) => AgentOutput::Bytes(count),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            AgentOutput::Nothing
        }
        Err(_) => AgentOutput::End,
    }
}
