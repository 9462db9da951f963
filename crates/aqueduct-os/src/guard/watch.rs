//! The guard as a process. It has no async runtime and allocates little: it starts in a millisecond.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::pipe;

use super::INPUT_COMES;
use super::report::GuardReport;
use crate::descendants;
use crate::poll::{self, PollInterest};
use crate::process::{self, ADOPTS_ORPHANS, Pid, ProcessEnd, Reaped, Signal, pid};
use crate::socket::receive_files;

/// How long processes have between the request to end and their end.
const GRACE: Duration = Duration::from_millis(500);
/// How often the guard looks in that time whether all of them have gone.
const LOOK: Duration = Duration::from_millis(10);
/// How long the guard sleeps when nothing happens. Where orphans are not its children it must look for them.
const IDLE: Option<Duration> = if ADOPTS_ORPHANS { None } else { Some(Duration::from_secs(1)) };

/// Runs as a guard: the arguments are the command. Returns when the command and all that it left behind
/// have ended.
///
/// A program calls this before anything else when it was started with the arguments of a guard.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match GuardLoop::begin().and_then(|mut watch| watch.run(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        // The agent sees that no report came. It can't be reported elsewhere: stderr is the command's.
        Err(_) => ExitCode::FAILURE,
    }
}

/// A guard at work.
struct GuardLoop {
    /// The socket to the agent.
    agent: File,
    /// Readable after a child has ended.
    deaths: UnixStream,
    /// Readable after someone asked the guard to end.
    requests: UnixStream,
    /// The command's process.
    command: Option<Pid>,
    /// Its process group, as long as that can't be another one of the same number.
    group: Option<Pid>,
}

impl GuardLoop {
    fn begin() -> io::Result<GuardLoop> {
        let agent: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
        let deaths = subscribe(&[SIGCHLD])?;
        let requests = subscribe(&[SIGTERM, SIGINT, SIGHUP, SIGQUIT])?;
        process::adopt_orphans()?;
        // Killing agents by name must not kill their guards.
        process::set_name(c"aqueduct-guard");
        process::leave_session();
        Ok(GuardLoop { agent: agent.into(), deaths, requests, command: None, group: None })
    }

    fn run(&mut self, arguments: impl IntoIterator<Item = OsString>) -> io::Result<()> {
        let stdin = match std::env::var_os(INPUT_COMES) {
            Some(_) => {
                let [file] = receive_files(&self.agent)?;
                Stdio::from(file)
            }
            None => Stdio::null(),
        };
        // The agent may have died before the guard was ready.
        if self.is_over(Some(Duration::ZERO))? {
            return Ok(());
        }
        let mut arguments = arguments.into_iter();
        let Some(program) = arguments.next() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command"));
        };
        let child = Command::new(program)
            .args(arguments)
            .env_remove(INPUT_COMES)
            .stdin(stdin)
            .process_group(0)
            .spawn();
        let child = match child {
            // Its end is seen with everyone's.
            Ok(child) => child.id(),
            Err(error) => {
                self.report(GuardReport::Refused(error.raw_os_error().unwrap_or(0)));
                return Ok(());
            }
        };
        self.command = pid(child);
        self.group = self.command;
        self.report(GuardReport::Started(child.cast_signed()));
        while !self.all_gone() {
            if self.is_over(IDLE)? {
                self.end();
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reaps children that have ended, and returns whether none is left. Orphans are children.
    fn all_gone(&mut self) -> bool {
        loop {
            let (pid, ended) = match process::reap() {
                Reaped::Child(pid, ended) => (pid, ended),
                Reaped::None => return false,
                Reaped::NoChildren => return !descendants::may_be_left(self.group),
            };
            if Some(pid) == self.command {
                // From now on the number of its group may be another's. On other systems no other process can
                // be found.
                self.group = self.group.filter(|_| !ADOPTS_ORPHANS);
                self.report(match ended {
                    ProcessEnd::Code(code) => GuardReport::Exited(code),
                    ProcessEnd::Signal(signal) => GuardReport::Signalled(signal),
                });
            }
        }
    }

    /// Ends all processes: sends SIGTERM, waits for a grace period, sends SIGKILL.
    fn end(&mut self) {
        descendants::signal(self.group, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while !self.all_gone() {
            let left = deadline.saturating_duration_since(Instant::now());
            // Waiting can only fail for lack of memory; then there is no grace period.
            if left.is_zero() || self.death(left.min(LOOK)).is_err() {
                break;
            }
        }
        descendants::kill_all(self.group, || {
            self.all_gone();
            self.group
        });
    }

    fn report(&mut self, report: GuardReport) {
        // An agent that is gone needs no report.
        let _ = self.agent.write_all(report.to_string().as_bytes());
    }

    /// Sleeps until a child ends, the end is asked for, or the time is over; returns whether this is the end.
    fn is_over(&mut self, time: Option<Duration>) -> io::Result<bool> {
        let sources = [self.deaths.as_fd(), self.agent.as_fd(), self.requests.as_fd()]
            .map(|file| (file, PollInterest::Read));
        let ready = poll::wait(&sources, time)?;
        // The agent never sends a byte: anything on its line, an error included, is the end of it.
        let over = ready[1] || ready[2];
        self.forget_deaths();
        Ok(over)
    }

    /// Sleeps until a child ends or the time is over.
    fn death(&mut self, time: Duration) -> io::Result<()> {
        poll::wait(&[(self.deaths.as_fd(), PollInterest::Read)], Some(time))?;
        self.forget_deaths();
        Ok(())
    }

    /// Any number of deaths is one look at all children.
    fn forget_deaths(&mut self) {
        let mut bytes = [0; 64];
        while matches!(self.deaths.read(&mut bytes), Ok(count) if count == bytes.len()) {}
    }
}

/// A stream that is readable after one of these signals.
fn subscribe(signals: &[i32]) -> io::Result<UnixStream> {
    let (reader, writer) = UnixStream::pair()?;
    reader.set_nonblocking(true)?;
    for signal in signals {
        pipe::register(*signal, writer.try_clone()?)?;
    }
    Ok(reader)
}
