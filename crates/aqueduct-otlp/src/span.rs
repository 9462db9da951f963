//! Spans that have not ended.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentelemetry::{KeyValue, Value};
use opentelemetry_proto::tonic::trace::v1::span::{Link, SpanKind};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use uuid::Uuid;

use crate::names;

/// How long a text of an attribute or a name is at most, in characters. Agents choose some of them.
const TEXT_CHARS: usize = 128;

/// How many links a span has at most: a turn has one.
const LINKS: usize = 4;

/// Marks a span as sampled.
const SAMPLED: u32 = 1;

/// The place of a span: its trace and its own id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpanPlace {
    trace: [u8; 16],
    span: [u8; 8],
}

impl SpanPlace {
    /// The root of a new trace.
    fn root() -> Self {
        SpanPlace { trace: *Uuid::new_v4().as_bytes(), span: span_id() }
    }

    fn child(self) -> Self {
        SpanPlace { trace: self.trace, span: span_id() }
    }
}

/// A random id: eight bytes of a random UUID behind its version and variant.
fn span_id() -> [u8; 8] {
    let random = Uuid::new_v4().as_u128();
    // The upper and the lower half, so that the fixed bits of both are covered by random ones.
    let id = (random >> 64) as u64 ^ (random as u64).rotate_left(32);
    // An id of zeros alone is not valid.
    id.max(1).to_be_bytes()
}

/// A span that has begun.
#[derive(Debug)]
pub(crate) struct OpenSpan {
    pub(crate) place: SpanPlace,
    parent: Option<[u8; 8]>,
    name: String,
    kind: SpanKind,
    pub(crate) start: SystemTime,
    attributes: Vec<KeyValue>,
    links: Vec<SpanPlace>,
    error: Option<String>,
}

impl OpenSpan {
    /// A span below another, or the root of a new trace.
    pub(crate) fn new(
        parent: Option<SpanPlace>,
        name: impl Into<String>,
        kind: SpanKind,
        start: SystemTime,
    ) -> Self {
        OpenSpan {
            place: parent.map_or_else(SpanPlace::root, SpanPlace::child),
            parent: parent.map(|parent| parent.span),
            name: name.into(),
            kind,
            start,
            attributes: Vec::new(),
            links: Vec::new(),
            error: None,
        }
    }

    /// Sets an attribute, in the place of an earlier one of that name.
    pub(crate) fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.attributes.retain(|attribute| attribute.key.as_str() != name);
        self.attributes.push(KeyValue::new(name, value));
    }

    /// Sets an attribute to a text that may be of any length.
    pub(crate) fn set_text(&mut self, name: &'static str, text: &str) {
        self.set(name, bounded(text));
    }

    /// Sets an attribute if there is a text.
    pub(crate) fn set_some(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.set_text(name, text);
        }
    }

    /// Links it to a span of another trace.
    pub(crate) fn link(&mut self, to: SpanPlace) {
        if self.links.len() < LINKS {
            self.links.push(to);
        }
    }

    /// It has failed. The first reason counts.
    pub(crate) fn fail(&mut self, reason: &str) {
        self.error.get_or_insert_with(|| bounded(reason));
    }

    /// Why it has failed.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// How long it has taken.
    pub(crate) fn duration(&self, end: SystemTime) -> Duration {
        end.duration_since(self.start).unwrap_or_default()
    }

    /// The span as it is sent.
    pub(crate) fn end(mut self, end: SystemTime) -> Span {
        let status = self.error.take().map(|error| {
            self.set(names::ERROR_TYPE, error);
            // The type is in the attribute. A message could have what users or agents wrote.
            Status { message: String::new(), code: StatusCode::Error.into() }
        });
        let links = self.links.iter().map(|to| Link {
            trace_id: to.trace.to_vec(),
            span_id: to.span.to_vec(),
            flags: SAMPLED,
            ..Link::default()
        });
        Span {
            trace_id: self.place.trace.to_vec(),
            span_id: self.place.span.to_vec(),
            parent_span_id: self.parent.map(Vec::from).unwrap_or_default(),
            flags: SAMPLED,
            kind: self.kind.into(),
            start_time_unix_nano: nanos(self.start),
            // A clock that was set back does not end a span before its start.
            end_time_unix_nano: nanos(end.max(self.start)),
            attributes: self.attributes.iter().map(Into::into).collect(),
            links: links.collect(),
            status,
            name: self.name,
            ..Span::default()
        }
    }
}

/// A text of a bounded length, without control characters.
pub(crate) fn bounded(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(TEXT_CHARS).collect()
}

fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
