//! The host's side of a replay: the lines that come on stdin.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use aqueduct_wire::codec::{DEFAULT_LINE_LIMIT, Line, LineError};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::peek;

use super::ids::text_of;
use crate::input::{InputStream, LineSink};
use crate::output;

/// How many lines are read ahead.
const AHEAD: usize = 64;
/// How many lines are stored that no step waited for.
const ASIDE: usize = 1024;

/// What a line is about, as far as a replay cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineSubject {
    /// A frame of a type, and of a subtype for control requests.
    Frame { kind: String, subtype: String },
    /// The answer to the agent's request with this id.
    Answer { id: String },
    /// A line that is not a frame.
    Text,
}

/// A line, with the id in it: of a request, or of a prompt.
#[derive(Debug)]
pub(super) struct HostLine {
    pub(super) subject: LineSubject,
    pub(super) id: Option<String>,
}

impl HostLine {
    /// Whether it is a prompt.
    pub(super) fn is_prompt(&self) -> bool {
        matches!(&self.subject, LineSubject::Frame { kind, .. } if kind == PROMPT)
    }
}

/// The type of a prompt's frame.
const PROMPT: &str = "user";

impl HostLine {
    /// The meaning of a line; `None` for lines without one.
    pub(super) fn new(line: &str) -> Option<Self> {
        let Ok(peek) = peek(line) else {
            return (!line.trim().is_empty()).then_some(HostLine { subject: LineSubject::Text, id: None });
        };
        let text =
            |value: &Option<aqueduct_wire::json::Str<'_>>| value.as_deref().unwrap_or_default().to_owned();
        let kind = text(&peek.kind);
        let id = match kind.as_str() {
            PROMPT => text_of(line, "uuid"),
            _ => peek.request_id.as_deref().map(str::to_owned),
        };
        let subject = match kind.as_str() {
            "keep_alive" => return None,
            "control_response" => LineSubject::Answer { id: id.clone().unwrap_or_default() },
            "control_request" => LineSubject::Frame { subtype: text(&peek.subtype), kind },
            _ => LineSubject::Frame { kind, subtype: String::new() },
        };
        Some(HostLine { subject, id })
    }
}

impl std::fmt::Display for LineSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LineSubject::Frame { kind, subtype } if subtype.is_empty() => write!(f, "{kind:?}"),
            LineSubject::Frame { kind, subtype } => write!(f, "{kind:?} {subtype:?}"),
            LineSubject::Answer { id } => write!(f, "the answer to {id:?}"),
            LineSubject::Text => write!(f, "a line that is not a frame"),
        }
    }
}

/// The host at the other end of stdin.
#[derive(Debug)]
pub(super) struct ReplayHost {
    lines: Receiver<HostLine>,
    aside: VecDeque<HostLine>,
}

impl ReplayHost {
    /// Begins to listen. The thread ends with stdin, or with the program.
    pub(super) fn listen() -> Self {
        let (sender, lines) = sync_channel(AHEAD);
        thread::spawn(move || {
            let mut ear = LineListener { send: |received| sender.send(received).is_ok() };
            let read = InputStream::stdin().read(DEFAULT_LINE_LIMIT, &mut ear);
            if let Err(error) = read {
                output::remark(&format!("replay: {error:#}"));
            }
        });
        ReplayHost { lines, aside: VecDeque::new() }
    }

    /// Waits for a line with this meaning; `None` if stdin ends first.
    pub(super) fn wait_for(&mut self, wanted: &LineSubject) -> Option<HostLine> {
        if let Some(at) = self.aside.iter().position(|received| received.subject == *wanted) {
            return self.aside.remove(at);
        }
        while let Ok(received) = self.lines.recv() {
            if received.subject == *wanted {
                return Some(received);
            }
            output::remark(&format!("replay: waiting for {wanted}, got {}; set aside", received.subject));
            self.aside.push_back(received);
            if self.aside.len() > ASIDE {
                self.aside.pop_front();
            }
        }
        None
    }

    /// Waits until stdin ends.
    pub(super) fn wait_for_end(&mut self) {
        while let Ok(received) = self.lines.recv() {
            output::remark(&format!("replay: waiting for the end of stdin, got {}", received.subject));
        }
    }
}

struct LineListener<F> {
    send: F,
}

impl<F: FnMut(HostLine) -> bool> LineSink for LineListener<F> {
    fn line(&mut self, line: Result<Line<'_>, LineError>) -> anyhow::Result<bool> {
        let received = match line {
            Ok(line) => HostLine::new(line.text),
            Err(error) => {
                output::remark(&format!("replay: {}", error.advised()));
                None
            }
        };
        Ok(received.is_none_or(|received| (self.send)(received)))
    }
}
