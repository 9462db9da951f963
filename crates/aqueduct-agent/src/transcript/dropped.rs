//! What a resumption leaves out of a conversation.

use std::fs::File;

use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::transcript::{Chain, ChainSelection, TranscriptIndex};

use super::conversation::{Conversation, ConversationEntry, EntryRole};
use super::{Project, TranscriptFileError};

/// Checks that exactly one turn follows the message `at`: the turn of the prompt `turn`.
pub(crate) fn check_dropped(
    project: &Project,
    from: &str,
    at: &str,
    turn: &str,
) -> Result<(), TranscriptFileError> {
    let path = project.existing(from)?;
    let read = |error| TranscriptFileError::Read { path: path.clone(), error };
    let file = File::open(&path).map_err(read)?;
    let index = TranscriptIndex::read(&file).map_err(read)?;
    let chain = Chain::of(&index, &ChainSelection::default());
    let conversation = Conversation::read(&file, &index, &chain).map_err(read)?;
    let refuse = |found: String| Err(TranscriptFileError::DropsMore { turn: turn.to_owned(), found });
    let Some(place) = conversation.entries.iter().position(|entry| entry.uuid == at) else {
        return refuse(format!("the message {at} is not in the current conversation"));
    };
    let behind: Vec<&ConversationEntry> =
        conversation.entries[place + 1..].iter().filter(|entry| is_prompt(entry)).collect();
    match behind.as_slice() {
        [] => refuse(format!("no prompt follows the message {at}")),
        [first, ..] if first.uuid != turn => {
            refuse(format!("the prompt {} follows the message {at}", first.uuid))
        }
        [_] => Ok(()),
        [_, second, ..] => refuse(format!("the prompt {} would go as well", second.uuid)),
    }
}

/// Whether a message is the user's own, and not a tool's or the program's.
fn is_prompt(entry: &ConversationEntry) -> bool {
    let is_result = |block: &ContentBlock<'_>| matches!(block, ContentBlock::ToolResult(_));
    let content = entry.content.view::<Content<'_>>();
    let has_results = content.is_some_and(|content| match &content {
        Content::Blocks(blocks) => blocks.iter().any(is_result),
        _ => false,
    });
    entry.role == EntryRole::User && !entry.is_meta && !entry.is_compact_summary && !has_results
}
