use std::time::Duration;

use aqueduct_mcp::{ServerRoute, SignInSettings, check_address};
use serde_json::{Map, Value};

use super::expand::expand;
use crate::environment::Environment;

/// Members that mean something, whatever kind of server it is.
const MEMBERS: &[&str] =
    &["type", "name", "command", "args", "env", "url", "headers", "timeout", "alwaysLoad", "oauth"];

/// What other programs honour, and this one does not.
const UNKNOWN_HERE: &[&str] = &["headersHelper", "tools"];

/// The configuration of one server.
#[derive(Debug, PartialEq)]
pub(super) struct ServerEntry {
    pub(super) route: ServerRoute,
    pub(super) timeout: Option<Duration>,
    pub(super) always_load: bool,
    pub(super) sign_in: SignInSettings,
    /// What is wrong with it all the same.
    pub(super) faults: Vec<EntryFault>,
}

/// Something that is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryFault {
    /// The member that it is about, and its item; none, where it is the entry as a whole.
    pub(super) member: Option<(String, Option<usize>)>,
    pub(super) what: String,
}

impl EntryFault {
    fn new(what: impl Into<String>) -> Self {
        EntryFault { member: None, what: what.into() }
    }

    fn of(member: &str, what: impl Into<String>) -> Self {
        EntryFault { member: Some((member.to_owned(), None)), what: what.into() }
    }
}

/// Reads an entry; what is wrong with it.
pub(super) fn read(entry: &Value, environment: &Environment) -> Result<ServerEntry, EntryFault> {
    let Value::Object(entry) = entry else { return Err(EntryFault::new("a server is an object, {…}")) };
    let mut reading = EntryReader { entry, environment, faults: Vec::new() };
    let route = reading.route()?;
    let timeout = match entry.get("timeout") {
        None | Some(Value::Null) => None,
        Some(time) => match time.as_u64().filter(|time| *time > 0) {
            Some(time) => Some(Duration::from_millis(time)),
            None => return Err(EntryFault::of("timeout", "`timeout` must be a number of milliseconds")),
        },
    };
    let always_load = match entry.get("alwaysLoad") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(always)) => *always,
        Some(_) => return Err(EntryFault::of("alwaysLoad", "`alwaysLoad` must be true or false")),
    };
    let sign_in = reading.sign_in()?;
    reading.know(&route);
    Ok(ServerEntry { route, timeout, always_load, sign_in, faults: reading.faults })
}

struct EntryReader<'r> {
    entry: &'r Map<String, Value>,
    environment: &'r Environment,
    faults: Vec<EntryFault>,
}

