//! One call of the model: its stream, block by block.

use std::future::ready;
use std::time::{Duration, Instant};

use aqueduct_model::price::UsageCounts;
use aqueduct_model::{ErrorKind, ModelEvent, Stream};
use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::block::{ContentBlock, TextBlock, ToolUseBlock};
use aqueduct_wire::event::{Delta, StreamEvent};
use aqueduct_wire::frame::{AssistantFrame, StreamEventFrame, ToolUseMeta};
use aqueduct_wire::hook::CompactTrigger;
use aqueduct_wire::json::Raw;
use aqueduct_wire::json::read;
use aqueduct_wire::message::{AssistantMessage, StopReason};
use aqueduct_wire::system::{FallbackTrigger, SystemFrame, ThinkingTokens};
use aqueduct_wire::usage::Usage;
use serde_json::json;
use tracing::Instrument as _;

use super::calls::Calls;
use super::recovery::Recovery;
use super::{FirstRequest, Interrupted, Turn, TurnEnd};
use crate::clock::{self, fresh_uuid};
use crate::session::{TurnTotals, tokens};
use crate::trace;
use crate::transcript::{AnswerSource, AssistantLine};

/// How much of a text is escapes at most, as a rule: one character in so many.
const ESCAPES: usize = 16;

/// About how long a frame is without its text.
const HEAD: usize = 2048;

/// The member that holds the input of a call where it is no JSON.
const UNPARSED: &str = "__unparsedToolInput";

/// What the model said, as far as the turn needs it.
pub(super) struct ModelReply<'t> {
    /// The tools it calls. They may be running, and some may be done.
    pub(super) calls: Calls<'t>,
    /// How it ended.
    pub(super) ending: AnswerEnding,
}

/// How an answer of the model ended.
pub(super) struct AnswerEnding {
    /// Why.
    pub(super) stop_reason: Option<StopReason<'static>>,
    /// The API's name for the message.
    pub(super) message_id: Option<String>,
    /// Whether the user can see something of it.
    pub(super) has_content: bool,
}

/// A call of a tool, as the model made it.
pub(super) struct CallBlock {
    /// The block.
    pub(super) block: ToolUseBlock<'static>,
    /// The entry that holds it.
    pub(super) uuid: String,
    /// Its input was no JSON.
    pub(super) is_broken: bool,
}

/// A call of the model in progress.
pub(super) struct Streaming<'t> {
    pub(super) assembler: Assembler,
    request_id: Option<String>,
    pub(super) message_id: Option<String>,
    /// How many blocks have become frames.
    pub(super) reported: usize,
    /// Whether a block has a text that is not blank, or is a call.
    has_content: bool,
    /// Whether a block of it is in the transcript.
    is_kept: bool,
    /// The calls whose blocks are complete.
    pub(super) calls: Calls<'t>,
    pub(super) usage: Option<Usage<'static>>,
    pub(super) stop_reason: Option<StopReason<'static>>,
    thinking_tokens: u64,
    thinking_bytes: usize,
    started: Instant,
    /// When the block that is being written began.
    block_started: Instant,
}

/// How a stream ended before its end.
enum StreamFailure {
    /// For the turn.
    End(TurnEnd),
    /// The fallback model is to be asked instead.
    Overloaded,
}

