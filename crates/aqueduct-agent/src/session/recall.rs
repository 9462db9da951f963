//! What a session restores from the conversation that it resumes.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use aqueduct_model::RequestRole;
use aqueduct_tools::ToolContext;
use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::json::Raw;
use jiff::{SignedDuration, Timestamp};

use crate::history::{History, HistoryEntry};
use crate::transcript::{self, Conversation};

/// The messages, for the model.
pub(crate) fn history(entries: Vec<transcript::ConversationEntry>) -> History {
    let mut history = History::default();
    for entry in entries {
        if entry.is_api_error || entry.content == Raw::NULL {
            continue;
        }
        let role = match entry.role {
            transcript::EntryRole::User => RequestRole::User,
            transcript::EntryRole::Assistant => RequestRole::Assistant,
        };
        history.push(HistoryEntry {
            uuid: entry.uuid,
            role,
            message_id: entry.message_id,
            is_notification: entry.is_notification,
            content: entry.content,
        });
    }
    history
}

/// Restores the state of tools from earlier calls: which files were read, the lists.
pub(super) fn tools(conversation: &Conversation, tool_context: &ToolContext) {
    if let Some(lists) = &conversation.lists {
        tool_context.lists.restore(lists);
    }
    replay(conversation.entries.iter(), tool_context);
}

/// The same of what another process added to a conversation that this one has.
pub(super) fn added_tools(conversation: &Conversation, had: &History, tool_context: &ToolContext) {
    let known: HashSet<&str> = had.uuids().collect();
    let is_new = |entry: &&transcript::ConversationEntry| !known.contains(entry.uuid.as_str());
    // Lists are kept where a conversation is compacted. Those of a compaction that is known are out of date.
    let is_compacted = conversation.entries.first().is_some_and(|first| is_new(&first));
    if let Some(lists) = conversation.lists.as_ref().filter(|_| is_compacted) {
        tool_context.lists.restore(lists);
    }
    replay(conversation.entries.iter().filter(is_new), tool_context);
}

fn replay<'e>(entries: impl Iterator<Item = &'e transcript::ConversationEntry>, tool_context: &ToolContext) {
    let mut calls: HashMap<String, (String, Raw<'static>)> = HashMap::new();
    for entry in entries {
        // Most of what is said is no call and no result, and need not be read.
        if !is_about_tools(entry.content.as_str()) {
            continue;
        }
        let Some(content) = entry.content.view::<Content<'_>>() else { continue };
        for block in content.blocks() {
            match block {
                ContentBlock::ToolUse(call) => {
                    let input = call.input.clone().into_owned();
                    calls.insert(call.id.to_string(), (call.name.to_string(), input));
                }
                ContentBlock::ToolResult(block) if block.is_error != Some(true) => {
                    let call = calls.remove(block.tool_use_id.as_str());
                    if let (Some((tool, input)), Some(result)) = (call, &entry.tool_use_result) {
                        tool_context.replay(&tool, &input, result, end_of(entry.timestamp.as_deref()));
                    }
                }
                _ => (),
            }
        }
    }
}

/// Whether a content may hold a call of a tool, or a result.
fn is_about_tools(content: &str) -> bool {
    let holds = |word: &str| memchr::memmem::find(content.as_bytes(), word.as_bytes()).is_some();
    holds("tool_use") || holds("tool_result")
}

/// The latest time that a timestamp of a transcript can mean: it is truncated to milliseconds. Without a
/// timestamp it is the epoch, so that every file counts as changed since.
fn end_of(time: Option<&str>) -> SystemTime {
    let tick = SignedDuration::from_millis(1);
    let end = time.and_then(|time| time.parse::<Timestamp>().ok()?.checked_add(tick).ok());
    end.map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
}
