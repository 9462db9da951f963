//! The generated sections of docs/bridge-api.md.

use std::fmt::Write;

use aqueduct_bridge::message::bridge::PASSING_FRAMES;
use aqueduct_bridge::message::http::{PLACES, PREFIX, ROUTES, RouteAccess, RouteAction};
use aqueduct_bridge::message::{BridgeMessage, CLOSE_CODES, ClientMessage, Delivery, ERROR_CODES};
use aqueduct_wire::json::{Json, Map, Raw, Reader};
use aqueduct_wire::table::{Definition, Presence, Record, Shape, Union};

use super::definitions;

/// The page that holds the sections.
pub(crate) const PAGE: &str = "docs/bridge-api.md";

const END: &str = "<!-- end generated -->";

const CLIENT_EXAMPLES: &str = include_str!("../../../tests/fixtures/client.jsonl");
const BRIDGE_EXAMPLES: &str = include_str!("../../../tests/fixtures/bridge.jsonl");

/// The page with its generated sections made anew.
pub(crate) fn fill_page(page: &str) -> Result<String, String> {
    let sections = [
        ("client", client_messages()),
        ("bridge", bridge_messages()),
        ("passing frames", passing_frames()),
        ("objects", objects()),
        ("names", names()),
        ("errors", errors()),
        ("close codes", close_codes()),
        ("routes", routes()),
    ];
    sections.into_iter().try_fold(page.to_owned(), |page, (name, content)| fill(&page, name, &content))
}

fn fill(page: &str, name: &str, content: &str) -> Result<String, String> {
    let mark = format!("<!-- generated: {name} -->");
    let begin = page.find(&mark).ok_or_else(|| format!("{PAGE} has no line `{mark}`"))? + mark.len();
    let end = page[begin..].find(END).ok_or_else(|| format!("{PAGE} has no line `{END}`"))? + begin;
    Ok(format!("{}\n\n{}\n\n{}", &page[..begin], content.trim_end(), &page[end..]))
}

