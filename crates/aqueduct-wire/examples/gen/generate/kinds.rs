//! The tables of docs/protocol.md: every kind, its direction, its members and since when.

use std::fmt::Write;

use aqueduct_wire::table::{Definition, Field, Presence, Record, Shape, Union};
use aqueduct_wire::transcript::{SubagentMeta, TranscriptLine};
use aqueduct_wire::{FromAgent, ToAgent};

use super::definitions::{self, PAYLOADS};

const LEGEND: &str = "\
Made from the tables that the parser is made from. **bold** members are essential: without them the object \
is not of this kind. Of the others, `name` is in every frame of the versions that know it, `name|null` is \
there as a value or `null`, and `name?` comes and goes. A member or kind carries the oldest version of the \
reference CLI in which it is known to exist, unless that is 2.1.37: there it was from the start.\n";

/// All tables, one section a family.
pub(crate) fn tables() -> String {
    let mut out = String::from(LEGEND);
    let from_agent = definitions::reachable(FromAgent::DEFINITION);
    let to_agent = definitions::reachable(ToAgent::DEFINITION);
    let kept = definitions::reachable(TranscriptLine::DEFINITION);
    let direction = |name: &str| match (from_agent.contains(&name), to_agent.contains(&name)) {
        (true, true) => "both directions",
        (true, false) => "from the agent",
        (false, true) => "to the agent",
        (false, false) if kept.contains(&name) || name == SubagentMeta::DEFINITION.name() => "in transcripts",
        (false, false) => "inside answers",
    };
    let all = definitions::all();
    for definition in &all {
        if let Definition::Union(union) = definition {
            // Writing to a String can't fail.
            let _ = write_union(&mut out, union, direction(union.name));
        }
    }
    for (title, payloads) in PAYLOADS {
        let rows = payloads.iter().map(|payload| (payload.name, None, payload.definition));
        let _ = write_table(&mut out, title, "for", rows);
    }
    out.push_str("\n### Objects inside\n\n| type | direction | members |\n|---|---|---|\n");
    for definition in &all {
        if let Definition::Record(record) = definition
            && !is_kind(record, &all)
        {
            let _ = writeln!(out, "| {} | {} | {} |", record.name, direction(record.name), members(record));
        }
    }
    out.push_str("\n### Names\n\n| list | known values |\n|---|---|\n");
    for definition in &all {
        if let Definition::Names(names) = definition {
            let values: Vec<String> = names.values.iter().map(|value| format!("`{value}`")).collect();
            let _ = writeln!(out, "| {} | {} |", names.name, values.join(", "));
        }
    }
    out
}

/// Whether a record has its row in a family's table already.
fn is_kind(record: &Record, all: &[&'static Definition]) -> bool {
    let in_union = all.iter().any(|definition| match definition {
        Definition::Union(union) => {
            union.variants.iter().any(|variant| (variant.definition)().name() == record.name)
        }
        _ => false,
    });
    in_union || PAYLOADS.iter().any(|(_, table)| table.iter().any(|row| row.definition.name() == record.name))
}

fn write_union(out: &mut String, union: &Union, direction: &str) -> std::fmt::Result {
    let title = format!("{}: {direction}", union.name);
    let rows = union.variants.iter().map(|row| (row.tag, Some(row.since), (row.definition)()));
    write_table(out, &title, union.tag, rows)
}

fn write_table(
    out: &mut String,
    title: &str,
    tag: &str,
    rows: impl Iterator<Item = (&'static str, Option<&'static str>, &'static Definition)>,
) -> std::fmt::Result {
    writeln!(out, "\n### {title}\n\n| `{tag}` | type | members |\n|---|---|---|")?;
    for (name, since, definition) in rows {
        let members = match definition {
            Definition::Record(record) => members(record),
            other => format!("see {}", other.name()),
        };
        let since =
            since.filter(|since| *since != FIRST).map(|since| format!(" ({since})")).unwrap_or_default();
        writeln!(out, "| `{name}`{since} | {} | {members} |", definition.name())?;
    }
    Ok(())
}

const FIRST: &str = "2.1.37";

/// A record's members, grouped by version.
fn members(record: &Record) -> String {
    let mut out = String::new();
    let mut since = FIRST;
    for field in record.fields {
        if field.since != since && !field.since.is_empty() {
            since = field.since;
            out.push_str(&format!("{}{since}: ", if out.is_empty() { "" } else { "; " }));
        } else if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&member(field));
    }
    if out.is_empty() { "none".into() } else { out }
}

fn member(field: &Field) -> String {
    let shape = shape_note(&(field.shape)());
    let name = match field.presence {
        Presence::Essential => format!("**`{}`**", field.key),
        Presence::Nullable => format!("`{}\\|null`", field.key),
        Presence::Optional => format!("`{}?`", field.key),
        _ => format!("`{}`", field.key),
    };
    format!("{name}{shape}")
}

/// The type of a member where it has a name of its own.
fn shape_note(shape: &Shape) -> String {
    match shape {
        Shape::Defined(definition) => format!(" {}", definition.name()),
        Shape::List(item) => format!("{}\\[\\]", shape_note(item)),
        Shape::Map(item) => format!("{}{{}}", shape_note(item)),
        _ => String::new(),
    }
}
