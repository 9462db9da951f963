//! Passes a program's streams through and keeps a copy.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use aqueduct_os::poll::{self, PollInterest};
use aqueduct_os::process::{self, Pid, Signal};
use aqueduct_os::stdio;
use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::dir::Dir;
use super::keep::{RecordEvent, RecordEventKind, keep};
use crate::explained::advice;
use crate::redact;

/// How many pieces may wait to be written to the recording; then the streams wait too.
const QUEUE: usize = 256;
/// How much is passed on at once.
const PIECE: usize = 64 << 10;

pub(super) fn run(
    program: &OsStr,
    arguments: &[OsString],
    file: File,
    raw: bool,
) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2])
        .context("can't listen for signals")?;
    let mut child = spawn(program, arguments)?;
    let (tape, events) = sync_channel(QUEUE);
    let tape = Tape { start: Instant::now(), events: tape };
    let keeper = thread::spawn(move || keep(&events, file, raw, DEFAULT_LINE_LIMIT));
    tape.remark(command_line(program, arguments, raw));

    // The program, as long as there is one to send signals to.
    let target = Arc::new(Mutex::new(Pid::from_child(&child).into()));
    let listening = signals.handle();
    let forwarder = {
        let target = Arc::clone(&target);
        thread::spawn(move || signals.forever().for_each(|signal| forward(signal, &target)))
    };
    let (outputs, ended) = connect(&mut child, &tape)?;
    let status = wait(&mut child, &target)?;
    // From here on only what is in the pipes already is passed on.
    drop(ended);
    for output in outputs {
        let _ = output.join();
    }
    listening.close();
    let _ = forwarder.join();
    let (code, remark) = exit_code(status);
    tape.send(Dir::In, RecordEventKind::End);
    tape.remark(remark);
    tape.send(Dir::Note, RecordEventKind::Finish);
    let _ = keeper.join();
    Ok(ExitCode::from(code))
}

/// Starts the program in a process group of its own: a Ctrl-C at the terminal comes here, and is handed on
/// once.
fn spawn(program: &OsStr, arguments: &[OsString]) -> anyhow::Result<Child> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .with_context(|| {
            advice(format!("can't run {}", program.display()), "see whether it is installed and on PATH")
        })
}

/// The threads that pass the program's output on, and what to drop to let them end with the program.
type Outputs = (Vec<thread::JoinHandle<()>>, io::PipeWriter);

fn connect(child: &mut Child, tape: &Tape) -> anyhow::Result<Outputs> {
    let (wake, ended) = io::pipe().context("can't make a pipe")?;
    let mut outputs = Vec::new();
    if let Some(from) = child.stdout.take() {
        let (to, tape, wake) =
            (File::from(io::stdout().as_fd().try_clone_to_owned()?), tape.clone(), wake.try_clone()?);
        outputs.push(thread::spawn(move || {
            pass_output(&from.into(), to, &wake, &tape, Dir::Out);
            // The program has closed its output, so ours is closed as well, even if it runs on.
            let _ = stdio::null().and_then(stdio::replace_stdout);
        }));
    }
    if let Some(from) = child.stderr.take() {
        let (to, tape) = (File::from(io::stderr().as_fd().try_clone_to_owned()?), tape.clone());
        outputs.push(thread::spawn(move || pass_output(&from.into(), to, &wake, &tape, Dir::Err)));
    }
    if let Some(to) = child.stdin.take() {
        let (from, tape) = (File::from(io::stdin().as_fd().try_clone_to_owned()?), tape.clone());
        // No one waits for this thread: it may be reading from a host that sends nothing more.
        thread::spawn(move || {
            if pass(from, to, &tape, Dir::In) {
                return tape.remark("stdin closed".to_owned());
            }
            // The program reads no more, so our input is closed as well.
            let _ = stdio::null().and_then(stdio::replace_stdin);
        });
    }
    Ok((outputs, ended))
}

/// Copies a stream until it ends or its reader closes. Returns whether it ended by itself.
fn pass(mut from: impl Read, mut to: impl Write, tape: &Tape, dir: Dir) -> bool {
    let mut piece = vec![0; PIECE];
    let is_ended = loop {
        match from.read(&mut piece) {
            Ok(0) => break true,
            Ok(count) => {
                // Recorded before it is forwarded: the other side's answer must follow it.
                tape.send(dir, RecordEventKind::Bytes(piece[..count].into()));
                if to.write_all(&piece[..count]).is_err() {
                    break false;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break true,
        }
    };
    tape.send(dir, RecordEventKind::End);
    is_ended
}

/// Passes the program's output on. Once the program has ended, only what is in the pipe already.
fn pass_output(from: &OwnedFd, to: File, wake: &PipeReader, tape: &Tape, dir: Dir) {
    pass(UntilEnded { from, wake }, to, tape, dir);
}

/// A pipe that ends when it is empty and the program has ended, even if another process holds it open.
struct UntilEnded<'a> {
    from: &'a OwnedFd,
    wake: &'a PipeReader,
}

impl Read for UntilEnded<'_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let ready = poll::wait(
            &[(self.from.as_fd(), PollInterest::Read), (self.wake.as_fd(), PollInterest::Read)],
            None,
        )?;
        if !ready[0] {
            return Ok(0);
        }
        stdio::read(self.from, piece)
    }
}

/// Waits for the program's end. It is only reaped once no thread can signal it any more, since then its
/// number may be another's.
fn wait(child: &mut Child, target: &Mutex<Option<Pid>>) -> anyhow::Result<ExitStatus> {
    process::wait_without_reaping(Pid::from_child(child));
    *target.lock().unwrap_or_else(PoisonError::into_inner) = None;
    child.wait().context("can't wait for the program")
}

fn forward(signal: i32, target: &Mutex<Option<Pid>>) {
    let target = target.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(pid), Some(signal)) = (*target, Signal::from_named_raw(signal)) {
        process::signal_child(pid, signal);
    }
}

fn exit_code(status: ExitStatus) -> (u8, String) {
    if let Some(signal) = status.signal() {
        let code = u8::try_from(128 + signal).unwrap_or(255);
        return (code, format!("exit {code} (signal {signal})"));
    }
    let code = u8::try_from(status.code().unwrap_or(255)).unwrap_or(255);
    (code, format!("exit {code}"))
}

fn command_line(program: &OsStr, arguments: &[OsString], raw: bool) -> String {
    let words: Vec<_> = std::iter::once(program)
        .chain(arguments.iter().map(OsString::as_os_str))
        .map(OsStr::to_string_lossy)
        .collect();
    let words = if raw {
        words.iter().map(|word| word.to_string()).collect()
    } else {
        redact::argv(words.iter().map(|word| &**word))
    };
    format!("command {}", serde_json::Value::from(words))
}

/// The way to the recording.
#[derive(Debug, Clone)]
struct Tape {
    start: Instant,
    events: SyncSender<RecordEvent>,
}

impl Tape {
    fn send(&self, dir: Dir, what: RecordEventKind) {
        // The keeper outlives all streams; if it has ended, there is no receiver.
        let _ = self.events.send(RecordEvent { t: self.start.elapsed(), dir, what });
    }

    fn remark(&self, text: String) {
        self.send(Dir::Note, RecordEventKind::Remark(text));
    }
}