fn kinds(definition: &'static Definition) -> &'static Union {
    match definition {
        Definition::Union(union) => union,
        _ => unreachable!("a family of messages is a union"),
    }
}

fn client_messages() -> String {
    let mut out = String::new();
    for variant in kinds(ClientMessage::DEFINITION).variants {
        let replies = ClientMessage::REPLIES.iter().find(|row| row.0 == variant.tag).map(|row| row.1);
        let replies: Vec<String> =
            replies.unwrap_or_default().iter().map(|kind| format!("`{kind}`")).collect();
        let note = format!("Reply: {}. Scope: {}.", replies.join(" or "), scope(variant.tag));
        message(&mut out, variant.tag, (variant.definition)(), &note, CLIENT_EXAMPLES);
    }
    out
}

/// What a message needs, in words.
fn scope(tag: &str) -> String {
    let row = ClientMessage::SCOPES.iter().find(|row| row.0 == tag);
    match row {
        Some((_, scope, _, "")) => format!("`{}`", scope.as_str()),
        Some((_, scope, _, more)) => format!("`{}`; {more}", scope.as_str()),
        None => unreachable!("every message has a scope"),
    }
}

fn access(access: RouteAccess) -> String {
    match access {
        RouteAccess::Public => "none".to_owned(),
        RouteAccess::Scope(scope) => format!("`{}`", scope.as_str()),
    }
}

fn bridge_messages() -> String {
    let mut out = String::new();
    for variant in kinds(BridgeMessage::DEFINITION).variants {
        let delivery = BridgeMessage::DELIVERIES.iter().find(|row| row.0 == variant.tag).map(|row| row.1);
        let note = match delivery {
            Some(Delivery::Stored) => "*Stored.*",
            Some(Delivery::Live) => "*Live.*",
            Some(Delivery::Notice) => "*Notice.*",
            Some(Delivery::Reply) | None => "*Reply.*",
        };
        message(&mut out, variant.tag, (variant.definition)(), note, BRIDGE_EXAMPLES);
    }
    out
}

fn message(out: &mut String, tag: &str, definition: &Definition, note: &str, examples: &str) {
    let Definition::Record(record) = definition else { unreachable!("a message is a record") };
    // Writing to a String can't fail.
    let _ = writeln!(out, "### `{tag}`\n\n{} {note}\n", paragraph(record.doc));
    members(out, record);
    let example = examples
        .lines()
        .find(|line| line.starts_with(&format!("{{\"type\":\"{tag}\",")))
        .unwrap_or_else(|| panic!("no fixture begins with the type {tag}"));
    let _ = writeln!(out, "```json\n{}\n```\n", wrapped(example));
}

fn members(out: &mut String, record: &Record) {
    if record.fields.is_empty() {
        return;
    }
    out.push_str("| member | type | |\n|---|---|---|\n");
    for field in record.fields {
        let name = match field.presence {
            Presence::Essential => format!("**`{}`**", field.key),
            Presence::Always => format!("`{}`", field.key),
            _ => format!("`{}`?", field.key),
        };
        let _ = writeln!(out, "| {name} | {} | {} |", shape(&(field.shape)()), cell(&paragraph(field.doc)));
    }
    out.push('\n');
}

fn passing_frames() -> String {
    let frames: Vec<String> = PASSING_FRAMES
        .iter()
        .map(|(kind, subtype)| match *subtype {
            "" => format!("`{kind}`"),
            subtype => format!("`{kind}/{subtype}`"),
        })
        .collect();
    frames.join(", ")
}

/// Whether a record is a message and has its own section.
fn is_message(name: &str) -> bool {
    [ClientMessage::DEFINITION, BridgeMessage::DEFINITION]
        .into_iter()
        .any(|family| kinds(family).variants.iter().any(|variant| (variant.definition)().name() == name))
}

fn objects() -> String {
    let mut out = String::new();
    for definition in definitions::ours() {
        if let Definition::Record(record) = definition
            && !is_message(record.name)
        {
            let _ = writeln!(out, "### {}\n\n{}\n", record.name, paragraph(record.doc));
            members(&mut out, record);
        }
    }
    out
}

fn names() -> String {
    let mut out = String::new();
    for definition in definitions::ours() {
        if let Definition::Names(names) = definition
            && names.name != "ErrorCode"
        {
            let _ = writeln!(out, "### {}\n\n{}\n\n| | |\n|---|---|", names.name, paragraph(names.doc));
            for (value, doc) in names.values.iter().zip(names.docs) {
                let _ = writeln!(out, "| `{value}` | {} |", cell(&paragraph(doc)));
            }
            out.push('\n');
        }
    }
    out
}

fn errors() -> String {
    let mut out = String::from("| code | HTTP | when |\n|---|---|---|\n");
    for (code, status, doc) in ERROR_CODES {
        let _ = writeln!(out, "| `{code}` | {status} | {} |", cell(&paragraph(doc)));
    }
    out
}

fn close_codes() -> String {
    let mut out = String::from("| code | when |\n|---|---|\n");
    for (code, doc) in CLOSE_CODES {
        let _ = writeln!(out, "| {code} | {} |", cell(&paragraph(doc)));
    }
    out
}

fn routes() -> String {
    let mut out = format!("| route, behind `{PREFIX}` | message | least scope | |\n|---|---|---|---|\n");
    for route in ROUTES {
        let message = match route.action {
            RouteAction::Message(name) => format!("`{name}`"),
            RouteAction::Document => "`export_session`".to_owned(),
            _ => String::new(),
        };
        let (method, scope) = (route.method.as_str(), access(route.access()));
        let _ = writeln!(out, "| `{method} {}` | {message} | {scope} | {} |", route.path, route.summary);
    }
    out.push_str("\nOutside of that:\n\n| path | least scope |\n|---|---|\n");
    for (path, needed) in PLACES {
        let _ = writeln!(out, "| `{path}` | {} |", access(*needed));
    }
    out.push_str("| files of the web UI | none |\n");
    out
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Text => "string".into(),
        Shape::Number => "number".into(),
        Shape::Whole => "whole number".into(),
        Shape::Bool => "boolean".into(),
        Shape::List(item) => format!("{}\\[\\]", self::shape(item)),
        Shape::Map(item) => format!("object of {}", self::shape(item)),
        Shape::Either(shapes) => shapes.iter().map(self::shape).collect::<Vec<_>>().join(" or "),
        Shape::Defined(definition) => definition.name().into(),
        _ => "any".into(),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn paragraph(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// An example in lines that fit a page: a member a line where one line is too short for all.
fn wrapped(example: &str) -> String {
    const WIDTH: usize = 110;
    if example.len() <= WIDTH {
        return example.to_owned();
    }
    let members = Map::<Raw<'_>>::read(&mut Reader::new(example));
    let members = members.unwrap_or_else(|fault| panic!("{fault:?} in {example}"));
    let mut lines: Vec<String> = Vec::new();
    for (name, member) in members.iter() {
        let member = format!("\"{name}\":{member}");
        match lines.last_mut() {
            Some(line) if line.len() + member.len() + 2 <= WIDTH => {
                line.push(',');
                line.push_str(&member);
            }
            _ => lines.push(member),
        }
    }
    format!("{{{}}}", lines.join(",\n "))
}
