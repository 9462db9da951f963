//! The process of a command hook: its guard, its input and its output.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;

use aqueduct_os::guard::{CommandEnd, GuardError, Guarded, GuardedCommand, OutputPipe};
use aqueduct_tools::command::shell;
use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::pipe::Sender;

use crate::environment::Environment;

/// How many bytes of a hook's output are kept.
const MAX_PRINTED: usize = 1024 * 1024;

/// A running command hook. Dropping it ends the command and all of its child processes.
pub(super) struct HookProcess {
    guarded: Guarded,
    /// The rest of the input, and the pipe to write it to.
    input: Option<(Sender, Vec<u8>)>,
    stdout: OutputPipe,
    stderr: OutputPipe,
    /// What it has printed.
    pub(super) printed: PrintedOutput,
}

/// What a hook has printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PrintedOutput {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// Both, as they came.
    output: Vec<u8>,
    /// There was more.
    is_cut: bool,
}

/// What happened to a command.
pub(super) enum HookProcessEvent {
    /// It printed something.
    Printed,
    /// It has ended.
    Ended(Result<CommandEnd, GuardError>),
}

impl HookProcess {
    /// Starts a command in a shell, with `input` to read. `root` is the folder of the plugin that brings it.
    pub(super) fn start(
        environment: &Arc<Environment>,
        cwd: &Path,
        project: &Path,
        command: &str,
        root: Option<&Path>,
        input: String,
    ) -> io::Result<HookProcess> {
        let mut variables = shell::variables(environment);
        variables.push(("CLAUDE_PROJECT_DIR".into(), project.into()));
        variables.extend(root.map(|root| ("CLAUDE_PLUGIN_ROOT".into(), root.into())));
        let words: [OsString; 3] = [shell::program(environment).into(), "-c".into(), command.into()];
        let order = GuardedCommand {
            guard: &environment.guard,
            command: &words,
            // The folder may have been removed since.
            cwd: if cwd.is_dir() { cwd } else { project },
            variables: &variables,
        };
        let (stdin, writer) = io::pipe()?;
        let (stdout, out) = OutputPipe::new()?;
        let (stderr, err) = OutputPipe::new()?;
        let guarded = Guarded::start_reading(&order, stdin.into(), [out, err])?;
        let input = Some((Sender::from_owned_fd(writer.into())?, input.into_bytes()));
        Ok(HookProcess { guarded, input, stdout, stderr, printed: PrintedOutput::default() })
    }

    /// Waits for what happens next.
    ///
    /// Cancel safe: no output is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> HookProcessEvent {
        loop {
            tokio::select! {
                // Of what was printed on both since the last look, stdout comes first.
                biased;
                bytes = self.stdout.read() => {
                    self.printed.push(bytes, OutputStream::Out);
                    return HookProcessEvent::Printed;
                }
                bytes = self.stderr.read() => {
                    self.printed.push(bytes, OutputStream::Err);
                    return HookProcessEvent::Printed;
                }
                () = feed(&mut self.input) => (),
                ended = self.guarded.ended() => {
                    self.stdout.drain(|bytes| self.printed.push(bytes, OutputStream::Out));
                    self.stderr.drain(|bytes| self.printed.push(bytes, OutputStream::Err));
                    return HookProcessEvent::Ended(ended);
                }
            }
        }
    }

    /// Ends the command and everything that it started.
    pub(super) async fn end(&mut self) {
        self.guarded.end().await;
    }

    /// Drains the output of the processes that the command left running, until they end.
    pub(super) async fn outlive(mut self) {
        loop {
            tokio::select! {
                _ = self.stdout.read() => (),
                _ = self.stderr.read() => (),
                () = self.guarded.gone() => return,
            }
        }
    }
}

/// Writes a part of the command's input. Never completes once all of it is written or the command no longer reads.
async fn feed(input: &mut Option<(Sender, Vec<u8>)>) {
    if let Some((writer, rest)) = input {
        match writer.write(rest).await {
            Ok(count) if count > 0 && count < rest.len() => {
                rest.drain(..count);
                return;
            }
            // All of it is written, or the command does not read its input.
            Ok(_) | Err(_) => *input = None,
        }
    }
    std::future::pending().await
}

/// Where something was printed.
enum OutputStream {
    Out,
    Err,
}

impl PrintedOutput {
    fn push(&mut self, bytes: &[u8], stream: OutputStream) {
        let room = MAX_PRINTED.saturating_sub(self.output.len());
        self.is_cut |= bytes.len() > room;
        let bytes = &bytes[..bytes.len().min(room)];
        self.output.extend_from_slice(bytes);
        match stream {
            OutputStream::Out => self.stdout.extend_from_slice(bytes),
            OutputStream::Err => self.stderr.extend_from_slice(bytes),
        }
    }

    pub(super) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub(super) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub(super) fn output(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }

    /// Whether something it printed was not kept.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The first line of stdout, once it is whole.
    pub(super) fn first_line(&self) -> Option<&str> {
        let end = memchr::memchr(b'\n', &self.stdout)?;
        std::str::from_utf8(&self.stdout[..end]).ok()
    }

    /// What is behind the first line of stdout.
    pub(super) fn without_first_line(&self) -> PrintedOutput {
        let behind = memchr::memchr(b'\n', &self.stdout).map_or(self.stdout.len(), |end| end + 1);
        PrintedOutput { stdout: self.stdout[behind..].to_vec(), ..self.clone() }
    }

    /// How much there is.
    pub(super) fn len(&self) -> usize {
        self.output.len()
    }
}
