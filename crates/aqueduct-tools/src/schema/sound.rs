//! Checks a schema before it is used.

use grep_regex::RegexMatcher;
use serde_json::Value;

use super::MAX_DEPTH;
use super::error::{SchemaError, SchemaFault};

/// The types there are.
pub(super) const TYPES: &[&str] = &["string", "number", "integer", "boolean", "object", "array", "null"];

/// Keywords whose value is a schema.
const SCHEMAS: &[&str] = &[
    "items",
    "additionalProperties",
    "additionalItems",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
];

/// Keywords whose value is an object of schemas.
const NAMED_SCHEMAS: &[&str] =
    &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Keywords whose value is a list of schemas.
const LISTED_SCHEMAS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];

/// Checks a schema and returns its first error.
pub(super) fn check(schema: &Value) -> Result<(), SchemaError> {
    look(schema, schema, "", 0)
}

fn look(root: &Value, schema: &Value, place: &str, depth: usize) -> Result<(), SchemaError> {
    let here = |fault: SchemaFault| Err(SchemaError { place: place.to_owned(), fault });
    if depth > MAX_DEPTH {
        return here(SchemaFault::TooDeep);
    }
    let members = match schema {
        Value::Bool(_) => return Ok(()),
        Value::Object(members) => members,
        _ => return here(SchemaFault::NotASchema),
    };
    for (key, value) in members {
        let inside = format!("{place}/{key}");
        let key = key.as_str();
        match key {
            "type" if !is_type(value) => return here(SchemaFault::UnknownType),
            "required" if !is_names(value) => return here(SchemaFault::RequiredNames),
            "enum" if !value.is_array() => return here(SchemaFault::EnumList),
            "pattern" if value.as_str().is_none_or(|text| RegexMatcher::new(text).is_err()) => {
                return here(SchemaFault::Pattern);
            }
            "$ref" if value.as_str().and_then(|name| find(root, name)).is_none() => {
                return here(SchemaFault::Reference);
            }
            _ if LISTED_SCHEMAS.contains(&key) => {
                let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
                    return here(SchemaFault::SchemaList(key.to_owned()));
                };
                for (index, item) in list.iter().enumerate() {
                    look(root, item, &format!("{inside}/{index}"), depth + 1)?;
                }
            }
            _ if NAMED_SCHEMAS.contains(&key) => {
                let Some(named) = value.as_object() else {
                    return here(SchemaFault::SchemaObject(key.to_owned()));
                };
                for (name, item) in named {
                    look(root, item, &format!("{inside}/{name}"), depth + 1)?;
                }
            }
            // A list of schemas under `items` is how older drafts write `prefixItems`.
            "items" if value.is_array() => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    look(root, item, &format!("{inside}/{index}"), depth + 1)?;
                }
            }
            _ if SCHEMAS.contains(&key) => look(root, value, &inside, depth + 1)?,
            _ => (),
        }
    }
    Ok(())
}

fn is_type(value: &Value) -> bool {
    let is_known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(names) => !names.is_empty() && names.iter().all(is_known),
        value => is_known(value),
    }
}

fn is_names(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

/// The part of a schema that a reference leads to.
pub(super) fn find<'s>(root: &'s Value, name: &str) -> Option<&'s Value> {
    let pointer = name.strip_prefix('#')?;
    if pointer.is_empty() { Some(root) } else { root.pointer(pointer) }
}
