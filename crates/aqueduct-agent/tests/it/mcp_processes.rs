//! MCP servers that are programs.

use std::fs;

use aqueduct_testing::wait_until;
use serde_json::{Value, json};

use crate::host::{Host, Place, find, tool_results};
use crate::mcp_server::{config, entry};

const ALLOWED: &[&str] = &["--allowed-tools", "mcp__one", "mcp__two"];

fn start(place: &Place, servers: &[(&str, Value)]) -> Host {
    place.start(&[ALLOWED, &["--mcp-config", &config(servers)]].concat())
}

fn with_variables(place: &Place, servers: &[(&str, Value)], variables: &[(&str, &str)]) -> Host {
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let config = config(servers);
    let mut command = place.command(&[&streaming, ALLOWED, &["--mcp-config", &config]].concat());
    command.envs(variables.iter().copied());
    Host::start(command)
}

fn turn(host: &mut Host, prompt: &str) -> Vec<Value> {
    host.say(prompt);
    host.turn()
}

/// The result of a tool of the server `one`.
fn call(host: &mut Host, tool: &str) -> String {
    let frames = turn(host, &format!("@tool mcp__one__{tool} {{}}\n@say done"));
    assert_eq!(frames.last().unwrap()["result"], "done", "{frames:#?}");
    let result = &tool_results(&frames)[0];
    match &result["content"] {
        Value::String(text) => text.clone(),
        blocks => blocks[0]["text"].as_str().unwrap().to_owned(),
    }
}

fn status(host: &mut Host) -> Value {
    host.ask(&json!({ "subtype": "mcp_status" }))["response"]["mcpServers"].clone()
}

#[test]
fn a_program_is_started_and_its_tools_are_called() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({ "greets": true, "pages": 5 }))]);
    let frames = turn(&mut host, "@tool mcp__one__echo {\"x\":[1,\"\\u00e9\"]}");
    let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
    assert_eq!(init["mcp_servers"], json!([{ "name": "one", "status": "connected", "source": "dynamic" }]));
    let tools = init["tools"].as_array().unwrap();
    for tool in ["mcp__one__echo", "mcp__one__huge", "ListMcpResourcesTool", "ReadMcpResourceTool"] {
        assert!(tools.contains(&json!(tool)), "{tool} in {tools:?}");
    }
    assert_eq!(tool_results(&frames)[0]["content"][0]["text"], "{\"x\":[1,\"é\"]}");
    let reported = &status(&mut host)[0];
    assert_eq!(reported["serverInfo"], json!({ "name": "test", "version": "1" }));
    assert_eq!(reported["transport"], "stdio");
    assert!(reported["config"]["env"].is_null(), "the environment may be secret: {reported}");
    assert_eq!(call(&mut host, "fail"), "it broke");
    assert_eq!(call(&mut host, "progress"), "done");
    let roots: Value = serde_json::from_str(&call(&mut host, "rooted")).unwrap();
    assert_eq!(roots["roots"][0]["uri"], format!("file://{}", place.project().display()));
}

#[test]
fn no_server_outlives_the_agent() {
    let place = Place::new();
    for killed in [false, true] {
        let mut host = start(&place, &[("one", json!({}))]);
        let server: u32 = call(&mut host, "pid").parse().unwrap();
        let is_there = || fs::exists(format!("/proc/{server}")).unwrap();
        assert!(is_there());
        if killed {
            host.kill();
            // The guard ends the server.
            wait_until("the server has ended", || !is_there());
        } else {
            host.end();
            assert!(!is_there());
        }
    }
}

#[test]
fn a_server_that_cannot_be_had_costs_nothing_but_itself() {
    let place = Place::new();
    let wrong = json!({ "mcpServers": {
        "one": entry(&json!({})),
        "dead": entry(&json!({ "ends": 3, "stderr": "no licence" })),
        "missing": { "command": "/no/such/program" },
        "old": entry(&json!({ "version": "1999-01-01" })),
        "refused": { "type": "http", "url": "http://127.0.0.1:1/mcp" },
        "odd": { "type": "http", "url": "mcp.example.com" },
    } });
    let mut host = place.start(&[ALLOWED, &["--mcp-config", &wrong.to_string()]].concat());
    assert_eq!(call(&mut host, "echo"), "{}");
    let reported = status(&mut host);
    let error = |name: &str| {
        let server = reported.as_array().unwrap().iter().find(|server| server["name"] == name).unwrap();
        assert_eq!(server["status"], "failed", "{server}");
        server["error"].as_str().unwrap().to_owned()
    };
    assert!(error("dead").contains("exit code 3: no licence"), "{}", error("dead"));
    assert!(error("missing").contains("can't be started: No such file"), "{}", error("missing"));
    assert!(error("old").contains("1999-01-01"), "{}", error("old"));
    assert!(error("refused").contains("can't be reached"), "{}", error("refused"));
    assert!(error("odd").contains("is not an address"), "{}", error("odd"));
}

