use std::time::Duration;

use serde_json::{Map, Value};

use super::expand::expand;
use crate::environment::Environment;
use crate::mcp::config::Route;

/// What a configuration says of one server.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) route: Route,
    pub(super) timeout: Option<Duration>,
    pub(super) always_load: bool,
    /// Variables that are not set.
    pub(super) missing: Vec<String>,
}

/// Reads an entry; what is wrong with it.
pub(super) fn read(entry: &Value, environment: &Environment) -> Result<Entry, String> {
    let Value::Object(entry) = entry else { return Err("a server is an object, {…}".to_owned()) };
    let mut reading = Reading { entry, environment, missing: Vec::new() };
    let route = reading.route()?;
    let timeout = match entry.get("timeout") {
        None | Some(Value::Null) => None,
        Some(time) => {
            let time = time.as_u64().filter(|time| *time > 0);
            Some(Duration::from_millis(time.ok_or("`timeout` must be a number of milliseconds")?))
        }
    };
    let always_load = match entry.get("alwaysLoad") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(always)) => *always,
        Some(_) => return Err("`alwaysLoad` must be true or false".to_owned()),
    };
    Ok(Entry { route, timeout, always_load, missing: reading.missing })
}

struct Reading<'r> {
    entry: &'r Map<String, Value>,
    environment: &'r Environment,
    missing: Vec<String>,
}

impl Reading<'_> {
    fn route(&mut self) -> Result<Route, String> {
        let kind = match self.entry.get("type") {
            None | Some(Value::Null) => None,
            Some(Value::String(kind)) => Some(kind.as_str()),
            Some(_) => return Err("`type` must be a text".to_owned()),
        };
        match kind {
            None if !self.entry.contains_key("command") && self.entry.contains_key("url") => {
                Err("a server with a `url` needs a `type`: \"http\" or \"sse\"".to_owned())
            }
            None | Some("stdio") => Ok(Route::Program {
                command: self.needed("command")?,
                arguments: self.list("args")?,
                variables: self.map("env")?,
            }),
            Some("http" | "streamable-http" | "streamableHttp") => {
                Ok(Route::Http { url: self.needed("url")?, headers: self.map("headers")? })
            }
            Some("sse") => Ok(Route::Sse { url: self.needed("url")?, headers: self.map("headers")? }),
            Some("sdk") => Ok(Route::Host),
            Some(other) => Err(format!("`type` must be stdio, http, sse or sdk, not {other:?}")),
        }
    }

    /// A text that must be there.
    fn needed(&mut self, name: &str) -> Result<String, String> {
        match self.entry.get(name) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(self.expanded(text)),
            Some(Value::String(_)) => Err(format!("`{name}` is empty")),
            Some(_) => Err(format!("`{name}` must be a text")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    /// A list of texts.
    fn list(&mut self, name: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{name}` must be a list of texts");
        match self.entry.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(|text| self.expanded(text)).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// An object of texts. Numbers and switches are texts as well: people leave the quotes out.
    fn map(&mut self, name: &str) -> Result<Vec<(String, String)>, String> {
        let entries = match self.entry.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(entries)) => entries,
            Some(_) => return Err(format!("`{name}` must be an object of texts")),
        };
        let pair = |(key, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => self.expanded(text),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => return Err(format!("`{key}` in `{name}` must be a text")),
            };
            Ok((key.clone(), value))
        };
        entries.iter().map(pair).collect()
    }

    fn expanded(&mut self, text: &str) -> String {
        expand(text, self.environment, &mut self.missing)
    }
}
