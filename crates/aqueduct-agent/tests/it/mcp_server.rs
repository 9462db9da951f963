//! An MCP server for tests: this very test program, started once more, as a server on stdin and stdout.

use std::io::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

/// The script of the server, in its environment: a JSON object.
const SCRIPT: &str = "AQUEDUCT_TEST_SERVER";

/// How a configuration starts the server. `script` defines how it differs from the default:
/// `deaf` (never answers), `slow` (milliseconds before it answers `initialize`), `ends` (an exit code, at
/// once), `stderr` (text for stderr), `greets` (a line on stdout that is not a message), `pages` (paginated lists),
/// `version` (of MCP), `restless` (its tools change while they are listed), `log` (a file for received messages).
pub(crate) fn entry(script: &Value) -> Value {
    let program = std::env::current_exe().expect("this program");
    json!({
        "command": program,
        "args": ["mcp_server::serve", "--exact", "--ignored", "--nocapture", "--quiet"],
        "env": { SCRIPT: script.to_string() },
    })
}

/// `--mcp-config` with these servers.
pub(crate) fn config(servers: &[(&str, Value)]) -> String {
    let servers: serde_json::Map<String, Value> =
        servers.iter().map(|(name, script)| ((*name).to_owned(), entry(script))).collect();
    json!({ "mcpServers": servers }).to_string()
}

#[test]
#[ignore = "a server that other tests start"]
fn serve() {
    let script = std::env::var(SCRIPT).expect("a script: this is no test of its own");
    let script: Value = serde_json::from_str(&script).expect("a script");
    if let Some(words) = script["stderr"].as_str() {
        eprintln!("{words}");
    }
    if let Some(code) = script["ends"].as_i64() {
        std::process::exit(code as i32);
    }
    if script["greets"] == true {
        println!("hello, I am a server\n{{\"half\": ");
    }
    let mut server = Server { script, lines: std::io::stdin().lines(), more: Vec::new(), asked: 0 };
    while let Some(message) = server.next_message() {
        if server.script["deaf"] != true {
            server.take(&message);
        }
    }
    std::process::exit(0);
}

struct Server {
    script: Value,
    lines: std::io::Lines<std::io::StdinLock<'static>>,
    /// Tools that came later.
    more: Vec<&'static str>,
    asked: u64,
}

const TOOLS: &[&str] =
    &["echo", "pid", "fail", "hang", "die", "flood", "grow", "ask", "send", "progress", "rooted", "huge"];

impl Server {
    fn next_message(&mut self) -> Option<Value> {
        let line = self.lines.next()?.ok()?;
        if let Some(log) = self.script["log"].as_str() {
            let mut log = std::fs::File::options().create(true).append(true).open(log).expect("a log");
            writeln!(log, "{line}").expect("a log");
        }
        Some(serde_json::from_str(&line).expect("JSON"))
    }

    fn say(&self, message: &Value) {
        println!("{message}");
        std::io::stdout().flush().expect("a reader");
    }

