//! From the program's first instruction to an agent that runs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use aqueduct_os::file_watch::FileWatch;
use aqueduct_os::{process, stdio};

use super::agent::AgentProcess;
use super::exec;
use super::inputs::Inputs;
use super::signals::KeeperSignals;
use super::watch::{KeeperLoop, KeeperParts};
use crate::fault::{FaultPoint, pass};
use crate::keeper::folder::{FolderLock, KeeperCard, KeeperFolder, SOCKET};
use crate::keeper::job::{KeeperFailureKind, KeeperJob, KeeperStartFailure, StartReply};
use crate::keeper::journal::Journal;
use crate::keeper::protocol::VERSION;
use crate::keeper::spool::{Sizes, Spool};

/// How long a job may be: more than an environment can hold.
const JOB_LIMIT: u64 = 8 << 20;

/// Runs as a keeper: reads a job from stdin, starts the agent, answers on stdout, and stays until the agent and
/// all its output have been handled.
///
/// A program calls this before anything else, in its only thread. `own` is the program and the leading
/// arguments that lead here, and `arguments` is what followed them: nothing, unless the keeper has started its
/// own program to become the agent.
pub fn main(own: &[OsString], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter();
    if arguments.next().is_some_and(|first| first == exec::EXEC) {
        return exec::become_agent(arguments);
    }
    // The bridge sees how this ends, or finds the folder. No other process can be notified.
    match keep(own) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn keep(own: &[OsString]) -> io::Result<()> {
    let job = read_job();
    let bridge = leave_bridge()?;
    match job.and_then(|job| begin(own, &job)) {
        Ok((watch, agent)) => {
            answer(bridge, &StartReply::Ready { agent });
            // The folder is the working directory. Without the file the bridge does not know the reason.
            watch.run().inspect_err(|error| {
                let _ = KeeperFolder::new(".".as_ref()).write_failure(&error.to_string());
            })
        }
        Err(failure) => {
            answer(bridge, &StartReply::Failed(failure));
            Err(io::ErrorKind::Other.into())
        }
    }
}

/// Everything up to the agent's first instruction.
fn begin(own: &[OsString], job: &KeeperJob) -> Result<(KeeperLoop, u32), KeeperStartFailure> {
    // Neither the bridge's terminal nor a signal to its group is to reach the keeper.
    process::leave_session();
    process::set_name(crate::keeper::PROCESS_NAME);
    let failed = |error: io::Error| KeeperStartFailure {
        kind: KeeperFailureKind::Folder,
        message: format!("the session's folder {} can't be used: {error}", job.folder.display()),
        hint: None,
    };
    let (folder, lock) = take_folder(job)?;
    pass(FaultPoint::KeeperLocked);
    let sizes = Sizes { line: job.limits.line, segment: job.limits.segment.max(1) };
    let spool = Spool::open(&folder.spool(), sizes).map_err(failed)?;
    let inputs = Inputs::new(Journal::open(&folder.inputs()).map_err(failed)?);
    folder.forget_exit().map_err(failed)?;
    folder.forget_socket().map_err(failed)?;
    // The name alone, whatever the length of the path before it: the keeper's working directory is the folder.
    let listener = UnixListener::bind(SOCKET).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let signals = KeeperSignals::listen().map_err(failed)?;
    process::adopt_orphans().map_err(failed)?;
    let mut card = KeeperCard {
        version: VERSION,
        keeper: std::process::id(),
        agent: None,
        started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64),
        mark: KeeperCard::mark(&job.folder),
    };
    // The mark must be known before anyone bears it.
    folder.write_card(&card).map_err(failed)?;
    let agent = AgentProcess::new(exec::start(own, job, &card.mark)?);
    let number = agent.pid().as_raw_nonzero().get() as u32;
    pass(FaultPoint::KeeperAgentStarted);
    card.agent = Some(number);
    folder.write_card(&card).map_err(failed)?;
    let removal = FileWatch::links(&folder.lock_path());
    let (limits, unattended) = (job.limits, job.unattended);
    let parts =
        KeeperParts { folder, lock, limits, agent, spool, inputs, listener, signals, removal, unattended };
    Ok((KeeperLoop::new(parts), number))
}

fn read_job() -> Result<KeeperJob, KeeperStartFailure> {
    let mut line = String::new();
    let job = io::stdin().lock().take(JOB_LIMIT).read_line(&mut line).and_then(|_| {
        // Without its end it may be half of a job whose bridge has died.
        if line.ends_with('\n') {
            Ok(serde_json::from_str(&line)?)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    });
    job.map_err(|error| KeeperStartFailure {
        kind: KeeperFailureKind::Job,
        message: format!("no job could be read from stdin: {error}"),
        hint: Some("A keeper is started by `aqueduct serve`, not by hand".to_owned()),
    })
}

/// Makes the session's folder the working directory and takes its lock. It is not made here: the bridge removes the
/// folder of a keeper that it has given up, and one that starts late must not bring it back.
fn take_folder(job: &KeeperJob) -> Result<(KeeperFolder, FolderLock), KeeperStartFailure> {
    let shown = job.folder.display();
    let failed = |error: io::Error| KeeperStartFailure {
        kind: KeeperFailureKind::Folder,
        message: format!("the session's folder {shown} can't be used: {error}"),
        hint: Some("It must be on a disk that can be written, and yours alone".to_owned()),
    };
    std::env::set_current_dir(&job.folder).map_err(failed)?;
    let folder = KeeperFolder::new(".".as_ref());
    folder.secure().map_err(failed)?;
    match folder.lock(false).map_err(failed)? {
        // The bridge may have given up the keeper meanwhile, and its folder with it.
        Some(lock) if !lock.is_there() || folder.is_closed().map_err(failed)? => Err(KeeperStartFailure {
            kind: KeeperFailureKind::Folder,
            message: format!("the session's folder {shown} was given up"),
            hint: Some("Start another keeper".to_owned()),
        }),
        Some(lock) => Ok((folder, lock)),
        None => Err(KeeperStartFailure {
            kind: KeeperFailureKind::Taken,
            message: format!("the session's folder {shown} has a keeper already"),
            hint: Some("Attach to that one".to_owned()),
        }),
    }
}

/// Answers the bridge, and lets go of it.
fn answer(mut bridge: File, answer: &StartReply) {
    // A bridge that is gone needs no answer: the next one finds the keeper by its folder.
    let _ = serde_json::to_vec(answer).map(|line| bridge.write_all(&[&line[..], b"\n"].concat()));
}

/// Closes what came from the bridge, so that no process waits for the end of a pipe that the keeper holds.
/// Returns the one that awaits the answer.
fn leave_bridge() -> io::Result<File> {
    let bridge = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let nothing = stdio::null()?;
    stdio::replace_stdin(&nothing)?;
    stdio::replace_stdout(&nothing)?;
    stdio::replace_stderr(&nothing)?;
    Ok(bridge)
}
