//! An agent without a model: it streams what its prompt requests, and stamps deltas with the clock.
//!
//! The clock is the machine's, the same for all processes: the receiver of a delta can compute its latency.
//! It implements as much of stream-json as a host needs, whatever flags it is started with.

use std::io::{BufRead as _, StdoutLock, Write as _};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// How much of an answer a delta of a flood has, and how much the whole answer.
const FLOOD_DELTA: usize = 1024;
const FLOOD_ANSWER: usize = 64 * 1024;

/// Nanoseconds of the clock that all processes share.
pub(super) fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// What a prompt asks for. Its text is what [`Script::prompt`] wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// One answer in stamped deltas, with a pause behind each.
    Stream { deltas: usize, pause: Duration },
    /// Answers as fast as they are taken, deltas and whole, until so many bytes are written.
    Flood { bytes: usize },
    /// Finished answers without deltas.
    Messages { count: usize },
    /// One finished answer of so many bytes.
    Frame { bytes: usize },
    /// Finished parts of one answer, until so many bytes are written.
    SameId { bytes: usize },
}

impl Script {
    pub(super) fn prompt(self) -> String {
        match self {
            Script::Stream { deltas, pause } => format!("stream {deltas} {}", pause.as_micros()),
            Script::Flood { bytes } => format!("flood {bytes}"),
            Script::Messages { count } => format!("messages {count}"),
            Script::Frame { bytes } => format!("frame {bytes}"),
            Script::SameId { bytes } => format!("same_id {bytes}"),
        }
    }

    fn read(prompt: &str) -> Option<Script> {
        let mut words = prompt.split_whitespace();
        let kind = words.next()?;
        let mut number = || words.next()?.parse::<usize>().ok();
        match kind {
            "stream" => {
                let (deltas, micros) = (number()?, number()?);
                Some(Script::Stream { deltas, pause: Duration::from_micros(u64::try_from(micros).ok()?) })
            }
            "flood" => Some(Script::Flood { bytes: number()? }),
            "messages" => Some(Script::Messages { count: number()? }),
            "frame" => Some(Script::Frame { bytes: number()? }),
            "same_id" => Some(Script::SameId { bytes: number()? }),
            _ => None,
        }
    }
}

/// Runs until the input ends.
pub(crate) fn run(words: impl Iterator<Item = String>) -> Result<()> {
    let mut agent = Agent { session: session(words), answers: 0, output: std::io::stdout().lock() };
    for line in std::io::stdin().lock().lines() {
        let line = line.context("the input broke off")?;
        let frame: Value = serde_json::from_str(&line).context("a line of the input is not JSON")?;
        match frame["type"].as_str() {
            Some("control_request") => agent.consent(&frame)?,
            Some("user") => agent.turn(&prompt(&frame["message"]["content"]))?,
            _ => {}
        }
    }
    Ok(())
}

/// The id that the host wants; a new session of a host that wants none has a fixed one.
fn session(mut words: impl Iterator<Item = String>) -> String {
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "--session-id" | "--resume" | "-r") {
            return words.next().unwrap_or_default();
        }
    }
    "00000000-0000-4000-8000-000000000000".to_owned()
}

fn prompt(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().map_or_else(|| blocks.collect(), str::to_owned)
}

struct Agent {
    session: String,
    answers: usize,
    output: StdoutLock<'static>,
}

impl Agent {
    /// Whatever the host asks for is fine.
    fn consent(&mut self, frame: &Value) -> Result<()> {
        let response = json!({ "subtype": "success", "request_id": frame["request_id"], "response": { "commands": [] } });
        self.say(&json!({ "type": "control_response", "response": response }))
    }

