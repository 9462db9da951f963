use std::time::SystemTime;

use aqueduct_wire::json::Number;
use aqueduct_wire::usage::Usage;
use opentelemetry::{Array, KeyValue, StringValue, Value};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

use crate::instruments::record_time;
use crate::names;
use crate::provider::provider_of;
use crate::span::{OpenSpan, SpanPlace, bounded};
use crate::telemetry::TelemetrySink;

/// A call of the model that has not ended.
#[derive(Debug)]
pub(super) struct ModelCallSpan {
    span: OpenSpan,
    /// The id of the answer.
    pub(super) id: String,
    model: String,
    /// Its events come one by one. Else only its blocks do.
    pub(super) is_streamed: bool,
    first_chunk: Option<SystemTime>,
    /// When something of it last came.
    last: SystemTime,
    usage: CallTokens,
    stop_reason: Option<String>,
}

/// The tokens of a call, as far as they are known.
#[derive(Debug, Default)]
struct CallTokens {
    input: Option<u64>,
    output: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
}

impl CallTokens {
    /// Takes over what is newer. The output is final only at the end of a stream, or where the answer has a reason to stop.
    fn update(&mut self, usage: &Usage<'_>, is_final: bool) {
        let newer = |number: &Option<Number<'_>>, known: &mut Option<u64>| {
            *known = number.as_ref().and_then(Number::as_u64).or(*known);
        };
        newer(&usage.input_tokens, &mut self.input);
        newer(&usage.cache_read_input_tokens, &mut self.cache_read);
        newer(&usage.cache_creation_input_tokens, &mut self.cache_write);
        if is_final {
            newer(&usage.output_tokens, &mut self.output);
        }
    }

    /// All that the model read.
    fn all_input(&self) -> Option<u64> {
        let cached = self.cache_read.unwrap_or_default().saturating_add(self.cache_write.unwrap_or_default());
        self.input.map(|input| input.saturating_add(cached))
    }
}

/// What a call belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallScope<'a> {
    pub(super) parent: Option<SpanPlace>,
    pub(super) conversation: &'a str,
    pub(super) agent: &'a str,
    /// The model that the session uses.
    pub(super) requested: Option<&'a str>,
}

impl ModelCallSpan {
    /// A call that began when the agent had everything for it.
    pub(super) fn new(
        scope: CallScope<'_>,
        id: &str,
        model: &str,
        start: SystemTime,
        now: SystemTime,
    ) -> Self {
        let model = bounded(model);
        let mut span = OpenSpan::new(scope.parent, format!("chat {model}"), SpanKind::Client, start);
        span.set(names::OPERATION, "chat");
        span.set(names::PROVIDER, provider_of(&model));
        span.set_text(names::CONVERSATION, scope.conversation);
        span.set_text(names::AGENT, scope.agent);
        span.set_text(names::REQUEST_MODEL, scope.requested.unwrap_or(&model));
        // Without an id there is no answer, but an error in its place.
        if !id.is_empty() {
            span.set_text(names::RESPONSE_MODEL, &model);
            span.set_text(names::RESPONSE_ID, id);
        }
        ModelCallSpan {
            span,
            id: id.to_owned(),
            model,
            is_streamed: false,
            first_chunk: None,
            last: now,
            usage: CallTokens::default(),
            stop_reason: None,
        }
    }

    /// Content has come.
    pub(super) fn chunk(&mut self, now: SystemTime) {
        self.first_chunk.get_or_insert(now);
    }

    /// A whole block has come.
    pub(super) fn block(&mut self, now: SystemTime) {
        self.last = now;
    }

    /// Takes over what an event or a frame reports of it.
    pub(super) fn update(&mut self, usage: Option<&Usage<'_>>, stop_reason: Option<&str>, is_final: bool) {
        if let Some(usage) = usage {
            self.usage.update(usage, is_final);
        }
        self.stop_reason = stop_reason.map(bounded).or(self.stop_reason.take());
    }

    pub(super) fn fail(&mut self, reason: &str) {
        self.span.fail(reason);
    }

    /// It has ended. One that is not streamed has ended with the last that came of it. Returns when.
    pub(super) fn end(
        mut self,
        requested: Option<&str>,
        now: SystemTime,
        sink: &TelemetrySink,
    ) -> SystemTime {
        let end = if self.is_streamed { now } else { self.last };
        self.span.set(names::STREAM, self.is_streamed);
        for (name, tokens) in [
            (names::INPUT_TOKENS, self.usage.all_input()),
            (names::OUTPUT_TOKENS, self.usage.output),
            (names::CACHE_READ_TOKENS, self.usage.cache_read),
            (names::CACHE_WRITE_TOKENS, self.usage.cache_write),
        ] {
            if let Some(tokens) = tokens {
                self.span.set(name, i64::try_from(tokens).unwrap_or(i64::MAX));
            }
        }
        if let Some(reason) = self.stop_reason.take() {
            let reasons = Array::String(vec![StringValue::from(reason)]);
            self.span.set(names::FINISH_REASONS, Value::Array(reasons));
        }
        sink.record(|metrics| {
            let mut attributes = vec![
                KeyValue::new(names::OPERATION, "chat"),
                KeyValue::new(names::PROVIDER, provider_of(&self.model)),
                KeyValue::new(names::REQUEST_MODEL, requested.map_or_else(|| self.model.clone(), bounded)),
            ];
            if !self.id.is_empty() {
                attributes.push(KeyValue::new(names::RESPONSE_MODEL, self.model.clone()));
            }
            for (kind, tokens) in [("input", self.usage.all_input()), ("output", self.usage.output)] {
                if let Some(tokens) = tokens {
                    attributes.push(KeyValue::new(names::TOKEN_TYPE, kind));
                    metrics.token_usage.record(tokens, &attributes);
                    attributes.pop();
                }
            }
            if let Some(first) = self.first_chunk {
                record_time(&metrics.first_chunk, self.span.duration(first), &attributes);
            }
            if let Some(error) = self.span.error() {
                attributes.push(KeyValue::new(names::ERROR_TYPE, error.to_owned()));
            }
            record_time(&metrics.operation_duration, self.span.duration(end), &attributes);
        });
        sink.span(self.span.end(end));
        end
    }
}
