//! Checks the input of a call against the schema of its tool, before permission is requested.

use aqueduct_wire::json::Raw;
use reqwest::Url;
use serde_json::{Map, Value};

use super::BuiltInTool;
use super::invalid_input::{InputFault, InvalidInput};

impl BuiltInTool {
    /// Compares an input with the schema. Only the members of the input itself are compared: what is in them is the
    /// tool's own business.
    pub fn check_input(&self, input: &Value) -> Result<(), InvalidInput> {
        let Ok(schema) = serde_json::from_str::<Value>(self.schema) else { return Ok(()) };
        let none = Map::new();
        let given = input.as_object().unwrap_or(&none);
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let missing = required
            .filter(|name| given.get(*name).is_none_or(Value::is_null))
            .map(|name| InputFault::Missing(name.to_owned()));
        let wrong =
            given.iter().filter(|(_, value)| !value.is_null()).filter_map(|(name, value)| {
                match schema["properties"].get(name) {
                    Some(property) => fault_of(name, property, value),
                    None if schema["additionalProperties"] == false => {
                        Some(InputFault::Unknown(name.clone()))
                    }
                    None => None,
                }
            });
        let has = |name: &str| given.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let exclusive = self.facts.exclusive_lists.iter().filter(|(one, other)| has(one) && has(other));
        let exclusive = exclusive.map(|(one, other)| InputFault::Exclusive(one, other));
        let faults: Vec<InputFault> = missing.chain(wrong).chain(exclusive).collect();
        if faults.is_empty() { Ok(()) } else { Err(InvalidInput { tool: self.name, faults }) }
    }
}

impl BuiltInTool {
    /// An input in which numbers and booleans that the model wrote as strings are such.
    pub fn coerced(&self, input: Raw<'static>) -> Raw<'static> {
        let schema: Value = serde_json::from_str(self.schema).unwrap_or_default();
        let Ok(Value::Object(mut members)) = input.to::<Value>() else { return input };
        let mut is_changed = false;
        for (name, value) in &mut members {
            let Some(text) = value.as_str() else { continue };
            let meant = match schema["properties"][name.as_str()]["type"].as_str() {
                Some("boolean" | "number" | "integer") => serde_json::from_str::<Value>(text.trim()).ok(),
                _ => None,
            };
            if let Some(meant @ (Value::Bool(_) | Value::Number(_))) = meant {
                (*value, is_changed) = (meant, true);
            }
        }
        // A limit or an offset that means nothing is left out.
        for (name, least) in self.facts.least {
            if members.get(*name).and_then(Value::as_f64).is_some_and(|number| number < *least) {
                members.remove(*name);
                is_changed = true;
            }
        }
        if is_changed { Raw::from(&Value::Object(members)).into_owned() } else { input }
    }

    /// An input without the members that the schema does not know.
    pub fn known_members(&self, input: Value) -> Value {
        let schema: Value = serde_json::from_str(self.schema).unwrap_or_default();
        match input {
            Value::Object(members) if schema["additionalProperties"] == false => {
                let is_known = |name: &str| schema["properties"].get(name).is_some();
                Value::Object(members.into_iter().filter(|(name, _)| is_known(name)).collect())
            }
            input => input,
        }
    }
}

/// What is wrong with the value of a parameter.
fn fault_of(name: &str, property: &Value, value: &Value) -> Option<InputFault> {
    let name = name.to_owned();
    let kind = property["type"].as_str().unwrap_or_default();
    let least = property["minItems"].as_u64().unwrap_or_default();
    let shortest = property["minLength"].as_u64().unwrap_or_default();
    if !is(value, kind) {
        return Some(InputFault::Type { name, expected: kind.to_owned(), found: type_of(value) });
    }
    let allowed = property["enum"].as_array().filter(|allowed| !allowed.contains(value));
    if let Some(allowed) = allowed {
        let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        return Some(InputFault::Choice { name, allowed: allowed.join(", ") });
    }
    match value {
        Value::String(text) if (text.chars().count() as u64) < shortest => {
            Some(InputFault::TooShort { name, shortest })
        }
        Value::String(text) if property["format"] == "uri" => {
            let error = Url::parse(text).err()?;
            Some(InputFault::Address { name, error: error.to_string() })
        }
        Value::Array(items) if (items.len() as u64) < least => Some(InputFault::TooFew { name, least }),
        _ => None,
    }
}

/// Whether a value has the type of a schema. Models write numbers and booleans as strings now and then: tools read
/// them.
fn is(value: &Value, kind: &str) -> bool {
    let text = value.as_str().unwrap_or_default();
    let number = || value.as_f64().or_else(|| text.trim().parse().ok());
    match kind {
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "boolean" => value.is_boolean() || matches!(text, "true" | "false"),
        "number" => number().is_some(),
        "integer" => number().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::tool::TOOLS;

    fn misfits(name: &str, input: Value) -> Option<String> {
        let tool = TOOLS.iter().find(|tool| tool.name == name).expect(name);
        tool.check_input(&input).err().map(|error| error.to_string())
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let cases = [
            ("Bash", json!({}), "the required parameter `command` is missing"),
            ("Bash", json!({ "command": 7 }), "`command` must be of the type string, not number"),
            ("Bash", json!({ "command": "ls", "timeout": "soon" }), "`timeout` must be of the type number"),
            ("Bash", json!({ "command": "ls", "run_in_background": "yes" }), "`run_in_background` must be"),
            ("Bash", json!({ "command": "ls", "cwd": "/" }), "there is no parameter `cwd`"),
            ("Read", json!({ "file_path": "f", "limit": 1.5 }), "`limit` must be of the type integer"),
            (
                "NotebookEdit",
                json!({ "notebook_path": "n", "new_source": "", "edit_mode": "undo" }),
                "`edit_mode` must be one of replace, insert, delete",
            ),
            (
                "WebSearch",
                json!({ "query": "rust", "allowed_domains": ["a.org"], "blocked_domains": ["b.org"] }),
                "`allowed_domains` and `blocked_domains` can't both be given",
            ),
        ];
        for (tool, input, what) in cases {
            let misfits = misfits(tool, input.clone()).unwrap_or_default();
            assert!(
                misfits.starts_with("InputValidationError: ") && misfits.contains(what),
                "{input}: {misfits}"
            );
        }
    }

    #[test]
    fn what_tools_can_read_fits() {
        let fits = [
            ("Bash", json!({ "command": "ls", "timeout": "1500", "run_in_background": "true" })),
            ("Read", json!({ "file_path": "f", "offset": "2", "limit": null })),
            ("Agent", json!({ "description": "d", "prompt": "p", "unknown": 1 })),
        ];
        for (tool, input) in fits {
            assert_eq!(misfits(tool, input), None);
        }
    }

    #[test]
    fn every_schema_can_be_read() {
        for tool in TOOLS {
            let schema: Value = serde_json::from_str(tool.schema).expect(tool.name);
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(
                    schema["properties"][name.as_str().expect("a name")].is_object(),
                    "{} {name}",
                    tool.name
                );
            }
        }
    }
}
