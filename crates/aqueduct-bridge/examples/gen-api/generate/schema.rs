//! JSON Schema of both directions.

use aqueduct_wire::table::schema;
use serde_json::json;

use super::definitions;

/// The schema as a document, a line for each definition. `ClientMessage` and `BridgeMessage` are among them.
pub(crate) fn document() -> String {
    let definitions: Vec<String> = definitions::all()
        .into_iter()
        .map(|definition| format!("    {}: {}", json!(definition.name()), schema(definition, "#/$defs/")))
        .collect();
    format!(
        r##"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "aqueduct-bridge",
  "description": "What the bridge and its clients say to each other, one JSON object a message. Kinds, members and names that are not listed here occur.",
  "anyOf": [{{"$ref":"#/$defs/ClientMessage"}},{{"$ref":"#/$defs/BridgeMessage"}}],
  "$defs": {{
{}
  }}
}}
"##,
        definitions.join(",\n")
    )
}