#[test]
fn a_server_that_does_not_answer_times_out() {
    let place = Place::new();
    let servers = [("one", json!({})), ("deaf", json!({ "deaf": true }))];
    let mut host = with_variables(&place, &servers, &[("MCP_TIMEOUT", "300")]);
    assert_eq!(call(&mut host, "echo"), "{}");
    // The turn waits no longer than the connection timeout, so the connection may still be pending.
    let reported = loop {
        let reported = status(&mut host);
        if reported.as_array().unwrap().iter().all(|server| server["status"] != "pending") {
            break reported;
        }
    };
    let deaf = reported.as_array().unwrap().iter().find(|server| server["name"] == "deaf").unwrap();
    assert_eq!(deaf["status"], "failed");
    assert!(deaf["error"].as_str().unwrap().contains("0.3 s"), "{reported}");
}

#[test]
fn a_call_that_takes_too_long_is_given_up() {
    let place = Place::new();
    let mut host = with_variables(&place, &[("one", json!({}))], &[("MCP_TOOL_TIMEOUT", "200")]);
    let result_text = call(&mut host, "hang");
    assert!(result_text.contains("did not answer in 0.2 s"), "{result_text}");
}

#[test]
fn a_server_that_dies_is_restarted_by_the_next_call() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({})), ("two", json!({}))]);
    let before = call(&mut host, "pid");
    let result_text = call(&mut host, "die");
    assert!(result_text.contains("exit code 7"), "{result_text}");
    assert_eq!(status(&mut host)[0]["status"], "failed");
    assert_eq!(status(&mut host)[1]["status"], "connected");
    assert_ne!(call(&mut host, "pid"), before);
    assert_eq!(status(&mut host)[0]["status"], "connected");
}

#[test]
fn a_flood_is_waded_through() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    assert_eq!(call(&mut host, "flood"), "dry again");
    let result_text = call(&mut host, "huge");
    assert!(result_text.contains("300000 bytes") && result_text.len() < 3000, "{result_text}");
}

#[test]
fn an_interrupt_ends_a_call_and_not_the_server() {
    let place = Place::new();
    let log = place.project().join("log");
    let mut host = start(&place, &[("one", json!({ "log": log }))]);
    let before = call(&mut host, "pid");
    host.say("@tool mcp__one__hang {}");
    host.until(|frame| frame["type"] == "assistant");
    wait_until("the server has the call", || fs::read_to_string(&log).unwrap().contains("\"hang\""));
    host.ask(&json!({ "subtype": "interrupt" }));
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_tools");
    wait_until("the server has the cancellation", || {
        fs::read_to_string(&log).unwrap().contains("notifications/cancelled")
    });
    // The server still hangs until the host reconnects it.
    let again = host.ask(&json!({ "subtype": "mcp_reconnect", "serverName": "one" }));
    assert_eq!(again["subtype"], "success");
    assert_ne!(call(&mut host, "pid"), before);
}

#[test]
fn tools_that_come_later_are_called() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    assert_eq!(call(&mut host, "grow"), "grown");
    assert_eq!(call(&mut host, "late"), "better than never");
}

#[test]
fn a_server_may_change_its_tools_before_it_is_connected() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({ "restless": true }))]);
    assert_eq!(call(&mut host, "late"), "better than never");
    assert_eq!(call(&mut host, "echo"), "{}");
}

#[test]
fn the_host_is_asked_what_a_server_wants_to_know() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    host.say("@tool mcp__one__ask {}");
    let request = host.request();
    assert_eq!(
        request["request"],
        json!({
            "subtype": "elicitation", "mcp_server_name": "one", "message": "Who?", "mode": "form",
            "requested_schema": { "type": "object", "properties": { "a": {}, "b": {} } },
            "property_order": ["a", "b"],
        })
    );
    host.answer(&request, &json!({ "action": "accept", "content": { "b": "Ada" } }));
    let frames = host.turn();
    let result_text: Value =
        serde_json::from_str(tool_results(&frames)[0]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(result_text, json!({ "action": "accept", "content": { "b": "Ada" } }));

    host.say("@tool mcp__one__send {}");
    let request = host.request();
    assert_eq!(request["request"]["mode"], "url");
    assert_eq!(request["request"]["url"], "https://example.com/");
    host.answer(&request, &json!({ "action": "decline" }));
    let frames = host.turn();
    let done = frames.iter().find(|frame| frame["subtype"] == "elicitation_complete").unwrap();
    assert_eq!((&done["mcp_server_name"], &done["elicitation_id"]), (&json!("one"), &json!("e1")));
}