    /// Asks the client, and serves nothing else until it answers.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = format!("q{}", self.asked);
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.next_message().expect("an answer");
            if message["id"] == id.as_str() {
                return message;
            }
        }
    }

    fn take(&mut self, message: &Value) {
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { return };
        let params = &message["params"];
        let result = match method {
            "initialize" => {
                if let Some(time) = self.script["slow"].as_u64() {
                    std::thread::sleep(Duration::from_millis(time));
                }
                let version = self.script["version"].as_str().unwrap_or("2025-11-25");
                Ok(json!({
                    "protocolVersion": version,
                    "capabilities": { "tools": { "listChanged": true }, "resources": {}, "prompts": {} },
                    "serverInfo": { "name": "test", "version": "1" },
                }))
            }
            "tools/list" => {
                if self.script["restless"] == true {
                    self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
                    self.more.push("late");
                    self.script["restless"] = false.into();
                }
                Ok(self.list(params))
            }
            "tools/call" => self.call(params),
            "resources/list" => Ok(json!({ "resources": [
                { "uri": "test://notes", "name": "Notes", "mimeType": "text/plain" },
                { "uri": "ui://page", "name": "Page" },
            ] })),
            "resources/read" if params["uri"] == "test://notes" => Ok(json!({ "contents": [
                { "uri": "test://notes", "mimeType": "text/plain", "text": "buy milk" },
                { "uri": "test://notes", "mimeType": "application/octet-stream", "blob": "AAEC" },
            ] })),
            "prompts/list" => Ok(json!({ "prompts": [{
                "name": "greet", "description": "Greets", "arguments": [{ "name": "who", "required": true }],
            }] })),
            "prompts/get" => {
                let text = format!("@say hello {}", params["arguments"]["who"].as_str().unwrap_or("unknown"));
                Ok(json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] }))
            }
            _ => Err(json!({ "code": -32601, "message": format!("there is no {method}") })),
        };
        let mut answer = json!({ "jsonrpc": "2.0", "id": id });
        match result {
            Ok(result) => answer["result"] = result,
            Err(error) => answer["error"] = error,
        }
        self.say(&answer);
    }

    fn list(&self, params: &Value) -> Value {
        let tool =
            |name: &&str| json!({ "name": name, "inputSchema": { "type": "object", "properties": {} } });
        let all: Vec<Value> = TOOLS.iter().chain(&self.more).map(tool).collect();
        let Some(size) = self.script["pages"].as_u64() else { return json!({ "tools": all }) };
        let (size, start) =
            (size as usize, params["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap()));
        let page: Vec<&Value> = all.iter().skip(start).take(size).collect();
        let mut list = json!({ "tools": page });
        if start + size < all.len() {
            list["nextCursor"] = (start + size).to_string().into();
        }
        list
    }

    fn call(&mut self, params: &Value) -> Result<Value, Value> {
        let text = |text: String| Ok(json!({ "content": [{ "type": "text", "text": text }] }));
        match params["name"].as_str().expect("a name") {
            "echo" => text(params["arguments"].to_string()),
            "pid" => text(std::process::id().to_string()),
            "fail" => Err(json!({ "code": -32000, "message": "it broke" })),
            "hang" => loop {
                // Messages are ignored until stdin is closed.
                if self.next_message().is_none() {
                    std::process::exit(0);
                }
            },
            "die" => std::process::exit(7),
            "flood" => {
                let noise = "n".repeat(1000);
                for _ in 0..20_000 {
                    self.say(&json!({
                        "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": noise },
                    }));
                }
                text("dry again".to_owned())
            }
            "grow" => {
                self.more.push("late");
                self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
                text("grown".to_owned())
            }
            "late" => text("better than never".to_owned()),
            "ask" => {
                let form = json!({ "type": "object", "properties": { "a": {}, "b": {} } });
                let answer =
                    self.ask("elicitation/create", json!({ "message": "Who?", "requestedSchema": form }));
                text(answer["result"].to_string())
            }
            "send" => {
                let page = json!({
                    "mode": "url", "message": "Go", "url": "https://example.com/", "elicitationId": "e1",
                });
                let answer = self.ask("elicitation/create", page);
                self.say(&json!({
                    "jsonrpc": "2.0", "method": "notifications/elicitation/complete",
                    "params": { "elicitationId": "e1" },
                }));
                text(answer["result"].to_string())
            }
            "progress" => {
                let token = &params["_meta"]["progressToken"];
                self.say(&json!({
                    "jsonrpc": "2.0", "method": "notifications/progress",
                    "params": { "progressToken": token, "progress": 1, "total": 2 },
                }));
                text("done".to_owned())
            }
            "rooted" => {
                let answer = self.ask("roots/list", json!({}));
                text(answer["result"].to_string())
            }
            "huge" => text("h".repeat(300_000)),
            other => Err(json!({ "code": -32602, "message": format!("there is no tool {other}") })),
        }
    }
}
