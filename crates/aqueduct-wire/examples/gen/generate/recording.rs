//! The table of a recording's line.

use std::fmt::Write;

use aqueduct_wire::recording::{RecordingDirection, RecordingLine};
use aqueduct_wire::table::{Definition, Presence, Shape};

/// The members of a line and the values of `dir`.
pub(crate) fn table() -> String {
    let mut out = String::from("| member | type | when | meaning |\n|---|---|---|---|\n");
    if let Definition::Record(record) = RecordingLine::DEFINITION {
        for field in record.fields {
            let when = if field.presence == Presence::Essential { "always" } else { "sometimes" };
            let (shape, meaning) = (shape(&(field.shape)()), sentence(field.doc));
            // Writing to a String can't fail.
            let _ = writeln!(out, "| `{}` | {shape} | {when} | {meaning} |", field.key);
        }
    }
    out.push_str("\n| `dir` | meaning |\n|---|---|\n");
    if let Definition::Names(names) = RecordingDirection::DEFINITION {
        for (value, doc) in names.values.iter().zip(names.docs) {
            let _ = writeln!(out, "| `{value}` | {} |", sentence(doc));
        }
    }
    out
}

fn shape(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Defined(_) => "string",
        Shape::Number | Shape::Whole => "number",
        Shape::Bool => "boolean",
        _ => "any JSON",
    }
}

fn sentence(doc: &[&str]) -> String {
    let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
    lines.join(" ").trim_end_matches('.').to_owned()
}