#[test]
fn a_question_is_taken_back_with_its_call() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    host.say("@tool mcp__one__ask {}");
    let request = host.request();
    host.send(
        &json!({ "type": "control_request", "request_id": "stop", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.until(|frame| frame["type"] == "control_cancel_request");
    assert_eq!(frames.last().unwrap()["request_id"], request["request_id"]);
}

#[test]
fn servers_are_switched_off_and_on() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    let before: u32 = call(&mut host, "pid").parse().unwrap();
    let off = host.ask(&json!({ "subtype": "mcp_toggle", "serverName": "one", "enabled": false }));
    assert_eq!(off["subtype"], "success");
    assert!(!fs::exists(format!("/proc/{before}")).unwrap());
    assert_eq!(status(&mut host)[0]["status"], "disabled");
    let frames = turn(&mut host, "@tool mcp__one__pid {}");
    assert!(tool_results(&frames)[0]["content"].as_str().unwrap().contains("No such tool"));
    let again = host.ask(&json!({ "subtype": "mcp_reconnect", "serverName": "one" }));
    assert!(again["error"].as_str().unwrap().contains("mcp_toggle"), "{again}");
    let on = host.ask(&json!({ "subtype": "mcp_toggle", "serverName": "one", "enabled": true }));
    assert_eq!(on["subtype"], "success");
    assert_ne!(call(&mut host, "pid"), before.to_string());
    let unknown = host.ask(&json!({ "subtype": "mcp_toggle", "serverName": "x", "enabled": true }));
    assert_eq!(unknown["error"], "Server not found: x");
}

#[test]
fn the_host_sets_servers() {
    let place = Place::new();
    let mut host = start(&place, &[("two", json!({}))]);
    let set = |host: &mut Host, servers: Value| {
        host.ask(&json!({ "subtype": "mcp_set_servers", "servers": servers }))["response"].clone()
    };
    let first = set(&mut host, json!({ "one": entry(&json!({})), "bad": { "command": "/no/such" } }));
    assert_eq!(first["added"], json!(["bad", "one"]));
    assert_eq!(first["removed"], json!(["two"]));
    assert!(first["errors"]["bad"].as_str().unwrap().contains("can't be started"), "{first}");
    let before = call(&mut host, "pid");
    let same = set(&mut host, json!({ "one": entry(&json!({})) }));
    assert_eq!(same, json!({ "added": [], "removed": ["bad"], "errors": {} }));
    assert_eq!(call(&mut host, "pid"), before);
    assert_eq!(set(&mut host, json!({}))["removed"], json!(["one"]));
    assert_eq!(status(&mut host), json!([]));
}

#[test]
fn the_host_calls_tools_and_reads_resources_itself() {
    let place = Place::new();
    let flags = ["--permission-prompt-tool", "stdio", "--mcp-config", &config(&[("one", json!({}))])];
    let mut host = place.start(&flags);
    let echo = json!({ "subtype": "mcp_call", "tool": "mcp__one__echo", "arguments": { "x": 1 } });
    let result_text = host.ask(&echo);
    assert_eq!(result_text["response"]["content"], json!([{ "type": "text", "text": "{\"x\":1}" }]));
    let wrong = host.ask(&json!({ "subtype": "mcp_call", "tool": "mcp__one__fail" }));
    assert_eq!(wrong["error"], "it broke");
    for tool in ["mcp__one__none", "mcp__none__x", "Bash"] {
        let none = host.ask(&json!({ "subtype": "mcp_call", "tool": tool }));
        assert!(none["error"].as_str().unwrap().contains(tool), "{none}");
    }
    // With `check_permissions`, the call needs permission like the model's calls.
    let mut checked = echo.clone();
    checked["check_permissions"] = true.into();
    host.send(&json!({ "type": "control_request", "request_id": "checked", "request": checked }));
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "mcp__one__echo");
    host.answer(&request, &json!({ "behavior": "deny", "message": "not now" }));
    let frames = host.until(|frame| frame["response"]["request_id"] == "checked");
    let error = frames.last().unwrap()["response"]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("not now"), "{error}");
    let read = json!({ "subtype": "mcp_read_resource", "serverName": "one", "uri": "test://notes" });
    let parts = host.ask(&read)["response"]["contents"].clone();
    assert_eq!(parts[0]["text"], "buy milk");
    assert_eq!(parts[1]["blob"], "AAEC");
}

