//! What the scripted model looks for in a conversation.

use aqueduct_wire::block::{Content, ContentBlock, ToolResultBlock};

use super::line::is_script;
use crate::request::{ModelMessage, ModelTool, Request, RequestRole};

/// How hosts begin what they put beside the user's own words.
const REMINDER: &str = "<system-reminder>";

/// A conversation, as far as a script can depend on it.
pub(super) struct ScriptConversation<'r> {
    request: &'r Request,
}

/// A message of the user, and how many turns of the model have followed it.
pub(super) struct UserPrompt {
    pub(super) text: String,
    pub(super) turns: u64,
}

impl<'r> ScriptConversation<'r> {
    pub(super) fn new(request: &'r Request) -> Self {
        ScriptConversation { request }
    }

    /// The newest script in the user's words: its lines. Prompts that got no answer are in one message with the next
    /// prompt, a text block each: the last one counts.
    pub(super) fn script(&self) -> Option<UserPrompt> {
        self.newest(|message| {
            texts(message).iter().rev().find_map(|text| {
                let lines: Vec<&str> = text.lines().filter(|line| is_script(line)).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            })
        })
    }

    /// The newest words of the user, without what hosts put beside them.
    pub(super) fn prompt(&self) -> UserPrompt {
        let own = |message: &ModelMessage| {
            let mut texts = texts(message);
            texts.retain(|text| !text.trim_start().starts_with(REMINDER));
            (!texts.is_empty()).then(|| texts.join("\n"))
        };
        self.newest(own).unwrap_or(UserPrompt { text: String::new(), turns: self.turns_after(0) })
    }

    /// What the tools gave back in the newest message; `None` if it has no results.
    pub(super) fn results(&self) -> Option<String> {
        let texts: Vec<String> = self.each_result(result_text);
        (!texts.is_empty()).then(|| texts.concat())
    }

    /// Whether a tool failed or was not allowed, in the newest message.
    pub(super) fn has_failed(&self) -> bool {
        self.each_result(|result| result.is_error == Some(true)).contains(&true)
    }

    /// The model's name.
    pub(super) fn model(&self) -> &str {
        &self.request.model
    }

    /// The system prompt.
    pub(super) fn system(&self) -> String {
        self.request.system.join("\n")
    }

    /// Whether the model may call a tool.
    pub(super) fn has_tool(&self, wanted: &str) -> bool {
        self.request.tools.iter().any(|tool| matches!(tool, ModelTool::Local { name, .. } if name == wanted))
    }

    fn newest(&self, find: impl Fn(&ModelMessage) -> Option<String>) -> Option<UserPrompt> {
        let messages = self.request.messages.iter().enumerate().rev();
        let mut users = messages.filter(|(_, message)| message.role == RequestRole::User);
        users.find_map(|(place, message)| {
            find(message).map(|text| UserPrompt { text, turns: self.turns_after(place) })
        })
    }

    fn turns_after(&self, place: usize) -> u64 {
        let later = self.request.messages.iter().skip(place);
        later.filter(|message| message.role == RequestRole::Assistant).count() as u64
    }

    fn each_result<T>(&self, look: impl Fn(&ToolResultBlock<'_>) -> T) -> Vec<T> {
        let Some(message) = self.request.messages.last() else { return Vec::new() };
        let Some(content) = message.content.view::<Content<'_>>() else { return Vec::new() };
        let results = content.blocks().iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(look(result)),
            _ => None,
        });
        results.collect()
    }
}

fn result_text(result: &ToolResultBlock<'_>) -> String {
    match &result.content {
        None => String::new(),
        Some(Content::Text(text)) => text.to_string(),
        Some(content) => {
            let texts = content.blocks().iter().filter_map(|block| match block {
                ContentBlock::Text(block) => Some(block.text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join(" ")
        }
    }
}

fn texts(message: &ModelMessage) -> Vec<String> {
    match message.content.view::<Content<'_>>() {
        Some(Content::Text(text)) => vec![text.into_string()],
        Some(Content::Blocks(blocks)) => {
            let texts = blocks.into_iter().filter_map(|block| match block {
                ContentBlock::Text(block) => Some(block.text.into_string()),
                _ => None,
            });
            texts.collect()
        }
        _ => Vec::new(),
    }
}
