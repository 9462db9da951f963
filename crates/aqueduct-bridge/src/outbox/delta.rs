use std::sync::{Arc, OnceLock};

use crate::message::BridgeMessage;
use crate::message::bridge::{TextGrowth, ThinkingGrowth, ToolInputGrowth};

/// Which part of an answer grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeltaKind {
    Text,
    Thinking,
    ToolInput,
}

/// A piece of an answer that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerDelta {
    pub(crate) kind: DeltaKind,
    pub(crate) message_id: Option<String>,
    /// Which of the answer's blocks.
    pub(crate) index: u64,
    /// The tool call that started the subagent.
    pub(crate) parent: Option<String>,
    /// The call's id and tool, where its input grows.
    pub(crate) call: Option<(String, String)>,
    pub(crate) text: String,
}

impl AnswerDelta {
    /// Whether the next piece continues where this one ends: then both can be sent as one.
    fn is_followed_by(&self, next: &AnswerDelta) -> bool {
        self.kind == next.kind
            && self.index == next.index
            && self.message_id == next.message_id
            && self.parent == next.parent
    }

    fn message(&self, session_id: &str) -> BridgeMessage<'_> {
        let message_id = self.message_id.as_deref().map(Into::into);
        let parent = self.parent.as_deref().map(Into::into);
        let session_id = Some(session_id.to_owned().into());
        match self.kind {
            DeltaKind::Text => {
                let mut growth = TextGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.session_id = session_id;
                growth.into()
            }
            DeltaKind::Thinking => {
                let mut growth = ThinkingGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.session_id = session_id;
                growth.into()
            }
            DeltaKind::ToolInput => {
                let mut growth = ToolInputGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.tool_use_id = self.call.as_ref().map(|(id, _)| id.as_str().into());
                growth.tool_name = self.call.as_ref().map(|(_, name)| name.as_str().into());
                growth.session_id = session_id;
                growth.into()
            }
        }
    }
}

/// A piece on its way to clients. They share it, and its message is made once for all.
#[derive(Debug, Clone)]
pub(crate) struct SharedDelta(Arc<DeltaState>);

#[derive(Debug)]
struct DeltaState {
    delta: AnswerDelta,
    text: OnceLock<Arc<str>>,
}

impl SharedDelta {
    pub(crate) fn new(delta: AnswerDelta) -> Self {
        SharedDelta(Arc::new(DeltaState { delta, text: OnceLock::new() }))
    }

    /// A piece of this text.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        SharedDelta::new(AnswerDelta {
            kind: DeltaKind::Text,
            message_id: Some("msg_1".to_owned()),
            index: 0,
            parent: None,
            call: None,
            text: text.to_owned(),
        })
    }

    /// How many bytes it adds to the answer.
    pub(crate) fn bytes(&self) -> usize {
        self.0.delta.text.len()
    }

    /// The message.
    pub(crate) fn text(&self, session_id: &str) -> Arc<str> {
        self.0.text.get_or_init(|| self.0.delta.message(session_id).to_json().into()).clone()
    }

    /// Becomes one with the next piece, where that continues where this one ends.
    pub(crate) fn join(&mut self, next: &SharedDelta) -> bool {
        if !self.0.delta.is_followed_by(&next.0.delta) {
            return false;
        }
        match Arc::get_mut(&mut self.0) {
            Some(own) => {
                own.delta.text.push_str(&next.0.delta.text);
                own.text.take();
            }
            None => {
                let mut delta = self.0.delta.clone();
                delta.text.push_str(&next.0.delta.text);
                *self = SharedDelta::new(delta);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{AnswerDelta, DeltaKind, SharedDelta};

    fn piece(index: u64, text: &str) -> SharedDelta {
        let delta = AnswerDelta {
            kind: DeltaKind::Text,
            message_id: Some("msg_1".to_owned()),
            index,
            parent: None,
            call: None,
            text: text.to_owned(),
        };
        SharedDelta::new(delta)
    }

    #[test]
    fn pieces_become_one_without_touching_those_of_others() {
        let mut waiting = piece(0, "One");
        let elsewhere = waiting.clone();
        assert!(waiting.join(&piece(0, ", two")));
        let reported = waiting.text("s").to_string();
        assert!(reported.contains(r#""text":"One, two""#), "{reported}");
        // Once more, now that it is not shared and its text was built.
        assert!(waiting.join(&piece(0, ", three")));
        assert!(waiting.text("s").contains(r#""text":"One, two, three""#));
        assert!(elsewhere.text("s").contains(r#""text":"One""#));
        assert!(!waiting.join(&piece(1, "Another block")));
        assert_eq!(waiting.bytes(), "One, two, three".len());
    }
}
