//! JSON-RPC as used by MCP: messages read and written, for any transport.

use std::fmt;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpError, McpId, McpMessage};

use aqueduct_wire::json::read as read_json;

/// The code for a method that is not there.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;

/// The code for a failure of one's own.
pub(crate) const INTERNAL_ERROR: i64 = -32603;

/// A message of a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ServerMessage {
    /// The answer to a request of ours.
    Answer {
        /// The request's number.
        id: u64,
        /// What came of it.
        outcome: Result<Raw<'static>, JsonRpcError>,
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
pub struct JsonRpcError {
    /// JSON-RPC's code.
    pub code: i64,
    /// In words.
    pub message: String,
}

impl fmt::Display for JsonRpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message.trim() {
            "" => write!(f, "error {}", self.code),
            message => f.write_str(message),
        }
    }
}

/// A text that is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    /// It is not JSON.
    #[error("not JSON")]
    NotJson,
    /// It is JSON, and neither a request nor a notification nor an answer to one of ours.
    #[error("no message of JSON-RPC")]
    NoMessage,
}

/// Reads what a server sent: a message, or a list of them. What is wrong in a list costs no other entry.
pub(crate) fn read(text: &str) -> Vec<Result<ServerMessage, InvalidMessage>> {
    let Ok(raw) = Raw::parse(text) else { return vec![Err(InvalidMessage::NotJson)] };
    match read_json::<Vec<Raw<'_>>>(raw.as_str()) {
        Some(list) => list.iter().map(|entry| classify(entry.as_str())).collect(),
        None => vec![classify(raw.as_str())],
    }
}

fn classify(text: &str) -> Result<ServerMessage, InvalidMessage> {
    let message: McpMessage<'_> = read_json(text).ok_or(InvalidMessage::NoMessage)?;
    let params = message.params.map_or(Raw::NULL, |params| params.into_owned());
    match (message.method, message.id) {
        (Some(method), Some(id)) => {
            Ok(ServerMessage::Request { id: id.into_owned(), method: method.to_string(), params })
        }
        (Some(method), None) => Ok(ServerMessage::Notification { method: method.to_string(), params }),
        (None, Some(McpId::Number(id))) => {
            let id = id.as_u64().ok_or(InvalidMessage::NoMessage)?;
            let outcome = match (message.error, message.result) {
                (Some(error), _) => Err(JsonRpcError::from(error)),
                (None, Some(result)) => Ok(result.into_owned()),
                // An error of another shape than it should have, or nothing at all.
                (None, None) => Err(JsonRpcError { code: INTERNAL_ERROR, message: text.to_owned() }),
            };
            Ok(ServerMessage::Answer { id, outcome })
        }
        _ => Err(InvalidMessage::NoMessage),
    }
}

impl From<McpError<'_>> for JsonRpcError {
    fn from(error: McpError<'_>) -> Self {
        JsonRpcError {
            code: error.code.as_i64().unwrap_or(INTERNAL_ERROR),
            message: error.message.map(|message| message.to_string()).unwrap_or_default(),
        }
    }
}