    fn turn(&mut self, prompt: &str) -> Result<()> {
        self.say(&json!({
            "type": "system", "subtype": "init", "session_id": self.session, "model": "scripted",
            "permissionMode": "default", "tools": [], "mcp_servers": [],
        }))?;
        match Script::read(prompt) {
            Some(Script::Stream { deltas, pause }) => self.stream(deltas, pause)?,
            Some(Script::Flood { bytes }) => self.flood(bytes)?,
            Some(Script::Messages { count }) => {
                for number in 1..=count {
                    let id = self.next_answer();
                    let text =
                        format!("Answer {number} of {count}, as long as a short remark between calls.");
                    self.whole(&id, &text)?;
                }
            }
            Some(Script::Frame { bytes }) => {
                let id = self.next_answer();
                self.whole(&id, &"water\n".repeat(bytes / 7))?;
            }
            Some(Script::SameId { bytes }) => {
                let id = self.next_answer();
                let text = "water ".repeat(FLOOD_ANSWER / 6);
                for _ in 0..bytes.div_ceil(text.len()) {
                    self.whole(&id, &text)?;
                }
            }
            None => {
                let id = self.next_answer();
                self.whole(&id, "This agent streams, floods or sends messages; the prompt asks for none.")?;
            }
        }
        self.say(&json!({
            "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "num_turns": 1,
            "result": "Done.", "session_id": self.session, "total_cost_usd": 0.0, "permission_denials": [],
        }))
    }

    fn stream(&mut self, deltas: usize, pause: Duration) -> Result<()> {
        let id = self.begin()?;
        let mut text = String::new();
        for _ in 0..deltas {
            thread::sleep(pause);
            let stamp = format!("{} ", now());
            self.delta(&stamp)?;
            self.output.flush().context("the host does not listen")?;
            text.push_str(&stamp);
        }
        self.end(&id, &text)
    }

    fn flood(&mut self, bytes: usize) -> Result<()> {
        let piece = "water ".repeat(FLOOD_DELTA / 6);
        let whole = piece.repeat(FLOOD_ANSWER / piece.len());
        let mut written = 0;
        while written < bytes {
            let id = self.begin()?;
            for _ in 0..whole.len() / piece.len() {
                self.delta(&piece)?;
            }
            self.end(&id, &whole)?;
            written += 2 * whole.len();
        }
        Ok(())
    }

    fn next_answer(&mut self) -> String {
        self.answers += 1;
        format!("msg_{}", self.answers)
    }

    /// Opens an answer with one block of text.
    fn begin(&mut self) -> Result<String> {
        let id = self.next_answer();
        let message =
            json!({ "id": id, "type": "message", "role": "assistant", "model": "scripted", "content": [] });
        self.event(&json!({ "type": "message_start", "message": message }))?;
        let block = json!({ "type": "text", "text": "" });
        self.event(&json!({ "type": "content_block_start", "index": 0, "content_block": block }))?;
        Ok(id)
    }

    fn delta(&mut self, text: &str) -> Result<()> {
        let delta = json!({ "type": "text_delta", "text": text });
        self.event(&json!({ "type": "content_block_delta", "index": 0, "delta": delta }))
    }

    /// Closes an answer, and gives it as a whole.
    fn end(&mut self, id: &str, text: &str) -> Result<()> {
        self.whole(id, text)?;
        self.event(&json!({ "type": "content_block_stop", "index": 0 }))?;
        self.event(&json!({ "type": "message_stop" }))?;
        self.output.flush().context("the host does not listen")
    }

    fn whole(&mut self, id: &str, text: &str) -> Result<()> {
        let content = json!([{ "type": "text", "text": text }]);
        let message = json!({
            "id": id, "type": "message", "role": "assistant", "model": "scripted", "content": content,
        });
        self.write(&json!({ "type": "assistant", "message": message, "session_id": self.session }))
    }

    fn event(&mut self, event: &Value) -> Result<()> {
        self.write(&json!({ "type": "stream_event", "event": event, "session_id": self.session }))
    }

    fn say(&mut self, frame: &Value) -> Result<()> {
        self.write(frame)?;
        self.output.flush().context("the host does not listen")
    }

    fn write(&mut self, frame: &Value) -> Result<()> {
        writeln!(self.output, "{frame}").context("the host does not listen")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_defines_what_to_do() {
        let scripts = [
            Script::Stream { deltas: 20, pause: Duration::from_micros(1500) },
            Script::Flood { bytes: 300 },
            Script::Messages { count: 7 },
            Script::Frame { bytes: 9 },
            Script::SameId { bytes: 11 },
        ];
        for script in scripts {
            assert_eq!(Script::read(&script.prompt()), Some(script));
        }
        assert_eq!(Script::read("stream 7"), None);
    }
}
