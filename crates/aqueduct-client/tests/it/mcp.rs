//! MCP servers in this process, as an agent sees them.

use aqueduct_client::Session;
use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::peer::Peer;

#[derive(Deserialize)]
struct Sum {
    a: f64,
    b: f64,
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]})
}

fn sums() -> McpServer {
    let add = |sum: Sum| async move { ToolResult::text((sum.a + sum.b).to_string()) };
    McpServer::new("sums")
        .version("2.0.0")
        .instructions("Sums are exact.")
        .tool(Tool::with_schema("add", "Adds", schema(), add).read_only())
}

async fn started(server: McpServer) -> (Peer, impl Sized) {
    let (mut peer, builder) = Peer::new(Session::builder().mcp(server));
    let agent = async {
        let asked = peer.asked("initialize").await;
        assert!(asked.request["sdkMcpServers"].is_array());
        asked.answer(&mut peer, json!({})).await;
        peer
    };
    let (peer, started) = tokio::join!(agent, builder.start());
    (peer, started.unwrap())
}

fn message(message: Value) -> Value {
    json!({"subtype": "mcp_message", "server_name": "sums", "message": message})
}

async fn served(peer: &mut Peer, request: Value) -> Value {
    let answer = peer.served(message(request)).await["mcp_response"].clone();
    assert_eq!(answer["jsonrpc"], "2.0");
    answer
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

#[tokio::test]
async fn a_conversation() {
    let (mut peer, _session) = started(sums()).await;
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}});
    assert_eq!(
        served(&mut peer, hello).await,
        json!({"jsonrpc": "2.0", "id": 0, "result": {
            "protocolVersion": "2025-03-26",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "sums", "version": "2.0.0"},
            "instructions": "Sums are exact.",
        }})
    );
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(served(&mut peer, ready).await, json!({"jsonrpc": "2.0", "result": {}}));
    let list = json!({"jsonrpc": "2.0", "id": "l", "method": "tools/list"});
    assert_eq!(
        served(&mut peer, list).await,
        json!({"jsonrpc": "2.0", "id": "l", "result": {"tools": [{
            "name": "add", "description": "Adds", "inputSchema": schema(), "annotations": {"readOnlyHint": true},
        }]}})
    );
    assert_eq!(
        served(&mut peer, call(2, "add", json!({"a": 1, "b": 2.5}))).await,
        json!({"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "3.5"}]}})
    );
    let ping = json!({"jsonrpc": "2.0", "id": 3, "method": "ping"});
    assert_eq!(served(&mut peer, ping).await["result"], json!({}));
}

#[tokio::test]
async fn an_unknown_version() {
    let (mut peer, _session) = started(sums()).await;
    for params in [json!({"protocolVersion": "2099-01-01"}), json!({}), json!([1]), Value::Null] {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        assert_eq!(served(&mut peer, hello).await["result"]["protocolVersion"], "2025-11-25");
    }
}

#[tokio::test]
async fn what_does_not_fit() {
    let (mut peer, _session) = started(sums()).await;
    // Errors of the host are protocol errors.
    assert_eq!(served(&mut peer, call(1, "mul", json!({}))).await["error"]["code"], -32602);
    let odd = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}});
    assert_eq!(served(&mut peer, odd).await["error"]["code"], -32602);
    let none = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"});
    assert_eq!(served(&mut peer, none).await["error"]["code"], -32602);
    let other = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list"});
    assert_eq!(served(&mut peer, other).await["error"]["code"], -32601);
    // The model's errors are for the model to correct.
    let result = served(&mut peer, call(1, "add", json!({"a": "one"}))).await["result"].clone();
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("The input does not fit the tool's schema: "), "{text}");
    // What is neither a request nor a notification gets an answer too: the wire wants one.
    assert_eq!(
        served(&mut peer, json!({"jsonrpc": "2.0", "id": 9, "result": {}})).await["result"],
        json!({})
    );
    assert_eq!(served(&mut peer, json!({"jsonrpc": "2.0"})).await["result"], json!({}));
}

