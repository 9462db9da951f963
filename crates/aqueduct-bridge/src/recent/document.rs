//! Stored messages as frames again, for documents.

use aqueduct_client::transcript::Document;
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, MediaBlock, TextBlock, ToolResultBlock};
use aqueduct_wire::frame::{AssistantFrame, UserFrame};
use aqueduct_wire::json::{IntoOwned, Str};
use aqueduct_wire::media::{Base64Source, MediaSource};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::{CompactBoundary, CompactMetadata, SystemFrame};
use jiff::Timestamp;
use std::io;

use crate::log::LogEvent;
use crate::message::BridgeMessage;
use crate::message::bridge::{ImageContent, SystemSubtype, ToolOutput, UserInput, UserInputSource};

/// Writes events of the log, subagents in sections of their own.
pub(super) fn write(document: &mut Document<'_>, events: &[LogEvent]) -> io::Result<()> {
    let mut speaker: Option<String> = None;
    for event in events {
        let Ok(message) = BridgeMessage::parse(&event.payload) else { continue };
        let Some((frame, call)) = frame(&message) else { continue };
        if call != speaker {
            if speaker.is_some() {
                document.subagent_ends()?;
            }
            if call.is_some() {
                document.subagent_begins("subagent")?;
            }
            speaker = call;
        }
        let time = Timestamp::from_millisecond(event.time.0).ok().map(|time| time.to_string());
        match frame {
            DocumentEntry::Frame(frame) => document.frame(&frame, time.as_deref())?,
            DocumentEntry::Note(note) => document.other(note, time.as_deref())?,
        }
    }
    if speaker.is_some() {
        document.subagent_ends()?;
    }
    Ok(())
}

/// What a document can show.
enum DocumentEntry {
    Frame(FromAgent<'static>),
    Note(&'static str),
}

/// The text of a message, and the call of the subagent that wrote it; `None` for what is not part of the
/// conversation.
fn frame(message: &BridgeMessage<'_>) -> Option<(DocumentEntry, Option<String>)> {
    let owned = |call: &Option<Str<'_>>| call.as_deref().map(str::to_owned);
    Some(match message {
        BridgeMessage::UserInput(input) => (
            DocumentEntry::Frame(FromAgent::User(Box::new(user_input(input)))),
            owned(&input.parent_tool_use_id),
        ),
        BridgeMessage::Assistant(assistant) => {
            let mut frame = AssistantFrame::new(assistant.message.clone().into_owned());
            frame.is_api_error_message = assistant.error.is_some().then_some(true);
            (
                DocumentEntry::Frame(FromAgent::Assistant(Box::new(frame))),
                owned(&assistant.parent_tool_use_id),
            )
        }
        BridgeMessage::ToolResult(output) => (
            DocumentEntry::Frame(FromAgent::User(Box::new(tool_result(output)))),
            owned(&output.parent_tool_use_id),
        ),
        BridgeMessage::System(note) => match &note.subtype {
            SystemSubtype::CompactBoundary => {
                let mut metadata = CompactMetadata::new();
                metadata.pre_tokens = note.pre_tokens.clone().into_owned();
                let boundary = CompactBoundary::new(Box::new(metadata));
                let frame = FromAgent::System(SystemFrame::CompactBoundary(Box::new(boundary)));
                (DocumentEntry::Frame(frame), None)
            }
            SystemSubtype::Interrupted => (DocumentEntry::Note("the turn was interrupted"), None),
            SystemSubtype::AgentExited if note.expected != Some(true) => {
                (DocumentEntry::Note("the agent ended unexpectedly"), None)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn user_input(input: &UserInput<'_>) -> UserFrame<'static> {
    let mut blocks: Vec<ContentBlock<'static>> = input.blocks.clone().into_owned().unwrap_or_default();
    blocks.extend(input.images.iter().flatten().filter_map(picture));
    if !input.text.is_empty() {
        blocks.push(text(input.text.as_str()));
    }
    let mut frame = UserFrame::new(UserMessage::new(Content::Blocks(blocks)));
    frame.is_synthetic = (input.source == Some(UserInputSource::Agent)).then_some(true);
    frame
}

fn tool_result(output: &ToolOutput<'_>) -> UserFrame<'static> {
    let blocks = output.blocks.clone().into_owned().unwrap_or_else(|| {
        let mut blocks = vec![text(output.content.as_str())];
        blocks.extend(output.images.iter().flatten().filter_map(picture));
        blocks
    });
    let mut result = ToolResultBlock::new(output.tool_use_id.as_str().to_owned());
    result.content = Some(Content::Blocks(blocks));
    result.is_error = output.is_error;
    UserFrame::new(UserMessage::new(Content::Blocks(vec![ContentBlock::ToolResult(result)])))
}

fn text(text: &str) -> ContentBlock<'static> {
    ContentBlock::Text(TextBlock::new(text.to_owned()))
}

/// An image whose bytes are there.
fn picture(image: &ImageContent<'_>) -> Option<ContentBlock<'static>> {
    let mut source = Base64Source::new(image.data.as_deref()?.to_owned());
    source.media_type = Some(image.media_type.as_str().to_owned().into());
    Some(ContentBlock::Image(Box::new(MediaBlock::new(MediaSource::Base64(source)))))
}
