//! The agent's output as messages for clients. No I/O: frames go in, messages and their meaning come out.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, ToolResultBlock, ToolUseBlock};
use aqueduct_wire::frame::{AssistantFrame, CommandState, FrameWithLine, ResultFrame, UserFrame};
use aqueduct_wire::json::{IntoOwned, Map, Number, Raw};
use aqueduct_wire::media::MediaSource;
use aqueduct_wire::rate_limit::RateLimitInfo;
use aqueduct_wire::system::{SessionState, Status, SystemFrame, SystemInit};

use super::partial::Partials;
use crate::message::BridgeMessage;
use crate::message::bridge::{
    AgentEvent, AgentFrame, AgentProgress, Assistant, ImageContent, PASSING_FRAMES, PartialAnswer, Retry,
    SystemNote, SystemSubtype, ToolOutput, TurnResult, UserInput, UserInputSource,
};
use crate::outbox::{AnswerDelta, Stored};

/// How many calls are kept by id, so that a result can be sent with its tool's name. The log keeps them.
const REMEMBERED_CALLS: usize = 256;

/// How many answers of a turn are remembered by their id, to number their blocks. Few are written at a time.
const REMEMBERED_ANSWERS: usize = 256;

/// How long an id, or the name of a tool, is at most that is remembered. No agent has longer ones.
pub(super) const REMEMBERED_BYTES: usize = 1024;

/// How much of an answer's text is of interest to the session itself.
const BEGINNING_CHARS: usize = 1000;

/// Members of frames that messages have a place for, or that mean nothing to a client.
const KNOWN_ASSISTANT_MEMBERS: &[&str] =
    &["type", "message", "parent_tool_use_id", "uuid", "session_id", "supersedes", "error", "aborted"];
const KNOWN_USER_MEMBERS: &[&str] =
    &["type", "message", "parent_tool_use_id", "uuid", "session_id", "tool_use_result"];

