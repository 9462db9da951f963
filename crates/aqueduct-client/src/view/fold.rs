//! What each frame changes in a view.

use std::time::Instant;

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::{BlockPart, ChangeKind};
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::control::AgentRequest;
use aqueduct_wire::frame::{AssistantFrame, ResultFrame, TerminalReason, UserFrame};
use aqueduct_wire::json::{IntoOwned, Number};
use aqueduct_wire::system::{SessionState, Status, SystemFrame};

use super::run::MAX_NOTED;
use super::{CallState, Denial, ItemContent, Run, ShownResult, Tokens, View, ViewState, todo};

impl View {
    /// Takes a frame. Returns the run before, if this begins another.
    pub(super) fn frame(&mut self, frame: &FromAgent<'_>, now: Instant) -> Option<Box<Run>> {
        let before = (self.run.is_over && begins(frame)).then(|| Box::new(self.begin_run()));
        let again = match frame {
            FromAgent::Assistant(frame) => self.is_known(frame.uuid.as_deref()),
            FromAgent::User(frame) => self.is_known(frame.uuid.as_deref()),
            _ => false,
        };
        if again {
            return before;
        }
        if let FromAgent::Assistant(frame) = frame {
            self.assistant(frame);
        }
        self.assemble(frame, now);
        match frame {
            FromAgent::User(frame) => self.user(frame, now),
            FromAgent::System(frame) => self.system(frame, now),
            FromAgent::Result(frame) => self.result(frame, now),
            FromAgent::ControlRequest(frame) => self.asked(&frame.request_id, &frame.request),
            FromAgent::ControlCancelRequest(frame) => self.stop_waiting(&frame.request_id, now),
            FromAgent::ConversationReset(_) => self.todos.clear(),
            FromAgent::ToolProgress(frame) => {
                if let Some(call) = self.run.calls.get_mut(frame.tool_use_id.as_str())
                    && call.state() == CallState::Waiting
                {
                    call.run(now);
                }
            }
            _ => {}
        }
        before
    }

    /// Lets the last run go and begins another.
    fn begin_run(&mut self) -> Run {
        let next = self.run.next(&mut self.keys);
        self.tasks.retain(|_, call| next.calls.contains_key(call));
        std::mem::replace(&mut self.run, next)
    }

    pub(super) fn end_run(&mut self, now: Instant) {
        if self.state != ViewState::Ended {
            self.state = ViewState::Idle;
        }
        if !self.run.is_over {
            self.run.end(now);
        }
        // Subagents in the background may still ask.
        let calls = &self.run.calls;
        self.waiting.retain(|_, call| {
            call.as_ref().and_then(|id| calls.get(id)).is_some_and(|call| !call.state().is_over())
        });
    }

    /// The session is running, as far as the frames show.
    pub(super) fn works(&mut self) {
        if !self.reports_state && self.state == ViewState::Idle {
            self.state = ViewState::Running;
        }
    }

    /// What an `assistant` frame has besides the message.
    fn assistant(&mut self, frame: &AssistantFrame<'_>) {
        if let (Some(uuid), true) = (frame.uuid.as_deref(), frame.error.is_some()) {
            self.run.errors.truncate(MAX_NOTED - 1);
            self.run.errors.insert(0, uuid.into());
        }
        let is_main = frame.parent_tool_use_id.is_none();
        let model = frame.message.model.as_deref().filter(|model| !model.starts_with('<'));
        if let Some(model) = model.filter(|model| is_main && self.model.as_deref() != Some(*model)) {
            self.model = Some(model.to_owned());
        }
    }

