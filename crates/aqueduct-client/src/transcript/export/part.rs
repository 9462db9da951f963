use std::io;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, ToolResultBlock};
use aqueduct_wire::json::{Number, Raw};
use aqueduct_wire::media::MediaSource;
use aqueduct_wire::system::SystemFrame;

/// A piece of a conversation, as an export shows it.
#[derive(Debug)]
pub(super) enum ExportPart<'p> {
    /// A message of the user.
    Prompt(&'p str),
    /// Text of the model.
    Answer(&'p str),
    /// What the model thought.
    Thinking(&'p str),
    /// What the program added for the model in the user's name.
    Note(&'p str),
    /// The error in place of an answer.
    Error(&'p str),
    /// What a tool was asked.
    Call { name: &'p str, input: &'p Raw<'p> },
    /// What a tool gave back.
    Result { text: &'p str, is_error: bool },
    /// A picture, as it was sent.
    Picture { kind: &'p str, base64: &'p str },
    /// Something that has no form here.
    Other(&'p str),
    /// The conversation was compacted; how large it was.
    Compacted(Option<u64>),
}

/// Whose words a text is.
#[derive(Debug, Clone, Copy)]
enum TextAuthor {
    User,
    Note,
    Assistant,
    Error,
    Tool { is_error: bool },
}

impl TextAuthor {
    fn part(self, text: &str) -> ExportPart<'_> {
        match self {
            TextAuthor::User => ExportPart::Prompt(text),
            TextAuthor::Note => ExportPart::Note(text),
            TextAuthor::Assistant => ExportPart::Answer(text),
            TextAuthor::Error => ExportPart::Error(text),
            TextAuthor::Tool { is_error } => ExportPart::Result { text, is_error },
        }
    }
}

/// Takes parts, one after the other.
type PartSink<'t> = &'t mut dyn FnMut(ExportPart<'_>) -> io::Result<()>;

/// The parts of a frame, one after the other.
pub(super) fn each(frame: &FromAgent<'_>, take: PartSink<'_>) -> io::Result<()> {
    match frame {
        FromAgent::User(frame) => {
            let voice = if frame.is_synthetic == Some(true) { TextAuthor::Note } else { TextAuthor::User };
            content(&frame.message.content, voice, take)
        }
        FromAgent::Assistant(frame) => {
            let voice = if frame.is_api_error_message == Some(true) {
                TextAuthor::Error
            } else {
                TextAuthor::Assistant
            };
            frame.message.content.iter().try_for_each(|part| block(part, voice, take))
        }
        FromAgent::System(SystemFrame::CompactBoundary(frame)) => {
            take(ExportPart::Compacted(frame.compact_metadata.pre_tokens.as_ref().and_then(Number::as_u64)))
        }
        _ => Ok(()),
    }
}

fn content(content: &Content<'_>, voice: TextAuthor, take: PartSink<'_>) -> io::Result<()> {
    match content {
        Content::Text(text) => take(voice.part(text)),
        other => other.blocks().iter().try_for_each(|part| block(part, voice, take)),
    }
}

fn block(block: &ContentBlock<'_>, voice: TextAuthor, take: PartSink<'_>) -> io::Result<()> {
    match block {
        ContentBlock::Text(block) => take(voice.part(&block.text)),
        ContentBlock::Thinking(block) if block.thinking.trim().is_empty() => Ok(()),
        ContentBlock::Thinking(block) => take(ExportPart::Thinking(&block.thinking)),
        ContentBlock::ToolUse(call) | ContentBlock::ServerToolUse(call) => {
            take(ExportPart::Call { name: &call.name, input: &call.input })
        }
        ContentBlock::ToolResult(block) => result(block, take),
        ContentBlock::Image(block) => match &block.source {
            MediaSource::Base64(source) => {
                let kind = source.media_type.as_deref().unwrap_or_default();
                take(ExportPart::Picture { kind, base64: &source.data })
            }
            _ => take(ExportPart::Other("image")),
        },
        other => take(ExportPart::Other(other.tag())),
    }
}

fn result(block: &ToolResultBlock<'_>, take: PartSink<'_>) -> io::Result<()> {
    let voice = TextAuthor::Tool { is_error: block.is_error == Some(true) };
    match &block.content {
        Some(inside) => content(inside, voice, take),
        None => take(voice.part("")),
    }
}
