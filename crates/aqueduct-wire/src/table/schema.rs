use serde_json::{Map, Value, json};

use super::{Definition, Presence, Record, Shape, Union};

/// A definition as JSON Schema. Types with a name are referred to as `prefix` and their name.
pub fn schema(definition: &Definition, prefix: &str) -> Value {
    match definition {
        Definition::Record(record) => record_schema(record, prefix),
        Definition::Union(union) => union_schema(union, prefix),
        Definition::Names(names) => json!({
            "description": paragraph(names.doc),
            "anyOf": [{ "enum": names.values }, { "type": "string" }],
        }),
    }
}

fn record_schema(record: &Record, prefix: &str) -> Value {
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
            let mut schema = shape_schema(&(field.shape)(), prefix);
            if field.presence != Presence::Essential && schema != json!(true) {
                schema = json!({ "anyOf": [schema, { "type": "null" }] });
            }
            if let (Value::Object(schema), false) = (&mut schema, field.doc.is_empty()) {
                schema.insert("description".into(), paragraph(field.doc).into());
            }
            (field.key.to_owned(), schema)
        })
        .collect();
    json!({
        "description": paragraph(record.doc),
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

fn reference(name: &str, prefix: &str) -> Value {
    json!({ "$ref": format!("{prefix}{name}") })
}

/// The known kinds, or an object whose discriminator is none of theirs.
fn union_schema(union: &Union, prefix: &str) -> Value {
    let tags: Vec<&str> = union.variants.iter().map(|variant| variant.tag).collect();
    let mut kinds: Vec<Value> = union
        .variants
        .iter()
        .map(|variant| {
            json!({
                "allOf": [
                    { "properties": { union.tag: { "const": variant.tag } }, "required": [union.tag] },
                    reference((variant.definition)().name(), prefix),
                ],
            })
        })
        .collect();
    kinds.push(json!({ "properties": { union.tag: { "not": { "enum": tags } } } }));
    json!({ "description": paragraph(union.doc), "type": "object", "anyOf": kinds })
}

/// A shape as JSON Schema, as in [`schema`].
pub fn shape_schema(shape: &Shape, prefix: &str) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Whole => json!({ "type": "integer", "minimum": 0 }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Any => json!(true),
        Shape::List(item) => json!({ "type": "array", "items": shape_schema(item, prefix) }),
        Shape::Map(item) => json!({ "type": "object", "additionalProperties": shape_schema(item, prefix) }),
        Shape::Either(shapes) => {
            json!({ "anyOf": shapes.iter().map(|shape| shape_schema(shape, prefix)).collect::<Vec<_>>() })
        }
        Shape::Defined(definition) => reference(definition.name(), prefix),
    }
}

/// A doc comment as one paragraph.
fn paragraph(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
