//! What frames report about earlier messages.

use crate::block::{Content, ContentBlock};
use crate::frame::{AssistantFrame, UserFrame};
use crate::json::Str;
use crate::system::SystemFrame;

/// The reference CLI's user message for an interrupted turn; more text may follow.
const INTERRUPTION: &str = "[Request interrupted by user";

/// Whether the frame is the notice that the user interrupted the turn.
pub(super) fn is_interruption(frame: &UserFrame<'_>) -> bool {
    if frame.is_replay == Some(true) {
        return false;
    }
    match &frame.message.content {
        Content::Text(text) => text.starts_with(INTERRUPTION),
        Content::Blocks(blocks) => blocks
            .iter()
            .any(|block| matches!(block, ContentBlock::Text(block) if block.text.starts_with(INTERRUPTION))),
    }
}

/// The tool calls that the frame answers, each with whether it failed.
pub(super) fn answered_calls<'f>(frame: &'f UserFrame<'_>) -> impl Iterator<Item = (&'f str, bool)> {
    frame.message.content.blocks().iter().filter_map(|block| match block {
        ContentBlock::ToolResult(result) => {
            Some((result.tool_use_id.as_str(), result.is_error.unwrap_or(false)))
        }
        _ => None,
    })
}

/// The `uuid`s of the frames that this one takes the place of.
pub(super) fn superseded<'f>(frame: &'f AssistantFrame<'_>) -> Vec<&'f str> {
    frame.supersedes.iter().flatten().map(Str::as_str).collect()
}

/// The `uuid`s of the frames that are taken back because another model answers in their place.
pub(super) fn retracted<'f>(frame: &'f SystemFrame<'_>) -> Vec<&'f str> {
    match frame {
        SystemFrame::ModelRefusalFallback(frame) => {
            frame.retracted_message_uuids.iter().flatten().map(Str::as_str).collect()
        }
        _ => Vec::new(),
    }
}

/// The call of the subagent that ended.
pub(super) fn ended_subagent<'f>(frame: &'f SystemFrame<'_>) -> Option<&'f str> {
    match frame {
        SystemFrame::TaskNotification(frame) => frame.tool_use_id.as_deref(),
        _ => None,
    }
}