#[test]
fn resources_are_listed_and_read() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({})), ("two", json!({}))]);
    let frames = turn(&mut host, "@tool ListMcpResourcesTool {\"server\":\"two\"}");
    let listed = find(&frames, "user")["tool_use_result"].clone();
    let notes = json!({ "server": "two", "uri": "test://notes", "name": "Notes", "mimeType": "text/plain" });
    assert_eq!(listed, json!([notes]), "pages for people are left out");
    let frames = turn(&mut host, "@tool ReadMcpResourceTool {\"server\":\"one\",\"uri\":\"test://notes\"}");
    let parts = &find(&frames, "user")["tool_use_result"]["contents"];
    assert_eq!(parts[0]["text"], "buy milk");
    assert_eq!(fs::read(parts[1]["blobSavedTo"].as_str().unwrap()).unwrap(), [0, 1, 2]);
    for (tool, input) in [
        ("ReadMcpResourceTool", "{\"server\":\"one\",\"uri\":\"test://none\"}"),
        ("ListMcpResourcesTool", "{\"server\":\"three\"}"),
    ] {
        let frames = turn(&mut host, &format!("@tool {tool} {input}"));
        assert_eq!(tool_results(&frames)[0]["is_error"], true);
    }
}

#[test]
fn prompts_are_commands() {
    let place = Place::new();
    let mut host = start(&place, &[("one", json!({}))]);
    let frames = turn(&mut host, "@say hi");
    let init = frames.iter().find(|frame| frame["subtype"] == "init").unwrap();
    assert!(init["slash_commands"].as_array().unwrap().contains(&json!("mcp__one__greet")), "{init}");
    let frames = turn(&mut host, "/mcp__one__greet Ada Lovelace");
    // The prompt has one argument, and that is a word.
    assert_eq!(frames.last().unwrap()["result"], "hello Ada");
    let frames = turn(&mut host, "/mcp__one__greet");
    assert!(frames.last().unwrap()["result"].as_str().unwrap().contains("<who>"), "{frames:#?}");
    assert_eq!(frames.last().unwrap()["num_turns"], 0);
    let commands = host.ask(&json!({ "subtype": "initialize" }))["response"]["commands"].clone();
    let greet = commands.as_array().unwrap().iter().find(|command| command["name"] == "mcp__one__greet");
    assert_eq!(greet.unwrap()["argumentHint"], "<who>");
}

/// The answer that the server receives from such a host with these hooks, and the input of the hooks.
fn answered(hooks: &Value, by_host: Option<&Value>) -> (Value, Vec<Value>) {
    let place = Place::new();
    place.hook(hooks);
    let mut host = start(&place, &[("one", json!({}))]);
    host.say("@tool mcp__one__ask {}");
    if let Some(answer) = by_host {
        let request = host.request();
        host.answer(&request, answer);
    }
    let frames = host.turn();
    let result_text = tool_results(&frames)[0]["content"][0]["text"].as_str().unwrap().to_owned();
    let reported = place.read("reported.jsonl").unwrap_or_default();
    let reported = reported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_str(&result_text).unwrap(), reported)
}

#[test]
fn hooks_answer_a_server_in_the_users_place_and_have_the_last_word() {
    let hook =
        |command: &str| json!([{ "matcher": "one", "hooks": [{ "type": "command", "command": command }] }]);
    let record = "cat >> \"$CLAUDE_PROJECT_DIR/reported.jsonl\"";
    let prints = |event: &str, members: Value| {
        let mut specific = members;
        specific["hookEventName"] = event.into();
        hook(&format!("echo '{}'", json!({ "hookSpecificOutput": specific })))
    };
    let ada = json!({ "action": "accept", "content": { "b": "Ada" } });

    // A hook that answers: the host receives no request.
    let hooks = json!({ "Elicitation": prints("Elicitation", ada.clone()) });
    assert_eq!(answered(&hooks, None).0, ada);
    // A hook that declines.
    let hooks = json!({ "Elicitation": hook("exit 2") });
    assert_eq!(answered(&hooks, None).0, json!({ "action": "decline" }));
    // Hooks that only record.
    let hooks = json!({ "Elicitation": hook(record), "ElicitationResult": hook(record) });
    let (result_text, reported) = answered(&hooks, Some(&ada));
    assert_eq!(result_text, ada);
    let reported: Vec<(&Value, &Value, &Value, &Value)> = reported
        .iter()
        .map(|reported| {
            (
                &reported["hook_event_name"],
                &reported["mcp_server_name"],
                &reported["message"],
                &reported["content"],
            )
        })
        .collect();
    let (question, answer, one) = (json!("Elicitation"), json!("ElicitationResult"), json!("one"));
    let (who, null) = (json!("Who?"), Value::Null);
    assert_eq!(reported, [(&question, &one, &who, &null), (&answer, &one, &null, &ada["content"])]);
    // An `ElicitationResult` hook overrides the answer.
    let hooks = json!({ "ElicitationResult": prints("ElicitationResult", json!({ "action": "cancel" })) });
    assert_eq!(answered(&hooks, Some(&ada)).0, json!({ "action": "cancel" }));
    let hooks = json!({ "ElicitationResult": hook("exit 2") });
    assert_eq!(answered(&hooks, Some(&ada)).0, json!({ "action": "decline" }));
}
