//! The MCP servers that a kind of subagent brings.

use serde_json::Value;

/// An MCP server of a kind of subagent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentServer {
    /// Its name.
    pub(crate) name: String,
    /// How it is reached; none where it is one of the session's servers.
    pub(crate) entry: Option<Value>,
}

/// `mcpServers` has another shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a list of server names and of objects that define servers by name")]
pub(super) struct AgentServersError;

/// Reads a list of names and of objects that define servers by name.
pub(super) fn read(list: &Value) -> Result<Vec<AgentServer>, AgentServersError> {
    let items = list.as_array().ok_or(AgentServersError)?;
    let mut servers = Vec::new();
    for item in items {
        match item {
            Value::String(name) => servers.push(AgentServer { name: name.clone(), entry: None }),
            Value::Object(entries) => servers.extend(
                entries
                    .iter()
                    .map(|(name, entry)| AgentServer { name: name.clone(), entry: Some(entry.clone()) }),
            ),
            _ => return Err(AgentServersError),
        }
    }
    Ok(servers)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn a_server_is_named_or_defined() {
        let servers =
            read(&json!(["files", {"search": {"command": "find"}, "web": {"url": "http://x"}}])).unwrap();
        let names: Vec<(&str, bool)> =
            servers.iter().map(|server| (server.name.as_str(), server.entry.is_some())).collect();
        assert_eq!(names, [("files", false), ("search", true), ("web", true)]);
        for wrong in [json!("files"), json!({"search": {}}), json!([5])] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }
}