/// Output for clients.
#[derive(Debug)]
pub(crate) enum SessionOutput {
    /// It is kept.
    Stored(Stored),
    /// A piece of an answer that is being written.
    Grew(AnswerDelta),
    /// It is sent to the current watchers and not stored.
    Live(BridgeMessage<'static>),
}

/// What a frame means for the session besides what clients receive.
#[derive(Debug)]
pub(crate) enum FrameEffect {
    /// A turn begins; this is the session's state.
    Init(Box<SystemInit<'static>>),
    /// A turn has ended. What clients receive of it needs the session's cost.
    Result(Box<ResultFrame<'static>>),
    /// An answer in the main conversation: how its text begins, and how many tokens the context has.
    SessionOutput { text: String, usage: Option<u64> },
    /// The model asks the user something. Agents that can't ask leave it at that.
    Asks(Box<ToolUseBlock<'static>>),
    /// The agent reports its state.
    State(SessionState<'static>),
    /// The conversation is being replaced by a summary, or no longer.
    Compacting(bool),
    /// The permission mode is another.
    Mode(String),
    /// The conversation continues under another id.
    Reset(String),
    /// The session has a title.
    Title(String),
    /// One of the account's limits changed.
    Limit(Box<RateLimitInfo<'static>>),
    /// A prompt comes back: the agent has begun with it, or had answered it before.
    Replayed(String),
    /// How far a prompt is that has this id.
    Lifecycle(String, CommandState<'static>),
    /// A control frame.
    Control(Box<FromAgent<'static>>),
}

/// Turns frames into messages.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    partials: Partials,
    /// The names of tools, by the id of their call, until its result is there.
    calls: BTreeMap<String, String>,
    /// How many blocks of each answer have come whole, by its id.
    whole: HashMap<String, u64>,
}

impl Translator {
    /// Takes a frame in, and returns what clients receive of it, in order. A large frame is copied as little as possible:
    /// what is borrowed from its line stays so until the message is written.
    pub(crate) fn frame(
        &mut self,
        kept: FrameWithLine<'_, FromAgent<'_>>,
        offset: u64,
        outputs: &mut Vec<SessionOutput>,
    ) -> Option<FrameEffect> {
        outputs.extend(self.partials.frame(&kept.frame, offset).map(SessionOutput::Grew));
        match kept.frame {
            FromAgent::StreamEvent(_) | FromAgent::KeepAlive(_) | FromAgent::TranscriptMirror(_) => None,
            frame @ (FromAgent::ControlRequest(_)
            | FromAgent::ControlResponse(_)
            | FromAgent::ControlCancelRequest(_)) => Some(control(frame)),
            FromAgent::Assistant(frame) => {
                let meaning = answer_meaning(&frame);
                outputs.push(SessionOutput::Stored(self.assistant(*frame, &kept.line)));
                meaning
            }
            FromAgent::User(frame) => {
                self.user(&frame, &kept.line, outputs);
                let uuid = frame.uuid.as_ref().filter(|_| frame.is_replay == Some(true));
                uuid.map(|uuid| FrameEffect::Replayed(uuid.as_str().to_owned()))
            }
            FromAgent::CommandLifecycle(ref frame) => {
                let meaning = FrameEffect::Lifecycle(
                    frame.command_uuid.as_str().to_owned(),
                    frame.state.clone().into_owned(),
                );
                pass_on(&kept, outputs);
                Some(meaning)
            }
            FromAgent::Result(frame) => {
                self.whole.clear();
                Some(FrameEffect::Result(frame.into_owned()))
            }
            FromAgent::System(ref system) => self.system(system, &kept, outputs),
            FromAgent::RateLimitEvent(ref frame) => {
                outputs.push(SessionOutput::Stored(as_it_came(&kept)));
                Some(FrameEffect::Limit(frame.rate_limit_info.clone().into_owned()))
            }
            FromAgent::ConversationReset(frame) => {
                self.calls.clear();
                let mut note = SystemNote::new(SystemSubtype::ConversationReset);
                note.agent_session_id = Some(frame.new_conversation_id.clone().into_owned());
                outputs.push(SessionOutput::Stored(Stored::new(&note)));
                Some(FrameEffect::Reset(frame.new_conversation_id.as_str().to_owned()))
            }
            frame @ FromAgent::Unknown(_) if frame.tag().starts_with("control_") => Some(control(frame)),
            _ => {
                pass_on(&kept, outputs);
                None
            }
        }
    }

    /// Where the oldest answer begins that is being written: from there on the output is needed to write on.
    pub(super) fn anchor(&self) -> Option<u64> {
        self.partials.anchor()
    }

    /// The agent is gone: what it was writing stays unfinished.
    pub(super) fn reset(&mut self) {
        self.partials.reset();
        self.whole.clear();
    }

    /// The answers that are being written, whole, for a client that comes now.
    pub(super) fn partials(&self) -> Vec<PartialAnswer<'static>> {
        self.partials.all()
    }

    /// The calls that have no result yet, with the names of their tools.
    pub(super) fn calls(&self) -> &BTreeMap<String, String> {
        &self.calls
    }

    /// Takes up calls that another translator has seen.
    pub(super) fn recall(&mut self, calls: BTreeMap<String, String>) {
        self.calls = calls;
    }

    fn assistant(&mut self, frame: AssistantFrame<'_>, line: &str) -> Stored {
        let message = &frame.message;
        for block in &message.content {
            if let ContentBlock::ToolUse(call) = block
                && call.id.len().max(call.name.len()) <= REMEMBERED_BYTES
            {
                if self.calls.len() >= REMEMBERED_CALLS {
                    self.calls.clear();
                }
                self.calls.insert(call.id.as_str().to_owned(), call.name.as_str().to_owned());
            }
        }
        let mut index = None;
        if let Some(id) = message.id.as_deref().filter(|id| id.len() <= REMEMBERED_BYTES) {
            if self.whole.len() >= REMEMBERED_ANSWERS && !self.whole.contains_key(id) {
                self.whole.clear();
            }
            let whole = self.whole.entry(id.to_owned()).or_default();
            index = Some(*whole);
            *whole += message.content.len() as u64;
        }
        let mut assistant = Assistant::new(frame.message);
        assistant.parent_tool_use_id = frame.parent_tool_use_id;
        assistant.index = index;
        assistant.uuid = frame.uuid.clone();
        assistant.supersedes = frame.supersedes;
        assistant.error = frame.error;
        assistant.aborted = frame.aborted;
        assistant.meta = rest_of(line, KNOWN_ASSISTANT_MEMBERS);
        let stored = Stored::sized(&assistant, line.len());
        match &frame.uuid {
            Some(uuid) => stored.with_uuid(uuid),
            None => stored,
        }
    }

    /// Every tool result on its own; the rest of the frame as text of the agent's program.
    fn user(&mut self, frame: &UserFrame<'_>, line: &str, outputs: &mut Vec<SessionOutput>) {
        let results: Vec<&ToolResultBlock<'_>> = match &frame.message.content {
            Content::Blocks(blocks) => blocks
                .iter()
                .filter_map(|block| match block {
                    ContentBlock::ToolResult(result) => Some(result),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let alone = results.len() == 1;
        for result in &results {
            outputs.push(SessionOutput::Stored(self.tool_result(frame, result, alone.then_some(line))));
        }
        // A prompt that the agent repeats was recorded when it was sent.
        if frame.is_replay == Some(true) && results.is_empty() && !is_local_output(frame) {
            return;
        }
        let rest: Vec<ContentBlock<'_>> = match &frame.message.content {
            Content::Blocks(blocks) => {
                blocks.iter().filter(|block| !matches!(block, ContentBlock::ToolResult(_))).cloned().collect()
            }
            _ => Vec::new(),
        };
        let text = text_of(&frame.message.content);
        if text.is_empty() && rest.is_empty() {
            return;
        }
        let mut input = UserInput::new(text);
        input.id = frame.uuid.clone();
        input.source = Some(UserInputSource::Agent);
        input.parent_tool_use_id = frame.parent_tool_use_id.clone();
        let others: Vec<_> =
            rest.into_iter().filter(|block| !matches!(block, ContentBlock::Text(_))).collect();
        if !others.is_empty() {
            input.blocks = Some(others);
        }
        outputs.push(SessionOutput::Stored(Stored::new(&input)));
    }

    /// `line` is set if the frame has only this result: then the rest of it belongs to the result.
    fn tool_result(
        &mut self,
        frame: &UserFrame<'_>,
        result: &ToolResultBlock<'_>,
        line: Option<&str>,
    ) -> Stored {
        let text = result.content.as_ref().map(text_of).unwrap_or_default();
        let mut output = ToolOutput::new(result.tool_use_id.clone(), text);
        output.tool_name = self.calls.remove(result.tool_use_id.as_str()).map(Into::into);
        output.is_error = result.is_error;
        output.parent_tool_use_id = frame.parent_tool_use_id.clone();
        output.uuid = frame.uuid.clone();
        if let Some(line) = line {
            output.structured = frame.tool_use_result.as_ref().map(Raw::borrowed);
            output.meta = rest_of(line, KNOWN_USER_MEMBERS);
        }
        if let Some(Content::Blocks(blocks)) = &result.content {
            let images: Vec<ImageContent<'_>> = blocks.iter().filter_map(image).collect();
            let plain =
                blocks.iter().all(|block| matches!(block, ContentBlock::Text(_)) || image(block).is_some());
            if !images.is_empty() {
                output.images = Some(images);
            }
            if !plain {
                output.blocks = Some(blocks.clone());
            }
        }
        Stored::sized(&output, line.map_or(0, str::len))
    }

    fn system(
        &mut self,
        system: &SystemFrame<'_>,
        kept: &FrameWithLine<'_, FromAgent<'_>>,
        outputs: &mut Vec<SessionOutput>,
    ) -> Option<FrameEffect> {
        match system {
            SystemFrame::Init(init) => Some(FrameEffect::Init(init.clone().into_owned())),
            SystemFrame::SessionStateChanged(frame) => {
                Some(FrameEffect::State(frame.state.clone().into_owned()))
            }
            SystemFrame::SessionTitleChanged(frame) => {
                Some(FrameEffect::Title(frame.title.as_str().to_owned()))
            }
            SystemFrame::Status(frame) => match &frame.permission_mode {
                Some(mode) => Some(FrameEffect::Mode(mode.as_str().to_owned())),
                None => Some(FrameEffect::Compacting(frame.status == Some(Status::Compacting))),
            },
            SystemFrame::CompactBoundary(frame) => {
                let mut note = SystemNote::new(SystemSubtype::CompactBoundary);
                note.trigger = frame.compact_metadata.trigger.clone().into_owned();
                note.pre_tokens = frame.compact_metadata.pre_tokens.clone().into_owned();
                note.post_tokens = frame.compact_metadata.post_tokens.clone().into_owned();
                outputs.push(SessionOutput::Stored(Stored::new(&note)));
                None
            }
            SystemFrame::ApiRetry(frame) => {
                let mut retry = Retry::new(frame.attempt.as_u64().unwrap_or_default());
                retry.max_retries = frame.max_retries.as_ref().and_then(Number::as_u64);
                retry.delay_ms = frame.retry_delay_ms.clone().into_owned();
                retry.error = frame.error.as_ref().map(|error| error.as_str().to_owned().into());
                retry.http_status = frame.error_status.as_ref().and_then(Number::as_u64);
                outputs.push(SessionOutput::Live(retry.into()));
                None
            }
            _ => {
                pass_on(kept, outputs);
                None
            }
        }
    }
}

/// A frame that has no message of its own, unchanged.
fn pass_on(kept: &FrameWithLine<'_, FromAgent<'_>>, outputs: &mut Vec<SessionOutput>) {
    let subtype = match &kept.frame {
        FromAgent::System(system) => system.tag(),
        _ => "",
    };
    if PASSING_FRAMES.contains(&(kept.frame.tag(), subtype)) {
        outputs.push(SessionOutput::Live(AgentProgress::new(frame_of(kept).into_owned()).into()));
    } else {
        outputs.push(SessionOutput::Stored(as_it_came(kept)));
    }
}

fn as_it_came(kept: &FrameWithLine<'_, FromAgent<'_>>) -> Stored {
    Stored::sized(&AgentEvent::new(frame_of(kept)), kept.line.len())
}

/// The frame as it came. What is not JSON is `null`.
fn frame_of<'k>(kept: &'k FrameWithLine<'_, FromAgent<'_>>) -> AgentFrame<'k> {
    AgentFrame(Raw::parse(&kept.line).unwrap_or(Raw::NULL))
}

fn control(frame: FromAgent<'_>) -> FrameEffect {
    FrameEffect::Control(Box::new(frame.into_owned()))
}

/// The text of a content: copied only if it has several blocks.
fn text_of<'c>(content: &'c Content<'_>) -> Cow<'c, str> {
    match content {
        Content::Text(text) => Cow::Borrowed(text.as_str()),
        _ => match content.blocks() {
            [ContentBlock::Text(block)] => Cow::Borrowed(block.text.as_str()),
            _ => Cow::Owned(content.text()),
        },
    }
}

/// The output of a slash command comes back like a prompt, and is none.
fn is_local_output(frame: &UserFrame<'_>) -> bool {
    text_of(&frame.message.content).starts_with("<local-command-stdout>")
}

/// A block as an image, where it is one whose bytes are there.
pub(crate) fn image<'b>(block: &'b ContentBlock<'_>) -> Option<ImageContent<'b>> {
    let ContentBlock::Image(block) = block else { return None };
    let MediaSource::Base64(source) = &block.source else { return None };
    let mut image = ImageContent::new(source.media_type.as_deref().unwrap_or("image/png"));
    image.data = Some(source.data.as_str().into());
    Some(image)
}

/// The model's text in an answer, and what else follows from it. Subagents are not included.
fn answer_meaning(frame: &AssistantFrame<'_>) -> Option<FrameEffect> {
    if frame.parent_tool_use_id.is_some() {
        return None;
    }
    let question = frame.message.content.iter().find_map(|block| match block {
        ContentBlock::ToolUse(call) if call.name == "AskUserQuestion" => Some(call.clone().into_owned()),
        _ => None,
    });
    if let Some(question) = question {
        return Some(FrameEffect::Asks(Box::new(question)));
    }
    let text = frame.message.content.iter().find_map(|block| match block {
        ContentBlock::Text(block) => Some(block.text.chars().take(BEGINNING_CHARS).collect()),
        _ => None,
    });
    let usage = frame.message.usage.as_ref().map(|usage| {
        let count =
            |number: &Option<Number<'_>>| number.as_ref().and_then(Number::as_u64).unwrap_or_default();
        count(&usage.input_tokens)
            + count(&usage.output_tokens)
            + count(&usage.cache_read_input_tokens)
            + count(&usage.cache_creation_input_tokens)
    });
    Some(FrameEffect::SessionOutput { text: text.unwrap_or_default(), usage })
}

/// What a turn has cost, and the session so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnCost {
    pub(super) turn: f64,
    pub(super) total: f64,
}

/// Whether a turn has ended by an interruption. Agents that give no reason for an end are believed that an interrupted one
/// failed by that.
pub(super) fn is_interrupted(frame: &ResultFrame<'_>, was_interrupted: bool) -> bool {
    match &frame.terminal_reason {
        Some(reason) => reason.as_str().starts_with("aborted"),
        None => was_interrupted && frame.subtype.as_str() == "error_during_execution",
    }
}

/// The end of a turn.
pub(super) fn result(frame: &ResultFrame<'static>, cost: TurnCost, is_interrupted: bool) -> Stored {
    let mut result = TurnResult::new(frame.subtype.clone());
    result.cost = Number::from_f64(cost.turn);
    result.total_cost = Number::from_f64(cost.total);
    result.is_error = frame.is_error;
    result.result = frame.result.as_deref().map(Into::into);
    let listed = frame.errors.iter().flatten().map(|error| error.as_str());
    let single = frame.error.iter().map(|error| error.message());
    let errors: Vec<&str> = listed.chain(single).collect();
    if !errors.is_empty() {
        result.error = Some(errors.join("; ").into());
    }
    result.duration = frame.duration_ms.clone();
    result.duration_api = frame.duration_api_ms.clone();
    result.num_turns = frame.num_turns.clone();
    result.usage = frame.usage.clone();
    result.model_usage = frame.model_usage.clone();
    result.permission_denials = frame.permission_denials.clone();
    result.terminal_reason = frame.terminal_reason.clone();
    result.interrupted = is_interrupted.then_some(true);
    Stored::new(&result)
}

/// The members of a frame that its message has no place for, as they came.
fn rest_of(line: &str, user_input: &[&str]) -> Option<Raw<'static>> {
    let frame = Raw::parse(line).ok()?;
    let members: Map<'_, Raw<'_>> = frame.view()?;
    let rest: Map<'_, Raw<'_>> = members
        .iter()
        .filter(|(name, _)| !user_input.contains(name))
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect();
    if rest.is_empty() {
        return None;
    }
    Some(Raw::written(&rest))
}
