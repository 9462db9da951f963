//! What a session knows from the conversation that it goes on with.

use std::collections::HashMap;
use std::time::SystemTime;

use aqueduct_model::Role;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::{IntoOwned, Raw};
use aqueduct_wire::message::UserMessage as AnyMessage;
use jiff::{SignedDuration, Timestamp};

use crate::history::{Entry, History};
use crate::tool::Workshop;
use crate::transcript::{self, Conversation};

/// What was said, for the model.
pub(super) fn history(conversation: &Conversation) -> History {
    let mut history = History::default();
    for entry in conversation.entries.iter().filter(|entry| !entry.is_api_error) {
        let role = match entry.role {
            transcript::Role::User => Role::User,
            transcript::Role::Assistant => Role::Assistant,
        };
        if let Some(entry) = Entry::of(&entry.uuid, role, &entry.message) {
            history.push(entry);
        }
    }
    history
}

/// Tells the tools what earlier calls did: which files were read, what is on the lists.
pub(super) fn tools(conversation: &Conversation, workshop: &Workshop) {
    if let Some(lists) = &conversation.lists {
        workshop.restore_lists(lists);
    }
    let mut calls: HashMap<String, (String, Raw<'static>)> = HashMap::new();
    for entry in &conversation.entries {
        let Some(message) = entry.message.view::<AnyMessage<'_>>() else { continue };
        for block in message.content.blocks() {
            match block {
                ContentBlock::ToolUse(call) => {
                    let input = call.input.clone().into_owned();
                    calls.insert(call.id.to_string(), (call.name.to_string(), input));
                }
                ContentBlock::ToolResult(block) if block.is_error != Some(true) => {
                    let call = calls.remove(block.tool_use_id.as_str());
                    if let (Some((tool, input)), Some(result)) = (call, &entry.tool_use_result) {
                        workshop.replay(&tool, &input, result, end_of(entry.timestamp.as_deref()));
                    }
                }
                _ => (),
            }
        }
    }
}

/// The last moment that a time of a transcript can mean: it is cut off behind its milliseconds. Without a
/// time it is long ago, so that every file counts as changed since.
fn end_of(time: Option<&str>) -> SystemTime {
    let tick = SignedDuration::from_millis(1);
    let end = time.and_then(|time| time.parse::<Timestamp>().ok()?.checked_add(tick).ok());
    end.map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
}