impl<'t> Turn<'t> {
    /// Sends the request to the model and forwards its stream. Calls start as soon as their blocks are complete.
    pub(super) async fn answer(&mut self) -> Result<ModelReply<'t>, TurnEnd> {
        loop {
            self.compact_if_full().await;
            if self.streams() {
                self.session.send_status("requesting").await;
            }
            if self.usage.calls() == 0 {
                self.replay().await;
            }
            let request = self.request().await;
            self.session.note_price(&request.model).await;
            self.session.note_role().await;
            let model = self.session.models.get(&request.model);
            let span = trace::request_span(&request.model);
            let (messages, tools) = (request.messages.len() as u64, request.tools.len() as u64);
            span.in_scope(|| trace::model_requested(&request.model, messages, tools));
            self.timing.request.get_or_insert(self.started.elapsed());
            let sent_ms = clock::unix_ms();
            let mut streaming = Streaming::new(self.new_calls());
            let mut stream = model.stream(request);
            let outcome = self.follow(&mut stream, &mut streaming).instrument(span).await;
            drop(stream);
            self.api_time += streaming.started.elapsed();
            if let Some(usage) = &streaming.usage {
                let counts = UsageCounts::of(usage);
                self.first_request.get_or_insert(FirstRequest {
                    sent_ms,
                    input_tokens: counts.prompt(),
                    cache_read_tokens: counts.cache_read,
                });
            }
            match outcome {
                Ok(()) => return Ok(self.finish(streaming)),
                Err(StreamFailure::Overloaded) => {
                    self.fall_back(&mut streaming, FallbackTrigger::Overloaded).await;
                }
                Err(StreamFailure::End(TurnEnd::Failed(error))) if self.replaces(&error) => {
                    self.fall_back(&mut streaming, FallbackTrigger::ModelNotFound).await;
                }
                Err(StreamFailure::End(TurnEnd::Interrupted(hit))) => {
                    self.cut_off(&mut streaming).await?;
                    return Err(TurnEnd::Interrupted(hit));
                }
                Err(StreamFailure::End(TurnEnd::Failed(error)))
                    if error.kind == ErrorKind::ContextTooLong
                        && !self.has_compacted
                        && self.has_earlier_turns() =>
                {
                    self.has_compacted = true;
                    if self.compact(CompactTrigger::Auto, None).await.is_err() {
                        return Err(TurnEnd::Failed(error));
                    }
                }
                Err(StreamFailure::End(TurnEnd::Failed(error))) => {
                    match self.recover(&mut streaming, error).await? {
                        Recovery::Kept => return Ok(self.finish(streaming)),
                        Recovery::Resumed => drop(self.finish(streaming)),
                    }
                }
                Err(StreamFailure::End(end)) => return Err(end),
            }
        }
    }

    async fn follow(
        &mut self,
        stream: &mut Stream,
        streaming: &mut Streaming<'t>,
    ) -> Result<(), StreamFailure> {
        loop {
            let is_interrupted = streaming.calls.is_interrupted();
            let next = tokio::select! {
                biased;
                () = self.cancel.cancelled() => {
                    return Err(StreamFailure::End(TurnEnd::Interrupted(Interrupted::Streaming)));
                }
                (call, finished) = streaming.calls.next(), if streaming.calls.is_busy() && !is_interrupted => {
                    self.finish_call(&mut streaming.calls, &call, finished).await.map_err(StreamFailure::End)?;
                    continue;
                }
                next = stream.next() => next,
                // A call ended the turn: of the answer counts what has arrived.
                () = ready(()), if is_interrupted => {
                    return Err(StreamFailure::End(TurnEnd::Interrupted(Interrupted::Streaming)));
                }
            };
            match next {
                None => return Ok(()),
                Some(Ok(ModelEvent::Stream(line))) => {
                    self.event(&line, streaming).await.map_err(StreamFailure::End)?
                }
                Some(Ok(ModelEvent::Retry(retry))) => {
                    if self.gives_way(&retry) {
                        return Err(StreamFailure::Overloaded);
                    }
                    self.begin_again(&retry, streaming).await;
                }
                // The rate limits are those of a key: hosts receive only the state of a subscription.
                Some(Ok(ModelEvent::Accepted { request_id, .. })) => {
                    streaming.request_id = request_id;
                    streaming.started = Instant::now();
                }
                Some(Ok(_)) => (),
                Some(Err(error)) => return Err(StreamFailure::End(TurnEnd::Failed(error))),
            }
        }
    }

    /// Handles one event of the stream. A block that is complete is stored, then sent, then closed; a call starts
    /// before its block is closed.
    async fn event(&mut self, line: &str, streaming: &mut Streaming<'t>) -> Result<(), TurnEnd> {
        let Some(event) = read::<StreamEvent<'_>>(line) else { return Ok(()) };
        self.timing.first_event.get_or_insert(self.started.elapsed());
        let mut opens = false;
        match &event {
            StreamEvent::MessageStart(start) => {
                streaming.message_id = start.message.id.as_ref().map(|id| id.to_string());
                streaming.usage = start.message.usage.as_ref().map(|usage| (**usage).clone().into_owned());
                opens = true;
            }
            StreamEvent::ContentBlockStart(_) => streaming.block_started = Instant::now(),
            StreamEvent::ContentBlockDelta(delta) => {
                self.timing.first_content.get_or_insert(self.started.elapsed());
                if let Delta::Thinking(thinking) = &delta.delta {
                    self.send_thinking(&thinking.thinking, streaming).await;
                }
            }
            StreamEvent::MessageDelta(delta) => {
                if let Some(usage) = &delta.usage {
                    merge(streaming.usage.get_or_insert_with(Usage::new), usage);
                }
                if let Some(reason) = &delta.delta.stop_reason {
                    streaming.stop_reason = Some(reason.clone().into_owned());
                }
                if matches!(streaming.stop_reason, Some(StopReason::Refusal)) {
                    let id = streaming.message_id.clone();
                    self.send_refusal(streaming.request_id.clone(), id).await;
                }
                if let Some(usage) = streaming.usage.as_ref().filter(|_| streaming.is_kept) {
                    let reason = streaming.stop_reason.as_ref().map(StopReason::as_str);
                    self.dialogue.settle(reason, usage);
                }
            }
            StreamEvent::Ping(_) | StreamEvent::Error(_) | StreamEvent::Unknown(_) => return Ok(()),
            _ => (),
        }
        let closes = matches!(event, StreamEvent::ContentBlockStop(_));
        let mut frame = self.event_frame(event, streaming);
        if opens {
            frame.ttft_ms = Some((streaming.started.elapsed().as_millis() as u64).into());
        }
        let frame = FromAgent::StreamEvent(Box::new(frame));
        streaming.assembler.push(&frame);
        let mut done = None;
        if closes {
            self.send_block(streaming, false).await?;
            done = streaming.calls.advance().await;
        }
        if self.streams() {
            self.send_frame(frame).await;
        }
        match done {
            Some((call, finished)) => self.finish_call(&mut streaming.calls, &call, finished).await,
            None => Ok(()),
        }
    }

    pub(super) fn event_frame<'e>(
        &self,
        event: StreamEvent<'e>,
        streaming: &Streaming<'_>,
    ) -> StreamEventFrame<'e> {
        let mut frame = StreamEventFrame::new(event);
        frame.session_id = Some(self.session.id().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.api_message_id = streaming.message_id.clone().map(Into::into);
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame
    }

    /// What people call the tools of servers that a message calls.
    fn tool_use_meta(&self, message: &AssistantMessage<'_>) -> Option<Vec<ToolUseMeta<'static>>> {
        let calls = message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) if call.name.starts_with(aqueduct_mcp::PREFIX) => Some(call),
            _ => None,
        });
        let reported = calls.map(|call| {
            let mut meta = ToolUseMeta::new(call.id.to_string());
            meta.display_name = Some(aqueduct_mcp::shown(&call.name).into());
            if let Ok(tool) = self.session.tool_context.mcp.find_tool(&call.name) {
                meta.display_name = Some(tool.shown().into());
                meta.server_display_name = Some(tool.server.clone().into());
                meta.tool_name = Some(tool.own_name().to_owned().into());
            }
            meta
        });
        let reported: Vec<_> = reported.collect();
        (!reported.is_empty()).then_some(reported)
    }

    /// Stores the newest block and sends it.
    pub(super) async fn send_block(
        &mut self,
        streaming: &mut Streaming<'t>,
        aborted: bool,
    ) -> Result<(), TurnEnd> {
        let Some(message) = streaming.assembler.message(None) else { return Ok(()) };
        let Some(so_far) = message.blocks().get(streaming.reported) else { return Ok(()) };
        streaming.reported += 1;
        let is_broken = so_far.kind() == "tool_use"
            && !so_far.input_json().is_empty()
            && Raw::parse(so_far.input_json()).is_err();
        let length = so_far.text().len() + so_far.input_json().len();
        let mut whole = message.head().clone();
        let raw_input = is_broken.then(|| so_far.input_json().to_owned());
        let is_blank = so_far.kind() == "text" && so_far.text().trim().is_empty();
        streaming.has_content |= matches!(so_far.kind(), "text" | "tool_use") && !is_blank;
        let Some(mut block) = streaming.assembler.take_block(None, streaming.reported - 1) else {
            return Ok(());
        };
        if is_blank {
            return Ok(());
        }
        if let (ContentBlock::ToolUse(call), Some(raw)) = (&mut block, raw_input) {
            call.input = unparsed(&raw);
        }
        // What the model said at the beginning of the message; the end is on the result.
        whole.stop_reason = None;
        whole.content = vec![block];
        whole.context_management = Some(Raw::NULL);
        let uuid = fresh_uuid();
        let text = Raw::written_in(&whole, length + length / ESCAPES + HEAD);
        let length = text.as_str().len() + HEAD;
        let model = self.model();
        let mut line = AssistantLine::new(&uuid, &text);
        line.request_id = streaming.request_id.as_deref();
        line.is_aborted = aborted;
        line.open_message = streaming.message_id.as_deref();
        line.answer = Some(AnswerSource { model: &model, block: streaming.reported - 1 });
        let kept = self.dialogue.assistant(&line);
        drop(text);
        kept?;
        streaming.is_kept = true;

        if let Some(ContentBlock::Text(text)) = whole.content.first()
            && self.by.is_none()
            && let Some(shown) =
                self.session.displaying(&self.id, &uuid, text.text.as_str(), &self.cancel).await
        {
            whole.content = vec![ContentBlock::Text(TextBlock::new(shown))];
        }
        let mut frame = self.assistant_frame(whole, &uuid);
        frame.request_id = streaming.request_id.clone().map(Into::into);
        frame.aborted = aborted.then_some(true);
        if matches!(frame.message.content.first(), Some(ContentBlock::Thinking(_))) {
            let duration = streaming.block_started.elapsed();
            frame.thinking_duration_ms = Some((duration.as_millis() as u64).into());
        }
        let (line, block) = self.written(frame, length);
        if let Some(ContentBlock::Text(text)) = block {
            self.text = text.text.into_string();
            self.send_if(line).await;
        } else if let Some(ContentBlock::ToolUse(block)) = block {
            self.send_if(line).await;
            let used = streaming.usage.as_ref().map_or(0, tokens);
            self.note_progress(&block, used).await;
            streaming.calls.push(CallBlock { block, uuid, is_broken });
        } else {
            self.send_if(line).await;
        }
        Ok(())
    }

    /// The line of a frame, if the host wants to see it, and the frame's block: a large one is not copied.
    fn written(
        &self,
        frame: AssistantFrame<'static>,
        length: usize,
    ) -> (Option<String>, Option<ContentBlock<'static>>) {
        let is_shown = frame.message.content.first().is_some_and(|block| self.shows(block));
        let mut frame = FromAgent::Assistant(Box::new(frame));
        let line = (is_shown && self.address(&mut frame)).then(|| frame.to_line_in(length));
        let FromAgent::Assistant(mut frame) = frame else { return (line, None) };
        (line, frame.message.content.pop())
    }

    async fn send_if(&self, line: Option<String>) {
        if let Some(line) = line {
            self.session.send_line(line).await;
        }
    }

    /// Whether the host wants a block. Of a subagent in the foreground it receives the calls; the text is in the
    /// result, unless the host wants it too.
    fn shows(&self, block: &ContentBlock<'_>) -> bool {
        let waits = self.agent().is_some_and(|agent| !agent.is_background);
        !waits || matches!(block, ContentBlock::ToolUse(_)) || self.session.forwards_text()
    }

    /// An `assistant` frame of this turn.
    pub(super) fn assistant_frame(
        &self,
        message: AssistantMessage<'static>,
        uuid: &str,
    ) -> AssistantFrame<'static> {
        let mut frame = AssistantFrame::new(Box::new(message));
        frame.uuid = Some(uuid.to_owned().into());
        frame.session_id = Some(self.session.id().into());
        frame.timestamp = Some(clock::now().into());
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame.tool_use_meta = self.tool_use_meta(&frame.message);
        frame
    }

    fn new_calls(&self) -> Calls<'t> {
        Calls::new(self.session, self.by, &self.cancel)
    }

    fn finish(&mut self, streaming: Streaming<'t>) -> ModelReply<'t> {
        if let Some(usage) = &streaming.usage {
            if self.by.is_some() {
                // A subagent reports the usage of its last call.
                self.usage = TurnTotals::default();
            }
            self.dialogue.window_tokens = self.usage.add(usage);
            self.session.usage.count(&self.model(), usage, streaming.started.elapsed());
            self.session.conversation.note_answer();
        }
        let stop_reason = streaming.stop_reason.as_ref().map(|reason| reason.as_str());
        trace::model_answered(
            clock::millis(streaming.started.elapsed()),
            streaming.reported as u64,
            stop_reason,
        );
        self.stop_reason = streaming.stop_reason.as_ref().map(|reason| reason.as_str().to_owned());
        let ending = AnswerEnding {
            stop_reason: streaming.stop_reason,
            message_id: streaming.message_id,
            has_content: streaming.has_content,
        };
        ModelReply { calls: streaming.calls, ending }
    }

    /// Sends about how much the model has thought: its thinking itself may be hidden.
    async fn send_thinking(&self, text: &str, streaming: &mut Streaming<'t>) {
        if !self.streams() {
            return;
        }
        streaming.thinking_bytes += text.len();
        let tokens = (streaming.thinking_bytes as u64).div_ceil(4);
        let grown = tokens.saturating_sub(streaming.thinking_tokens);
        if grown == 0 {
            return;
        }
        streaming.thinking_tokens = tokens;
        let mut frame = ThinkingTokens::new(tokens);
        frame.estimated_tokens_delta = Some(grown.into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        self.send_frame(FromAgent::System(SystemFrame::ThinkingTokens(Box::new(frame)))).await;
    }
}

impl<'t> Streaming<'t> {
    fn new(calls: Calls<'t>) -> Self {
        Streaming {
            assembler: Assembler::new(),
            request_id: None,
            message_id: None,
            reported: 0,
            has_content: false,
            is_kept: false,
            calls,
            usage: None,
            stop_reason: None,
            thinking_tokens: 0,
            thinking_bytes: 0,
            started: Instant::now(),
            block_started: Instant::now(),
        }
    }

    /// How long it has taken so far.
    pub(super) fn lasted(&self) -> Duration {
        self.started.elapsed()
    }

    /// Forgets an attempt that is made again: nothing of it is part of the answer.
    pub(super) fn begin_again(&mut self) {
        self.assembler = Assembler::new();
        (self.request_id, self.message_id, self.usage, self.stop_reason) = (None, None, None, None);
        (self.reported, self.thinking_tokens, self.thinking_bytes) = (0, 0, 0);
        (self.has_content, self.is_kept) = (false, false);
    }
}

/// The input of a call whose input is not JSON.
fn unparsed(raw: &str) -> Raw<'static> {
    let input = json!({ UNPARSED: { "raw": raw, "len": raw.len() } });
    Raw::parse(&input.to_string()).map_or(Raw::NULL, Raw::into_owned)
}

/// The usage at the end of a stream has only the members that have changed.
fn merge(usage: &mut Usage<'static>, last: &Usage<'_>) {
    let last = last.clone().into_owned();
    usage.output_tokens = last.output_tokens.or(usage.output_tokens.take());
    usage.input_tokens = last.input_tokens.or(usage.input_tokens.take());
    usage.cache_creation_input_tokens =
        last.cache_creation_input_tokens.or(usage.cache_creation_input_tokens.take());
    usage.cache_read_input_tokens = last.cache_read_input_tokens.or(usage.cache_read_input_tokens.take());
    usage.cache_creation = last.cache_creation.or(usage.cache_creation.take());
    usage.server_tool_use = last.server_tool_use.or(usage.server_tool_use.take());
    usage.service_tier = last.service_tier.or(usage.service_tier.take());
    usage.iterations = last.iterations.or(usage.iterations.take());
    usage.output_tokens_details = last.output_tokens_details.or(usage.output_tokens_details.take());
}
