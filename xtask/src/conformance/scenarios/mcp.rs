//! An MCP server that lives in the host: its messages travel in control requests.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::Session;
use super::super::stage::Stage;
use super::{ASK, Scenario, allow, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("mcp-in-process", in_process),
    scenario("mcp-configured", configured),
    scenario("mcp-asked", asked),
    scenario("mcp-results", results),
    scenario("mcp-last-word", last_word),
    scenario("mcp-manifest", manifest),
    scenario("mcp-changes", changes),
    scenario("mcp-switches", switches),
];

const ALLOWED: &[&str] = &["--allowed-tools", "mcp__calc"];

fn in_process(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "mcp__calc__add"]].concat())?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    session.control("mcp_status", &json!({}));
    session.end()
}

/// The server is named on the command line, as the Python SDK does it.
fn configured(stage: &mut Stage) -> Result<()> {
    let config = json!({ "mcpServers": { "calc": { "type": "sdk", "name": "calc" } } }).to_string();
    let mut session = stage.start(&[ASK, ALLOWED, &["--mcp-config", &config]].concat())?;
    initialize(&mut session, &json!({}))?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    session.end()
}

/// No rule allows the call.
fn asked(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(|request| match request["request"]["subtype"].as_str() {
        Some("can_use_tool") => json!({ "behavior": "deny", "message": "not now" }),
        _ => answer(request),
    })?;
    session.end()
}

/// What a tool may give beside a text.
fn results(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, ALLOWED].concat())?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    for name in ["fail", "refuse", "shape", "nothing", "unknown"] {
        session.user(&tool(&format!("mcp__calc__{name}"), &json!({})));
        session.converse(answer)?;
    }
    session.end()
}

/// A tool ends the turn.
fn last_word(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, ALLOWED].concat())?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    session.user(&tool("mcp__calc__finish", &json!({})));
    session.converse(answer)?;
    session.user("@say alive");
    session.converse(answer)?;
    session.end()
}

/// The host sends what its servers would report.
fn manifest(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, ALLOWED].concat())?;
    let reported = json!({ "sdkMcpServers": ["calc", "odd"], "sdkMcpServerManifests": {
        "calc": { "initializeResult": about("2025-11-25"), "toolsListResult": tools() },
        "odd": { "initializeResult": about("1999-12-31") },
    } });
    initialize(&mut session, &reported)?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    session.end()
}

/// A server sends a message by itself.
fn changes(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, ALLOWED].concat())?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    session.user("@say hello");
    session.converse(answer)?;
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }),
    ] {
        session.request("mcp_message", &json!({ "server_name": "calc", "message": message }));
        // Older versions don't care.
        let is_reported = |frame: &Value| frame["request"]["subtype"] == "mcp_message";
        if let Some(request) = session.maybe(Duration::from_secs(3), is_reported) {
            let response = answer(&request);
            session.answer(&request, &response);
        }
    }
    session.user("@say bye");
    session.converse(answer)?;
    session.end()
}

/// Servers are added and removed, and some are unknown.
fn switches(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, ALLOWED].concat())?;
    initialize(&mut session, &json!({ "sdkMcpServers": ["calc"] }))?;
    session.user("@say hello");
    session.converse(answer)?;
    session.control("mcp_toggle", &json!({ "serverName": "calc", "enabled": false }));
    session.control("mcp_status", &json!({}));
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    for (subtype, fields) in [
        ("mcp_toggle", json!({ "serverName": "unknown", "enabled": true })),
        ("mcp_reconnect", json!({ "serverName": "unknown" })),
        ("mcp_set_servers", json!({ "servers": {} })),
        ("mcp_call", json!({ "tool": "Bash" })),
        ("mcp_read_resource", json!({ "serverName": "unknown", "uri": "ui://page" })),
    ] {
        session.control(subtype, &fields);
    }
    session.end()
}

/// Initializes, and answers for the servers meanwhile: they may be asked before `initialize` is answered.
fn initialize(session: &mut Session, fields: &Value) -> Result<()> {
    let id = session.request("initialize", fields);
    let is_answered = |frame: &Value| frame["response"]["request_id"] == id.as_str();
    session.converse_until("answer to initialize", is_answered, answer).map(drop)
}

fn answer(request: &Value) -> Value {
    match request["request"]["subtype"].as_str() {
        Some("mcp_message") => json!({ "mcp_response": calculator(&request["request"]["message"]) }),
        _ => allow(request),
    }
}

fn about(version: &str) -> Value {
    json!({
        "protocolVersion": version, "capabilities": { "tools": {} },
        "serverInfo": { "name": "calc", "version": "1" }
    })
}

fn tools() -> Value {
    let number = json!({ "type": "number" });
    let numbers = json!({ "type": "object", "properties": { "a": number, "b": number } });
    let mut tools = vec![json!({ "name": "add", "description": "Adds two numbers", "inputSchema": numbers })];
    for name in ["fail", "refuse", "shape", "nothing", "finish"] {
        tools.push(json!({ "name": name, "inputSchema": { "type": "object", "properties": {} } }));
    }
    json!({ "tools": tools })
}

/// A server that adds, and fails on request.
fn calculator(message: &Value) -> Value {
    let params = &message["params"];
    let result = match message["method"].as_str() {
        Some("initialize") => about(params["protocolVersion"].as_str().unwrap_or_default()),
        Some("tools/list") => tools(),
        Some("tools/call") => match params["name"].as_str() {
            Some("fail") => {
                json!({ "isError": true, "content": [{ "type": "text", "text": "no such number" }] })
            }
            Some("refuse") => {
                let error = json!({ "code": -32000, "message": "not today" });
                return json!({ "jsonrpc": "2.0", "id": message["id"], "error": error });
            }
            Some("shape") => json!({ "content": [], "structuredContent": { "sum": 5 } }),
            Some("nothing") => json!({ "content": [] }),
            Some("finish") => json!({
                "content": [{ "type": "text", "text": "that was all" }], "_meta": { "claude/endTurn": true }
            }),
            _ => {
                let number = |name: &str| params["arguments"][name].as_i64().unwrap_or_default();
                json!({ "content": [{ "type": "text", "text": (number("a") + number("b")).to_string() }] })
            }
        },
        _ => json!({}),
    };
    let mut response = json!({ "jsonrpc": "2.0", "result": result });
    // A notification has no id, and neither has what answers it.
    if let Some(id) = message.get("id") {
        response["id"] = id.clone();
    }
    response
}
