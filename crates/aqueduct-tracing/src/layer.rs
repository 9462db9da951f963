use std::fmt::{Debug, Write as _};

use jiff::Timestamp;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::LogSink;
use super::format::{FieldValue, LogFormat, LogLine};

/// Makes lines of events.
pub(crate) struct LineLayer {
    pub(crate) format: LogFormat,
    pub(crate) sink: LogSink,
}

/// The fields of an event or a span.
#[derive(Default)]
struct RecordedFields {
    message: String,
    fields: Vec<(&'static str, FieldValue)>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LineLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut recorded = RecordedFields::default();
            attributes.record(&mut recorded);
            span.extensions_mut().replace(recorded);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(recorded) = span.extensions_mut().get_mut::<RecordedFields>()
        {
            values.record(recorded);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut recorded = RecordedFields::default();
        event.record(&mut recorded);
        let mut spans = Vec::new();
        // The innermost first: its fields are those of the line.
        for span in context.event_scope(event).into_iter().flatten() {
            spans.push(span.name());
            if let Some(of_span) = span.extensions().get::<RecordedFields>() {
                let is_new = |(name, _): &&(&'static str, FieldValue)| {
                    !recorded.fields.iter().any(|(known, _)| known == name)
                };
                let new: Vec<_> = of_span.fields.iter().filter(is_new).cloned().collect();
                recorded.fields.extend(new);
            }
        }
        spans.reverse();
        let metadata = event.metadata();
        let line = LogLine {
            time: Timestamp::now(),
            level: *metadata.level(),
            event: if is_named(metadata.name()) { metadata.name() } else { metadata.target() },
            target: metadata.target(),
            message: recorded.message,
            fields: recorded.fields,
            spans,
        };
        self.sink.write(&line.written(self.format), self.format);
    }
}

/// Whether an event has a name of its own: by default it is the place in the source.
fn is_named(name: &str) -> bool {
    !name.starts_with("event ")
}

impl RecordedFields {
    fn put(&mut self, field: &Field, value: FieldValue) {
        match (field.name(), value) {
            ("message", FieldValue::Text(text) | FieldValue::Plain(text)) => self.message = text,
            (name, value) => match self.fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = value,
                None => self.fields.push((name, value)),
            },
        }
    }
}

impl Visit for RecordedFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no other numbers.
        self.put(
            field,
            match value.is_finite() {
                true => FieldValue::Plain(value.to_string()),
                false => FieldValue::Text(value.to_string()),
            },
        );
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, FieldValue::Plain(value.to_string()));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, FieldValue::Plain(value.to_string()));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, FieldValue::Plain(value.to_string()));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, FieldValue::Text(value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = write!(text, "{value:?}");
        self.put(field, FieldValue::Text(text));
    }
}
