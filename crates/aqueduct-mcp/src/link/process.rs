use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aqueduct_os::guard::{CommandEnd, GuardError, Guarded, GuardedCommand};
use aqueduct_wire::codec::LineDecoder;
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpMessage;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::error::CallError;
use crate::message;
use crate::peer::ServerPeer;

/// How many messages wait for a server that does not read.
const MESSAGES_AHEAD: usize = 64;

/// The longest message. A line beyond that is skipped, and a request that waits for it times out.
const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;

/// How much is read at once.
const READ_BYTES: usize = 64 * 1024;

/// How much of what a server prints on stderr is kept, to report why it ended.
const LAST_WORDS: usize = 2 * 1024;

/// How long its last words may take.
const LAST_WORDS_TIME: Duration = Duration::from_millis(100);

/// How long a server has to end by itself after its stdin was closed.
const FAREWELL: Duration = Duration::from_millis(300);

/// A program that is a server.
#[derive(Debug, Clone)]
pub(crate) struct ServerProgram {
    /// How the guard is started.
    pub(crate) guard: Vec<OsString>,
    /// The program and its arguments.
    pub(crate) command: Vec<OsString>,
    /// Where it runs.
    pub(crate) cwd: PathBuf,
    /// All of its environment.
    pub(crate) variables: Vec<(OsString, OsString)>,
}

/// The way to a program: a line a message, on its stdin and stdout.
#[derive(Debug)]
pub(crate) struct ProcessLink {
    lines: mpsc::Sender<String>,
    over: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl ProcessLink {
    /// Starts the program under guard.
    pub(crate) fn open(program: &ServerProgram, peer: Arc<ServerPeer>) -> io::Result<Self> {
        let (stdin, input) = io::pipe()?;
        let (output, stdout) = io::pipe()?;
        let (errors, stderr) = io::pipe()?;
        let order = GuardedCommand {
            guard: &program.guard,
            command: &program.command,
            cwd: &program.cwd,
            variables: &program.variables,
        };
        let guarded = Guarded::start_reading(&order, stdin.into(), [stdout.into(), stderr.into()])?;
        let (lines, waiting) = mpsc::channel(MESSAGES_AHEAD);
        let over = CancellationToken::new();
        let running = ServerProcess {
            guarded,
            input: Sender::from_owned_fd(input.into())?,
            output: Receiver::from_owned_fd(output.into())?,
            errors: Receiver::from_owned_fd(errors.into())?,
            name: program.command.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        let task = tokio::spawn(running.run(waiting, peer, over.clone()));
        Ok(ProcessLink { lines, over, task: Mutex::new(Some(task)) })
    }

    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        let line = Raw::written(&message).as_str().to_owned();
        self.lines.send(line).await.map_err(|_| CallError::Lost("the server has ended".to_owned()))
    }

    pub(super) async fn end(&self) {
        self.over.cancel();
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            let _ = task.await;
        }
    }
}

impl Drop for ProcessLink {
    fn drop(&mut self) {
        if let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

/// A server's process with its pipes.
struct ServerProcess {
    guarded: Guarded,
    input: Sender,
    output: Receiver,
    errors: Receiver,
    name: String,
}

/// Why a server is talked to no more.
enum Over {
    Ended(Result<CommandEnd, GuardError>),
    /// It closed its stdout.
    Silent,
    /// We closed its stdin.
    Closed,
}

impl ServerProcess {
    async fn run(self, lines: mpsc::Receiver<String>, peer: Arc<ServerPeer>, over: CancellationToken) {
        let ServerProcess { mut guarded, input, output, errors, name } = self;
        let words = Mutex::new(Vec::new());
        // The stdin of the server closes when the writing is dropped.
        let writing = async {
            tokio::select! {
                () = write(input, lines) => std::future::pending().await,
                () = over.cancelled() => (),
            }
        };
        let why = {
            let (reading, listening) = (read(output, &peer), listen(errors, &words));
            tokio::pin!(writing, reading, listening);
            let (mut has_read, mut has_listened) = (false, false);
            let mut why = loop {
                tokio::select! {
                    biased;
                    () = &mut writing => break Over::Closed,
                    () = &mut reading => {
                        has_read = true;
                        break Over::Silent;
                    }
                    ended = guarded.ended() => break Over::Ended(ended),
                    () = &mut listening, if !has_listened => has_listened = true,
                }
            };
            if !matches!(why, Over::Ended(_))
                && let Ok(ended) = tokio::time::timeout(FAREWELL, guarded.ended()).await
                && !matches!(why, Over::Closed)
            {
                why = Over::Ended(ended);
            }
            // Its last output may still be in the pipe.
            let last = async {
                while !(has_read && has_listened) {
                    tokio::select! {
                        () = &mut reading, if !has_read => has_read = true,
                        () = &mut listening, if !has_listened => has_listened = true,
                    }
                }
            };
            let _ = tokio::time::timeout(LAST_WORDS_TIME, last).await;
            why
        };
        let words = words.into_inner().unwrap_or_else(PoisonError::into_inner);
        peer.lose(&reason(&name, &why, &String::from_utf8_lossy(&words)));
        guarded.end().await;
    }
}

/// Writes lines until all senders or the reader are closed.
async fn write(mut input: Sender, mut lines: mpsc::Receiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if input.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads messages until the server closes its stdout. What is none is skipped: many servers greet people
/// there.
async fn read(mut output: Receiver, peer: &ServerPeer) {
    let mut decoder = LineDecoder::new(MESSAGE_LIMIT);
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(count) = output.read(&mut buffer).await {
        let mut bytes = buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return;
        }
        loop {
            let read = match decoder.next_line(&mut bytes) {
                Some(Ok(line)) => message::read(line.text),
                Some(Err(_)) => continue,
                None => break,
            };
            for incoming in read.into_iter().flatten() {
                peer.receive(incoming).await;
            }
        }
    }
}

/// Keeps the last words of stderr.
async fn listen(mut errors: Receiver, words: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; LAST_WORDS];
    while let Ok(count) = errors.read(&mut buffer).await {
        let bytes = buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return;
        }
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(bytes);
        let surplus = words.len().saturating_sub(LAST_WORDS);
        words.drain(..surplus);
    }
}

fn reason(name: &str, why: &Over, words: &str) -> String {
    let how = match why {
        Over::Closed => return "the server was switched off".to_owned(),
        Over::Ended(Ok(CommandEnd::Exited(code))) => format!("{name} ended with exit code {code}"),
        Over::Ended(Ok(CommandEnd::Signalled(signal))) => format!("{name} was ended by signal {signal}"),
        Over::Ended(Err(GuardError::Refused(error))) => return format!("{name} can't be started: {error}"),
        Over::Ended(Err(lost)) => format!("{name}: {lost}"),
        Over::Silent => format!("{name} closed its stdout"),
    };
    match words.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(last) => format!("Connection closed: {how}: {}", last.trim()),
        None => format!("Connection closed: {how}"),
    }
}
