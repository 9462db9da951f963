//! Everything that is made from the tables of messages and routes.

mod definitions;
mod page;
mod python;
mod schema;
mod typescript;

use aqueduct_bridge::message::http;
use serde_json::Value;

pub(crate) use page::{PAGE, fill_page};

/// The generated files: path from the project's root, and content.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![
        ("crates/aqueduct-bridge/generated/bridge.schema.json", schema::document()),
        ("crates/aqueduct-bridge/generated/openapi.json", spread(&http::openapi(), 3)),
        ("packages/npm/src/generated/messages.ts", typescript::module()),
        ("packages/python/src/aqueduct_client/generated/__init__.py", python::PACKAGE.to_owned()),
        ("packages/python/src/aqueduct_client/generated/messages.py", python::module()),
    ]
}

/// JSON with a line for each member down to a depth: short enough to read, and to compare.
fn spread(value: &Value, depth: usize) -> String {
    let mut out = String::new();
    write(&mut out, value, depth, 0);
    out.push('\n');
    out
}

fn write(out: &mut String, value: &Value, depth: usize, indent: usize) {
    let members = match value {
        Value::Object(members) if depth > 0 && !members.is_empty() => members,
        _ => return out.push_str(&value.to_string()),
    };
    out.push_str("{\n");
    for (index, (name, member)) in members.iter().enumerate() {
        out.push_str(&"  ".repeat(indent + 1));
        out.push_str(&format!("{}: ", Value::from(name.as_str())));
        write(out, member, depth - 1, indent + 1);
        out.push_str(if index + 1 < members.len() { ",\n" } else { "\n" });
    }
    out.push_str(&"  ".repeat(indent));
    out.push('}');
}
