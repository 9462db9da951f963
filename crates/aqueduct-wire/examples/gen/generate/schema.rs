//! JSON Schema of both directions.

use aqueduct_wire::table::schema;
use serde_json::json;

use super::definitions;

/// The schema as a document, a line for each definition. `FromAgent` and `ToAgent` are among them.
pub(crate) fn document() -> String {
    let definitions: Vec<String> = definitions::all()
        .into_iter()
        .map(|definition| format!("    {}: {}", json!(definition.name()), schema(definition, "#/$defs/")))
        .collect();
    format!(
        r##"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "stream-json",
  "description": "Frames that a coding agent and its host exchange, one JSON object a line. Unknown kinds, members and names are always allowed.",
  "anyOf": [{{"$ref":"#/$defs/FromAgent"}},{{"$ref":"#/$defs/ToAgent"}}],
  "$defs": {{
{}
  }}
}}
"##,
        definitions.join(",\n")
    )
}
