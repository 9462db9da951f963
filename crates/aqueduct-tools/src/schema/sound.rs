//! Checks a schema before it is used.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::error::{SchemaError, SchemaFault};
use super::pattern::SchemaPattern;
use super::{MAX_DEPTH, Schema};

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
    &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Keywords whose value is a list of schemas.
const LISTED_SCHEMAS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];

/// Keywords that only make sense with several documents.
const UNSUPPORTED: &[&str] = &["$dynamicRef", "$recursiveRef"];

/// Checks a schema, and gathers what is looked up in it. Returns its first error.
pub(super) fn check(schema: &mut Schema) -> Result<(), SchemaError> {
    let mut reader = SchemaReader::default();
    // A reference may precede what it leads to, so references are checked at the end.
    reader.look(&schema.root, "", 0)?;
    let SchemaReader { patterns, anchors, references, collects } = reader;
    schema.patterns = Arc::new(patterns);
    schema.anchors = anchors;
    schema.collects = collects;
    match references.into_iter().find(|(_, name)| schema.find(name).is_none()) {
        Some((place, _)) => Err(SchemaError { place, fault: SchemaFault::Reference }),
        None => Ok(()),
    }
}

/// What is found in a schema.
#[derive(Default)]
struct SchemaReader {
    patterns: BTreeMap<String, SchemaPattern>,
    anchors: BTreeMap<String, String>,
    /// Places and what they refer to.
    references: Vec<(String, String)>,
    collects: bool,
}

impl SchemaReader {
    fn look(&mut self, schema: &Value, place: &str, depth: usize) -> Result<(), SchemaError> {
        let here = |fault: SchemaFault| Err(SchemaError { place: place.to_owned(), fault });
        if depth > MAX_DEPTH {
            return here(SchemaFault::TooDeep);
        }
        let members = match schema {
            Value::Bool(_) => return Ok(()),
            Value::Object(members) => members,
            _ => return here(SchemaFault::NotASchema),
        };
        if let Some(name) = UNSUPPORTED.iter().find(|name| members.contains_key(**name)) {
            return here(SchemaFault::Unsupported(name));
        }
        self.address(members, place)?;
        for (key, value) in members {
            let inside = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
            let key = key.as_str();
            match key {
                "type" if !is_type(value) => return here(SchemaFault::UnknownType),
                "required" if !is_names(value) => return here(SchemaFault::RequiredNames),
                "enum" if !value.is_array() => return here(SchemaFault::EnumList),
                "pattern" if !value.as_str().is_some_and(|text| self.pattern(text)) => {
                    return here(SchemaFault::SchemaPattern);
                }
                "$ref" => match value.as_str() {
                    Some(name) => self.references.push((place.to_owned(), name.to_owned())),
                    None => return here(SchemaFault::Reference),
                },
                "unevaluatedProperties" | "unevaluatedItems" => {
                    self.collects = true;
                    self.look(value, &inside, depth + 1)?;
                }
                _ if LISTED_SCHEMAS.contains(&key) => {
                    let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
                        return here(SchemaFault::SchemaList(key.to_owned()));
                    };
                    self.all(list, &inside, depth)?;
                }
                _ if NAMED_SCHEMAS.contains(&key) => {
                    let Some(named) = value.as_object() else {
                        return here(SchemaFault::SchemaObject(key.to_owned()));
                    };
                    for (name, item) in named {
                        if key == "patternProperties" && !self.pattern(name) {
                            return here(SchemaFault::PatternProperty(name.clone()));
                        }
                        // Draft 7 lists required members there as well.
                        if key == "dependencies" && is_names(item) {
                            continue;
                        }
                        let name = name.replace('~', "~0").replace('/', "~1");
                        self.look(item, &format!("{inside}/{name}"), depth + 1)?;
                    }
                }
                // A list of schemas under `items` is how older drafts write `prefixItems`.
                "items" if value.is_array() => {
                    self.all(value.as_array().map(Vec::as_slice).unwrap_or_default(), &inside, depth)?;
                }
                _ if SCHEMAS.contains(&key) => self.look(value, &inside, depth + 1)?,
                _ => (),
            }
        }
        Ok(())
    }

    fn all(&mut self, list: &[Value], place: &str, depth: usize) -> Result<(), SchemaError> {
        for (index, item) in list.iter().enumerate() {
            self.look(item, &format!("{place}/{index}"), depth + 1)?;
        }
        Ok(())
    }

    /// Notes the name of a part. An address would change what references inside it mean.
    fn address(&mut self, members: &Map<String, Value>, place: &str) -> Result<(), SchemaError> {
        let text = |key: &str| members.get(key).and_then(Value::as_str);
        let named =
            [text("$anchor"), text("$dynamicAnchor"), text("$id").and_then(|id| id.strip_prefix('#'))];
        for name in named.into_iter().flatten().filter(|name| !name.is_empty()) {
            self.anchors.insert(name.to_owned(), place.to_owned());
        }
        match text("$id") {
            Some(id) if !place.is_empty() && !id.starts_with('#') => Err(SchemaError {
                place: place.to_owned(),
                fault: SchemaFault::Unsupported("$id inside a schema"),
            }),
            _ => Ok(()),
        }
    }

    /// Reads a pattern. `false` if it is none.
    fn pattern(&mut self, text: &str) -> bool {
        if self.patterns.contains_key(text) {
            return true;
        }
        match SchemaPattern::new(text) {
            Some(pattern) => {
                self.patterns.insert(text.to_owned(), pattern);
                true
            }
            None => false,
        }
    }
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
