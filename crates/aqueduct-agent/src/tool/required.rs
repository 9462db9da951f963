//! What a call must have before anybody is asked about it.

use reqwest::Url;
use serde_json::Value;

use super::{Tool, web_search};

impl Tool {
    /// What the schema requires and the input does not have, as text for the model. Little else is looked at:
    /// what the members mean is the tool's own business.
    pub(crate) fn missing(&self, input: &Value) -> Option<String> {
        let schema: Value = serde_json::from_str(self.schema).ok()?;
        let required = schema.get("required")?.as_array()?.iter().filter_map(Value::as_str);
        let wrong = required.filter_map(|name| {
            let property = &schema["properties"][name];
            let kind = property["type"].as_str().unwrap_or_default();
            let least = property["minItems"].as_u64().unwrap_or_default();
            let shortest = property["minLength"].as_u64().unwrap_or_default();
            match input.get(name) {
                None | Some(Value::Null) => Some(format!("`{name}` is missing")),
                Some(value) if !is(value, kind) => Some(format!("`{name}` must be of the type {kind}")),
                Some(Value::String(text)) if (text.chars().count() as u64) < shortest => {
                    Some(format!("`{name}` must have {shortest} or more characters"))
                }
                Some(Value::String(text)) if property["format"] == "uri" => {
                    let error = Url::parse(text).err()?;
                    Some(format!("`{name}` is no address: {error}"))
                }
                Some(Value::Array(items)) if (items.len() as u64) < least => {
                    Some(format!("`{name}` must have {least} or more items"))
                }
                Some(_) => None,
            }
        });
        let contradiction =
            (self.name == web_search::TOOL.name).then(|| web_search::contradiction(input)).flatten();
        let wrong: Vec<String> = wrong.chain(contradiction).collect();
        (!wrong.is_empty()).then(|| format!("InputValidationError: {}: {}.", self.name, wrong.join(", ")))
    }
}

/// Whether a value has the type of a schema. Types that tools read in several ways fit always.
fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::tool::TOOLS;

    #[test]
    fn what_is_required_is_named() {
        let bash = TOOLS.iter().find(|tool| tool.name == "Bash").expect("Bash");
        assert_eq!(bash.missing(&json!({ "command": "ls" })), None);
        assert!(bash.missing(&json!({})).is_some_and(|text| text.contains("`command` is missing")));
        assert!(
            bash.missing(&json!({ "command": 7 }))
                .is_some_and(|text| text.contains("must be of the type string"))
        );
    }

    #[test]
    fn every_schema_can_be_read() {
        for tool in TOOLS {
            let schema: serde_json::Value = serde_json::from_str(tool.schema).expect(tool.name);
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
