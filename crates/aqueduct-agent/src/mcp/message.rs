//! JSON-RPC as MCP speaks it: messages read and written, whatever carries them.

use std::fmt;

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpError, McpId, McpMessage};

use crate::json_text::read as read_json;

/// The code for a method that is not there.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// The code for a failure of one's own.
pub(super) const INTERNAL_ERROR: i64 = -32603;

/// What a server says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Incoming {
    /// The answer to a request of ours.
    Answer {
        /// The request's number.
        id: u64,
        /// What came of it.
        outcome: Result<Raw<'static>, Refusal>,
    },
    /// A request, to be answered.
    Request {
        /// Its id, to be sent back as it came.
        id: McpId<'static>,
        /// What is wanted.
        method: String,
        /// With what; `null` for nothing.
        params: Raw<'static>,
    },
    /// Something to know.
    Notification {
        /// What.
        method: String,
        /// The details; `null` for none.
        params: Raw<'static>,
    },
}

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    /// JSON-RPC's code.
    pub(super) code: i64,
    /// In words.
    pub(super) message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message.trim() {
            "" => write!(f, "error {}", self.code),
            message => f.write_str(message),
        }
    }
}

/// A text that is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unreadable {
    /// It is not JSON.
    #[error("not JSON")]
    NotJson,
    /// It is JSON, and neither a request nor a notification nor an answer to one of ours.
    #[error("no message of JSON-RPC")]
    NoMessage,
}

/// Reads what a server sent: a message, or a list of them. What is wrong in a list costs no other entry.
pub(super) fn read(text: &str) -> Vec<Result<Incoming, Unreadable>> {
    let Ok(raw) = Raw::parse(text) else { return vec![Err(Unreadable::NotJson)] };
    match read_json::<Vec<Raw<'_>>>(raw.as_str()) {
        Some(list) => list.iter().map(|entry| classify(entry.as_str())).collect(),
        None => vec![classify(raw.as_str())],
    }
}

fn classify(text: &str) -> Result<Incoming, Unreadable> {
    let message: McpMessage<'_> = read_json(text).ok_or(Unreadable::NoMessage)?;
    let params = message.params.map_or(Raw::NULL, |params| params.into_owned());
    match (message.method, message.id) {
        (Some(method), Some(id)) => {
            Ok(Incoming::Request { id: id.into_owned(), method: method.to_string(), params })
        }
        (Some(method), None) => Ok(Incoming::Notification { method: method.to_string(), params }),
        (None, Some(McpId::Number(id))) => {
            let id = id.as_u64().ok_or(Unreadable::NoMessage)?;
            let outcome = match (message.error, message.result) {
                (Some(error), _) => Err(Refusal::from(error)),
                (None, Some(result)) => Ok(result.into_owned()),
                // An error of another shape than it should have, or nothing at all.
                (None, None) => Err(Refusal { code: INTERNAL_ERROR, message: text.to_owned() }),
            };
            Ok(Incoming::Answer { id, outcome })
        }
        _ => Err(Unreadable::NoMessage),
    }
}

impl From<McpError<'_>> for Refusal {
    fn from(error: McpError<'_>) -> Self {
        Refusal {
            code: error.code.as_i64().unwrap_or(INTERNAL_ERROR),
            message: error.message.map(|message| message.to_string()).unwrap_or_default(),
        }
    }
}

/// The outcome that an answer of the host tells, whatever id it has.
pub(super) fn outcome(answer: McpMessage<'_>) -> Result<Raw<'static>, Refusal> {
    match (answer.error, answer.result) {
        (Some(error), _) => Err(error.into()),
        (None, Some(result)) => Ok(result.into_owned()),
        (None, None) => Err(Refusal {
            code: INTERNAL_ERROR,
            message: "the answer has neither a result nor an error".to_owned(),
        }),
    }
}

/// A request of ours.
pub(super) fn request(id: u64, method: &str, params: Option<Raw<'static>>) -> McpMessage<'static> {
    let mut message = notification(method, params);
    message.id = Some(McpId::Number(id.into()));
    message
}

/// Something that the server should know.
pub(super) fn notification(method: &str, params: Option<Raw<'static>>) -> McpMessage<'static> {
    let mut message = McpMessage::new();
    message.jsonrpc = Some("2.0".into());
    message.method = Some(method.to_owned().into());
    message.params = params;
    message
}

/// The answer to a request of a server.
pub(super) fn answer(id: McpId<'static>, outcome: Result<Raw<'static>, Refusal>) -> McpMessage<'static> {
    let mut message = McpMessage::new();
    message.jsonrpc = Some("2.0".into());
    message.id = Some(id);
    match outcome {
        Ok(result) => message.result = Some(result),
        Err(refusal) => {
            let mut error = McpError::new(refusal.code);
            error.message = Some(refusal.message.into());
            message.error = Some(error);
        }
    }
    message
}
