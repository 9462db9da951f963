//! Hooks of settings that are no commands: HTTP requests, questions to a model, verifying agents, MCP tools.

use serde_json::{Value, json};

use crate::host::{Host, Place, STREAM, tool_results};
use crate::http_server::{Server, respond};
use crate::mcp_server::config;

const ALLOWED: &[&str] = &["--allowed-tools", "Bash", "--include-hook-events"];

const BASH: &str = "@tool Bash {\"command\":\"echo hi\"}\n@say done";

fn hooks(event: &str, hook: &Value) -> Value {
    json!({ event: [{ "hooks": [hook] }] })
}

/// A turn with one hook of the user, with variables of its own.
fn turn(hooks: &Value, prompt: &str, variables: &[(&str, &str)]) -> Vec<Value> {
    let place = Place::new();
    place.hook(hooks);
    let mut command = place.command(&[STREAM, ALLOWED].concat());
    command.envs(variables.iter().copied());
    let mut host = Host::start(command);
    host.say(prompt);
    let frames = host.turn();
    host.end();
    frames
}

fn subtypes<'f>(frames: &'f [Value], subtype: &str) -> Vec<&'f Value> {
    frames.iter().filter(|frame| frame["subtype"] == subtype).collect()
}

/// The note about a hook.
fn note(frames: &[Value]) -> Value {
    let notes = subtypes(frames, "informational");
    // On a busy machine, any hook may be slow.
    let is_about_hooks = |note: &&&Value| {
        note["tag"].as_str().is_some_and(|tag| tag != "hook_slow")
            || note["prompt_submit_outcome"].is_object()
    };
    notes.iter().find(is_about_hooks).map_or(Value::Null, |note| (*note).clone())
}

fn result(frames: &[Value]) -> String {
    tool_results(frames)[0]["content"].as_str().unwrap_or_default().to_owned()
}

/// A server that answers by the path.
fn server() -> Server {
    let deny = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no way",
    } });
    Server::start(move |request, stream| match request.path.as_str() {
        "/deny" => respond(stream, "200 OK", "", &deny.to_string()),
        "/empty" => respond(stream, "204 No Content", "", ""),
        "/text" => respond(stream, "200 OK", "", "plain words"),
        "/huge" => respond(stream, "200 OK", "", &" ".repeat(1024 * 1024 + 1)),
        "/elsewhere" => respond(stream, "302 Found", "location: /deny\r\n", ""),
        _ => respond(stream, "500 Internal Server Error", "", "{\"decision\":\"block\"}"),
    })
}

