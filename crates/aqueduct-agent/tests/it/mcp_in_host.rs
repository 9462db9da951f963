//! MCP servers that live in the host: their messages travel in control requests.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, tool_results};

/// A pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A host with servers in it. What comes from the agent and is no message to them is kept.
struct Hosting {
    host: Host,
    /// The messages to the servers, with the servers' names.
    messages: Vec<(String, Value)>,
    frames: Vec<Value>,
    /// The tools of all servers.
    tools: Vec<Value>,
}

impl Hosting {
    fn start(place: &Place, arguments: &[&str]) -> Hosting {
        let host = place.start(arguments);
        let tools = ["add", "fail", "refuse", "picture", "shape", "finish", "sound", "long", "nothing"];
        let tools = tools.map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }));
        Hosting { host, messages: Vec::new(), frames: Vec::new(), tools: tools.to_vec() }
    }

    /// Answers the agent until a frame comes that fits. Gives the frames since the last time.
    fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        loop {
            let frame = self.host.next().expect("a frame");
            if frame["request"]["subtype"] == "mcp_message" {
                let request = &frame["request"];
                let name = request["server_name"].as_str().unwrap().to_owned();
                let answer = self.answer(&request["message"]);
                self.messages.push((name, request["message"].clone()));
                if let Some(answer) = answer {
                    self.host.answer(&frame, &json!({ "mcp_response": answer }));
                }
                continue;
            }
            let found = fits(&frame);
            self.frames.push(frame);
            if found {
                return std::mem::take(&mut self.frames);
            }
        }
    }

    fn turn(&mut self, prompt: &str) -> Vec<Value> {
        self.host.say(prompt);
        self.until(|frame| frame["type"] == "result")
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.host.send(&json!({ "type": "control_request", "request_id": "ask", "request": request }));
        let frames = self.until(|frame| frame["response"]["request_id"] == "ask");
        frames.last().unwrap()["response"].clone()
    }

    /// Sends a message on behalf of a server.
    fn say_as(&mut self, server: &str, message: &Value) -> Value {
        self.ask(&json!({ "subtype": "mcp_message", "server_name": server, "message": message }))
    }

    /// The response of a server; `None` if it hangs.
    fn answer(&self, message: &Value) -> Option<Value> {
        let params = &message["params"];
        let text = |text: String| json!({ "content": [{ "type": "text", "text": text }] });
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": { "tools": { "listChanged": true } },
                "serverInfo": { "name": "calculator", "version": "1" },
                "instructions": "Add numbers, not words.",
            }),
            Some("tools/list") => json!({ "tools": self.tools }),
            Some("tools/call") => match params["name"].as_str().unwrap() {
                "add" => {
                    let number = |name: &str| params["arguments"][name].as_i64().unwrap();
                    text((number("a") + number("b")).to_string())
                }
                "fail" => {
                    json!({ "isError": true, "content": [{ "type": "text", "text": "no such number" }] })
                }
                "refuse" => {
                    let error = json!({ "code": -32000, "message": "not today" });
                    return Some(json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }));
                }
                "picture" => json!({ "content": [
                    { "type": "text", "text": "look" },
                    { "type": "image", "data": PNG, "mimeType": "image/png" },
                ] }),
                "sound" => {
                    json!({ "content": [{ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" }] })
                }
                "shape" => json!({
                    "content": [{ "type": "text", "text": "one sum" }], "structuredContent": { "sum": 5 },
                }),
                "finish" => json!({
                    "content": [{ "type": "text", "text": "that was all" }], "_meta": { "claude/endTurn": true },
                }),
                "long" => text("x".repeat(5000)),
                "nothing" => json!({ "content": [] }),
                "hang" => return None,
                other => panic!("{other}"),
            },
            _ => json!({}),
        };
        let mut answer = json!({ "jsonrpc": "2.0", "result": result });
        if let Some(id) = message.get("id") {
            answer["id"] = id.clone();
        }
        Some(answer)
    }

    /// The methods that a server was asked.
    fn methods(&self, server: &str) -> Vec<&str> {
        let own = self.messages.iter().filter(|(name, _)| name == server);
        own.filter_map(|(_, message)| message["method"].as_str()).collect()
    }
}

const ALLOWED: &[&str] = &["--allowed-tools", "mcp__calc"];

fn hosting() -> (Place, Hosting) {
    let place = Place::new();
    let mut hosting = Hosting::start(&place, ALLOWED);
    let answer = hosting.ask(&json!({ "subtype": "initialize", "sdkMcpServers": ["calc"] }));
    assert_eq!(answer["subtype"], "success");
    (place, hosting)
}

