//! A host for tests: starts the agent, writes lines, reads frames.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use aqueduct_wire::FromAgent;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Frames in both directions.
pub(crate) const STREAM: &[&str] =
    &["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

/// A project folder and a home of their own.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["project", "home"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Place { folder }
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project").canonicalize().expect("the project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home").canonicalize().expect("the home")
    }

    /// Where the transcripts of the project are.
    pub(crate) fn transcript(&self, session: &str) -> PathBuf {
        let name: String = self
            .project()
            .to_string_lossy()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect();
        self.home().join(".claude/projects").join(name).join(format!("{session}.jsonl"))
    }

    /// Puts a file into the project.
    pub(crate) fn write(&self, path: &str, text: &str) {
        put(&self.project().join(path), text);
    }

    /// Puts a file into the home.
    pub(crate) fn write_home(&self, path: &str, text: &str) {
        put(&self.home().join(path), text);
    }

    /// The contents of a file of the project, if it exists.
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.project().join(path)).ok()
    }

    /// Sets hooks for the user, event by event.
    pub(crate) fn hook(&self, hooks: &Value) {
        self.write_home(".claude/settings.json", &json!({ "hooks": hooks }).to_string());
    }

    /// Trusts the project, as the user does in the reference CLI.
    pub(crate) fn trust(&self) {
        let project = self.project().display().to_string();
        let records = json!({ "projects": { project: { "hasTrustDialogAccepted": true } } });
        self.write_home(".claude.json", &records.to_string());
    }

    /// The agent's command line with nothing but what it needs in the environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct-agent"));
        command
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home());
        command
    }

    /// Starts the agent with frames in both directions and the scripted model.
    pub(crate) fn start(&self, arguments: &[&str]) -> Host {
        Host::start(self.command(&[STREAM, arguments].concat()))
    }

    /// The same with a script that defines the model's answers.
    pub(crate) fn start_with_script(&self, script: &str, arguments: &[&str]) -> Host {
        self.write("script", script);
        let mut command = self.command(&[STREAM, arguments].concat());
        command.env("AQUEDUCT_SCRIPT", "script");
        Host::start(command)
    }
}

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// The agent with its pipes.
pub(crate) struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Host {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the agent");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Host { child, stdin, stdout }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("an open stdin");
        stdin.write_all(format!("{line}\n").as_bytes()).expect("a line");
        stdin.flush().expect("a line");
    }

    /// Sends a frame.
    pub(crate) fn send(&mut self, frame: &Value) {
        self.line(&frame.to_string());
    }

    /// Sends a prompt.
    pub(crate) fn say(&mut self, text: &str) {
        self.send(&json!({ "type": "user", "message": { "role": "user", "content": text } }));
    }

    /// Sends a control request and returns its response.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        let id = format!("test-{}", request["subtype"].as_str().unwrap_or_default());
        self.send(&json!({ "type": "control_request", "request_id": id, "request": request }));
        let frames = self.until(|frame| {
            frame["type"] == "control_response" && frame["response"]["request_id"] == id.as_str()
        });
        frames.last().expect("an answer")["response"].clone()
    }

    /// Answers a request of the agent.
    pub(crate) fn answer(&mut self, request: &Value, payload: &Value) {
        self.send(&json!({
            "type": "control_response",
            "response": { "subtype": "success", "request_id": request["request_id"], "response": payload },
        }));
    }

    /// The next frame; `None` at the end. Each is checked: there is nothing in it that the wire's types do
    /// not know.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let stdout = self.stdout.as_mut().expect("an open stdout");
        let count = stdout.read_line(&mut line).expect("a line");
        (count > 0).then(|| checked(line.trim_end()))
    }

    /// The frames up to and including the first one that matches.
    pub(crate) fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            let Some(frame) = self.next() else { panic!("the agent ended early: {frames:#?}") };
            let found = fits(&frame);
            frames.push(frame);
            if found {
                return frames;
            }
        }
    }

    /// The frames up to and including the next result.
    pub(crate) fn turn(&mut self) -> Vec<Value> {
        self.until(|frame| frame["type"] == "result")
    }

    /// The frames up to and with the next request of the agent, which is given too.
    pub(crate) fn request(&mut self) -> Value {
        self.until(|frame| frame["type"] == "control_request").pop().expect("a request")
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = Pid::from_child(&self.child);
        kill_process(id, signal).expect("a signal");
    }

    /// Stops reading, and leaves stdin open. The pipe is closed when what this gives is dropped.
    pub(crate) fn stop_reading(&mut self) -> Option<BufReader<ChildStdout>> {
        self.stdout.take()
    }

    /// Waits for the end of the process, without closing stdin.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("an end")
    }

    /// Closes stdin.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Closes stdin, reads to the end, and gives what came and how the process ended.
    pub(crate) fn end(mut self) -> (Vec<Value>, ExitStatus) {
        self.close();
        let frames: Vec<Value> = std::iter::from_fn(|| self.next()).collect();
        (frames, self.child.wait().expect("an end"))
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line as JSON, after a check with the types of the wire crate.
fn checked(line: &str) -> Value {
    let frame = FromAgent::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    frame.leftovers(&mut |leftover| panic!("{leftover:?} in {line}"));
    serde_json::from_str(line).expect("JSON")
}

/// The kinds of frames, one word each, to check their order. Rate limit events are left out.
pub(crate) fn kinds(frames: &[Value]) -> Vec<String> {
    let kind = |frame: &Value| {
        let kind = frame["type"].as_str().unwrap_or_default();
        let more = match kind {
            "system" => frame["subtype"].as_str(),
            "stream_event" => frame["event"]["type"].as_str(),
            "assistant" | "user" => frame["message"]["content"][0]["type"].as_str(),
            "result" => frame["subtype"].as_str(),
            "control_request" => frame["request"]["subtype"].as_str(),
            "control_response" => frame["response"]["subtype"].as_str(),
            _ => None,
        };
        more.map_or_else(|| kind.to_owned(), |more| format!("{kind}/{more}"))
    };
    frames.iter().filter(|frame| frame["type"] != "rate_limit_event").map(kind).collect()
}

/// The results of tools among frames.
pub(crate) fn tool_results(frames: &[Value]) -> Vec<Value> {
    let blocks =
        frames.iter().filter(|frame| frame["type"] == "user").map(|frame| &frame["message"]["content"][0]);
    blocks.filter(|block| block["type"] == "tool_result").cloned().collect()
}

/// The frame among others that has this type.
pub(crate) fn find<'f>(frames: &'f [Value], kind: &str) -> &'f Value {
    frames.iter().find(|frame| frame["type"] == kind).unwrap_or_else(|| panic!("no {kind} in {frames:#?}"))
}

/// The lines of a JSONL file.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a transcript");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}