#[test]
fn an_http_hook_gets_the_event_and_decides() {
    let server = server();
    let hook = json!({
        "type": "http",
        "url": format!("{}/deny", server.url),
        "headers": { "Authorization": "Bearer $TOKEN", "X-Other": "${OTHER}|$CLAUDE_CODE_OAUTH_TOKEN|" },
        "allowedEnvVars": ["TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    });
    // The keys of the model's API are never sent to a hook's server, even if the hook lists them.
    let variables = [("TOKEN", "secret"), ("OTHER", "not allowed"), ("CLAUDE_CODE_OAUTH_TOKEN", "key")];
    let frames = turn(&hooks("PreToolUse", &hook), BASH, &variables);
    assert_eq!(result(&frames), "PreToolUse:Bash hook error: no way");
    let requests = server.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.header("content-type")), ("POST", Some("application/json")));
    assert_eq!(request.header("authorization"), Some("Bearer secret"));
    assert_eq!(request.header("x-other"), Some("||"));
    assert_eq!(request.body["hook_event_name"], "PreToolUse");
    assert_eq!(request.body["tool_input"]["command"], "echo hi");
    let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
    assert_eq!((&ended["exit_code"], &ended["outcome"]), (&json!(200), &json!("success")));
    assert_eq!(subtypes(&frames, "hook_started").len(), 1);
}

#[test]
fn an_http_hook_without_a_usable_answer_is_reported_and_the_call_runs() {
    let server = server();
    for (path, code, output) in [
        ("/text", json!(200), "plain words".to_owned()),
        ("/broken", json!(500), format!("HTTP 500 from {}/broken", server.url)),
        ("/elsewhere", json!(302), format!("HTTP 302 from {}/elsewhere", server.url)),
        ("/huge", Value::Null, "the response has more than 1048576 bytes".to_owned()),
    ] {
        let hook = json!({ "type": "http", "url": format!("{}{path}", server.url) });
        let frames = turn(&hooks("PreToolUse", &hook), BASH, &[]);
        assert_eq!(result(&frames), "hi", "{path}");
        let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
        assert_eq!(
            (&ended["exit_code"], &ended["output"], &ended["outcome"]),
            (&code, &json!(output), &json!("error"))
        );
        assert_eq!(note(&frames)["tag"], "hook_no_verdict", "{path}");
    }
    // Redirects are not followed.
    assert!(server.requests().iter().all(|request| request.path != "/deny"));
    let hook = json!({ "type": "http", "url": format!("{}/empty", server.url) });
    let frames = turn(&hooks("PreToolUse", &hook), BASH, &[]);
    assert_eq!(note(&frames), Value::Null);
}

#[test]
fn an_http_hook_that_must_answer_blocks_without_an_answer() {
    let hook = json!({ "type": "http", "url": "http://127.0.0.1:9/", "onFailure": "block" });
    let frames = turn(&hooks("PreToolUse", &hook), BASH, &[]);
    assert!(result(&frames).starts_with("PreToolUse:Bash hook error: [http://127.0.0.1:9/]"), "{frames:#?}");
}

#[test]
fn settings_limit_http_hooks_and_an_untrusted_folder_does_not() {
    let server = server();
    let url = format!("{}/deny", server.url);
    let hook = json!([{ "hooks": [{ "type": "http", "url": url }] }]);
    let run = |user: &Value, project: &Value| {
        let place = Place::new();
        place.write_home(".claude/settings.json", &user.to_string());
        place.write(".claude/settings.json", &project.to_string());
        let mut host = place.start(ALLOWED);
        host.say(BASH);
        let frames = host.turn();
        host.end();
        result(&frames)
    };
    let denied = "PreToolUse:Bash hook error: no way";
    let hooked = json!({ "hooks": { "PreToolUse": hook } });
    assert_eq!(run(&hooked, &json!({})), denied);
    // A folder that the user does not trust neither runs such hooks nor restricts the user's hooks.
    assert_eq!(run(&json!({}), &hooked), "hi");
    assert_eq!(run(&hooked, &json!({ "allowedHttpHookUrls": [] })), denied);
    let mut limited = hooked.clone();
    limited["allowedHttpHookUrls"] = json!(["https://hooks.example.com/*"]);
    assert_eq!(run(&limited, &json!({})), "hi");
    limited["allowedHttpHookUrls"] = json!([format!("{}/*", server.url)]);
    assert_eq!(run(&limited, &json!({})), denied);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_model_judges_a_call() {
    let judge = |verdict: &str, more: &Value| {
        let mut hook =
            json!({ "type": "prompt", "prompt": format!("Is it safe? $ARGUMENTS\n@say {verdict}") });
        hook.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        hooks("PreToolUse", &hook)
    };
    let frames = turn(&judge(r#"{"ok":true,"reason":"fine"}"#, &json!({})), BASH, &[]);
    assert_eq!((result(&frames).as_str(), frames.last().unwrap()["result"].as_str()), ("hi", Some("done")));
    // The hook sends no frames to the host.
    assert!(subtypes(&frames, "hook_started").is_empty() && subtypes(&frames, "hook_response").is_empty());

    let no = r#"{"ok":false,"reason":"it is not"}"#;
    let frames = turn(&judge(no, &json!({})), BASH, &[]);
    assert!(result(&frames).ends_with("]: it is not"), "{frames:#?}");
    assert_eq!(frames.last().unwrap()["terminal_reason"], "hook_stopped");

    let frames = turn(&judge(no, &json!({ "continueOnBlock": true })), BASH, &[]);
    assert!(result(&frames).ends_with("]: it is not"));
    assert_eq!(frames.last().unwrap()["terminal_reason"], "completed");

    let frames = turn(&judge("perhaps", &json!({})), BASH, &[]);
    assert_eq!(result(&frames), "hi");
    assert_eq!(note(&frames)["tag"], "hook_no_verdict");
}

#[test]
fn a_model_judges_a_prompt_and_the_end_of_a_turn() {
    let hook = |verdict: &str| json!({ "type": "prompt", "prompt": format!("Good?\n@say {verdict}") });
    let no = r#"{"ok":false,"reason":"not yet"}"#;
    let frames = turn(&hooks("UserPromptSubmit", &hook(no)), "@say hi", &[]);
    let outcome = &note(&frames)["prompt_submit_outcome"];
    assert_eq!((&outcome["kind"], &outcome["prompt_kept"]), (&json!("stopped_by_hook"), &json!(true)));

    let impossible = r#"{"ok":false,"impossible":true,"reason":"never"}"#;
    let frames = turn(&hooks("Stop", &hook(impossible)), "@say hi", &[]);
    assert_eq!(
        (&frames.last().unwrap()["result"], &frames.last().unwrap()["num_turns"]),
        (&json!("hi"), &json!(1))
    );

    let frames = turn(&hooks("SessionStart", &hook(no)), "@say hi", &[]);
    let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
    assert_eq!(ended["outcome"], "error");
    assert_eq!(frames.last().unwrap()["result"], "hi");
}

#[test]
fn an_agent_verifies_a_call_with_tools_that_request_no_permission() {
    let verify = |script: &str| {
        hooks("PreToolUse", &json!({ "type": "agent", "prompt": format!("Does it hold?\n{script}") }))
    };
    let frames = turn(&verify("@tool StructuredOutput {\"ok\":false,\"reason\":\"it does not\"}"), BASH, &[]);
    assert_eq!(result(&frames), "PreToolUse:Bash hook error: Agent hook condition was not met: it does not");
    assert_eq!(frames.last().unwrap()["terminal_reason"], "completed");

    let script = "@tool Read {\"file_path\":\"/etc/hostname\"}\n@tool Write {\"file_path\":\"x\",\"content\":\"\"}\n\
                  @tool StructuredOutput {\"ok\":true}";
    let frames = turn(&verify(script), BASH, &[]);
    assert_eq!((result(&frames).as_str(), tool_results(&frames).len()), ("hi", 1));
    assert!(
        subtypes(&frames, "permission_denied").is_empty() && subtypes(&frames, "task_started").is_empty()
    );
    let denied = &frames.last().unwrap()["permission_denials"];
    assert_eq!(denied[0]["tool_name"], "Read", "{denied}");

    let frames = turn(&verify("@say I don't know"), BASH, &[]);
    assert_eq!(result(&frames), "hi");
    assert_eq!(note(&frames)["tag"], "hook_no_verdict");
}

#[test]
fn a_tool_of_a_server_decides() {
    let place = Place::new();
    let deny = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "${tool_name}: no",
    } });
    let log = place.project().join("log");
    let run = |hook: &Value| {
        place.hook(&hooks("PreToolUse", hook));
        let servers = config(&[("one", json!({ "log": log }))]);
        let mut host = place.start(&[ALLOWED, &["--mcp-config", &servers]].concat());
        host.say(BASH);
        let frames = host.turn();
        host.end();
        frames
    };
    let hook = |tool: &str, input: Value| json!({ "type": "mcp_tool", "server": "one", "tool": tool, "input": input });
    let frames = run(&hook("echo", json!({ "text": deny.to_string(), "who": "${tool_input.command}" })));
    let calls = std::fs::read_to_string(&log).unwrap();
    let call = calls.lines().find(|line| line.contains("tools/call")).expect("a call");
    let call: Value = serde_json::from_str(call).unwrap();
    assert_eq!(call["params"]["arguments"]["who"], "echo hi");
    let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
    assert_eq!(ended["exit_code"], 0, "{ended}");

    let frames = run(&hook("fail", json!({})));
    let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
    assert_eq!((&ended["exit_code"], &ended["outcome"]), (&json!(1), &json!("error")));
    assert_eq!(result(&frames), "hi");

    let frames = run(&json!({ "type": "mcp_tool", "server": "missing", "tool": "echo" }));
    let [ended] = subtypes(&frames, "hook_response")[..] else { panic!("{frames:#?}") };
    assert_eq!(ended["output"], "MCP server 'missing' not connected");
}

#[test]
fn an_unknown_kind_is_named_and_never_runs() {
    let place = Place::new();
    place.hook(&hooks("PreToolUse", &json!({ "type": "telepathy", "command": "touch ran" })));
    let mut host = place.start(ALLOWED);
    host.say(BASH);
    assert_eq!(result(&host.turn()), "hi");
    let listing = host.ask(&json!({ "subtype": "get_hooks_listing" }));
    assert!(listing.to_string().contains("this hook never runs"), "{listing}");
    host.end();
    assert_eq!(place.read("ran"), None);
}