/// The result of a tool that the model calls with nothing.
fn result(tool: &str) -> (Value, Value) {
    let (_place, mut hosting) = hosting();
    let frames = hosting.turn(&format!("@tool mcp__calc__{tool} {{}}"));
    let user = find(&frames, "user");
    (user["message"]["content"][0].clone(), user["tool_use_result"].clone())
}

#[test]
fn a_server_is_initialized_and_its_tools_are_called() {
    let (_place, mut hosting) = hosting();
    let frames = hosting.turn("@tool mcp__calc__add {\"a\":2,\"b\":3}");
    let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
    assert_eq!(init["mcp_servers"], json!([{ "name": "calc", "status": "connected", "source": "sdk" }]));
    let tools: Vec<&str> = init["tools"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(tools.contains(&"mcp__calc__add"), "{tools:?}");
    assert_eq!(tool_results(&frames)[0]["content"], json!([{ "type": "text", "text": "5" }]));
    assert_eq!(find(&frames, "user")["tool_use_result"], json!([{ "type": "text", "text": "5" }]));
    assert_eq!(frames.last().unwrap()["result"], "after: 5");
    let expected = ["initialize", "notifications/initialized", "tools/list", "tools/call"];
    assert_eq!(hosting.methods("calc"), expected);
    let numbers: Vec<&Value> = hosting.messages.iter().filter_map(|(_, message)| message.get("id")).collect();
    assert_eq!(numbers, [&json!(0), &json!(1), &json!(2)]);
    let call = &hosting.messages.last().unwrap().1["params"];
    assert_eq!(call["name"], "add");
    assert_eq!(call["_meta"]["claudecode/toolUseId"], tool_results(&frames)[0]["tool_use_id"]);
}

#[test]
fn servers_of_the_command_line_are_the_same() {
    let place = Place::new();
    let config = json!({ "mcpServers": { "calc": { "type": "sdk", "name": "calc" } } }).to_string();
    let mut hosting = Hosting::start(&place, &[ALLOWED, &["--mcp-config", &config]].concat());
    // If the host never sends `initialize`, the agent connects to its servers when the first turn starts.
    let frames = hosting.turn("@tool mcp__calc__add {\"a\":2,\"b\":3}");
    assert_eq!(frames.last().unwrap()["result"], "after: 5");
    let status = hosting.ask(&json!({ "subtype": "mcp_status" }));
    let server = &status["response"]["mcpServers"][0];
    assert_eq!(server["serverInfo"], json!({ "name": "calculator", "version": "1" }));
    assert_eq!((&server["scope"], &server["transport"]), (&json!("dynamic"), &json!("sdk")));
    assert_eq!(server["tools"][0], json!({ "name": "add", "annotations": {} }));
}

#[test]
fn a_manifest_spares_the_questions() {
    let place = Place::new();
    let mut hosting = Hosting::start(&place, ALLOWED);
    let about = |version: &str| {
        json!({
            "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": { "name": "c", "version": "1" },
        })
    };
    let tools = json!({ "tools": [{ "name": "add", "inputSchema": { "type": "object" } }] });
    let answer = hosting.ask(&json!({
        "subtype": "initialize",
        "sdkMcpServers": ["calc", "old", "odd"],
        "sdkMcpServerManifests": {
            "calc": { "initializeResult": about("2025-11-25"), "toolsListResult": tools },
            "old": { "initializeResult": about("1999-12-31") },
            "odd": { "initializeResult": 5 },
        },
    }));
    let fates = json!({ "calc": "parked", "old": "protocol_version_mismatch", "odd": "malformed" });
    assert_eq!(answer["response"]["sdk_mcp_manifests_parked"], fates);
    let frames = hosting.turn("@tool mcp__calc__add {\"a\":1,\"b\":1}");
    assert_eq!(frames.last().unwrap()["result"], "after: 2");
    assert_eq!(hosting.methods("calc"), ["tools/call"]);
    assert_eq!(hosting.methods("old"), ["initialize", "notifications/initialized", "tools/list"]);
}

#[test]
fn results_of_all_shapes_are_reported() {
    let (block, reported) = result("fail");
    assert_eq!((&block["content"], &block["is_error"]), (&json!("no such number"), &json!(true)));
    assert_eq!(reported, "Error: no such number");
    let (block, reported) = result("refuse");
    assert_eq!((&block["content"], &block["is_error"]), (&json!("not today"), &json!(true)));
    assert_eq!(reported, "Error: not today");
    let (block, reported) = result("picture");
    assert_eq!(block["content"][1]["source"]["data"], PNG);
    assert_eq!(reported, block["content"]);
    let (block, reported) = result("shape");
    assert_eq!(block["content"], "{\"sum\":5}");
    assert_eq!(reported, json!({ "content": "{\"sum\":5}", "structuredContent": { "sum": 5 } }));
    let (block, reported) = result("nothing");
    assert!(block["content"].as_str().unwrap().contains("no output"), "{block}");
    assert_eq!(reported, json!([]));
}

#[test]
fn bytes_that_no_model_accepts_are_kept_in_a_file() {
    let (block, _) = result("sound");
    let text = block["content"][0]["text"].as_str().unwrap();
    let (_, path) = text.trim_end_matches(']').split_once("kept in ").unwrap();
    assert_eq!(std::fs::read(path).unwrap(), b"RIFF");
    assert!(path.ends_with(".wav"), "{path}");
}

#[test]
fn a_result_that_is_too_long_is_kept_in_a_file() {
    let place = Place::new();
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let mut command = place.command(&[&streaming, ALLOWED].concat());
    command.env("MAX_MCP_OUTPUT_TOKENS", "1000");
    let mut hosting = Hosting::start(&place, &[]);
    hosting.host = Host::start(command);
    hosting.ask(&json!({ "subtype": "initialize", "sdkMcpServers": ["calc"] }));
    let frames = hosting.turn("@tool mcp__calc__long {}");
    let text = tool_results(&frames)[0]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.len() < 3000, "{text}");
    let path = text.split_once("is in ").unwrap().1.split_once(':').unwrap().0;
    assert_eq!(std::fs::read_to_string(path).unwrap(), "x".repeat(5000));
}

