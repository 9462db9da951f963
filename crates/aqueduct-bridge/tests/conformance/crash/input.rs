//! Inputs: what they make an agent do, and what the client knows about them.

use std::time::Instant;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::effects::Effect;
use crate::options::Agent;

/// What an input makes the agent do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// A short answer.
    Say,
    /// A long answer, in pieces with a pause after each.
    Slow { pieces: u32 },
    /// A call that needs a permission.
    Ask,
    /// A question to the user.
    Question,
}

impl Work {
    pub(crate) fn random(random: &mut Rng) -> Work {
        match random.u8(..10) {
            0..=2 => Work::Say,
            3..=4 => Work::Slow { pieces: random.u32(5..40) },
            5..=8 => Work::Ask,
            _ => Work::Question,
        }
    }

    /// The prompt that makes an agent do this.
    pub(crate) fn prompt(self, agent: Agent, mark: &str) -> String {
        match agent {
            Agent::Plain => {
                let work = match self {
                    Work::Say => "say".to_owned(),
                    Work::Slow { pieces } => format!("slow {pieces}"),
                    Work::Ask => "ask".to_owned(),
                    Work::Question => "question".to_owned(),
                };
                format!("{mark} {work}")
            }
            Agent::Own | Agent::Reference => {
                let tool =
                    |name: &str, input: Value| format!("{mark}\n@tool {name} {input}\n@say done {mark}");
                match self {
                    Work::Say => format!("{mark}\n@say done {mark}"),
                    Work::Slow { pieces } => format!("{mark}\n@slow {pieces} 0.008"),
                    Work::Ask => {
                        let command =
                            format!("echo {} {mark} >> {}", Effect::Did.word(), crate::effects::FILE);
                        tool("Bash", json!({"command": command, "description": "Append a line"}))
                    }
                    Work::Question => tool("AskUserQuestion", question()),
                }
            }
        }
    }

    /// The mark and the work of a prompt for the plain agent.
    pub(crate) fn parse(prompt: &str) -> (String, Work) {
        let mut words = prompt.split_whitespace();
        let mark = words.next().unwrap_or("none").to_owned();
        let work = match words.next() {
            Some("slow") => {
                Work::Slow { pieces: words.next().and_then(|pieces| pieces.parse().ok()).unwrap_or(1) }
            }
            Some("ask") => Work::Ask,
            Some("question") => Work::Question,
            _ => Work::Say,
        };
        (mark, work)
    }
}

/// The input of `AskUserQuestion`.
pub(crate) fn question() -> Value {
    let options = json!([{"label": "Red", "description": "Red"}, {"label": "Blue", "description": "Blue"}]);
    json!({"questions": [
        {"question": "Which colour?", "header": "Colour", "multiSelect": false, "options": options}
    ]})
}

/// An input as its client knows it.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// Unique over a round; also its `clientMessageId`.
    pub(crate) mark: String,
    pub(crate) work: Work,
    pub(crate) text: String,
    /// When it was sent for the first time.
    pub(crate) since: Instant,
    /// The bridge's id, once it is acknowledged.
    pub(crate) id: Option<String>,
    /// The newest state that the bridge named.
    pub(crate) state: String,
    /// A client received that it was removed from the queue.
    pub(crate) was_cancelled: bool,
}

impl Input {
    pub(crate) fn new(agent: Agent, session: usize, number: usize, work: Work) -> Input {
        let mark = format!("m{session}x{number:04}");
        let text = work.prompt(agent, &mark);
        Input {
            mark,
            work,
            text,
            since: Instant::now(),
            id: None,
            state: String::new(),
            was_cancelled: false,
        }
    }

    pub(crate) fn is_acknowledged(&self) -> bool {
        self.id.is_some()
    }

    /// Nothing more happens to it.
    pub(crate) fn is_final(&self) -> bool {
        ["done", "cancelled"].contains(&self.state.as_str())
    }
}
