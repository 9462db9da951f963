//! An agent that remembers nothing and ignores message ids: it runs every user frame that it receives.
//!
//! What it runs is in its effects file, a line each, synced before it answers: so double and lost runs can be counted
//! from outside. The prompt defines what it does: see [`Work`](crate::input::Work).

use std::collections::VecDeque;
use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use crate::effects::{self, Effect};
use crate::input;

/// The variable with the path of the effects file. It is set for the agent alone.
pub(crate) const EFFECTS: &str = "AQUEDUCT_CRASH_EFFECTS";

/// The pause after each piece of text.
const PAUSE: Duration = Duration::from_millis(8);

struct Agent {
    session: String,
    effects: PathBuf,
    frames: Receiver<Value>,
    /// Inputs that arrived while a turn ran.
    waiting: VecDeque<Value>,
    was_introduced: bool,
}

/// Why a turn ends early.
enum Stop {
    Interrupted,
    /// The host closed stdin.
    Closed,
}

pub(crate) fn main(effects: PathBuf) -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--version") {
        println!("1.0.0 (plain)");
        return ExitCode::SUCCESS;
    }
    let session =
        ["--session-id", "--resume"].iter().find_map(|name| value_of(&arguments, name)).unwrap_or_default();
    let (send, frames) = mpsc::channel();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Ok(frame) = serde_json::from_str(&line)
                && send.send(frame).is_err()
            {
                return;
            }
        }
    });
    let mut agent = Agent { session, effects, frames, waiting: VecDeque::new(), was_introduced: false };
    while let Some(frame) = agent.next_frame() {
        match frame["type"].as_str() {
            Some("user") => agent.turn(&frame),
            Some("control_request") => drop(agent.control(&frame)),
            _ => {}
        }
    }
    ExitCode::SUCCESS
}

/// The value of an argument, behind it or behind its `=`.
fn value_of(arguments: &[String], name: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument.split('=').next() == Some(name))?;
    match arguments[place].split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => arguments.get(place + 1).cloned(),
    }
}

impl Agent {
    fn next_frame(&mut self) -> Option<Value> {
        self.waiting.pop_front().or_else(|| self.frames.recv().ok())
    }

    /// Answers a request of the host. Returns whether it was an interrupt.
    fn control(&self, frame: &Value) -> bool {
        let subtype = frame["request"]["subtype"].as_str().unwrap_or_default();
        let response = match subtype {
            "initialize" => json!({"commands": [], "models": [], "output_style": "default", "account": {}}),
            _ => json!({}),
        };
        let response = json!({"subtype": "success", "request_id": frame["request_id"], "response": response});
        write(&json!({"type": "control_response", "response": response}));
        subtype == "interrupt"
    }

    /// Runs one input.
    fn turn(&mut self, frame: &Value) {
        let content = &frame["message"]["content"];
        let first =
            |blocks: &Vec<Value>| blocks.iter().find_map(|block| block["text"].as_str().map(str::to_owned));
        let text = content.as_str().map(str::to_owned).or_else(|| content.as_array().and_then(first));
        let (mark, work) = input::Work::parse(text.as_deref().unwrap_or_default());
        self.note(Effect::Ran, &mark);
        if !self.was_introduced {
            self.was_introduced = true;
            write(&json!({
                "type": "system", "subtype": "init", "session_id": self.session, "cwd": ".", "tools": ["Bash"],
                "mcp_servers": [], "model": "plain", "permissionMode": "default", "slash_commands": [],
                "apiKeySource": "none", "output_style": "default", "uuid": uuid(),
            }));
        }
        let done = match work {
            input::Work::Say => self.say(&mark, 3),
            input::Work::Slow { pieces } => self.say(&mark, pieces),
            input::Work::Ask => self.ask(&mark).and_then(|()| self.say(&mark, 2)),
            input::Work::Question => self.question().and_then(|()| self.say(&mark, 2)),
        };
        match done {
            Ok(()) => self.result(json!({"subtype": "success", "is_error": false, "result": format!("done {mark}")})),
            Err(Stop::Interrupted) => self.result(json!({
                "subtype": "error_during_execution", "is_error": true, "errors": [format!("interrupted {mark}")],
            })),
            Err(Stop::Closed) => std::process::exit(0),
        }
    }

