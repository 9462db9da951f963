//! Reads what a hook does: one row for each kind.

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::action::{AgentAction, CommandAction, HookAction, HttpAction, McpToolAction, PromptAction};
use crate::diagnostic::Diagnostic;

/// A kind of hook.
pub(crate) struct ActionKind {
    /// Its `type`.
    pub(crate) name: &'static str,
    /// The members that only this kind has.
    pub(crate) members: &'static [&'static str],
    /// Reads it, with what is ignored; or what keeps it from running.
    pub(crate) read: fn(&Map<String, Value>) -> ActionResult,
}

/// What a hook does, with what of it is ignored; or what keeps it from running.
pub(crate) type ActionResult = Result<(HookAction, Vec<MemberFault>), MemberFault>;

/// What is wrong with a member.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MemberFault {
    /// The member.
    pub(crate) member: &'static str,
    /// What is wrong with it.
    pub(crate) what: Diagnostic,
}

/// Every kind.
pub(crate) const KINDS: &[ActionKind] = &[
    ActionKind { name: "command", members: &["command", "async", "asyncRewake", "shell"], read: command },
    ActionKind { name: "http", members: &["url", "headers", "allowedEnvVars", "onFailure"], read: http },
    ActionKind { name: "prompt", members: &["prompt", "model", "continueOnBlock"], read: prompt },
    ActionKind { name: "agent", members: &["prompt", "model"], read: agent },
    ActionKind { name: "mcp_tool", members: &["server", "tool", "input"], read: mcp_tool },
];

/// Headers that the request sets by itself.
const OWN_HEADERS: &[&str] =
    &["connection", "content-length", "content-type", "expect", "host", "transfer-encoding", "upgrade"];

fn fault(member: &'static str, what: impl Into<Diagnostic>) -> MemberFault {
    MemberFault { member, what: what.into() }
}

/// A text that must be there.
fn text(members: &Map<String, Value>, member: &'static str, what: &str) -> Result<String, MemberFault> {
    let text = members.get(member).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| fault(member, format!("must be {what}")))
}

/// A text that may be there.
fn optional(members: &Map<String, Value>, member: &'static str) -> Result<Option<String>, MemberFault> {
    match members.get(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(fault(member, "must be a text")),
    }
}

fn is_set(members: &Map<String, Value>, member: &str) -> bool {
    members.get(member).and_then(Value::as_bool).unwrap_or(false)
}

fn command(members: &Map<String, Value>) -> ActionResult {
    let command = text(members, "command", "a command")?;
    let is_async = is_set(members, "async") || is_set(members, "asyncRewake");
    let is_other = members.get("shell").is_some_and(|value| value != "bash" && !value.is_null());
    let ignored = is_other
        .then(|| fault("shell", Diagnostic::problem("must be \"bash\"").ignored()))
        .into_iter()
        .collect();
    Ok((HookAction::Command(CommandAction { command, is_async }), ignored))
}

fn http(members: &Map<String, Value>) -> ActionResult {
    let url = text(members, "url", "an address")?;
    let parsed = Url::parse(&url).map_err(|error| fault("url", format!("is not a valid URL: {error}")))?;
    if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
        return Err(fault("url", "must begin with https:// or http://"));
    }
    let headers = match members.get("headers") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Object(headers)) => headers.iter().map(header).collect::<Result<_, MemberFault>>()?,
        Some(_) => return Err(fault("headers", "must be an object of texts")),
    };
    let variables = match members.get("allowedEnvVars") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| fault("allowedEnvVars", "must be a list of names of variables"))?,
        Some(_) => return Err(fault("allowedEnvVars", "must be a list of names of variables")),
    };
    // A guard whose failure can't be interpreted refuses.
    let (blocks_on_failure, ignored) = match members.get("onFailure").map(Value::as_str) {
        None => (false, Vec::new()),
        Some(Some("continue")) => (false, Vec::new()),
        Some(Some("block")) => (true, Vec::new()),
        Some(_) => {
            let what = Diagnostic::problem("must be \"continue\" or \"block\"");
            (true, vec![fault("onFailure", what.clause("it is read as \"block\""))])
        }
    };
    Ok((HookAction::Http(HttpAction { url, headers, variables, blocks_on_failure }), ignored))
}

