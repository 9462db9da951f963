use std::time::{Duration, Instant};

use aqueduct_wire::assemble::{BlockSoFar, complete};
use aqueduct_wire::block::{self, ContentBlock, ToolResultBlock};
use aqueduct_wire::json::{IntoOwned, Raw};

use super::Task;
use super::content::{called, input};

/// How much of a result is kept with its call: of its text, and of what it is beside that.
pub const RESULT_BYTES: usize = 256 << 10;

/// What a call weighs beside its texts.
const EMPTY_WEIGHT: usize = 512;

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    id: Box<str>,
    name: String,
    parent: Option<Box<str>>,
    input: CallInput,
    state: CallState,
    result: Option<ShownResult>,
    pub(super) task: Option<Task>,
    is_carried: bool,
    /// Since when it has been running.
    running_since: Option<Instant>,
    ended_at: Option<Instant>,
}

#[derive(Debug, Clone, PartialEq)]
enum CallInput {
    /// JSON text that may end anywhere.
    Growing {
        text: String,
        /// It is what the call began with: what the model writes takes its place.
        is_start: bool,
    },
    Whole(Raw<'static>),
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallState {
    /// The model is still writing what it calls the tool with.
    Writing,
    /// A user has to decide whether it may run.
    Waiting,
    /// It runs, or is about to. So does what it started in the background.
    Running,
    /// It gave something back.
    Done,
    /// It failed, or was not allowed.
    Failed,
    /// The run ended, and nothing came of it.
    Abandoned,
}

impl CallState {
    /// Whether nothing more will come of the call.
    pub fn is_over(self) -> bool {
        matches!(self, CallState::Done | CallState::Failed | CallState::Abandoned)
    }
}

impl ToolCall {
    /// A call of which nothing is known but that it is there.
    pub(super) fn unknown(id: &str, parent: Option<&str>) -> Self {
        ToolCall {
            id: id.into(),
            name: String::new(),
            parent: parent.map(Into::into),
            input: CallInput::Growing { text: String::new(), is_start: true },
            state: CallState::Running,
            result: None,
            task: None,
            is_carried: false,
            running_since: None,
            ended_at: None,
        }
    }

    /// The call's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool; empty where the call itself was not seen, only what came of it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The call whose subagent made this one; `None` in the main conversation.
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// What the tool is called with, as far as that has been written: always valid JSON.
    pub fn input(&self) -> Raw<'static> {
        match &self.input {
            CallInput::Whole(input) => input.clone(),
            CallInput::Growing { text, .. } => {
                Raw::parse(&complete(text)).map_or_else(|_| empty(), IntoOwned::into_owned)
            }
        }
    }

    /// Whether the input is all there.
    pub fn is_input_whole(&self) -> bool {
        matches!(self.input, CallInput::Whole(_))
    }

    /// How far the call has come.
    pub fn state(&self) -> CallState {
        match &self.task {
            // What runs in the background continues after the call has been answered.
            Some(task) if self.state == CallState::Done && task.is_background() && !task.is_over() => {
                CallState::Running
            }
            Some(task) if self.state == CallState::Done && task.has_failed() => CallState::Failed,
            _ => self.state,
        }
    }

    /// What the tool gave back.
    pub fn result(&self) -> Option<&ShownResult> {
        self.result.as_ref()
    }

    /// The subagent or the background command that the call started.
    pub fn task(&self) -> Option<&Task> {
        self.task.as_ref()
    }

    /// Whether the call was made in an earlier run and is still at work.
    pub fn is_carried(&self) -> bool {
        self.is_carried
    }

    /// How long it has been running, or ran. Waiting for a permission does not count.
    pub fn elapsed(&self, now: Instant) -> Duration {
        match self.running_since {
            Some(since) => self.ended_at.unwrap_or(now).saturating_duration_since(since),
            None => Duration::ZERO,
        }
    }

    /// Takes what a block of the model's message has about the call.
    pub(super) fn take(&mut self, block: &BlockSoFar, now: Instant) {
        if let Some((_, name)) = called(block.base())
            && self.name != name
        {
            self.name = name.to_owned();
        }
        if block.is_whole() {
            self.input = CallInput::Whole(block.input_so_far());
            if self.state == CallState::Writing {
                self.run(now);
            }
        } else if !self.is_input_whole() {
            let text = block.input_json().to_owned();
            let is_start = input(block.base()).is_some_and(|start| start.as_str() == text);
            self.input = CallInput::Growing { text, is_start };
        }
    }

    /// The model begins to write the call.
    pub(super) fn begin(&mut self) {
        self.state = CallState::Writing;
    }

    /// The model wrote some more of the input.
    pub(super) fn grow(&mut self, added: &str) {
        if let CallInput::Growing { text, is_start } = &mut self.input {
            if std::mem::take(is_start) {
                text.clear();
            }
            text.push_str(added);
        }
    }

    /// A user is asked whether it may run.
    pub(super) fn wait(&mut self) {
        if !self.state.is_over() {
            self.state = CallState::Waiting;
        }
    }

    /// The question was withdrawn, or was never necessary.
    pub(super) fn run(&mut self, now: Instant) {
        if !self.state.is_over() {
            self.state = CallState::Running;
            self.running_since = Some(now);
        }
    }

    /// The tool has answered.
    pub(super) fn answer(&mut self, result: ShownResult, now: Instant) {
        self.state = if result.is_error { CallState::Failed } else { CallState::Done };
        self.result = Some(result);
        if self.task.as_ref().is_none_or(|task| task.is_over() || !task.is_background()) {
            self.ended_at.get_or_insert(now);
        }
    }

    /// What the call started has ended.
    pub(super) fn end_task(&mut self, now: Instant) {
        if self.state.is_over() {
            self.ended_at.get_or_insert(now);
        }
    }

    /// The run is over. Only what runs in the background continues.
    pub(super) fn abandon(&mut self, now: Instant) {
        if !self.state.is_over() {
            self.state = CallState::Abandoned;
            self.ended_at.get_or_insert(now);
        }
    }

    /// A call that was known only by what came of it turns up.
    pub(super) fn place(&mut self, parent: Option<&str>) {
        self.parent = parent.map(Into::into);
        self.is_carried = false;
    }

    /// The call continues in another run.
    pub(super) fn carry(&mut self) {
        self.is_carried = true;
        self.parent = None;
    }

    pub(super) fn weight(&self) -> usize {
        let input = match &self.input {
            CallInput::Growing { text, .. } => text.len(),
            CallInput::Whole(input) => input.as_str().len(),
        };
        EMPTY_WEIGHT + input + self.result.as_ref().map_or(0, ShownResult::weight)
    }
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShownResult {
    /// The text that the model gets; its beginning, where it is longer than [`RESULT_BYTES`].
    pub text: String,
    /// How many bytes the whole text has.
    pub length: usize,
    /// How many blocks came that are not text, such as images.
    pub other_blocks: usize,
    /// The same for programs, in the tool's own shape: see [`aqueduct_wire::tool`]. Absent where it is longer
    /// than [`RESULT_BYTES`].
    pub structured: Option<Raw<'static>>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ShownResult {
    /// What a `user` frame brings back from a tool.
    pub(super) fn of(block: &ToolResultBlock<'_>, structured: Option<&Raw<'_>>) -> Self {
        let text = block.content.as_ref().map(block::Content::text).unwrap_or_default();
        let blocks = block.content.as_ref().map(block::Content::blocks).unwrap_or_default();
        let mut result = ShownResult::with_text(text, block.is_error == Some(true));
        result.other_blocks = blocks.iter().filter(|block| !matches!(block, ContentBlock::Text(_))).count();
        result.structured = structured.filter(|raw| raw.as_str().len() <= RESULT_BYTES).map(owned);
        result
    }

    /// What a tool on the model's side gave back, within the model's message, and for which call.
    pub(super) fn in_message<'b>(block: &'b ContentBlock<'_>) -> Option<(&'b str, ShownResult)> {
        match block {
            ContentBlock::McpToolResult(block) => Some((&block.tool_use_id, ShownResult::of(block, None))),
            ContentBlock::WebSearchToolResult(block)
            | ContentBlock::WebFetchToolResult(block)
            | ContentBlock::CodeExecutionToolResult(block)
            | ContentBlock::AdvisorToolResult(block) => {
                let mut result = ShownResult::with_text(String::new(), false);
                result.structured =
                    Some(&block.content).filter(|raw| raw.as_str().len() <= RESULT_BYTES).map(owned);
                Some((&block.tool_use_id, result))
            }
            _ => None,
        }
    }

    fn with_text(mut text: String, is_error: bool) -> Self {
        let length = text.len();
        if length > RESULT_BYTES {
            let end = (0..=RESULT_BYTES).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
            text.shrink_to_fit();
        }
        ShownResult { text, length, other_blocks: 0, structured: None, is_error }
    }

    pub(super) fn weight(&self) -> usize {
        self.text.len() + self.structured.as_ref().map_or(0, |raw| raw.as_str().len())
    }
}

fn owned(raw: &Raw<'_>) -> Raw<'static> {
    raw.clone().into_owned()
}

fn empty() -> Raw<'static> {
    Raw::parse("{}").unwrap_or(Raw::NULL)
}
