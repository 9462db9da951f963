//! A message that was on the agent's stdout: from then on it must not be lost.

use std::fmt;

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub(in crate::conformance) enum Acknowledged {
    /// A prompt that the agent echoed.
    Prompt(String),
    /// A block of the model's message.
    Block { message: String, block: Value },
    /// The answer of a tool.
    ToolResult(String),
}

impl Acknowledged {
    /// What a frame acknowledges: nothing, or each of its blocks.
    pub(in crate::conformance) fn in_frame(frame: &Value) -> Vec<Self> {
        let blocks = || frame["message"]["content"].as_array().into_iter().flatten();
        match frame["type"].as_str() {
            Some("assistant") => {
                let message = frame["message"]["id"].as_str().unwrap_or_default();
                blocks()
                    .map(|block| Self::Block { message: message.to_owned(), block: block.clone() })
                    .collect()
            }
            Some("user") => blocks()
                .filter_map(|block| match (block["tool_use_id"].as_str(), block["text"].as_str()) {
                    (Some(id), _) => Some(Self::ToolResult(id.to_owned())),
                    (None, Some(text)) if frame["isReplay"] == true => Some(Self::Prompt(text.to_owned())),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it must be sent to the model again. A call whose answer never came may be left out: the
    /// Messages API takes no call without an answer.
    pub(in crate::conformance) fn is_sent(&self, all: &[Self]) -> bool {
        match self {
            Self::Block { block, .. } if block["type"] == "tool_use" => {
                all.iter().any(|other| matches!(other, Self::ToolResult(id) if block["id"] == id.as_str()))
            }
            _ => true,
        }
    }

    /// Whether a message, in a request or in a transcript, holds it.
    pub(in crate::conformance) fn is_in_message(&self, message: &Value) -> bool {
        let blocks = || message["content"].as_array().into_iter().flatten();
        match self {
            Self::Prompt(text) => {
                let whole = message["content"].as_str().is_some_and(|content| content.contains(text));
                whole
                    || blocks().any(|block| block["text"].as_str().is_some_and(|block| block.contains(text)))
            }
            Self::Block { block, .. } => blocks().any(|other| is_same_block(block, other)),
            Self::ToolResult(id) => blocks().any(|block| block["tool_use_id"] == id.as_str()),
        }
    }

    pub(in crate::conformance) fn is_in_request(&self, messages: &Value) -> bool {
        messages.as_array().into_iter().flatten().any(|message| self.is_in_message(message))
    }
}

/// Blocks are sent with marks for the cache: only what makes a block the same is looked at.
fn is_same_block(one: &Value, other: &Value) -> bool {
    ["type", "id", "text", "name", "input"].iter().all(|member| one[*member] == other[*member])
}

impl fmt::Display for Acknowledged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prompt(text) => write!(f, "the prompt {:?}", text.lines().next().unwrap_or_default()),
            Self::Block { message, block } => match block["type"].as_str() {
                Some("tool_use") => write!(f, "the call {} of {} in {message}", block["id"], block["name"]),
                _ => write!(f, "the text {} of {message}", block["text"]),
            },
            Self::ToolResult(id) => write!(f, "the answer to {id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_a_host_may_rely_on_is_acknowledged() {
        let count = |frame: Value| Acknowledged::in_frame(&frame).len();
        let text = json!([{ "type": "text", "text": "hi" }]);
        assert_eq!(count(json!({ "type": "user", "message": { "content": text } })), 0);
        assert_eq!(count(json!({ "type": "user", "isReplay": true, "message": { "content": text } })), 1);
        assert_eq!(count(json!({ "type": "assistant", "message": { "id": "m", "content": text } })), 1);
        assert_eq!(count(json!({ "type": "stream_event", "event": { "type": "message_stop" } })), 0);
    }

    #[test]
    fn a_call_is_sent_when_it_was_answered() {
        let call =
            Acknowledged::Block { message: "m".into(), block: json!({ "type": "tool_use", "id": "t" }) };
        assert!(!call.is_sent(&[]));
        assert!(call.is_sent(&[Acknowledged::ToolResult("t".into())]));
    }

    #[test]
    fn marks_for_the_cache_do_not_hide_a_block() {
        let text =
            Acknowledged::Block { message: "m".into(), block: json!({ "type": "text", "text": "hi" }) };
        let sent = json!([{ "role": "assistant", "content": [
            { "type": "text", "text": "hi", "cache_control": { "type": "ephemeral" } }
        ] }]);
        assert!(text.is_in_request(&sent));
        assert!(!text.is_in_request(&json!([{ "role": "assistant", "content": [] }])));
    }
}
