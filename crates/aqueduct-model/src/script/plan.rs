//! The scripted model's planned answer.

use std::time::Duration;

use aqueduct_wire::block::{ContentBlock, TextBlock, ThinkingBlock, ToolUseBlock};
use aqueduct_wire::json::{IntoOwned, Json, Map, Raw, Reader, Str};
use aqueduct_wire::message::{AssistantMessage, StopReason};
use aqueduct_wire::usage::Usage;

use super::failure::ScriptedFailure;
use super::limits::SubscriptionLimits;

/// The default signature of thinking.
pub(super) const SIGNATURE: &str = "c2ln";

/// The default usage of a call: at the beginning of the message, and at its end.
const OPENING_USAGE: &str = r#"{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":50,"output_tokens":1,"service_tier":"standard"}"#;
const CLOSING_USAGE: &str = r#"{"output_tokens":12}"#;

/// What floods are made of.
const FLOOD: &[u8] = b"Much water flows under the bridge and none of it is lost on its way. ";

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptedAnswer {
    /// A message.
    Message(MessagePlan),
    /// A refusal, after a wait.
    Failure(ScriptedFailure, Duration),
}

/// A message and how it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePlan {
    /// The message's id.
    pub id: String,
    /// The model's name, as the call gave it.
    pub model: String,
    /// What the message is made of.
    pub blocks: Vec<PlannedBlock>,
    /// Why the message ends.
    pub stop: PlannedStop,
    /// Members of the usage that differ from the usual ones: `output_tokens` is reported at the end only.
    pub usage: Map<'static, Raw<'static>>,
    /// How long nothing at all comes.
    pub wait: Duration,
    /// How large deltas are, if not as usual.
    pub(super) size: Option<Size>,
    /// How long the pause after each delta is.
    pub pause: Duration,
    /// After how many deltas the stream breaks, and how.
    pub breaks: Option<(u64, StreamBreak)>,
    /// The account's limits that are reported before the message begins.
    pub limits: Option<SubscriptionLimits>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedBlock {
    /// A block as it is when it is complete.
    Content(Box<ContentBlock<'static>>),
    /// Very much text, made as it is sent.
    Flood {
        /// How much.
        bytes: u64,
        /// How much of it comes at once.
        delta: usize,
    },
}

/// Why a message ends.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedStop {
    /// The reason, such as `end_turn`.
    pub reason: String,
    /// The text that ended it, where the reason is `stop_sequence`.
    pub sequence: Option<String>,
}

/// How a stream breaks.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamBreak {
    /// With an `error` event of this name.
    Error(String),
    /// The connection is cut.
    Drop,
    /// Nothing comes any more.
    Stall,
}

/// How large a delta is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// So many characters.
    Chars(usize),
    /// Up to the next space, including it.
    Word,
}

impl PlannedBlock {
    /// Text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        PlannedBlock::content(ContentBlock::Text(TextBlock::new(text.into())))
    }

    /// Thinking, signed.
    pub(super) fn thinking(thinking: impl Into<String>) -> Self {
        let mut block = ThinkingBlock::new(thinking.into());
        block.signature = Some(SIGNATURE.into());
        PlannedBlock::content(ContentBlock::Thinking(block))
    }

    /// A call of a tool, which gets its id later.
    pub(super) fn tool(name: impl Into<String>, input: Raw<'static>) -> Self {
        PlannedBlock::content(ContentBlock::ToolUse(ToolUseBlock::new("", name.into(), input)))
    }

    pub(super) fn content(block: ContentBlock<'static>) -> Self {
        PlannedBlock::Content(Box::new(block))
    }

    /// Whether the message must wait for a tool on the other side.
    pub(super) fn is_call(&self) -> bool {
        matches!(self, PlannedBlock::Content(block) if matches!(**block, ContentBlock::ToolUse(_)))
    }

    /// The block as it is when it is complete.
    fn complete(&self) -> ContentBlock<'static> {
        match self {
            PlannedBlock::Content(block) => (**block).clone(),
            PlannedBlock::Flood { bytes, .. } => {
                let length = usize::try_from(*bytes).unwrap_or(usize::MAX);
                ContentBlock::Text(TextBlock::new(flood(0, length)))
            }
        }
    }
}

impl MessagePlan {
    /// A message that is sent as usual. It ends for its tools, or because it is complete.
    pub(super) fn new(id: String, model: &str, blocks: Vec<PlannedBlock>) -> Self {
        let reason = if blocks.iter().any(PlannedBlock::is_call) { "tool_use" } else { "end_turn" };
        MessagePlan {
            id,
            model: model.to_owned(),
            blocks,
            stop: PlannedStop { reason: reason.to_owned(), sequence: None },
            usage: Map::default(),
            wait: Duration::ZERO,
            size: None,
            pause: Duration::ZERO,
            breaks: None,
            limits: None,
        }
    }

    /// The message as it is when it is complete.
    pub fn message(&self) -> AssistantMessage<'static> {
        let mut message = self.opening();
        message.content = self.blocks.iter().map(PlannedBlock::complete).collect();
        message.stop_reason = Some(StopReason::from(Str::from(self.stop.reason.clone())));
        message.stop_sequence = self.stop.sequence.clone().map(Into::into);
        message.usage = Some(Box::new(usage(&[OPENING_USAGE, CLOSING_USAGE], &self.usage, true)));
        message
    }

    /// The message as it is when it begins.
    pub(super) fn opening(&self) -> AssistantMessage<'static> {
        let mut message = AssistantMessage::new(Vec::new());
        message.id = Some(self.id.clone().into());
        message.kind = Some("message".into());
        message.role = Some("assistant".into());
        message.model = Some(self.model.clone().into());
        message.usage = Some(Box::new(usage(&[OPENING_USAGE], &self.usage, false)));
        message
    }

    /// The usage at the end.
    pub(super) fn closing_usage(&self) -> Usage<'static> {
        usage(&[CLOSING_USAGE], &self.usage, true)
    }
}

/// A usage with the members of several objects, of which the later ones count.
fn usage(usual: &[&str], given: &Map<'static, Raw<'static>>, is_end: bool) -> Usage<'static> {
    let mut members: Vec<(String, Raw<'static>)> = Vec::new();
    let mut put = |key: &str, value: Raw<'static>| match members.iter_mut().find(|(name, _)| name == key) {
        Some((_, slot)) => *slot = value,
        None => members.push((key.to_owned(), value)),
    };
    for json in usual {
        let object: Map<'_, Raw<'_>> = Map::read(&mut Reader::new(json)).unwrap_or_default();
        object.iter().for_each(|(key, value)| put(key, value.clone().into_owned()));
    }
    let given = given.iter().filter(|(key, _)| is_end || *key != "output_tokens");
    given.for_each(|(key, value)| put(key, value.clone()));
    let mut json = String::new();
    members.into_iter().collect::<Map<'_, Raw<'_>>>().write(&mut json);
    Usage::read(&mut Reader::new(&json)).map_or_else(|_| Usage::new(), IntoOwned::into_owned)
}

/// A piece of a flood.
pub(super) fn flood(start: u64, length: usize) -> String {
    let skip = usize::try_from(start % FLOOD.len() as u64).unwrap_or(0);
    FLOOD.iter().cycle().skip(skip).take(length).map(|byte| char::from(*byte)).collect()
}