impl EntryReader<'_> {
    fn route(&mut self) -> Result<ServerRoute, EntryFault> {
        let kind = match self.entry.get("type") {
            None | Some(Value::Null) => None,
            Some(Value::String(kind)) => Some(kind.as_str()),
            Some(_) => return Err(EntryFault::of("type", "`type` must be a text")),
        };
        match kind {
            None if !self.entry.contains_key("command") && self.entry.contains_key("url") => {
                Err(EntryFault::of("url", "a server with a `url` needs a `type`: \"http\" or \"sse\""))
            }
            None | Some("stdio") => Ok(ServerRoute::Program {
                command: self.needed("command")?,
                arguments: self.list("args")?,
                variables: self.map("env")?,
            }),
            Some("http" | "streamable-http" | "streamableHttp") => {
                let (url, headers) = self.address()?;
                Ok(ServerRoute::Http { url, headers })
            }
            Some("sse") => {
                let (url, headers) = self.address()?;
                Ok(ServerRoute::Sse { url, headers })
            }
            Some("sdk") => Ok(ServerRoute::Host),
            Some(other) => {
                Err(EntryFault::of("type", format!("`type` must be stdio, http, sse or sdk, not {other:?}")))
            }
        }
    }

    /// Where a server on the network is, and what is sent to it.
    fn address(&mut self) -> Result<(String, Vec<(String, String)>), EntryFault> {
        let (url, headers) = (self.needed("url")?, self.map("headers")?);
        // What waits for a variable can't be judged; that it is not set is named already.
        if self.faults.is_empty() {
            check_address(&url, &headers).map_err(|error| EntryFault::of(error.member, error.why))?;
        }
        Ok((url, headers))
    }

    /// How the user signs in.
    fn sign_in(&mut self) -> Result<SignInSettings, EntryFault> {
        let oauth = match self.entry.get("oauth") {
            None | Some(Value::Null) => return Ok(SignInSettings::default()),
            Some(Value::Object(oauth)) => oauth,
            Some(_) => return Err(EntryFault::of("oauth", "`oauth` must be an object")),
        };
        let client_id = match oauth.get("clientId") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) => Some(self.expanded("oauth", id)).filter(|id| !id.is_empty()),
            Some(_) => return Err(EntryFault::of("oauth", "`clientId` in `oauth` must be a text")),
        };
        let callback_port = match oauth.get("callbackPort") {
            None | Some(Value::Null) => None,
            Some(port) => {
                match port.as_u64().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0) {
                    Some(port) => Some(port),
                    None => return Err(EntryFault::of("oauth", "`callbackPort` in `oauth` must be a port")),
                }
            }
        };
        for name in oauth.keys().filter(|name| !matches!(name.as_str(), "clientId" | "callbackPort")) {
            self.faults.push(EntryFault::of("oauth", format!("`{name}` in `oauth` has no effect here")));
        }
        Ok(SignInSettings { client_id, callback_port })
    }

    /// Names the members that mean nothing.
    fn know(&mut self, route: &ServerRoute) {
        let useless: &[&str] = match route {
            ServerRoute::Program { .. } => &["url", "headers", "oauth"],
            ServerRoute::Http { .. } | ServerRoute::Sse { .. } => &["command", "args", "env"],
            ServerRoute::Host | ServerRoute::Wrong(_) => &[],
        };
        for name in self.entry.keys().map(String::as_str) {
            if useless.contains(&name) {
                self.faults.push(EntryFault::of(name, format!("`{name}` means nothing for such a server")));
            } else if UNKNOWN_HERE.contains(&name) {
                self.faults.push(EntryFault::of(name, format!("`{name}` has no effect here")));
            } else if !MEMBERS.contains(&name) {
                self.faults.push(EntryFault::of(name, format!("`{name}` is not known here and is ignored")));
            }
        }
    }

    /// A text that must be there.
    fn needed(&mut self, name: &str) -> Result<String, EntryFault> {
        match self.entry.get(name) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(self.expanded(name, text)),
            Some(Value::String(_)) => Err(EntryFault::of(name, format!("`{name}` is empty"))),
            Some(_) => Err(EntryFault::of(name, format!("`{name}` must be a text"))),
            None => Err(EntryFault::new(format!("`{name}` is missing"))),
        }
    }

    /// A list of texts.
    fn list(&mut self, name: &str) -> Result<Vec<String>, EntryFault> {
        let wrong = |index| EntryFault {
            member: Some((name.to_owned(), index)),
            what: format!("`{name}` must be a list of texts"),
        };
        match self.entry.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    item.as_str().map(|text| self.expanded(name, text)).ok_or_else(|| wrong(Some(index)))
                })
                .collect(),
            Some(_) => Err(wrong(None)),
        }
    }

    /// An object of texts. Numbers and switches are texts as well: people leave the quotes out.
    fn map(&mut self, name: &str) -> Result<Vec<(String, String)>, EntryFault> {
        let entries = match self.entry.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(entries)) => entries,
            Some(_) => return Err(EntryFault::of(name, format!("`{name}` must be an object of texts"))),
        };
        let pair = |(key, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => self.expanded(name, text),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => return Err(EntryFault::of(name, format!("`{key}` in `{name}` must be a text"))),
            };
            Ok((key.clone(), value))
        };
        entries.iter().map(pair).collect()
    }

    fn expanded(&mut self, member: &str, text: &str) -> String {
        let mut missing = Vec::new();
        let expanded = expand(text, self.environment, &mut missing);
        let unset = |name: &String| EntryFault::of(member, format!("the variable {name} is not set"));
        self.faults.extend(missing.iter().map(unset));
        expanded
    }
}
