//! `mcp add`: store a server.

use reqwest::Url;
use serde::{Serialize, Serializer};

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::mcp::scope;
use super::mcp_error::McpCommandError;
use super::parse::GivenArguments;
use crate::mcp_config::{ServerStore, StoreScope};

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
struct ProgramServer<'p> {
    r#type: &'static str,
    command: &'p str,
    args: &'p [String],
    env: Pairs<'p>,
}

/// A server on the network.
#[derive(Serialize)]
struct NetworkServer<'r> {
    r#type: &'static str,
    url: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Pairs<'r>>,
    #[serde(skip_serializing_if = "OAuth::is_empty")]
    oauth: OAuth<'r>,
}

/// What a client of a server's OAuth needs. It is stored for programs that sign in; this one does not.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OAuth<'o> {
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<&'o str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callback_port: Option<u16>,
}

impl<'o> OAuth<'o> {
    /// Reads the options; a missing secret is an error, because the user can't be prompted for it.
    fn read(context: &SubcommandContext, given: &'o GivenArguments) -> Result<Self, McpCommandError> {
        let port =
            given.value("--callback-port").map(|text| text.parse::<u16>().ok().filter(|port| *port > 0));
        if port == Some(None) {
            return Err(McpCommandError::CallbackPort);
        }
        let client_id = given.value("--client-id");
        if client_id.is_some() {
            client_secret(context, given)?;
        }
        Ok(OAuth { client_id, callback_port: port.flatten() })
    }

    fn is_empty(&self) -> bool {
        self.client_id.is_none() && self.callback_port.is_none()
    }
}

/// Options that are for servers on the network.
const FOR_OAUTH: [&str; 3] = ["--client-id", "--client-secret", "--callback-port"];

/// The secret of `--client-secret` comes from a variable, because the user can't be prompted for it. It is not stored,
/// because nothing here uses it.
pub(super) fn client_secret(
    context: &SubcommandContext,
    given: &GivenArguments,
) -> Result<(), McpCommandError> {
    match given.has("--client-secret") && context.environment.variable("MCP_CLIENT_SECRET").is_none() {
        true => Err(McpCommandError::NoSecret),
        false => Ok(()),
    }
}

/// A hint for the user who configures a sign-in that does not happen here.
pub(super) fn hint_at_sign_in(given: &GivenArguments, console: &mut Console<'_>) {
    if given.has("--client-secret") {
        console.warn("Warning: this agent does not sign in to MCP servers: the client secret is not stored.");
    }
}

/// `mcp add <name> <commandOrUrl> [args...]`.
pub(super) fn add(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let (name, target, arguments) = match &given.operands[..] {
        [name, target, arguments @ ..] if !name.is_empty() && !target.is_empty() => (name, target, arguments),
        _ => return Err(McpCommandError::NoServer.into()),
    };
    let scope = scope(given.value("--scope").unwrap_or("local"))?;
    let transport = match given.value("--transport") {
        None | Some("stdio") => "stdio",
        Some("http" | "streamable-http") => "http",
        Some("sse") => "sse",
        Some(other) => return Err(McpCommandError::Transport(other.to_owned()).into()),
    };
    let store = ServerStore::of(&context.environment);
    let looks_like_url = target.starts_with("http://") || target.starts_with("https://");
    if transport == "stdio" {
        let env = given.values("--env").map(variable).collect::<Result<Vec<_>, _>>()?;
        let entry = ProgramServer { r#type: "stdio", command: target, args: arguments, env: Pairs(env) };
        put(&store, scope, name, &written(&entry)?)?;
        if FOR_OAUTH.iter().any(|option| given.has(option)) {
            let options = FOR_OAUTH.join(", ");
            console.warn(&format!(
                "Warning: {options} are only for HTTP and SSE servers and are ignored for stdio."
            ));
        }
        let (line, shown) =
            (arguments.join(" "), if looks_like_url { public(target) } else { target.clone() });
        console.print(&format!(
            "Added stdio MCP server {name} with command: {shown} {line} to {} config\n",
            scope.name()
        ));
    } else {
        let headers = given.values("--header").map(header).collect::<Result<Vec<_>, _>>()?;
        let headers = (!headers.is_empty()).then_some(Pairs(headers));
        let shown = headers.as_ref().map(written).transpose()?;
        let oauth = OAuth::read(context, given)?;
        let r#type = if transport == "http" { "http" } else { "sse" };
        let entry = NetworkServer { r#type, url: target, headers, oauth };
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
        hint_at_sign_in(given, console);
    }
    console.print(&format!("File modified: {}\n", store.place(scope)));
    if transport == "stdio" && looks_like_url && !given.has("--transport") {
        let shown = public(target);
        let command = format!("{} mcp add --transport http {name} {shown}", context.program);
        console.warn(&format!(
            "\nWarning: \"{shown}\" looks like a URL, but is a command without --transport. For an HTTP server, \
             remove it and use: {command}"
        ));
    }
    Ok(0)
}

/// Stores a server under a name that is free.
pub(super) fn put(
    store: &ServerStore,
    scope: StoreScope,
    name: &str,
    entry: &str,
) -> Result<(), McpCommandError> {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || !name.chars().all(is_fine) {
        return Err(McpCommandError::Name(name.to_owned()));
    }
    if RESERVED.contains(&name) {
        return Err(McpCommandError::Reserved(name.to_owned()));
    }
    if store.entries(scope)?.iter().any(|(known, _)| known == name) {
        return Err(McpCommandError::Exists { name: name.to_owned(), scope });
    }
    Ok(store.add(scope, name, entry)?)
}

/// `NAME=value`.
fn variable(text: &str) -> Result<(&str, &str), McpCommandError> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    pair.ok_or_else(|| McpCommandError::Variable(text.to_owned()))
}

/// `Name: value`.
fn header(text: &str) -> Result<(&str, &str), McpCommandError> {
    let pair = text.split_once(':').filter(|(name, _)| !name.trim().is_empty());
    let (name, value) = pair.ok_or_else(|| McpCommandError::Header(text.to_owned()))?;
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

fn written(value: &impl Serialize) -> Result<String, McpCommandError> {
    serde_json::to_string_pretty(value).map_err(McpCommandError::Output)
}