#[tokio::test]
async fn a_call_that_is_taken_back() {
    /// Reports when it is dropped.
    struct Dropped(mpsc::Sender<()>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.try_send(()).unwrap();
        }
    }
    let (sender, mut dropped) = mpsc::channel(8);
    let (begin, mut began) = mpsc::channel(8);
    let slow = move |_: Value| {
        let guard = Dropped(sender.clone());
        let begin = begin.clone();
        async move {
            begin.send(()).await.unwrap();
            std::future::pending::<()>().await;
            drop(guard);
            ToolResult::text("never")
        }
    };
    let (mut peer, _session) =
        started(McpServer::new("sums").tool(Tool::with_schema("slow", "", json!({}), slow))).await;
    // As the reference does it: by a notification.
    peer.ask("call", message(call(7, "slow", json!({})))).await;
    began.recv().await.unwrap();
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    peer.ask("cancel", message(cancel.clone())).await;
    dropped.recv().await.unwrap();
    let mut answers = Vec::new();
    for _ in 0..2 {
        let line = peer.receive().await.unwrap();
        answers.push((
            line["response"]["request_id"].clone(),
            line["response"]["response"]["mcp_response"].clone(),
        ));
    }
    answers.sort_by_key(|(id, _)| id.to_string());
    assert_eq!(answers[0].1["error"]["code"], -32800);
    assert_eq!(answers[1], (json!("cancel"), json!({"jsonrpc": "2.0", "result": {}})));
    // By taking the whole message back.
    peer.ask("again", message(call(8, "slow", json!({})))).await;
    began.recv().await.unwrap();
    peer.say(json!({"type": "control_cancel_request", "request_id": "again"})).await;
    dropped.recv().await.unwrap();
    // What is not there can't be taken back.
    assert_eq!(served(&mut peer, cancel).await["result"], json!({}));
}

#[tokio::test]
async fn calls_run_side_by_side() {
    let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(3));
    let meet = move |_: Value| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            ToolResult::text("met")
        }
    };
    let (mut peer, _session) =
        started(McpServer::new("sums").tool(Tool::with_schema("meet", "", json!({}), meet))).await;
    for id in 0..3 {
        peer.ask(&id.to_string(), message(call(id, "meet", json!({})))).await;
    }
    for _ in 0..3 {
        let line = peer.receive().await.unwrap();
        assert_eq!(line["response"]["response"]["mcp_response"]["result"]["content"][0]["text"], "met");
    }
}

#[test]
fn results() {
    let result = ToolResult::text("a")
        .with_image("image/png", "aGk=")
        .with_block(json!({"type": "resource_link", "uri": "x:"}));
    assert_eq!(
        serde_json::to_value(result.with_structured(json!({"n": 1}))).unwrap(),
        json!({
            "content": [
                {"type": "text", "text": "a"},
                {"type": "image", "mimeType": "image/png", "data": "aGk="},
                {"type": "resource_link", "uri": "x:"},
            ],
            "structuredContent": {"n": 1},
        })
    );
    assert_eq!(serde_json::to_value(ToolResult::error("no")).unwrap()["isError"], true);
}

#[cfg(feature = "schema")]
#[tokio::test]
async fn a_schema_from_a_type() {
    /// A greeting.
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Greeting {
        /// Whom to greet.
        name: String,
        #[serde(default)]
        loud: bool,
    }
    let greet = |greeting: Greeting| async move {
        let name = if greeting.loud { greeting.name.to_uppercase() } else { greeting.name };
        ToolResult::text(format!("Hello, {name}!"))
    };
    let (mut peer, _session) =
        started(McpServer::new("sums").tool(Tool::new("greet", "Greets", greet))).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let schema = served(&mut peer, list).await["result"]["tools"][0]["inputSchema"].clone();
    assert_eq!(schema["properties"]["name"], json!({"type": "string", "description": "Whom to greet."}));
    assert_eq!(schema["required"], json!(["name"]));
    let answer = served(&mut peer, call(1, "greet", json!({"name": "Ada", "loud": true}))).await;
    assert_eq!(answer["result"]["content"][0]["text"], "Hello, ADA!");
}