#[test]
fn a_tool_can_have_the_last_word() {
    let (_place, mut hosting) = hosting();
    let frames = hosting.turn("@tool mcp__calc__finish {}\n@say more");
    assert_eq!(frames.last().unwrap()["subtype"], "success");
    assert_eq!(frames.last().unwrap()["num_turns"], 2);
    let answer_count = frames.iter().filter(|frame| frame["type"] == "assistant").count();
    assert_eq!(answer_count, 1, "the model is not asked again");
}

#[test]
fn tools_come_and_go_while_the_session_runs() {
    let (_place, mut hosting) = hosting();
    hosting.turn("@say hi");
    hosting.tools.push(json!({ "name": "late", "inputSchema": { "type": "object" } }));
    let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
    assert_eq!(hosting.say_as("calc", &changed)["subtype"], "success");
    let frames = hosting.turn("@say hi");
    let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
    assert!(init["tools"].as_array().unwrap().contains(&json!("mcp__calc__late")), "{init}");
}

#[test]
fn requests_of_a_server_are_answered() {
    let (_place, mut hosting) = hosting();
    hosting.turn("@say hi");
    for (id, method) in [(json!(7), "ping"), (json!("e1"), "elicitation/create")] {
        hosting.say_as("calc", &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} }));
    }
    hosting.turn("@say hi");
    let answers: Vec<&Value> = hosting
        .messages
        .iter()
        .map(|(_, message)| message)
        .filter(|message| message.get("method").is_none())
        .collect();
    assert_eq!(answers[0], &json!({ "jsonrpc": "2.0", "id": 7, "result": {} }));
    assert_eq!(answers[1]["error"]["code"], -32601);
    assert_eq!(hosting.say_as("unknown", &json!({ "jsonrpc": "2.0", "method": "x" }))["subtype"], "success");
}

#[test]
fn rules_and_the_host_decide_about_calls() {
    let place = Place::new();
    let flags = ["--permission-prompt-tool", "stdio", "--disallowed-tools", "mcp__calc__fail"];
    let mut hosting = Hosting::start(&place, &flags);
    hosting.ask(&json!({ "subtype": "initialize", "sdkMcpServers": ["calc"] }));
    hosting.host.say("@tool mcp__calc__add {\"a\":2,\"b\":3}");
    let request = hosting.until(|frame| frame["type"] == "control_request").pop().unwrap();
    let asked = &request["request"];
    assert_eq!(asked["tool_name"], "mcp__calc__add");
    assert_eq!(asked["display_name"], "Add");
    assert_eq!(asked["mcp_server"], json!({ "name": "calc", "source": "sdk" }));
    assert_eq!(asked["permission_suggestions"][0]["rules"], json!([{ "toolName": "mcp__calc__add" }]));
    let allow = json!({ "behavior": "allow", "updatedInput": { "a": 20, "b": 3 } });
    hosting.host.answer(&request, &allow);
    let frames = hosting.until(|frame| frame["type"] == "result");
    assert_eq!(frames.last().unwrap()["result"], "after: 23");
    // A tool that a rule denies entirely is not offered.
    let frames = hosting.turn("@tool mcp__calc__fail {}");
    assert!(tool_results(&frames)[0]["content"].as_str().unwrap().contains("No such tool"), "{frames:#?}");
}

