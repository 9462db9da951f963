use std::time::SystemTime;

use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::frame::AssistantFrame;

use super::model_call::{CallScope, ModelCallSpan};
use crate::span::OpenSpan;
use crate::telemetry::TelemetrySink;

/// The model of messages that no model wrote.
const SYNTHETIC: &str = "<synthetic>";

/// A conversation with a model: the main one, or that of a subagent. It has one call of the model at a time.
#[derive(Debug)]
pub(super) struct Lane {
    /// The work of a subagent; none in the main conversation, whose work is the turn.
    pub(super) work: Option<OpenSpan>,
    /// The name of the agent.
    pub(super) agent: String,
    /// Since when the agent has had everything for the next call.
    ready: SystemTime,
    call: Option<ModelCallSpan>,
    /// The answer whose call has ended. Blocks of it may come later.
    ended: String,
}

impl Lane {
    pub(super) fn new(work: Option<OpenSpan>, agent: &str, now: SystemTime) -> Self {
        Lane { work, agent: agent.to_owned(), ready: now, call: None, ended: String::new() }
    }

    /// The agent has everything for the next call, unless one is open.
    pub(super) fn is_ready(&mut self, now: SystemTime) {
        if self.call.is_none() {
            self.ready = now;
        }
    }

    /// Whether an answer comes event by event.
    pub(super) fn is_streaming(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.is_streamed)
    }

    /// An event of a stream.
    pub(super) fn event(
        &mut self,
        event: &StreamEvent<'_>,
        scope: CallScope<'_>,
        now: SystemTime,
        sink: &TelemetrySink,
    ) {
        match event {
            StreamEvent::MessageStart(start) => {
                self.end_call(Some("incomplete"), scope.requested, now, sink);
                let message = &start.message;
                let id = message.id.as_deref().unwrap_or_default();
                let model = message.model.as_deref().or(scope.requested).unwrap_or_default();
                let mut call = ModelCallSpan::new(scope, id, model, self.ready, now);
                call.is_streamed = true;
                call.update(message.usage.as_deref(), None, false);
                self.call = Some(call);
            }
            StreamEvent::ContentBlockStart(_) | StreamEvent::ContentBlockDelta(_) => {
                if let Some(call) = &mut self.call {
                    call.chunk(now);
                }
            }
            StreamEvent::MessageDelta(end) => {
                if let Some(call) = &mut self.call {
                    let reason = end.delta.stop_reason.as_ref().map(|reason| reason.as_str());
                    call.update(end.usage.as_deref(), reason, true);
                }
            }
            StreamEvent::MessageStop(_) => self.end_call(None, scope.requested, now, sink),
            StreamEvent::Error(error) => {
                let kind = error.error.as_ref().and_then(|error| error.kind());
                self.end_call(Some(kind.unwrap_or("error")), scope.requested, now, sink);
            }
            _ => {}
        }
    }

    /// A block of an answer, or an error in place of one. Returns whether it is an answer.
    pub(super) fn block(
        &mut self,
        frame: &AssistantFrame<'_>,
        scope: CallScope<'_>,
        now: SystemTime,
        sink: &TelemetrySink,
    ) -> bool {
        let message = &frame.message;
        let id = message.id.as_deref().unwrap_or_default();
        let model = message.model.as_deref().unwrap_or_default();
        if let Some(error) = &frame.error {
            let call = self.call.take();
            let model = scope.requested.unwrap_or_default();
            self.call = call.or_else(|| Some(ModelCallSpan::new(scope, "", model, self.ready, now)));
            self.end_call(Some(error.as_str()), scope.requested, now, sink);
            return false;
        }
        if model == SYNTHETIC {
            return false;
        }
        if self.call.as_ref().is_some_and(|call| call.id != id) {
            self.finish(scope.requested, now, sink);
        }
        if self.call.is_none() && (id.is_empty() || self.ended != id) {
            self.call = Some(ModelCallSpan::new(scope, id, model, self.ready, now));
        }
        if let Some(call) = &mut self.call {
            call.block(now);
            if !call.is_streamed {
                let reason = message.stop_reason.as_ref().map(|reason| reason.as_str());
                call.update(message.usage.as_deref(), reason, reason.is_some());
            }
        }
        true
    }

    /// What comes next is not of the call: one that is not streamed is over, and a stream has broken.
    pub(super) fn finish(&mut self, requested: Option<&str>, now: SystemTime, sink: &TelemetrySink) {
        let is_broken = self.is_streaming();
        self.end_call(is_broken.then_some("incomplete"), requested, now, sink);
    }

    fn end_call(
        &mut self,
        failure: Option<&str>,
        requested: Option<&str>,
        now: SystemTime,
        sink: &TelemetrySink,
    ) {
        let Some(mut call) = self.call.take() else { return };
        if let Some(failure) = failure {
            call.fail(failure);
        }
        self.ended.clone_from(&call.id);
        self.ready = call.end(requested, now, sink);
    }
}
