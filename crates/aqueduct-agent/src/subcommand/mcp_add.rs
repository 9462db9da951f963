//! `mcp add` and `mcp add-json`: store a server.

use reqwest::Url;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::context::{Console, Context};
use super::mcp::scope;
use super::parse::Given;
use crate::configuration::Members;
use crate::mcp::{Store, StoreScope};

/// Names that other programs of this kind keep for themselves.
const RESERVED: &[&str] = &["claude-in-chrome", "computer-use", "workspace"];

/// Names and values in their order.
struct Pairs<'p>(Vec<(&'p str, &'p str)>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A server that is a program.
#[derive(Serialize)]
struct Program<'p> {
    r#type: &'static str,
    command: &'p str,
    args: &'p [String],
    env: Pairs<'p>,
}

/// A server on the network.
#[derive(Serialize)]
struct Remote<'r> {
    r#type: &'static str,
    url: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Pairs<'r>>,
}

/// `mcp add <name> <commandOrUrl> [args...]`.
pub(super) fn add(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let (name, target, arguments) = match &given.operands[..] {
        [name, target, arguments @ ..] if !name.is_empty() && !target.is_empty() => (name, target, arguments),
        _ => {
            let usage = format!("Usage: {} mcp add <name> <command> [args...]", context.program);
            return Err(format!("Error: a server needs a name and a command or URL.\n{usage}"));
        }
    };
    let scope = scope(given.value("--scope").unwrap_or("local"))?;
    let transport = match given.value("--transport") {
        None | Some("stdio") => "stdio",
        Some("http" | "streamable-http") => "http",
        Some("sse") => "sse",
        Some(other) => {
            return Err(format!(
                "Invalid transport type: {other}. Must be one of: stdio, sse, http (or streamable-http)"
            ));
        }
    };
    let store = Store::of(&context.environment);
    if transport == "stdio" {
        let env = given.values("--env").map(variable).collect::<Result<Vec<_>, _>>()?;
        let entry = Program { r#type: "stdio", command: target, args: arguments, env: Pairs(env) };
        put(&store, scope, name, &written(&entry)?)?;
        let line = arguments.join(" ");
        console.print(&format!(
            "Added stdio MCP server {name} with command: {target} {line} to {} config\n",
            scope.name()
        ));
    } else {
        let headers = given.values("--header").map(header).collect::<Result<Vec<_>, _>>()?;
        let headers = (!headers.is_empty()).then_some(Pairs(headers));
        let shown = headers.as_ref().map(written).transpose()?;
        let entry = Remote { r#type: if transport == "http" { "http" } else { "sse" }, url: target, headers };
        put(&store, scope, name, &written(&entry)?)?;
        let kind = transport.to_uppercase();
        console.print(&format!(
            "Added {kind} MCP server {name} with URL: {} to {} config\n",
            public(target),
            scope.name()
        ));
        if let Some(shown) = shown {
            console.print(&format!("Headers: {shown}\n"));
        }
    }
    console.print(&format!("File modified: {}\n", store.place(scope)));
    let looks_like_url = target.starts_with("http://") || target.starts_with("https://");
    if transport == "stdio" && looks_like_url && !given.has("--transport") {
        let command = format!("{} mcp add --transport http {name} {target}", context.program);
        console.warn(&format!(
            "\nWarning: \"{target}\" looks like a URL, but is a command without --transport. For an HTTP server, \
             remove it and use: {command}"
        ));
    }
    Ok(0)
}

/// `mcp add-json <name> <json>`.
pub(super) fn add_json(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let (name, text) = (given.operand(0), given.operand(1));
    let scope = scope(given.value("--scope").unwrap_or("local"))?;
    let invalid = |why: &str| format!("Invalid configuration: {why}");
    let raw: &RawValue =
        serde_json::from_str(text).map_err(|error| invalid(&format!("is not valid JSON: {error}")))?;
    if !raw.get().starts_with('{') {
        return Err(invalid("must be an object, {…}"));
    }
    let members = Members::of(raw.get());
    let member =
        |name: &str| members.get(name).and_then(|value| serde_json::from_str::<String>(value.get()).ok());
    let transport = match (members.get("type"), member("type").as_deref()) {
        (None, _) | (_, Some("stdio")) => "stdio",
        (_, Some("http" | "streamable-http" | "streamableHttp")) => "http",
        (_, Some("sse")) => "sse",
        (_, Some("sdk")) => {
            return Err(format!(
                "Cannot add MCP server \"{name}\": type \"sdk\" servers are registered by the host at runtime, not stored \
                 in configuration"
            ));
        }
        _ => return Err(invalid("type: must be stdio, http or sse")),
    };
    let needed = if transport == "stdio" { "command" } else { "url" };
    match member(needed) {
        Some(value) if value.trim().is_empty() => {
            return Err(invalid(&format!("{needed}: must not be empty")));
        }
        Some(_) => (),
        None => return Err(invalid(&format!("{needed}: a {transport} server needs this text"))),
    }
    put(&Store::of(&context.environment), scope, name, &pretty(raw, 0))?;
    console.print(&format!("Added {transport} MCP server {name} to {} config\n", scope.name()));
    Ok(0)
}

/// Stores a server under a name that is free.
fn put(store: &Store, scope: StoreScope, name: &str, entry: &str) -> Result<(), String> {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || !name.chars().all(is_fine) {
        return Err(format!(
            "Invalid name {name}. Names can only contain letters, numbers, hyphens, and underscores."
        ));
    }
    if RESERVED.contains(&name) {
        return Err(format!("Cannot add MCP server \"{name}\": this name is reserved."));
    }
    if store.entries(scope)?.iter().any(|(known, _)| known == name) {
        let place = if scope == StoreScope::Project {
            ".mcp.json".to_owned()
        } else {
            format!("{} config", scope.name())
        };
        return Err(format!("MCP server {name} already exists in {place}"));
    }
    store.add(scope, name, entry)
}

/// `NAME=value`.
fn variable(text: &str) -> Result<(&str, &str), String> {
    text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
        format!(
            "Invalid environment variable format: {text}, environment variables should be added as: -e KEY1=value1 -e \
             KEY2=value2"
        )
    })
}