#[test]
fn an_interrupted_call_is_taken_back() {
    let (_place, mut hosting) = hosting();
    hosting.tools.push(json!({ "name": "hang", "inputSchema": { "type": "object" } }));
    hosting.host.say("@tool mcp__calc__hang {}");
    while hosting.methods("calc").last() != Some(&"tools/call") {
        let frame = hosting.host.next().expect("a frame");
        if frame["request"]["subtype"] == "mcp_message" {
            let message = frame["request"]["message"].clone();
            if let Some(answer) = hosting.answer(&message) {
                hosting.host.answer(&frame, &json!({ "mcp_response": answer }));
            }
            hosting.messages.push(("calc".to_owned(), message));
        }
    }
    hosting.host.send(&json!({
        "type": "control_request", "request_id": "stop", "request": { "subtype": "interrupt" },
    }));
    let frames = hosting.until(|frame| frame["type"] == "result");
    assert!(kinds(&frames).iter().all(|kind| kind != "control_cancel_request"), "{frames:#?}");
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_tools");
    let (_, cancelled) = hosting.messages.last().unwrap();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], 2);
    // The server is as it was.
    let frames = hosting.turn("@tool mcp__calc__add {\"a\":2,\"b\":2}");
    assert_eq!(frames.last().unwrap()["result"], "after: 4");
}

#[test]
fn a_host_that_disconnects_ends_the_calls() {
    let (_place, mut hosting) = hosting();
    hosting.tools.push(json!({ "name": "hang", "inputSchema": { "type": "object" } }));
    hosting.host.say("@tool mcp__calc__hang {}\n@say done");
    while hosting.methods("calc").last() != Some(&"tools/list") {
        hosting.until(|frame| frame["type"] == "control_request" || frame["type"] == "system");
    }
    hosting.until(|frame| frame["type"] == "assistant");
    hosting.host.close();
    let mut frames = Vec::new();
    while let Some(frame) = hosting.host.next() {
        frames.push(frame);
    }
    assert!(tool_results(&frames)[0]["content"].as_str().unwrap().contains("host is gone"), "{frames:#?}");
    assert_eq!(find(&frames, "result")["result"], "done");
}

#[test]
fn many_tools_are_looked_up() {
    let place = Place::new();
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let mut command = place.command(&[&streaming, ALLOWED].concat());
    command.env("ENABLE_TOOL_SEARCH", "true");
    let mut hosting = Hosting::start(&place, &[]);
    hosting.host = Host::start(command);
    hosting.tools = vec![
        json!({ "name": "add", "description": "Sums numbers up", "inputSchema": { "type": "object", "required": ["a"] } }),
        json!({ "name": "finish", "description": "Tidies up", "inputSchema": { "type": "object" } }),
        json!({ "name": "shape", "inputSchema": { "type": "object" }, "_meta": { "anthropic/alwaysLoad": true } }),
    ];
    hosting.ask(&json!({ "subtype": "initialize", "sdkMcpServers": ["calc"] }));
    let mut search = |query: &str| {
        let frames = hosting.turn(&format!("@tool ToolSearch {{\"query\":\"{query}\"}}"));
        let user = find(&frames, "user").clone();
        (user["tool_use_result"]["matches"].clone(), user["message"]["content"][0]["content"].to_string())
    };
    let (matches, reported) = search("select:mcp__calc__add");
    assert_eq!(matches, json!(["mcp__calc__add"]));
    assert!(reported.contains("Sums numbers up") && reported.contains("required"), "{reported}");
    assert_eq!(search("numbers").0, json!(["mcp__calc__add"]));
    assert_eq!(search("+tidies calc").0, json!(["mcp__calc__finish"]));
    assert_eq!(search("xylophone").0, json!([]));
    // The model can call a tool by name without a search.
    let frames = hosting.turn("@tool mcp__calc__add {\"a\":2,\"b\":3}");
    assert_eq!(frames.last().unwrap()["result"], "after: 5");
}

#[test]
fn a_few_tools_need_no_search() {
    let (_place, mut hosting) = hosting();
    let frames = hosting.turn("@say hi");
    let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
    assert!(!init["tools"].as_array().unwrap().contains(&json!("ToolSearch")), "{init}");
}
