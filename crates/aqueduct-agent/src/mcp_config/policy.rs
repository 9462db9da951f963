use aqueduct_mcp::{ServerConfig, ServerRoute};
use serde_json::Value;

use crate::configuration::ServerSettings;

/// Why settings forbid a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Forbidden {
    #[error("`deniedMcpServers` in the settings forbids it")]
    Denied,
    #[error("it is not on the organisation's list `allowedMcpServers`")]
    NotAllowed,
}

/// Why the settings forbid a server, if they do. What a host brings itself is its own business.
pub(super) fn forbidden(settings: ServerSettings<'_>, config: &ServerConfig) -> Option<Forbidden> {
    if config.route == ServerRoute::Host {
        return None;
    }
    if settings.denied().any(|entry| describes(entry, config)) {
        return Some(Forbidden::Denied);
    }
    let allowed = settings.allowed()?;
    if allowed.iter().any(|entry| describes(entry, config)) {
        return None;
    }
    Some(Forbidden::NotAllowed)
}

/// Whether an entry of a list means a server: by its name, its command, or its address.
fn describes(entry: &Value, config: &ServerConfig) -> bool {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    if text("serverName").is_some_and(|name| name == config.name) {
        return true;
    }
    match &config.route {
        ServerRoute::Program { command, arguments, .. } => {
            let words: Vec<&str> =
                std::iter::once(command.as_str()).chain(arguments.iter().map(String::as_str)).collect();
            let listed = entry.get("serverCommand").and_then(Value::as_array);
            listed.is_some_and(|listed| listed.iter().map(|word| word.as_str().unwrap_or_default()).eq(words))
        }
        ServerRoute::Http { url, .. } | ServerRoute::Sse { url, .. } => {
            text("serverUrl").is_some_and(|pattern| fits(pattern, url))
        }
        ServerRoute::Host | ServerRoute::Wrong(_) => false,
    }
}

/// Whether a text matches a pattern in which `*` matches any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            rest.is_empty() || ends.into_iter().any(|at| fits(rest, &text[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_mcp::{ServerConfig, ServerRoute, ServerScope};
    use serde_json::json;

    use super::{describes, fits};

    fn config(route: ServerRoute) -> ServerConfig {
        ServerConfig {
            name: "files".into(),
            scope: ServerScope::User,
            route,
            timeout: None,
            always_load: false,
            asks: None,
            sign_in: Default::default(),
        }
    }

    #[test]
    fn entries_mean_servers_by_name_command_or_address() {
        let program = config(ServerRoute::Program {
            command: "npx".into(),
            arguments: vec!["-y".into(), "files".into()],
            variables: Vec::new(),
        });
        assert!(describes(&json!({ "serverName": "files" }), &program));
        assert!(!describes(&json!({ "serverName": "file" }), &program));
        assert!(describes(&json!({ "serverCommand": ["npx", "-y", "files"] }), &program));
        assert!(!describes(&json!({ "serverCommand": ["npx"] }), &program));
        let remote =
            config(ServerRoute::Http { url: "https://mcp.example.com/x".into(), headers: Vec::new() });
        assert!(describes(&json!({ "serverUrl": "https://*.example.com/*" }), &remote));
        assert!(!describes(&json!({ "serverUrl": "https://example.com/*" }), &remote));
        assert!(!describes(&json!({ "serverCommand": [] }), &remote));
    }

    #[test]
    fn stars_stand_for_anything() {
        assert!(fits("a*c", "abc") && fits("*", "") && fits("a*b*c", "aXbYc") && fits("x", "x"));
        assert!(!fits("a*c", "abd") && !fits("", "x"));
    }
}
