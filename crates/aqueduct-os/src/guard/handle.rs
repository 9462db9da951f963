//! The agent's side of a guard.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use uuid::Uuid;

use super::report::GuardReport;
use super::{INPUT_COMES, MARK};
use crate::marked::{self, SessionOf};
use crate::socket::send_files;

/// How long the agent waits for a guard to end everyone: its grace, and some time for a busy machine. A
/// process that the kernel does not end keeps its guard, but not the agent.
const PATIENCE: Duration = Duration::from_secs(10);

/// A command to be run under guard.
pub struct GuardedCommand<'a> {
    /// The program and the leading arguments of the guard itself.
    pub guard: &'a [OsString],
    /// The command: a program and its arguments.
    pub command: &'a [OsString],
    /// Where it runs.
    pub cwd: &'a Path,
    /// All of its environment.
    pub variables: &'a [(OsString, OsString)],
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

/// Why nothing is known of a command's end.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// The guard could not start it.
    #[error("{0}")]
    Refused(io::Error),
    /// The guard is gone without a word; what it guarded was killed.
    #[error("the guard of the command was killed, and the command with it")]
    Guard,
}

/// A command under guard. Dropping it ends the command and everything that it left behind.
pub struct Guarded {
    guard: Child,
    line: UnixStream,
    /// What of a report has come.
    partial: Vec<u8>,
    mark: String,
    pid: Option<i32>,
}

impl Guarded {
    /// Starts a guard with its command, which gets these as its stdout and stderr, and reads nothing.
    pub fn start(order: &GuardedCommand<'_>, output: [OwnedFd; 2]) -> io::Result<Guarded> {
        Self::begin(order, None, output)
    }

    /// The same for a command that reads from `stdin`.
    pub fn start_reading(
        order: &GuardedCommand<'_>,
        stdin: OwnedFd,
        output: [OwnedFd; 2],
    ) -> io::Result<Guarded> {
        Self::begin(order, Some(stdin), output)
    }

    fn begin(
        order: &GuardedCommand<'_>,
        stdin: Option<OwnedFd>,
        [stdout, stderr]: [OwnedFd; 2],
    ) -> io::Result<Guarded> {
        let [program, arguments @ ..] = order.guard else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no guard program is set"));
        };
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        if let Some(stdin) = &stdin {
            send_files(&ours, &[stdin.as_fd()])?;
        }
        ours.set_nonblocking(true)?;
        let line = UnixStream::from_std(ours)?;
        let mark = Uuid::new_v4().to_string();
        let guard = Command::new(program)
            .args(arguments)
            .args(order.command)
            .current_dir(order.cwd)
            .env_clear()
            .envs(order.variables.iter().map(|(name, value)| (name, value)))
            .env(MARK, &mark)
            .envs(stdin.as_ref().map(|_| (INPUT_COMES, "1")))
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr))
            .spawn()?;
        let pid = guard.id().map(|pid| pid as i32);
        Ok(Guarded { guard, line, partial: Vec::new(), mark, pid })
    }

    /// Waits for the end of the command itself. What it left behind continues.
    ///
    /// Nothing is lost when the future is dropped before.
    pub async fn ended(&mut self) -> Result<CommandEnd, GuardError> {
        loop {
            match self.report().await {
                Some(GuardReport::Started(_)) => {}
                Some(GuardReport::Refused(error)) => {
                    return Err(GuardError::Refused(io::Error::from_raw_os_error(error)));
                }
                Some(GuardReport::Exited(code)) => return Ok(CommandEnd::Exited(code)),
                Some(GuardReport::Signalled(signal)) => return Ok(CommandEnd::Signalled(signal)),
                None => {
                    self.gone().await;
                    return Err(GuardError::Guard);
                }
            }
        }
    }

    /// The next report; none after the last one.
    async fn report(&mut self) -> Option<GuardReport> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.partial) {
                let line: Vec<u8> = self.partial.drain(..=end).collect();
                // Guard and agent are the same program: what can't be read was not written by a guard.
                return GuardReport::parse(std::str::from_utf8(&line[..end]).ok()?);
            }
            match self.line.read_buf(&mut self.partial).await {
                Ok(0) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Ends the command and everything that it left behind; returns when all of them are gone.
    pub async fn end(&mut self) {
        // A guard that has ended receives nothing.
        let _ = self.line.shutdown().await;
        if tokio::time::timeout(PATIENCE, self.gone()).await.is_err() {
            self.sweep().await;
        }
    }

    /// Waits until the command and everything that it left behind have ended by themselves.
    pub async fn gone(&mut self) {
        while self.report().await.is_some() {}
        let well = self.guard.wait().await.is_ok_and(|status| status.success());
        if !well {
            self.sweep().await;
        }
    }

    /// Kills what a guard left behind that could not do its work. The command's process group is in the guard's session.
    async fn sweep(&mut self) {
        let mark = self.mark.clone();
        let session = match self.guard.id() {
            Some(_) => self.pid.map(SessionOf::Leader),
            None => self.pid.map(SessionOf::Reaped),
        };
        // It can only fail with the runtime, and then no caller waits for it.
        let _ = tokio::task::spawn_blocking(move || marked::kill_with_session(MARK, &mark, session)).await;
    }
}
