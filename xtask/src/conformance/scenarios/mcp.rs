//! An MCP server that lives in the host: its messages travel in control requests.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{ASK, Scenario, allow, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[scenario("mcp-in-process", in_process)];

fn in_process(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "mcp__calc__add"]].concat())?;
    // The server may be asked before `initialize` is answered.
    let id = session.request("initialize", &json!({ "sdkMcpServers": ["calc"] }));
    session.converse_until(
        "answer to initialize",
        |frame| frame["response"]["request_id"] == id.as_str(),
        answer,
    )?;
    session.user(&tool("mcp__calc__add", &json!({ "a": 2, "b": 3 })));
    session.converse(answer)?;
    session.control("mcp_status", &json!({}));
    session.end()
}

fn answer(request: &Value) -> Value {
    match request["request"]["subtype"].as_str() {
        Some("mcp_message") => json!({ "mcp_response": calculator(&request["request"]["message"]) }),
        _ => allow(request),
    }
}

/// A server with one tool.
fn calculator(message: &Value) -> Value {
    let params = &message["params"];
    let result = match message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": params["protocolVersion"], "capabilities": { "tools": {} },
            "serverInfo": { "name": "calc", "version": "1" }
        }),
        Some("tools/list") => json!({ "tools": [{
            "name": "add", "description": "Adds two numbers",
            "inputSchema": { "type": "object", "properties": { "a": { "type": "number" }, "b": { "type": "number" } } }
        }] }),
        Some("tools/call") => {
            let number = |name: &str| params["arguments"][name].as_i64().unwrap_or_default();
            json!({ "content": [{ "type": "text", "text": (number("a") + number("b")).to_string() }] })
        }
        _ => json!({}),
    };
    let mut response = json!({ "jsonrpc": "2.0", "result": result });
    // A notification has no id, and neither has what answers it.
    if let Some(id) = message.get("id") {
        response["id"] = id.clone();
    }
    response
}
