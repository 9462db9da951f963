//! Becoming the agent: what a process does between its birth and the agent's first instruction.
//!
//! The agent must not outlive its keeper, and only the agent's own process can ask the system for that. So the
//! keeper starts its own program once more; that process asks, and then turns into the agent. It gets the
//! agent's three pipes through a socket, which is its stdin, and keeps a copy of that socket which closes
//! itself when it has become the agent. So the keeper knows: an end of the socket is success, and a number
//! before it is the error.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, parent_id};
use std::process::{Command, ExitCode, Stdio};

use aqueduct_os::process::{self, Pid};
use aqueduct_os::socket::{receive_files, send_files};
use aqueduct_os::stdio::set_nonblocking;

use crate::keeper::MARK;
use crate::keeper::job::{KeeperFailureKind, KeeperJob, KeeperStartFailure};

/// The first argument of a process that is to become an agent. Its parent's number follows, then the agent's
/// program and arguments.
pub(super) const EXEC: &str = "--become-the-agent";

/// The number of an error that has none: `EINVAL`.
const INVALID: i32 = 22;

/// An agent that runs, and our ends of its pipes, which don't block.
pub(super) struct SpawnedAgent {
    pub(super) pid: Pid,
    pub(super) stdin: PipeWriter,
    pub(super) stdout: PipeReader,
    pub(super) stderr: PipeReader,
}

/// Starts the agent. `own` is the program and the leading arguments of this one.
pub(super) fn start(
    own: &[OsString],
    job: &KeeperJob,
    mark: &str,
) -> Result<SpawnedAgent, KeeperStartFailure> {
    match std::fs::metadata(&job.cwd) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(cwd(job, &io::Error::from(io::ErrorKind::NotADirectory))),
        Err(error) => return Err(cwd(job, &error)),
    }
    let system = |error: io::Error| KeeperStartFailure {
        kind: KeeperFailureKind::System,
        message: format!("the system can't start another process: {error}"),
        hint: Some("Free memory and handles, then try again".to_owned()),
    };
    let (theirs_in, stdin) = io::pipe().map_err(system)?;
    let (stdout, theirs_out) = io::pipe().map_err(system)?;
    let (stderr, theirs_err) = io::pipe().map_err(system)?;
    let (mut ours, theirs) = UnixStream::pair().map_err(system)?;
    send_files(&ours, &[theirs_in.as_fd(), theirs_out.as_fd(), theirs_err.as_fd()]).map_err(system)?;
    drop((theirs_in, theirs_out, theirs_err));
    let [program, leading @ ..] = own else {
        return Err(system(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the keeper's own program is not known",
        )));
    };
    let mut command = Command::new(program);
    command
        .args(leading)
        .args([EXEC, &std::process::id().to_string()])
        .arg(&job.program)
        .args(&job.arguments)
        .current_dir(&job.cwd)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    for name in &job.unset {
        command.env_remove(name);
    }
    command.envs(job.set.iter().map(|(name, value)| (name, value))).env(MARK, mark);
    let child = command.spawn().map_err(|error| match error.kind() {
        // The folder has just been there; who may not enter it learns it here.
        io::ErrorKind::PermissionDenied => cwd(job, &error),
        _ => system(error),
    })?;
    // It holds the other end of the socket.
    drop(command);
    let mut error = Vec::new();
    ours.read_to_end(&mut error).map_err(system)?;
    if let Ok(number) = <[u8; 4]>::try_from(&error[..]) {
        return Err(refused(job, &io::Error::from_raw_os_error(i32::from_le_bytes(number))));
    }
    for ours in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
        set_nonblocking(ours).map_err(system)?;
    }
    let pid = process::pid(child.id()).ok_or_else(|| system(io::ErrorKind::NotFound.into()))?;
    Ok(SpawnedAgent { pid, stdin, stdout, stderr })
}

fn cwd(job: &KeeperJob, error: &io::Error) -> KeeperStartFailure {
    KeeperStartFailure {
        kind: KeeperFailureKind::Cwd,
        message: format!("the folder {} can't be the agent's working directory: {error}", job.cwd.display()),
        hint: Some("Choose one that is there".to_owned()),
    }
}

/// The system's error for running the agent's program.
fn refused(job: &KeeperJob, error: &io::Error) -> KeeperStartFailure {
    let program = job.program.display();
    let (kind, message, hint) = match error.kind() {
        io::ErrorKind::NotFound => (
            KeeperFailureKind::ProgramNotFound,
            format!("program {program} does not exist, or its interpreter is missing"),
            Some("Install it, or correct the path of the agent's program"),
        ),
        io::ErrorKind::PermissionDenied => (
            KeeperFailureKind::ProgramNotExecutable,
            format!("the program {program} may not be run"),
            Some("Make it executable, or choose another one"),
        ),
        _ => (KeeperFailureKind::System, format!("the program {program} can't be started: {error}"), None),
    };
    KeeperStartFailure { kind, message, hint: hint.map(str::to_owned) }
}

/// Becomes the agent. Returns only if that is impossible; the keeper has received the reason.
pub(super) fn become_agent(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    // Closes itself when this process becomes the agent.
    let Ok(keeper) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let mut keeper = UnixStream::from(keeper);
    let error = attempt(&keeper, arguments);
    let number = error.raw_os_error().unwrap_or(INVALID);
    // A keeper that is gone needs no answer.
    let _ = keeper.write_all(&number.to_le_bytes());
    ExitCode::FAILURE
}

fn attempt(keeper: &UnixStream, mut arguments: impl Iterator<Item = OsString>) -> io::Error {
    let (Some(parent), Some(program)) = (arguments.next(), arguments.next()) else {
        return io::ErrorKind::InvalidInput.into();
    };
    let [stdin, stdout, stderr] = match receive_files(keeper) {
        Ok(pipes) => pipes,
        Err(error) => return error,
    };
    // The keeper has one thread, so the death of the thread that started us is the keeper's. The request
    // outlives becoming the agent; it is lost only by programs that change their user.
    if let Err(error) = process::end_with_parent() {
        return error;
    }
    // A keeper that died before the request will not be noticed by it.
    if parent != *parent_id().to_string() {
        return io::ErrorKind::NotFound.into();
    }
    Command::new(program).args(arguments).stdin(stdin).stdout(stdout).stderr(stderr).exec()
}
