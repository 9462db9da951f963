//! MCP servers as provisions of a project folder.

use std::path::Path;

use serde_json::Value;

use super::{Provision, ProvisionKind};

/// A server as it is configured in a file of the project folder. Variables are not expanded: trust is bound to the text
/// of the file.
pub(crate) fn provided_server(file: &Path, name: &str, entry: &Value) -> Provision {
    Provision::new(ProvisionKind::Server, file, name, entry, described(entry))
}

/// What a server is, for people: its variables, which can make a program do something else, its command line, its
/// address, and the names of the headers that are sent there. An entry of another shape is shown as it is.
fn described(entry: &Value) -> String {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let members = |name: &str| entry.get(name).and_then(Value::as_object).into_iter().flatten();
    let mut words: Vec<String> =
        members("env").map(|(name, value)| format!("{name}={}", quoted(&written(value)))).collect();
    words.extend(text("command").map(quoted));
    let arguments = entry.get("args").and_then(Value::as_array).into_iter().flatten();
    words.extend(arguments.map(|argument| quoted(&written(argument))));
    words.extend(text("url").map(quoted));
    let headers: Vec<&str> = members("headers").map(|(name, _)| name.as_str()).collect();
    if !headers.is_empty() {
        words.push(format!("(headers: {})", headers.join(", ")));
    }
    words.extend(text("headersHelper").map(|command| format!("(headersHelper: {command})")));
    match words.is_empty() {
        true => entry.to_string(),
        false => words.join(" "),
    }
}

/// A word of a command line, in quotes where a shell would need them.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=@%+,${}".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
