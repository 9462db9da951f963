//! What the subcommands of `mcp` share: scopes, names and entries of servers.

use serde_json::Value;

use super::mcp_error::McpCommandError;
use crate::configuration::ObjectMembers;
use crate::mcp_config::{McpStoreError, ServerStore, StoreScope};

/// The scopes that have a name and can't be written.
const READ_ONLY: &[&str] = &["dynamic", "enterprise", "claudeai", "managed", "agent"];

/// The scope that an option names.
pub(super) fn scope(name: &str) -> Result<StoreScope, McpCommandError> {
    if let Some(scope) = StoreScope::ALL.into_iter().find(|scope| scope.name() == name) {
        return Ok(scope);
    }
    match READ_ONLY.contains(&name) {
        true => Err(McpCommandError::ReadOnlyScope(name.to_owned())),
        false => Err(McpCommandError::UnknownScope(name.to_owned())),
    }
}

/// The transport that the type of a server means.
pub(super) fn transport_of(written: &str) -> Option<&'static str> {
    match written {
        "stdio" => Some("stdio"),
        "http" | "streamable-http" | "streamableHttp" => Some("http"),
        "sse" => Some("sse"),
        _ => None,
    }
}

/// A server as a file configures it.
#[derive(Debug)]
pub(super) struct StoredServer {
    /// Where it is stored.
    pub(super) scope: StoreScope,
    /// Its name.
    pub(super) name: String,
    /// Its entry in the file.
    text: String,
}

impl StoredServer {
    /// All servers that are stored, in the order of the files: the user's, the project's, and those for the user in this
    /// project. Of several with one name the last counts, in the place of the first.
    pub(super) fn effective(store: &ServerStore) -> Result<Vec<StoredServer>, McpStoreError> {
        let mut all: Vec<StoredServer> = Vec::new();
        for scope in StoreScope::ALL.into_iter().rev() {
            let entries = match store.entries(scope) {
                // The file of a checkout may be broken: the others count, and a warning names it.
                Err(_) if scope == StoreScope::Project => continue,
                entries => entries?,
            };
            for (name, text) in entries {
                let entry = StoredServer { scope, name, text };
                match all.iter_mut().find(|known| known.name == entry.name) {
                    Some(known) => *known = entry,
                    None => all.push(entry),
                }
            }
        }
        Ok(all)
    }

    /// A text of the entry, with variables as they are written.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let value = ObjectMembers::of(&self.text).get(name)?;
        Some(match serde_json::from_str(value.get()) {
            Ok(Value::String(text)) => text,
            _ => value.get().to_owned(),
        })
    }

    /// Names and values of an object in it, in their order; none, where there is no such object.
    pub(super) fn pairs(&self, name: &str) -> Option<Vec<(String, String)>> {
        let object = ObjectMembers::of(&self.text).get(name)?;
        let pair = |(name, value): (&str, &serde_json::value::RawValue)| {
            let text = serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned());
            (name.to_owned(), text)
        };
        Some(ObjectMembers::of(object.get()).iter().map(pair).collect())
    }

    /// The arguments of a program, with a blank between them.
    pub(super) fn arguments(&self) -> String {
        let list =
            ObjectMembers::of(&self.text).get("args").and_then(|list| serde_json::from_str(list.get()).ok());
        let words: Vec<Value> = list.unwrap_or_default();
        let words = words.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The transport: `stdio`, `http` or `sse`, or another value from the file.
    pub(super) fn transport(&self) -> String {
        let written = self.text("type").unwrap_or_else(|| "stdio".to_owned());
        transport_of(&written).map(str::to_owned).unwrap_or(written)
    }

    /// Which parts of a sign-in are configured, for people.
    pub(super) fn oauth(&self) -> Option<String> {
        let text = ObjectMembers::of(&self.text).get("oauth")?.get().to_owned();
        let oauth: Value = serde_json::from_str(&text).ok()?;
        let id = oauth.get("clientId").map(|_| "client_id configured".to_owned());
        let port = oauth.get("callbackPort").map(|port| format!("callback_port {port}"));
        let parts: Vec<String> = id.into_iter().chain(port).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Its command line or its address, for people.
    pub(super) fn target(&self) -> String {
        match self.transport().as_str() {
            "stdio" => format!("{} {}", self.text("command").unwrap_or_default(), self.arguments()),
            other => format!("{} ({})", self.text("url").unwrap_or_default(), other.to_uppercase()),
        }
    }
}

/// There is no server of a name.
pub(super) fn unknown(name: &str, known: &[StoredServer]) -> McpCommandError {
    let known = known.iter().map(|entry| entry.name.clone()).collect();
    McpCommandError::Unknown { name: name.to_owned(), known }
}
