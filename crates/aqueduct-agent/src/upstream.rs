//! The output of another agent whose stdout is this agent's stdin: `agent … | agent …`.

use std::fmt::Write as _;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::frame::{AssistantFrame, UserFrame};
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::SystemFrame;

/// An agent upstream. Its output is passed to this agent's model as text, before the next prompt: a model accepts
/// only calls of tools that it has, and only as an answer to a prompt.
#[derive(Debug, Default)]
pub(crate) struct Upstream {
    /// The session of its frames, from its `init`.
    session: Option<String>,
    /// Its output since the last prompt.
    conversation: String,
}

impl Upstream {
    /// Takes in a frame that no host sends. Gives whether an agent does.
    pub(crate) fn take_frame(&mut self, frame: &Raw<'_>) -> bool {
        match FromAgent::parse(frame.as_str()) {
            Ok(FromAgent::System(SystemFrame::Init(init))) => {
                self.session = Some(init.session_id.to_string())
            }
            Ok(FromAgent::Assistant(frame)) => self.hear_answer(&frame),
            Ok(FromAgent::Unknown(_)) | Err(_) => return false,
            Ok(_) => (),
        }
        true
    }

    /// Takes in a `user` frame if it is the other agent's own: a tool's result, a prompt that it repeats.
    pub(crate) fn hear_user(&mut self, frame: &UserFrame<'_>) -> bool {
        let session = frame.session_id.as_deref();
        let is_its_own = session.is_some() && session == self.session.as_deref();
        if is_its_own {
            self.hear_content(&frame.message.content);
        }
        is_its_own
    }

    /// Whether there is such an agent.
    pub(crate) fn is_there(&self) -> bool {
        self.session.is_some()
    }

    /// Takes its output since the last call.
    pub(crate) fn take(&mut self) -> Option<String> {
        let conversation = std::mem::take(&mut self.conversation);
        (!conversation.is_empty())
            .then(|| format!("Another agent worked before you. What it did and said:\n\n{conversation}"))
    }

    fn hear_answer(&mut self, frame: &AssistantFrame<'_>) {
        for block in &frame.message.content {
            self.hear_block("It", block);
        }
    }

    fn hear_content(&mut self, content: &Content<'_>) {
        match content {
            Content::Blocks(blocks) => blocks.iter().for_each(|block| self.hear_block("The user", block)),
            content => self.note("The user said", &content.text()),
        }
    }

    fn hear_block(&mut self, who: &str, block: &ContentBlock<'_>) {
        match block {
            ContentBlock::Text(text) => self.note(&format!("{who} said"), &text.text),
            ContentBlock::ToolUse(call) => {
                self.note(&format!("{who} called {}", call.name), call.input.as_str());
            }
            ContentBlock::ToolResult(result) => {
                let how = if result.is_error == Some(true) { "The call failed" } else { "The call gave" };
                let text = result.content.as_ref().map(Content::text).unwrap_or_default();
                self.note(how, &text);
            }
            _ => (),
        }
    }

    fn note(&mut self, what: &str, text: &str) {
        let _ = writeln!(self.conversation, "{what}: {text}\n");
    }
}
