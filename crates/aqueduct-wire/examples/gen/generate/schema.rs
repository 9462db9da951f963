//! JSON Schema of both directions.

use aqueduct_wire::table::{Definition, Presence, Record, Shape, Union};
use serde_json::{Map, Value, json};

use super::definitions;

/// The schema as a document, a line for each definition. `FromAgent` and `ToAgent` are among them.
pub(crate) fn document() -> String {
    let definitions: Vec<String> = definitions::all()
        .into_iter()
        .map(|definition| format!("    {}: {}", json!(definition.name()), definition_schema(definition)))
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

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn definition_schema(definition: &Definition) -> Value {
    match definition {
        Definition::Record(record) => record_schema(record),
        Definition::Union(union) => union_schema(union),
        Definition::Names(names) => json!({
            "description": text(names.doc),
            "anyOf": [{ "enum": names.values }, { "type": "string" }],
        }),
        _ => json!(true),
    }
}

fn record_schema(record: &Record) -> Value {
    let required: Vec<&str> = record
        .fields
        .iter()
        .filter(|field| field.presence == Presence::Essential)
        .map(|field| field.key)
        .collect();
    let properties: Map<String, Value> = record
        .fields
        .iter()
        .map(|field| {
            let mut schema = shape_schema(&(field.shape)());
            if field.presence != Presence::Essential && schema != json!(true) {
                schema = json!({ "anyOf": [schema, { "type": "null" }] });
            }
            if let (Value::Object(schema), false) = (&mut schema, field.doc.is_empty()) {
                schema.insert("description".into(), text(field.doc).into());
            }
            (field.key.to_owned(), schema)
        })
        .collect();
    json!({
        "description": text(record.doc),
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

/// The known kinds, or an object whose discriminator is none of theirs.
fn union_schema(union: &Union) -> Value {
    let tags: Vec<&str> = union.variants.iter().map(|variant| variant.tag).collect();
    let mut kinds: Vec<Value> = union
        .variants
        .iter()
        .map(|variant| {
            json!({
                "allOf": [
                    { "properties": { union.tag: { "const": variant.tag } }, "required": [union.tag] },
                    reference((variant.definition)().name()),
                ],
            })
        })
        .collect();
    kinds.push(json!({ "properties": { union.tag: { "not": { "enum": tags } } } }));
    json!({ "description": text(union.doc), "type": "object", "anyOf": kinds })
}

fn shape_schema(shape: &Shape) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::List(item) => json!({ "type": "array", "items": shape_schema(item) }),
        Shape::Map(item) => json!({ "type": "object", "additionalProperties": shape_schema(item) }),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(shape_schema).collect::<Vec<_>>() }),
        Shape::Defined(definition) => reference(definition.name()),
        _ => json!(true),
    }
}

/// A doc comment as one paragraph.
fn text(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
