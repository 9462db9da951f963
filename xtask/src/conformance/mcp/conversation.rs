//! What is done with the servers.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::super::session::Session;
use super::super::stage::Stage;
use super::server::{Programs, Servers, Transport};

/// How long the agent may take to see that a server was killed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Calls, and what must be in their results.
const CALLS: &[(&str, &str, &str)] = &[
    ("every__echo", r#"{"message":"hello"}"#, "Echo: hello"),
    ("every__get-sum", r#"{"a":2,"b":3}"#, "5"),
    ("every__get-tiny-image", "{}", "\"media_type\":\"image/png\""),
    ("every__get-structured-content", r#"{"location":"New York"}"#, "temperature"),
    ("every__get-resource-links", r#"{"count":2}"#, "demo://resource"),
    ("every__get-roots-list", "{}", "file://"),
    ("every__trigger-elicitation-request", "{}", "Ada"),
    ("every__trigger-long-running-operation", r#"{"duration":1,"steps":3}"#, "completed"),
    ("files__read_text_file", r#"{"path":"note.txt"}"#, "kept here"),
    ("files__read_text_file", r#"{"path":"/etc/hostname"}"#, "denied"),
];

/// Leads the agent through everything; how many steps there were.
pub(super) fn converse(stage: &mut Stage, programs: &Programs, transport: Transport) -> Result<usize> {
    let mut servers = Servers::start(programs, transport)?;
    stage.write("note.txt", "kept here\n")?;
    let config = servers.config(&stage.project().display().to_string()).to_string();
    let allowed = ["--allowed-tools", "mcp__every", "mcp__files"];
    let session = stage.start(&[&allowed, &["--mcp-config", config.as_str()] as &[&str]].concat())?;
    let mut talk = Talk { session, steps: 0 };
    talk.session.initialize(&json!({}))?;
    talk.hello()?;
    talk.expect_states("connected")?;
    for (tool, input, expected) in CALLS {
        talk.call(&format!("mcp__{tool} {input}"), expected)?;
    }
    talk.call("ListMcpResourcesTool {\"server\":\"every\"}", "demo://resource")?;
    talk.prompt(stage)?;

    servers.kill()?;
    if transport == Transport::Stdio {
        talk.await_loss()?;
    } else {
        talk.control("mcp_reconnect", &json!({ "serverName": "every" }))?;
    }
    talk.call("mcp__every__echo {\"message\":\"back\"}", "Echo: back")?;
    talk.control("mcp_reconnect", &json!({ "serverName": "files" }))?;
    talk.call("mcp__files__list_allowed_directories {}", "Allowed directories")?;
    for enabled in [false, true] {
        talk.control("mcp_toggle", &json!({ "serverName": "every", "enabled": enabled }))?;
    }
    talk.call("mcp__every__echo {\"message\":\"again\"}", "Echo: again")?;
    talk.expect_states("connected")?;
    let Talk { session, steps } = talk;
    session.end()?;
    let left = servers.processes();
    if !left.is_empty() {
        bail!("{} servers outlived the agent", left.len());
    }
    Ok(steps + 1)
}

/// A conversation with an agent that has servers.
pub(super) struct Talk {
    pub(super) session: Session,
    /// What was done so far.
    pub(super) steps: usize,
}

impl Talk {
    pub(super) fn hello(&mut self) -> Result<()> {
        self.session.user("@say hello");
        self.session.converse(answer)?;
        self.steps += 1;
        Ok(())
    }

    /// Lets the model call a tool, and looks for a text in the result.
    pub(super) fn call(&mut self, call: &str, expected: &str) -> Result<()> {
        self.session.user(&format!("@tool {call}"));
        let is_result = |frame: &Value| frame["message"]["content"][0]["type"] == "tool_result";
        let frame = self.session.converse_until("result of a tool", is_result, answer)?;
        self.session.converse(answer)?;
        let content = frame["message"]["content"][0]["content"].to_string();
        if !content.contains(expected) {
            bail!("{call} gave {content}, without {expected}");
        }
        self.steps += 1;
        Ok(())
    }

    /// Uses a prompt of the server as a command: the model must receive its text.
    fn prompt(&mut self, stage: &Stage) -> Result<()> {
        self.session.user("/mcp__every__simple-prompt");
        self.session.converse(answer)?;
        let last_request = stage.requests().last().map(Value::to_string).unwrap_or_default();
        if !last_request.contains("simple prompt") {
            bail!("the model did not receive the prompt of the server");
        }
        self.steps += 1;
        Ok(())
    }

    pub(super) fn control(&mut self, subtype: &str, fields: &Value) -> Result<Value> {
        let answer = self.session.control(subtype, fields).unwrap_or_default();
        if answer["response"]["subtype"] != "success" {
            bail!("{subtype} {fields} was answered with {answer}");
        }
        self.steps += 1;
        Ok(answer["response"]["response"].clone())
    }

    /// Waits until the agent knows that its servers are gone: a call that is on its way to a dying one fails with it.
    fn await_loss(&mut self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let reported = self.session.control("mcp_status", &json!({})).unwrap_or_default();
            let servers =
                reported["response"]["response"]["mcpServers"].as_array().cloned().unwrap_or_default();
            if !servers.is_empty() && servers.iter().all(|server| server["status"] != "connected") {
                self.steps += 1;
                return Ok(());
            }
        }
        bail!("killed servers still count as connected after {} s", PATIENCE.as_secs());
    }

    fn expect_states(&mut self, expected: &str) -> Result<()> {
        let reported = self.control("mcp_status", &json!({}))?;
        let servers = reported["mcpServers"].as_array().cloned().unwrap_or_default();
        let others = servers.iter().find(|server| {
            server["status"] != expected || server["tools"].as_array().is_none_or(Vec::is_empty)
        });
        match others {
            _ if servers.len() != 2 => bail!("{} servers are reported", servers.len()),
            Some(other) => bail!("{other} should be {expected}, with tools"),
            None => Ok(()),
        }
    }
}

/// Fills every form.
fn answer(request: &Value) -> Value {
    match request["request"]["subtype"].as_str() {
        Some("elicitation") => json!({ "action": "accept", "content": { "name": "Ada", "check": true } }),
        _ => json!({ "behavior": "deny", "message": "not requested" }),
    }
}
