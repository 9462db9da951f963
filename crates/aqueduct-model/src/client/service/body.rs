//! The bodies of services that differ from the Messages API in a few members.

use aqueduct_wire::json::{Json as _, Map, Raw, Str};

use super::Operation;

/// The beta features that Bedrock takes in the body; it refuses others there.
pub(super) const BEDROCK_BETAS: &[&str] =
    &["context-1m-2025-08-07", "interleaved-thinking-2025-05-14", "tool-search-tool-2025-10-19"];

/// The body of a call to Bedrock: the model is in the address, and that it streams too.
pub(super) fn bedrock(json: &str, betas: &[&str]) -> String {
    let mut betas_list = String::new();
    for beta in betas.iter().filter(|name| BEDROCK_BETAS.contains(name)) {
        betas_list.push_str(if betas_list.is_empty() { "[" } else { "," });
        Str::from(*beta).write(&mut betas_list);
    }
    let mut added = r#""anthropic_version":"bedrock-2023-05-31""#.to_owned();
    if !betas_list.is_empty() {
        added.push_str(&format!(r#","anthropic_beta":{betas_list}]"#));
    }
    changed(json, &["model", "stream"], &added)
}

/// The body of a call to Vertex AI. Only a count names the model.
pub(super) fn vertex(json: &str, model: &str, operation: Operation) -> String {
    let mut added = r#""anthropic_version":"vertex-2023-10-16""#.to_owned();
    if operation == Operation::CountTokens {
        added.push_str(r#","model":"#);
        Str::from(model).write(&mut added);
    }
    changed(json, &["model"], &added)
}

/// An object without some members and with others behind the rest. The rest stays as it is written.
fn changed(json: &str, without: &[&str], added: &str) -> String {
    let Some(members) = Raw::parse(json).ok().and_then(|raw| {
        raw.view::<Map<'_, Raw<'_>>>().map(|map| {
            map.iter().map(|(name, value)| (name.to_string(), value.as_str().to_owned())).collect::<Vec<_>>()
        })
    }) else {
        return json.to_owned();
    };
    let mut out = String::with_capacity(json.len() + 64);
    out.push('{');
    for (name, value) in members.iter().filter(|(name, _)| !without.contains(&name.as_str())) {
        Str::from(name.as_str()).write(&mut out);
        out.push(':');
        out.push_str(value);
        out.push(',');
    }
    out.push_str(added);
    out.push('}');
    out
}

/// The message of an error of AWS or Google, without the JSON around it.
pub(super) fn plain_message(body: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(body).ok()?;
    let value = value.get(0).unwrap_or(&value);
    let inner = value.get("error").unwrap_or(value);
    let message = inner.get("message").or_else(|| inner.get("Message"))?;
    message.as_str().map(str::to_owned)
}
