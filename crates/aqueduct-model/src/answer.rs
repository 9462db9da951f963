//! The events of an answer: what to pass on, and when.

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::json::Raw;
use aqueduct_wire::peek;

use crate::error::{Error, ErrorKind};
use crate::sse::SseEvent;

/// The answer so far.
///
/// A stream that breaks can be asked for again until the first block of its answer is complete; thinking does not
/// count. A call over HTTP and one of the script read their events here, so they can't differ in it.
#[derive(Debug, Default)]
pub(crate) struct AnswerProgress {
    progress: AnswerStage,
    /// The block that is being written is thinking.
    thinks: bool,
    complete: bool,
}

/// How far an answer has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AnswerStage {
    /// No block is complete.
    #[default]
    Begun,
    /// The model has thought, and nothing else is complete.
    Thought,
    /// A block is complete.
    Answered,
}

impl AnswerProgress {
    /// How far it has come.
    pub(crate) fn progress(&self) -> AnswerStage {
        self.progress
    }

    /// Whether the answer has all its parts.
    pub(crate) fn complete(&self) -> bool {
        self.complete
    }

    /// Takes an event of the stream; returns it back in one line, if it is to be passed on.
    pub(crate) fn take(&mut self, message: SseEvent) -> Result<Option<String>, Error> {
        let kind = match peek(&message.data) {
            Ok(peek) => peek.kind.map(|kind| kind.into_string()),
            Err(_) if message.name == "error" => Some(message.name),
            Err(_) => return Err(no_event(&message.data)),
        };
        match kind.as_deref() {
            Some("error") => return Err(Error::reported(None, &message.data)),
            // A sign of life, and nothing else.
            Some("ping") => return Ok(None),
            Some(_) => {}
            None => return Err(no_event(&message.data)),
        }
        let line = one_line(message.data)?;
        match kind.as_deref() {
            Some("content_block_start") => self.thinks = is_thinking(&line),
            Some("content_block_stop") => {
                let done = if self.thinks { AnswerStage::Thought } else { AnswerStage::Answered };
                self.progress = self.progress.max(done);
            }
            _ => {}
        }
        self.complete = kind.as_deref() == Some("message_stop");
        Ok(Some(line))
    }
}

/// Whether an event begins a block of thinking.
fn is_thinking(line: &str) -> bool {
    let raw = Raw::parse(line).ok();
    let event = raw.as_ref().and_then(|raw| raw.view::<StreamEvent<'_>>());
    match event {
        Some(StreamEvent::ContentBlockStart(start)) => {
            matches!(start.content_block, ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
        }
        _ => false,
    }
}

/// The JSON text, checked, in one line. Data of several lines is rare.
fn one_line(data: String) -> Result<String, Error> {
    let Ok(raw) = Raw::parse(&data) else { return Err(no_event(&data)) };
    if raw.as_str().len() == data.len() {
        return Ok(data);
    }
    Ok(raw.as_str().to_owned())
}

fn no_event(data: &str) -> Error {
    let shown: String = data.chars().take(80).collect();
    Error::new(ErrorKind::Server, &format!("its stream contains something that is not an event: {shown:?}"))
}
