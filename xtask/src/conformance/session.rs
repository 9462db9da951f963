//! An agent under test behind `aqueduct record`: its start, input, output and end.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};

/// Long enough for a slow start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long an agent may take to end after its input is closed.
const FAREWELL: Duration = Duration::from_secs(10);

pub(super) struct Session {
    /// The recorder. It starts the agent in a process group of its own.
    recorder: Child,
    input: Option<ChildStdin>,
    frames: Receiver<Value>,
    requests: usize,
}

impl Session {
    pub(super) fn start(mut recorder: Command) -> Result<Self> {
        // The agent's stderr is in the recording.
        recorder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut recorder =
            recorder.spawn().with_context(|| format!("cannot start {}", recorder.get_program().display()))?;
        let (saying, frames) = mpsc::channel();
        let input = recorder.stdin.take();
        if let Some(output) = recorder.stdout.take() {
            thread::spawn(move || listen(output, &saying));
        }
        Ok(Self { recorder, input, frames, requests: 0 })
    }

    /// Sends one line as it is. Some versions end on bad input: then the line goes nowhere, and the
    /// scenario sees that no answer comes.
    pub(super) fn send_line(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let sent = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
            if sent.is_err() {
                self.input = None;
            }
        }
    }

    pub(super) fn send(&mut self, frame: &Value) {
        self.send_line(&frame.to_string());
    }

    pub(super) fn user(&mut self, text: &str) {
        self.send(&json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "text", "text": text }] } }));
    }

    /// The next frame that matches, if it arrives in time. Frames before it are only recorded.
    pub(super) fn maybe(&mut self, patience: Duration, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let deadline = Instant::now() + patience;
        loop {
            match self.frames.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(frame) if fits(&frame) => return Some(frame),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    pub(super) fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Result<Value> {
        match self.maybe(PATIENCE, fits) {
            Some(frame) => Ok(frame),
            None => bail!("no {what} came"),
        }
    }

    pub(super) fn result(&mut self) -> Result<Value> {
        self.wait("result", is_result)
    }

    /// Waits until the answer to the prompt is being streamed.
    pub(super) fn streaming(&mut self) -> Result<()> {
        self.wait("delta", |frame| frame["event"]["type"] == "content_block_delta").map(drop)
    }

    /// Sends a control request and returns the answer, if there is one: older versions are silent
    /// about requests they do not know.
    pub(super) fn control(&mut self, subtype: &str, fields: &Value) -> Option<Value> {
        let id = self.request(subtype, fields);
        self.maybe(Duration::from_secs(5), |frame| is_response_to(frame, &id))
    }

    /// Sends a control request and returns its id.
    pub(super) fn request(&mut self, subtype: &str, fields: &Value) -> String {
        self.requests += 1;
        let id = format!("request-{}", self.requests);
        let mut request = json!({ "subtype": subtype });
        if let (Some(request), Some(fields)) = (request.as_object_mut(), fields.as_object()) {
            request.extend(fields.clone());
        }
        self.send(&json!({ "type": "control_request", "request_id": id, "request": request }));
        id
    }

    pub(super) fn initialize(&mut self, fields: &Value) -> Result<()> {
        let id = self.request("initialize", fields);
        self.wait("answer to initialize", |frame| is_response_to(frame, &id)).map(drop)
    }

    /// Answers a request of the agent's.
    pub(super) fn answer(&mut self, request: &Value, response: &Value) {
        self.send(&json!({
            "type": "control_response",
            "response": { "subtype": "success", "request_id": request["request_id"], "response": response }
        }));
    }

    /// Answers a request of the agent's with an error.
    pub(super) fn refuse(&mut self, request: &Value, error: &str) {
        self.send(&json!({
            "type": "control_response",
            "response": { "subtype": "error", "request_id": request["request_id"], "error": error }
        }));
    }

    /// Answers what the agent asks until its turn ends.
    pub(super) fn converse(&mut self, answer: impl FnMut(&Value) -> Value) -> Result<Value> {
        self.converse_until("result", is_result, answer)
    }

    /// Answers what the agent asks until a frame comes that ends the conversation.
    pub(super) fn converse_until(
        &mut self,
        what: &str,
        ends: impl Fn(&Value) -> bool,
        mut answer: impl FnMut(&Value) -> Value,
    ) -> Result<Value> {
        loop {
            let frame = self.wait(what, |frame| is_request(frame) || ends(frame))?;
            if !is_request(&frame) {
                return Ok(frame);
            }
            let response = answer(&frame);
            self.answer(&frame, &response);
        }
    }

    /// Sends a signal to the agent and all that it started.
    pub(super) fn signal(&self, signal: Signal) -> Result<()> {
        let agent = self.agent().context("the agent is not running")?;
        kill_process_group(agent, signal).context("cannot signal the agent")
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the input and waits for the end; an agent that will not end is killed.
    pub(super) fn end(mut self) -> Result<()> {
        self.close_input();
        let deadline = Instant::now() + FAREWELL;
        self.maybe(FAREWELL, |_| false);
        // Between its last word and its end a program may still tidy up.
        while !self.has_ended()? && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        if !self.has_ended()? {
            self.put_down();
        }
        self.recorder.wait().context("cannot wait for the recorder").map(drop)
    }

    /// Kills the agent, and only it: what it started has to notice by itself.
    pub(super) fn kill(&self) {
        if let Some(agent) = self.agent() {
            // It may have ended meanwhile, which is as good.
            let _ = kill_process(agent, Signal::KILL);
        }
    }

    /// Ends what does not end by itself. Most often nothing is left to end.
    fn put_down(&mut self) {
        let _ = self.signal(Signal::KILL);
        let _ = self.recorder.kill();
    }

    fn has_ended(&mut self) -> Result<bool> {
        Ok(self.recorder.try_wait().context("cannot wait for the agent")?.is_some())
    }

    /// The recorder's only child, which leads its group.
    fn agent(&self) -> Option<Pid> {
        let id = self.recorder.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
        Pid::from_raw(children.split_whitespace().next()?.parse().ok()?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A scenario that broke off leaves a running agent behind.
        self.put_down();
        let _ = self.recorder.wait();
    }
}

/// Passes frames on. A scenario may be over while the agent still sends: then there is no receiver.
fn listen(output: ChildStdout, saying: &Sender<Value>) {
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if let Ok(frame) = serde_json::from_str(&line) {
            let _ = saying.send(frame);
        }
    }
}

pub(super) fn is_request(frame: &Value) -> bool {
    frame["type"] == "control_request"
}

pub(super) fn is_result(frame: &Value) -> bool {
    frame["type"] == "result"
}

fn is_response_to(frame: &Value, id: &str) -> bool {
    frame["type"] == "control_response" && frame["response"]["request_id"] == id
}