    /// Folds the frame into the messages, and shows what that changed.
    fn assemble(&mut self, frame: &FromAgent<'_>, now: Instant) {
        let change = self.assembler.push(frame);
        for message in &change.finished {
            self.run.close(message.parent(), now);
            if message.parent().is_none() {
                self.run.unreported = self.run.unreported + std::mem::take(&mut self.run.open);
            }
        }
        if !change.retracted.is_empty() {
            self.run.retract(&change.retracted);
            self.drop_retracted();
        }
        let parent = change.thread;
        let mut added_bytes = 0;
        match &change.kind {
            ChangeKind::Nothing | ChangeKind::Retracted => return,
            ChangeKind::TurnEnded | ChangeKind::Reset => {
                self.drop_retracted();
                return;
            }
            ChangeKind::Interrupted => self.run.is_interrupted |= parent.is_none(),
            ChangeKind::Grew { block, part, added } if self.has_block(parent, *block) => {
                added_bytes = added.len();
                self.grow(parent, *block, *part, added);
            }
            kind => {
                // What was being written and not handed out was taken back.
                if *kind == ChangeKind::Started
                    && let Some(thread) = self.run.known_thread(parent)
                {
                    let gone = thread.drop_unconfirmed();
                    self.run.forget(gone);
                }
                if let Some(message) = self.assembler.message(parent) {
                    self.run.sync(parent, message, &mut self.keys, now);
                }
                if let FromAgent::Assistant(frame) = frame {
                    added_bytes = frame.message.content.iter().map(weight).sum();
                }
            }
        }
        if parent.is_none() {
            self.run.retry = None;
            let usage = self.assembler.message(None).and_then(|message| message.head().usage.as_deref());
            self.run.open = usage.map(Tokens::of_usage).unwrap_or_default();
            self.works();
        }
        self.run.trim(added_bytes);
    }

    /// Whether a block of the message is shown already. One whose beginning was missed is not.
    fn has_block(&mut self, parent: Option<&str>, block: usize) -> bool {
        self.run.known_thread(parent).is_some_and(|thread| thread.has_block(block))
    }

    /// A block grew by a piece.
    fn grow(&mut self, parent: Option<&str>, block: usize, part: BlockPart, added: &str) {
        let Some(content) = self.run.known_thread(parent).and_then(|thread| thread.growing(block)) else {
            return;
        };
        match (content, part) {
            (
                ItemContent::Text(text) | ItemContent::Thinking(text),
                BlockPart::Text | BlockPart::Thinking,
            ) => {
                text.push_str(added);
                // Half a character: its other half comes with the next piece, and the assembler joins them.
                if added.contains('\u{fffd}')
                    && let Some(message) = self.assembler.message(parent)
                    && let Some(block) = message.blocks().get(block)
                {
                    block.text().clone_into(text);
                }
            }
            (ItemContent::Call(id), BlockPart::Input) => {
                let id = id.clone();
                if let Some(call) = self.run.calls.get_mut(&id) {
                    call.grow(added);
                }
            }
            _ => {}
        }
    }

    /// Messages that were taken back as a whole are gone from the assembler.
    fn drop_retracted(&mut self) {
        let mut gone = Vec::new();
        if self.assembler.message(None).is_none() {
            gone.extend(self.run.main.drop_unconfirmed());
        }
        for (parent, thread) in &mut self.run.subagents {
            if self.assembler.message(Some(parent)).is_none() {
                gone.extend(thread.drop_unconfirmed());
            }
        }
        self.run.forget(gone);
    }

    /// Results of tools, and inputs to the model.
    fn user(&mut self, frame: &UserFrame<'_>, now: Instant) {
        let parent = frame.parent_tool_use_id.as_deref();
        let results = frame.message.content.blocks().iter().filter_map(|block| match block {
            ContentBlock::ToolResult(block) => Some(block),
            _ => None,
        });
        let is_single = results.clone().count() == 1;
        for block in results {
            let structured = frame.tool_use_result.as_ref().filter(|_| is_single);
            let result = ShownResult::of(block, structured);
            self.returned(&block.tool_use_id, parent, result, now);
        }
        let text = frame.message.content.text();
        if text.is_empty() {
            return;
        }
        if text.starts_with("[Request interrupted by user") && frame.is_replay != Some(true) {
            self.run.is_interrupted |= parent.is_none();
            return;
        }
        let added = text.len();
        if let Some(output) = command_output(&text) {
            // Older agents report the output of a slash command this way, newer ones in an `assistant` frame.
            let keys = &mut self.keys;
            self.run.thread(parent, keys).add(ItemContent::Text(output), frame.uuid.as_deref(), keys);
            return self.run.trim(added);
        }
        let content = ItemContent::User { text, is_synthetic: frame.is_synthetic == Some(true) };
        let keys = &mut self.keys;
        self.run.thread(parent, keys).add(content, frame.uuid.as_deref(), keys);
        self.run.trim(added);
        if parent.is_none() {
            self.works();
        }
    }