/// The outcome in an answer of the host, whatever id it has.
pub(crate) fn outcome(answer: McpMessage<'_>) -> Result<Raw<'static>, JsonRpcError> {
    match (answer.error, answer.result) {
        (Some(error), _) => Err(error.into()),
        (None, Some(result)) => Ok(result.into_owned()),
        (None, None) => Err(JsonRpcError {
            code: INTERNAL_ERROR,
            message: "the answer has neither a result nor an error".to_owned(),
        }),
    }
}

/// A request of ours.
pub(crate) fn request(id: u64, method: &str, params: Option<Raw<'static>>) -> McpMessage<'static> {
    let mut message = notification(method, params);
    message.id = Some(McpId::Number(id.into()));
    message
}

/// Something that the server should know.
pub(crate) fn notification(method: &str, params: Option<Raw<'static>>) -> McpMessage<'static> {
    let mut message = McpMessage::new();
    message.jsonrpc = Some("2.0".into());
    message.method = Some(method.to_owned().into());
    message.params = params;
    message
}

/// The answer to a request of a server.
pub(crate) fn answer(id: McpId<'static>, outcome: Result<Raw<'static>, JsonRpcError>) -> McpMessage<'static> {
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

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::{Number, Raw};
    use aqueduct_wire::mcp::McpId;
    use proptest::prelude::*;
    use serde_json::json;

    use super::{
        INTERNAL_ERROR, InvalidMessage, JsonRpcError, ServerMessage, answer, notification, read, request,
    };

    fn one(text: &str) -> Result<ServerMessage, InvalidMessage> {
        let mut read = read(text);
        assert_eq!(read.len(), 1, "{text}");
        read.remove(0)
    }

    #[test]
    fn messages_of_a_broken_server_are_distinguished() {
        assert_eq!(one("hello"), Err(InvalidMessage::NotJson));
        for text in [
            "5",
            "{}",
            "null",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"id":"mine","result":1}"#,
            r#"{"id":-1,"result":1}"#,
        ] {
            assert_eq!(one(text), Err(InvalidMessage::NoMessage), "{text}");
        }
        // An error of another shape is an error all the same.
        let Ok(ServerMessage::Answer { id: 3, outcome: Err(refusal) }) = one(r#"{"id":3,"error":"no"}"#)
        else {
            panic!("no answer");
        };
        assert_eq!(refusal.code, INTERNAL_ERROR);
        // A method makes it a request, whatever else is there.
        let incoming = one(r#"{"method":"ping","id":"x","result":{}}"#);
        assert!(matches!(incoming, Ok(ServerMessage::Request { .. })), "{incoming:?}");
    }

    #[test]
    fn a_list_loses_nothing_but_what_is_wrong_in_it() {
        let read = read(r#"[{"method":"a"}, 5, {"id":1,"result":null}]"#);
        assert!(matches!(
            &read[..],
            [Ok(ServerMessage::Notification { .. }), Err(_), Ok(ServerMessage::Answer { id: 1, .. })]
        ));
        assert_eq!(super::read("[]"), []);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in ".{0,200}") {
            read(&text);
        }

        #[test]
        fn any_object_can_be_read(
            id in prop_oneof![Just(json!(null)), any::<i64>().prop_map(Into::into), ".{0,5}".prop_map(Into::into)],
            method in prop_oneof![Just(json!(null)), Just(json!(7)), "[a-z/]{0,9}".prop_map(Into::into)],
            error in prop_oneof![Just(json!(null)), Just(json!({ "code": "x" })), Just(json!({ "code": 1 }))],
        ) {
            let text = json!({ "id": id, "method": method, "error": error, "params": [1] }).to_string();
            prop_assert_eq!(read(&text).len(), 1);
        }

        #[test]
        fn what_is_written_is_read_as_it_was(id in 0..u64::MAX, method in "[ -~]{1,20}", text in ".{0,20}", fails: bool) {
            let params = Raw::from(&json!({ "text": text }));
            let written = Raw::written(&request(id, &method, Some(params.clone())));
            let asked = ServerMessage::Request { id: McpId::Number(Number::from(id)), method: method.clone(), params: params.clone() };
            prop_assert_eq!(one(written.as_str()), Ok(asked));
            let written = Raw::written(&notification(&method, Some(params.clone())));
            prop_assert_eq!(one(written.as_str()), Ok(ServerMessage::Notification { method, params: params.clone() }));
            let outcome = if fails { Err(JsonRpcError { code: -5, message: text }) } else { Ok(params) };
            let written = Raw::written(&answer(McpId::Number(id.into()), outcome.clone()));
            prop_assert_eq!(one(written.as_str()), Ok(ServerMessage::Answer { id, outcome }));
        }
    }
}
