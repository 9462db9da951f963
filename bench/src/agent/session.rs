//! A running agent: its input, output and memory.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::memory;

/// Long enough for a slow start on a busy machine, and for a long turn.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many lines wait for the measuring thread.
const LINES_AHEAD: usize = 4096;

/// stream-json both ways, with deltas.
const FLAGS: &[&str] = &[
    "-p",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--include-partial-messages",
];

/// Nothing that a program might do on the side belongs to what is measured.
const QUIET: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "not-a-key"),
    ("CI", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("IS_SANDBOX", "1"),
    ("TERM", "dumb"),
];

/// A line of the agent's, and when it was there.
struct Line {
    text: String,
    at: Instant,
}

pub(super) struct Session {
    process: Child,
    input: Option<ChildStdin>,
    output_lines: Receiver<Line>,
    started: Instant,
}

/// A program with a home and a project that outlast its sessions.
pub(super) fn command(program: &Path, place: &Path, api: &str) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(place.join("project"))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.join("home"))
        .env("ANTHROPIC_BASE_URL", api)
        .envs(QUIET.iter().copied());
    command
}

impl Session {
    /// Starts the program with more flags than every session has.
    pub(super) fn start(mut command: Command, flags: &[&str]) -> Result<Self> {
        command.args(FLAGS).args(flags);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = Instant::now();
        let mut process =
            command.spawn().with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let (saying, output_lines) = sync_channel(LINES_AHEAD);
        let input = process.stdin.take();
        let output = process.stdout.take().context("the agent has no stdout")?;
        thread::spawn(move || listen(output, &saying));
        Ok(Self { process, input, output_lines, started })
    }

    /// From the start to the answered `initialize`.
    pub(super) fn initialize(&mut self) -> Result<Duration> {
        let request = json!({ "subtype": "initialize" });
        self.send(&json!({ "type": "control_request", "request_id": "init", "request": request }))?;
        let answered = self.wait("control_response")?;
        Ok(answered.duration_since(self.started))
    }

    /// Sends a prompt, and returns the time.
    pub(super) fn prompt(&mut self, text: &str) -> Result<Instant> {
        let content = json!([{ "type": "text", "text": text }]);
        let message = json!({ "role": "user", "content": content });
        self.send(&json!({ "type": "user", "message": message }))
    }

    /// When the next delta came.
    pub(super) fn delta(&mut self) -> Result<Instant> {
        self.wait("content_block_delta")
    }

    /// When the last delta had come.
    pub(super) fn end_of_block(&mut self) -> Result<Instant> {
        self.wait("content_block_stop")
    }

    /// When a tool's result came.
    pub(super) fn tool_result(&mut self) -> Result<Instant> {
        self.wait("tool_result")
    }

    /// When the turn was over.
    pub(super) fn result(&mut self) -> Result<Instant> {
        self.wait("result")
    }

    /// What the agent and all that it started hold in memory, in bytes.
    pub(super) fn memory(&self) -> Result<u64> {
        memory::proportional(self.process.id())
    }

    /// The most that the agent ever held, in bytes.
    pub(super) fn peak(&self) -> Result<u64> {
        memory::peak(self.process.id())
    }

    /// Closes the input and waits for the end.
    pub(super) fn end(mut self) -> Result<()> {
        self.input = None;
        while self.output_lines.recv_timeout(PATIENCE).is_ok() {}
        self.process.wait().context("cannot wait for the agent").map(drop)
    }

    fn send(&mut self, frame: &serde_json::Value) -> Result<Instant> {
        let line = format!("{frame}\n");
        let sent = Instant::now();
        let input = self.input.as_mut().context("the agent's input is closed")?;
        input.write_all(line.as_bytes()).context("the agent takes no input")?;
        Ok(sent)
    }

    /// When the next frame or stream event of a type came. A type is a member's value; the same name in texts
    /// has its quotes escaped.
    fn wait(&mut self, kind: &str) -> Result<Instant> {
        let wanted = format!(r#""type":"{kind}""#);
        loop {
            let Ok(line) = self.output_lines.recv_timeout(PATIENCE) else {
                bail!("the agent did not send {kind} within {PATIENCE:?}");
            };
            if line.text.contains(&wanted) {
                return Ok(line.at);
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Most often it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn listen(output: ChildStdout, saying: &SyncSender<Line>) {
    for text in BufReader::with_capacity(64 * 1024, output).lines().map_while(Result::ok) {
        if saying.send(Line { text, at: Instant::now() }).is_err() {
            return;
        }
    }
}
