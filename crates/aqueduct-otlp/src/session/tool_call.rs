use std::time::SystemTime;

use opentelemetry::KeyValue;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

use super::model_call::CallScope;
use crate::instruments::record_time;
use crate::names;
use crate::span::{OpenSpan, SpanPlace, bounded};
use crate::telemetry::TelemetrySink;

/// A call of a tool that has no result yet.
#[derive(Debug)]
pub(super) struct ToolCallSpan {
    span: OpenSpan,
    tool: String,
    /// The user did not allow it.
    pub(super) is_denied: bool,
}

impl ToolCallSpan {
    pub(super) fn new(scope: CallScope<'_>, id: &str, tool: &str, now: SystemTime) -> Self {
        let tool = bounded(tool);
        let mut span = OpenSpan::new(scope.parent, format!("execute_tool {tool}"), SpanKind::Internal, now);
        span.set(names::OPERATION, "execute_tool");
        span.set_text(names::CONVERSATION, scope.conversation);
        span.set_text(names::AGENT, scope.agent);
        span.set_text(names::TOOL, &tool);
        span.set_text(names::TOOL_CALL, id);
        ToolCallSpan { span, tool, is_denied: false }
    }

    /// Its span, for what happens in it.
    pub(super) fn place(&self) -> SpanPlace {
        self.span.place
    }

    /// It has a result, or never gets one: then there is a reason.
    pub(super) fn end(mut self, failure: Option<&str>, now: SystemTime, sink: &TelemetrySink) {
        if let Some(failure) = failure {
            self.span.fail(if self.is_denied { "permission_denied" } else { failure });
        }
        sink.record(|metrics| {
            let mut attributes = vec![
                KeyValue::new(names::OPERATION, "execute_tool"),
                KeyValue::new(names::TOOL, self.tool.clone()),
            ];
            if let Some(error) = self.span.error() {
                attributes.push(KeyValue::new(names::ERROR_TYPE, error.to_owned()));
            }
            record_time(&metrics.tool_duration, self.span.duration(now), &attributes);
        });
        sink.span(self.span.end(now));
    }
}