    /// Sends some pieces of text, with a pause after each.
    fn say(&mut self, mark: &str, pieces: u32) -> Result<(), Stop> {
        let id = format!("msg_{}", Uuid::new_v4().simple());
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let message = |content: Value| {
            json!({
                "id": id, "type": "message", "role": "assistant", "model": "plain", "content": content,
                "stop_reason": null, "stop_sequence": null, "usage": usage,
            })
        };
        self.event(json!({"type": "message_start", "message": message(json!([]))}));
        let block = json!({"type": "text", "text": ""});
        self.event(json!({"type": "content_block_start", "index": 0, "content_block": block}));
        let mut text = String::new();
        for piece in 0..pieces {
            let piece = format!("{piece} {mark} ");
            let delta = json!({"type": "text_delta", "text": piece});
            self.event(json!({"type": "content_block_delta", "index": 0, "delta": delta}));
            text.push_str(&piece);
            self.pause(PAUSE)?;
        }
        write(&json!({
            "type": "assistant", "message": message(json!([{"type": "text", "text": text}])),
            "parent_tool_use_id": null, "session_id": self.session, "uuid": uuid(),
        }));
        self.event(json!({"type": "content_block_stop", "index": 0}));
        let delta = json!({"stop_reason": "end_turn", "stop_sequence": null});
        self.event(json!({"type": "message_delta", "delta": delta, "usage": usage}));
        self.event(json!({"type": "message_stop"}));
        Ok(())
    }

    /// Asks for a permission, and does what was asked for if it is given.
    fn ask(&mut self, mark: &str) -> Result<(), Stop> {
        let (call, allowed) = self.decision("Bash", json!({"command": format!("do {mark}")}))?;
        if allowed {
            self.note(Effect::Did, mark);
        }
        let content =
            json!([{"type": "tool_result", "tool_use_id": call, "content": "done", "is_error": !allowed}]);
        write(&json!({
            "type": "user", "message": {"role": "user", "content": content},
            "parent_tool_use_id": null, "session_id": self.session, "uuid": uuid(),
        }));
        Ok(())
    }

    fn question(&mut self) -> Result<(), Stop> {
        self.decision("AskUserQuestion", input::question()).map(drop)
    }

    /// Waits for the host's decision about a call.
    fn decision(&mut self, tool: &str, input: Value) -> Result<(String, bool), Stop> {
        let (request, call) = (uuid(), format!("toolu_{}", Uuid::new_v4().simple()));
        write(&json!({
            "type": "control_request", "request_id": request,
            "request": {"subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": call},
        }));
        let mut decided = None;
        while decided.is_none() {
            let frame = self.frames.recv().map_err(|_| Stop::Closed)?;
            decided = self.heed(frame, &request)?;
        }
        let is_allowed = decided.unwrap_or_default();
        self.note(if is_allowed { Effect::Allowed } else { Effect::Denied }, &call);
        // A second answer to the same request arrives right behind the first.
        let end = Instant::now() + PAUSE;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.frames.recv_timeout(left) {
                Ok(frame) => {
                    if let Some(again) = self.heed(frame, &request)? {
                        self.note(if again { Effect::Allowed } else { Effect::Denied }, &call);
                    }
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(Stop::Closed),
            }
        }
        Ok((call, is_allowed))
    }

    /// Handles a frame in the middle of a turn. Returns the decision, if it is the one for this request.
    fn heed(&mut self, frame: Value, request: &str) -> Result<Option<bool>, Stop> {
        match frame["type"].as_str() {
            Some("user") => self.waiting.push_back(frame),
            Some("control_request") if self.control(&frame) => return Err(Stop::Interrupted),
            Some("control_response") if frame["response"]["request_id"] == request => {
                return Ok(Some(frame["response"]["response"]["behavior"] == "allow"));
            }
            _ => {}
        }
        Ok(None)
    }

    fn pause(&mut self, time: Duration) -> Result<(), Stop> {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.frames.recv_timeout(left) {
                Ok(frame) => drop(self.heed(frame, "")?),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err(Stop::Closed),
            }
        }
        Ok(())
    }

    fn event(&self, event: Value) {
        write(&json!({
            "type": "stream_event", "event": event, "parent_tool_use_id": null,
            "session_id": self.session, "uuid": uuid(),
        }));
    }

    fn result(&self, more: Value) {
        let mut frame = json!({
            "type": "result", "duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "session_id": self.session,
            "total_cost_usd": 0.0, "usage": {"input_tokens": 1, "output_tokens": 1}, "permission_denials": [],
            "uuid": uuid(),
        });
        if let (Some(frame), Value::Object(more)) = (frame.as_object_mut(), more) {
            frame.extend(more);
        }
        write(&frame);
    }

    /// Writes down what happened. An agent that can't do that must not continue.
    fn note(&self, effect: Effect, name: &str) {
        if let Err(error) = effects::append(&self.effects, effect, name) {
            eprintln!("cannot write {}: {error}", self.effects.display());
            std::process::exit(3);
        }
    }
}

fn write(frame: &Value) {
    let mut stdout = std::io::stdout().lock();
    if writeln!(stdout, "{frame}").and_then(|()| stdout.flush()).is_err() {
        // The host is gone.
        std::process::exit(0);
    }
}

fn uuid() -> String {
    Uuid::new_v4().to_string()
}
