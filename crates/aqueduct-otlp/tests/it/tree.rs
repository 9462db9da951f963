//! Spans as a text that people read.

use aqueduct_otlp::protocol::{Span, span, status};

use super::collector::{shown, value};

/// Attributes that say the same in every span of a test.
const LEFT_OUT: &[&str] = &["gen_ai.conversation.id", "gen_ai.operation.name"];

/// Spans as a tree, those of one parent in the order of their beginning. Ids and times are left out.
pub(crate) fn tree(spans: &[Span]) -> String {
    let mut text = String::new();
    let is_known = |id: &[u8]| spans.iter().any(|span| span.span_id == id);
    let mut roots: Vec<&Span> = spans.iter().filter(|span| !is_known(&span.parent_span_id)).collect();
    roots.sort_by_key(|span| span.start_time_unix_nano);
    for root in roots {
        add(&mut text, root, spans, 0);
    }
    text
}

fn add(text: &mut String, span: &Span, spans: &[Span], depth: usize) {
    let indent = "  ".repeat(depth);
    let kind = match span.kind() {
        span::SpanKind::Client => " (client)",
        _ => "",
    };
    let failed = match span.status.as_ref().is_some_and(|status| status.code() == status::StatusCode::Error) {
        true => " FAILED",
        false => "",
    };
    let links = if span.links.is_empty() { "" } else { " +link" };
    text.push_str(&format!("{indent}{}{kind}{failed}{links}\n", span.name));
    let mut attributes: Vec<String> = span
        .attributes
        .iter()
        .filter(|attribute| !LEFT_OUT.contains(&attribute.key.as_str()))
        .map(|attribute| {
            let value = attribute.value.as_ref().and_then(|value| value.value.as_ref());
            format!("{indent}    {} = {}\n", attribute.key, value.map(shown).unwrap_or_default())
        })
        .collect();
    attributes.sort();
    text.extend(attributes);
    let mut children: Vec<&Span> =
        spans.iter().filter(|child| child.parent_span_id == span.span_id).collect();
    children.sort_by_key(|child| child.start_time_unix_nano);
    for child in children {
        assert_eq!(child.trace_id, span.trace_id, "a child is in the trace of its parent");
        add(text, child, spans, depth + 1);
    }
}

/// The operation of a span.
pub(crate) fn operation(span: &Span) -> String {
    value(&span.attributes, "gen_ai.operation.name").unwrap_or_default()
}
