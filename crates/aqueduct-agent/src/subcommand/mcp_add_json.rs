//! `mcp add-json`: store a server that is given as JSON.

use serde_json::Value;
use serde_json::value::RawValue;

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::mcp::{scope, transport_of};
use super::mcp_add::{client_secret, hint_at_sign_in, put};
use super::mcp_error::{EntryError, McpCommandError};
use super::parse::GivenArguments;
use crate::configuration::ObjectMembers;
use crate::mcp_config::ServerStore;

/// Types of servers that hosts register while they run.
const OF_HOSTS: &[&str] = &["sdk", "sse-ide", "ws-ide", "claudeai-proxy"];

/// What a member of a server must be.
#[derive(Debug, Clone, Copy)]
enum ServerMemberKind {
    Text,
    Texts,
    Number,
    /// An object whose values are texts.
    Pairs,
    Object,
    Switch,
}

/// Members of every server.
const ALL: &[(&str, ServerMemberKind)] =
    &[("timeout", ServerMemberKind::Number), ("alwaysLoad", ServerMemberKind::Switch)];

/// Members of a server that is a program.
const OF_PROGRAMS: &[(&str, ServerMemberKind)] = &[
    ("command", ServerMemberKind::Text),
    ("args", ServerMemberKind::Texts),
    ("env", ServerMemberKind::Pairs),
];

/// Members of a server on the network.
const OF_REMOTES: &[(&str, ServerMemberKind)] = &[
    ("url", ServerMemberKind::Text),
    ("headers", ServerMemberKind::Pairs),
    ("headersHelper", ServerMemberKind::Text),
    ("oauth", ServerMemberKind::Object),
    ("oauth.clientId", ServerMemberKind::Text),
    ("oauth.callbackPort", ServerMemberKind::Number),
];

impl ServerMemberKind {
    /// What a value must be that is something else.
    fn refuses(self, value: &Value) -> Option<&'static str> {
        let (fits, must) = match self {
            ServerMemberKind::Text => (value.is_string(), "a text"),
            ServerMemberKind::Texts => {
                (value.as_array().is_some_and(|all| all.iter().all(Value::is_string)), "a list of texts")
            }
            ServerMemberKind::Number => {
                (value.as_f64().is_some_and(|number| number > 0.0), "a number above 0")
            }
            ServerMemberKind::Pairs => (
                value.as_object().is_some_and(|all| all.values().all(Value::is_string)),
                "an object of texts",
            ),
            ServerMemberKind::Object => (value.is_object(), "an object, {…}"),
            ServerMemberKind::Switch => (value.is_boolean(), "true or false"),
        };
        (!fits).then_some(must)
    }
}

/// `mcp add-json <name> <json>`.
pub(super) fn add_json(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let (name, text) = (given.operand(0), given.operand(1));
    let scope = scope(given.value("--scope").unwrap_or("local"))?;
    let (raw, transport) = read(name, text)?;
    if transport != "stdio" && ObjectMembers::of(raw.get()).get("oauth").is_some() {
        client_secret(context, given)?;
    }
    put(&ServerStore::of(&context.environment), scope, name, &pretty(raw, 0))?;
    console.print(&format!("Added {transport} MCP server {name} to {} config\n", scope.name()));
    hint_at_sign_in(given, console);
    Ok(0)
}

/// The server that a text is, and its transport.
fn read<'t>(name: &str, text: &'t str) -> Result<(&'t RawValue, &'static str), McpCommandError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(EntryError::Json)?;
    let value: Value = serde_json::from_str(text).map_err(EntryError::Json)?;
    if !value.is_object() {
        return Err(EntryError::NoObject.into());
    }
    let transport = match value.get("type") {
        None => "stdio",
        Some(Value::String(kind)) if OF_HOSTS.contains(&kind.as_str()) => {
            return Err(McpCommandError::OfHost { name: name.to_owned(), kind: kind.clone() });
        }
        Some(Value::String(kind)) => match transport_of(kind) {
            Some(transport) => transport,
            None if kind == "ws" => return Err(EntryError::WebSocket.into()),
            None => return Err(EntryError::Transport.into()),
        },
        Some(_) => return Err(EntryError::Transport.into()),
    };
    let (needed, members) = if transport == "stdio" { ("command", OF_PROGRAMS) } else { ("url", OF_REMOTES) };
    if value.get(needed).is_none() {
        return Err(EntryError::Missing { member: needed, transport }.into());
    }
    for (member, kind) in members.iter().chain(ALL) {
        let found = member.split('.').try_fold(&value, |value, name| value.get(name));
        if let Some(must) = found.and_then(|found| kind.refuses(found)) {
            return Err(EntryError::Shape { member, must }.into());
        }
    }
    match value[needed].as_str() {
        Some(text) if text.trim().is_empty() => Err(EntryError::Empty(needed).into()),
        _ => Ok((raw, transport)),
    }
}

/// JSON in lines, with the members in their order and numbers as they were written.
fn pretty(value: &RawValue, depth: usize) -> String {
    let (inner, outer) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    let lines = |open: char, items: Vec<String>, close: char| match items.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open}\n{inner}{}\n{outer}{close}", items.join(&format!(",\n{inner}"))),
    };
    if value.get().starts_with('{') {
        let members = ObjectMembers::of(value.get());
        let member =
            |(name, value): (&str, &RawValue)| format!("{}: {}", Value::from(name), pretty(value, depth + 1));
        return lines('{', members.iter().map(member).collect(), '}');
    }
    match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        Ok(items) => lines('[', items.into_iter().map(|item| pretty(item, depth + 1)).collect(), ']'),
        Err(_) => value.get().to_owned(),
    }
}