    /// A tool gave something back.
    fn returned(&mut self, id: &str, parent: Option<&str>, result: ShownResult, now: Instant) {
        let (is_error, added) = (result.is_error, result.weight());
        self.run.answered(id, parent, result, &mut self.keys, now);
        self.waiting.retain(|_, call| call.as_deref() != Some(id));
        if let Some(call) = self.run.calls.get(id)
            && !is_error
        {
            let structured = call.result().and_then(|result| result.structured.as_ref());
            todo::apply(&mut self.todos, call.name(), &call.input(), structured, call.parent().is_none());
        }
        self.run.trim(added);
    }

    fn result(&mut self, frame: &ResultFrame<'_>, now: Instant) {
        self.run.unreported = Tokens::default();
        self.run.open = Tokens::default();
        if let Some(usage) = &frame.usage {
            self.run.reported = self.run.reported + Tokens::of_usage(usage);
        }
        if let Some(models) = &frame.model_usage {
            self.used = models.iter().map(|(_, usage)| Tokens::of_model(usage)).sum();
        }
        if let Some(cost) = frame.total_cost_usd.as_ref().map(Number::as_f64) {
            self.cost = Some(cost);
            self.run.cost_after = Some(cost);
        }
        let aborted = [TerminalReason::AbortedStreaming, TerminalReason::AbortedTools];
        self.run.is_interrupted |=
            frame.terminal_reason.as_ref().is_some_and(|reason| aborted.contains(reason));
        for denial in frame.permission_denials.iter().flatten() {
            let call = denial.tool_use_id.as_deref();
            let input = denial.tool_input.clone().map(IntoOwned::into_owned);
            self.denied(Denial {
                tool: denial.tool_name.as_str().to_owned(),
                call: call.map(str::to_owned),
                input,
                message: None,
                reason: None,
            });
        }
        if let Some(id) = frame.session_id.as_deref() {
            self.session_id = Some(id.to_owned());
        }
        if !self.reports_state {
            self.end_run(now);
        }
    }

    /// Notes that a call was not allowed. Some are reported twice, with different details.
    pub(super) fn denied(&mut self, denial: Denial) {
        let is_same = |known: &&mut Denial| denial.call.is_some() && known.call == denial.call;
        if let Some(known) = self.run.denials.iter_mut().find(is_same) {
            known.input = known.input.take().or(denial.input);
            known.message = known.message.take().or(denial.message);
            known.reason = known.reason.take().or(denial.reason);
        } else if self.run.denials.len() < MAX_NOTED {
            self.run.denials.push(denial);
        }
    }

    fn asked(&mut self, id: &str, request: &AgentRequest<'_>) {
        match request {
            AgentRequest::CanUseTool(request) => {
                let call = request.tool_use_id.as_deref();
                self.wait(id, call);
                if let Some(call) = call.and_then(|call| self.run.calls.get_mut(call)) {
                    call.wait();
                }
            }
            AgentRequest::Elicitation(_) | AgentRequest::UserDialog(_) => self.wait(id, None),
            _ => {}
        }
    }
}

/// Whether a frame that comes after the end of a run begins another. Messages of background subagents, and
/// frames between runs do not.
fn begins(frame: &FromAgent<'_>) -> bool {
    match frame {
        FromAgent::StreamEvent(frame) => frame.parent_tool_use_id.is_none(),
        FromAgent::Assistant(frame) => frame.parent_tool_use_id.is_none(),
        FromAgent::User(frame) => {
            let is_result = |block: &ContentBlock<'_>| matches!(block, ContentBlock::ToolResult(_));
            frame.parent_tool_use_id.is_none() && !frame.message.content.blocks().iter().any(is_result)
        }
        FromAgent::System(SystemFrame::Init(_)) | FromAgent::ConversationReset(_) => true,
        FromAgent::System(SystemFrame::SessionStateChanged(frame)) => frame.state == SessionState::Running,
        FromAgent::System(SystemFrame::Status(frame)) => frame.status == Some(Status::Compacting),
        _ => false,
    }
}

/// What a slash command printed that was answered without a model.
fn command_output(text: &str) -> Option<String> {
    let inside = text.strip_prefix("<local-command-stdout>")?;
    Some(inside.trim_end().strip_suffix("</local-command-stdout>").unwrap_or(inside).to_owned())
}

/// What a block takes in memory, roughly.
fn weight(block: &ContentBlock<'_>) -> usize {
    const EMPTY: usize = 256;
    EMPTY
        + match block {
            ContentBlock::Text(block) => block.text.len(),
            ContentBlock::Thinking(block) => block.thinking.len(),
            ContentBlock::ToolUse(block) => block.input.as_str().len(),
            _ => EMPTY,
        }
}