/// One header: its name can be sent, and its value too as soon as its variables are filled in.
fn header((name, value): (&String, &Value)) -> Result<(String, String), MemberFault> {
    let wrong = |what: String| fault("headers", what);
    let Some(value) = value.as_str() else { return Err(wrong("must be an object of texts".to_owned())) };
    let Ok(parsed) = HeaderName::try_from(name.as_str()) else {
        return Err(wrong(format!("has {name:?}, which is not a valid header name")));
    };
    if OWN_HEADERS.contains(&parsed.as_str()) {
        return Err(wrong(format!("has {parsed}, which can't be set")));
    }
    if HeaderValue::from_str(value).is_err() {
        return Err(wrong(format!("has characters in {name} that can't be sent")));
    }
    Ok((name.clone(), value.to_owned()))
}

fn prompt(members: &Map<String, Value>) -> ActionResult {
    let action = PromptAction {
        prompt: text(members, "prompt", "a prompt")?,
        model: optional(members, "model")?,
        continues_on_block: is_set(members, "continueOnBlock"),
    };
    Ok((HookAction::Prompt(action), Vec::new()))
}

fn agent(members: &Map<String, Value>) -> ActionResult {
    let action =
        AgentAction { prompt: text(members, "prompt", "a prompt")?, model: optional(members, "model")? };
    Ok((HookAction::Agent(action), Vec::new()))
}

fn mcp_tool(members: &Map<String, Value>) -> ActionResult {
    let input = match members.get("input") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(input)) => input.clone(),
        Some(_) => return Err(fault("input", "must be an object")),
    };
    let server = text(members, "server", "the name of an MCP server")?;
    let tool = text(members, "tool", "the name of a tool")?;
    Ok((HookAction::McpTool(McpToolAction { server, tool, input }), Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: Value) -> String {
        let members = value.as_object().unwrap();
        let kind = KINDS.iter().find(|kind| members["type"] == kind.name).unwrap();
        match (kind.read)(members) {
            Ok((action, ignored)) => {
                let ignored: Vec<String> =
                    ignored.iter().map(|fault| format!(" ({} {})", fault.member, fault.what)).collect();
                format!("{}{}", action.described(), ignored.concat())
            }
            Err(fault) => format!("{}: {}", fault.member, fault.what),
        }
    }

    #[test]
    fn every_kind_is_read_or_reports_what_is_missing() {
        use serde_json::json;
        let read: Vec<String> = [
            json!({ "type": "command", "command": "check", "shell": "fish" }),
            json!({ "type": "command", "command": "" }),
            json!({ "type": "http", "url": "https://hooks.example.com/x", "headers": { "X-Key": "$KEY" } }),
            json!({ "type": "http" }),
            json!({ "type": "http", "url": "hooks.example.com" }),
            json!({ "type": "http", "url": "file:///etc/passwd" }),
            json!({ "type": "http", "url": "http://h", "headers": { "Host": "other" } }),
            json!({ "type": "http", "url": "http://h", "headers": { "a b": "x" } }),
            json!({ "type": "http", "url": "http://h", "headers": { "a": 7 } }),
            json!({ "type": "http", "url": "http://h", "headers": { "a": "x\ny" } }),
            json!({ "type": "http", "url": "http://h", "allowedEnvVars": "KEY" }),
            json!({ "type": "http", "url": "http://h", "onFailure": "explode" }),
            json!({ "type": "prompt", "prompt": "Is it safe?" }),
            json!({ "type": "prompt", "prompt": 7 }),
            json!({ "type": "prompt", "prompt": "x", "model": 7 }),
            json!({ "type": "agent", "prompt": "Do the tests pass?" }),
            json!({ "type": "mcp_tool", "server": "scan", "tool": "file" }),
            json!({ "type": "mcp_tool", "server": "scan" }),
            json!({ "type": "mcp_tool", "server": "scan", "tool": "file", "input": [] }),
        ]
        .into_iter()
        .map(read)
        .collect();
        insta::assert_snapshot!(read.join("\n"), @r#"
        check (shell must be "bash"; it is ignored)
        command: must be a command
        POST https://hooks.example.com/x with X-Key: $KEY
        url: must be an address
        url: is not a valid URL: relative URL without a base
        url: must begin with https:// or http://
        headers: has host, which can't be set
        headers: has "a b", which is not a valid header name
        headers: must be an object of texts
        headers: has characters in a that can't be sent
        allowedEnvVars: must be a list of names of variables
        POST http://h (onFailure must be "continue" or "block"; it is read as "block")
        ask a model: Is it safe?
        prompt: must be a prompt
        model: must be a text
        run a verifying agent: Do the tests pass?
        call the MCP tool scan/file
        tool: must be the name of a tool
        input: must be an object
        "#);
    }
}