/// `Name: value`.
fn header(text: &str) -> Result<(&str, &str), String> {
    let (name, value) =
        text.split_once(':').filter(|(name, _)| !name.trim().is_empty()).ok_or_else(|| {
            format!("Invalid header format: \"{text}\". Expected format: \"Header-Name: value\"")
        })?;
    Ok((name.trim(), value.trim()))
}

/// An address without what may be secret: credentials, query and fragment.
fn public(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return address.to_owned() };
    url.set_query(None);
    url.set_fragment(None);
    let has_none = url.set_username("").and_then(|()| url.set_password(None));
    match has_none {
        Ok(()) => url.as_str().trim_end_matches('/').to_owned(),
        // An address without a host has no credentials.
        Err(()) => address.to_owned(),
    }
}

fn written(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(value).map_err(|error| error.to_string())
}

/// JSON in lines, with the members in their order and numbers as they were written.
fn pretty(value: &RawValue, depth: usize) -> String {
    let (inner, outer) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    let lines = |open: char, items: Vec<String>, close: char| match items.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open}\n{inner}{}\n{outer}{close}", items.join(&format!(",\n{inner}"))),
    };
    if value.get().starts_with('{') {
        let members = Members::of(value.get());
        let member = |(name, value): (&str, &RawValue)| {
            format!("{}: {}", serde_json::Value::from(name), pretty(value, depth + 1))
        };
        return lines('{', members.iter().map(member).collect(), '}');
    }
    match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        Ok(items) => lines('[', items.into_iter().map(|item| pretty(item, depth + 1)).collect(), ']'),
        Err(_) => value.get().to_owned(),
    }
}
