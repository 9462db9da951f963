//! The agent's frames.

use std::time::SystemTime;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, ToolUseBlock};
use aqueduct_wire::frame::{AssistantFrame, StreamEventFrame, UserFrame};
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::system::{SystemFrame, SystemInit};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

use super::SessionTracer;
use super::lane::Lane;
use super::tool_call::ToolCallSpan;
use crate::names;
use crate::span::{OpenSpan, SpanPlace, bounded};

/// How many calls of tools may be open, and how many subagents may work. What is above that has no spans.
const CALLS: usize = 256;
const LANES: usize = 64;

/// How long an id may be that is remembered.
const ID_BYTES: usize = 256;

impl SessionTracer {
    pub(super) fn frame(&mut self, frame: &FromAgent<'_>, now: SystemTime) {
        match frame {
            FromAgent::System(SystemFrame::Init(init)) => self.init(init, now),
            FromAgent::StreamEvent(frame) => self.stream_event(frame, now),
            FromAgent::Assistant(frame) => self.assistant(frame, now),
            FromAgent::User(frame) => self.user(frame, now),
            _ => {}
        }
    }

    fn init(&mut self, init: &SystemInit<'_>, now: SystemTime) {
        self.model = init.model.as_deref().map(bounded).or(self.model.take());
        self.version = init.claude_code_version.as_deref().map(bounded).or(self.version.take());
        self.begin_turn(now);
    }

    fn stream_event(&mut self, frame: &StreamEventFrame<'_>, now: SystemTime) {
        let Some((key, mut lane, parent)) = self.take_lane(frame.parent_tool_use_id.as_deref(), None, now)
        else {
            return;
        };
        let agent = lane.agent.clone();
        lane.event(&frame.event, self.scope(Some(parent), &agent), now, &self.sink);
        self.lanes.insert(key, lane);
    }

    fn assistant(&mut self, frame: &AssistantFrame<'_>, now: SystemTime) {
        let subagent = frame.subagent_type.as_deref();
        let Some((key, mut lane, parent)) =
            self.take_lane(frame.parent_tool_use_id.as_deref(), subagent, now)
        else {
            return;
        };
        let agent = lane.agent.clone();
        if lane.block(frame, self.scope(Some(parent), &agent), now, &self.sink) {
            for block in &frame.message.content {
                if let ContentBlock::ToolUse(call) = block {
                    self.tool_called(call, parent, &agent, now);
                }
            }
        }
        self.lanes.insert(key, lane);
    }

    fn tool_called(&mut self, call: &ToolUseBlock<'_>, parent: SpanPlace, agent: &str, now: SystemTime) {
        if self.tools.len() < CALLS && call.id.len() <= ID_BYTES && !self.tools.contains_key(&*call.id) {
            let new = ToolCallSpan::new(self.scope(Some(parent), agent), &call.id, &call.name, now);
            self.tools.insert(call.id.as_str().to_owned(), new);
            if let Some(kind) = subagent_of(call) {
                self.add_lane(call.id.as_str(), &kind, now);
            }
        }
    }

    /// Results of tools. Each ends its call, and the subagent that it is from.
    fn user(&mut self, frame: &UserFrame<'_>, now: SystemTime) {
        let requested = self.model.clone();
        let Content::Blocks(blocks) = &frame.message.content else { return };
        for block in blocks {
            let ContentBlock::ToolResult(result) = block else { continue };
            let id = result.tool_use_id.as_str();
            if let Some(mut lane) = self.lanes.remove(&Some(id.to_owned())) {
                lane.finish(requested.as_deref(), now, &self.sink);
                if let Some(work) = lane.work {
                    self.sink.span(work.end(now));
                }
            }
            if let Some(call) = self.tools.remove(id) {
                let is_error = result.is_error == Some(true);
                call.end(is_error.then_some("tool_error"), now, &self.sink);
            }
        }
        let key = frame.parent_tool_use_id.as_deref().map(str::to_owned);
        if let Some(lane) = self.lanes.get_mut(&key) {
            // A call that streams is ended by its own events: results may come while it does.
            if !lane.is_streaming() {
                lane.finish(requested.as_deref(), now, &self.sink);
            }
            lane.is_ready(now);
        }
    }

    /// The conversation that a frame belongs to, and the span that its calls are in.
    fn take_lane(
        &mut self,
        call: Option<&str>,
        subagent: Option<&str>,
        now: SystemTime,
    ) -> Option<(Option<String>, Lane, SpanPlace)> {
        let key = call.map(str::to_owned);
        if let Some(lane) = self.lanes.remove(&key) {
            let parent = match &lane.work {
                Some(work) => work.place,
                None => self.begin_turn(now),
            };
            return Some((key, lane, parent));
        }
        match call {
            None => {
                let parent = self.begin_turn(now);
                // Everything for the first call was there when the turn began.
                let start = self.turn.as_ref().map_or(now, |turn| turn.start);
                Some((None, Lane::new(None, &self.agent, start), parent))
            }
            Some(call) => {
                self.add_lane(call, subagent.unwrap_or("subagent"), now);
                let lane = self.lanes.remove(&key)?;
                let parent = lane.work.as_ref()?.place;
                Some((key, lane, parent))
            }
        }
    }

    /// A subagent works for a call. After the result of the call, one that works in the background belongs to the turn.
    fn add_lane(&mut self, call: &str, subagent: &str, now: SystemTime) {
        if self.lanes.len() >= LANES || call.len() > ID_BYTES {
            return;
        }
        let tool = self.tools.get(call).map(ToolCallSpan::place);
        let turn = self.turn.as_ref().map(|turn| turn.place).or(self.last_turn);
        let name = bounded(subagent);
        let mut work = OpenSpan::new(tool.or(turn), format!("invoke_agent {name}"), SpanKind::Internal, now);
        work.set(names::OPERATION, "invoke_agent");
        work.set_text(names::CONVERSATION, &self.session);
        work.set_text(names::AGENT, &name);
        self.lanes.insert(Some(call.to_owned()), Lane::new(Some(work), &name, now));
    }
}

/// The type of the subagent that a call starts; none if it starts none.
fn subagent_of(call: &ToolUseBlock<'_>) -> Option<String> {
    if !matches!(call.name.as_str(), "Agent" | "Task") {
        return None;
    }
    let input: Map<'_, Raw<'_>> = call.input.view()?;
    let kind = input.get("subagent_type").and_then(|kind| kind.view::<Str<'_>>());
    Some(kind.map_or_else(|| "general-purpose".to_owned(), |kind| kind.as_str().to_owned()))
}
