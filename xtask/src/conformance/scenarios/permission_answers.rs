//! Answers to permission requests: updates of every kind, answers that are not valid, late, or given twice, and modes
//! in which there is nothing to ask.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::{Session, is_request, is_result};
use super::super::stage::Stage;
use super::{ASK, Scenario, allow, bash, deny, nonsense, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("answer-updates-session", |stage| rules(stage, "session")),
    scenario("answer-updates-local", |stage| rules(stage, "localSettings")),
    scenario("answer-updates-project", |stage| rules(stage, "projectSettings")),
    scenario("answer-updates-user", |stage| rules(stage, "userSettings")),
    scenario("answer-updates-cli", |stage| rules(stage, "cliArg")),
    scenario("answer-replace-and-remove", replace_and_remove),
    nonsense("answer-sets-mode", sets_mode),
    scenario("answer-directories", directories),
    nonsense("answer-updates-not-valid", updates_not_valid),
    nonsense("answer-without-input", without_input),
    nonsense("answer-not-valid", not_valid),
    scenario("answer-error", error),
    nonsense("answer-deny-words", deny_words),
    nonsense("answer-extra-members", extra_members),
    scenario("answer-twice", twice),
    scenario("answer-unknown-id", unknown_id),
    scenario("answer-changed-file", changed_file),
    scenario("answer-interrupt-while-asked", interrupt_while_asked),
    scenario("answer-input-closed", input_closed),
    scenario("answer-by-mcp-tool", by_mcp_tool),
    scenario("answer-by-mcp-tool-not-valid", by_mcp_tool_not_valid),
    scenario("answer-subagent", subagent),
    scenario("mode-accept-edits", |stage| mode(stage, "acceptEdits")),
    scenario("mode-dont-ask", |stage| mode(stage, "dontAsk")),
    scenario("mode-bypass", |stage| mode(stage, "bypassPermissions")),
    scenario("mode-default", |stage| mode(stage, "default")),
    nonsense("mode-changed-between", mode_changed_between),
    scenario("rules-of-flags", rules_of_flags),
];

fn begin(stage: &mut Stage, flags: &[&str]) -> Result<Session> {
    let mut session = stage.start(&[ASK, flags].concat())?;
    session.initialize(&json!({}))?;
    Ok(session)
}

fn ask(session: &mut Session, prompt: &str, answer: impl FnMut(&Value) -> Value) -> Result<()> {
    session.user(prompt);
    session.converse(answer).map(drop)
}

/// Allows a call together with updates.
fn with(request: &Value, updates: Value) -> Value {
    let mut answer = allow(request);
    answer["updatedPermissions"] = updates;
    answer
}

fn mkdir_rule(kind: &str, behavior: &str, destination: &str) -> Value {
    json!({
        "type": kind, "behavior": behavior, "destination": destination,
        "rules": [{ "toolName": "Bash", "ruleContent": "mkdir:*" }]
    })
}

/// A rule that allows more calls, kept somewhere; then one that denies them.
fn rules(stage: &mut Stage, destination: &str) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let allowing = |request: &Value| with(request, json!([mkdir_rule("addRules", "allow", destination)]));
    ask(&mut session, &bash("mkdir one"), allowing)?;
    ask(&mut session, &bash("mkdir two"), allow)?;
    let denying = |request: &Value| with(request, json!([mkdir_rule("addRules", "deny", destination)]));
    ask(&mut session, &bash("touch three"), denying)?;
    ask(&mut session, &bash("mkdir four"), allow)?;
    session.end()
}

fn replace_and_remove(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    ask(&mut session, &bash("mkdir one"), |request| {
        with(request, json!([mkdir_rule("addRules", "allow", "session")]))
    })?;
    let other = json!([{
        "type": "replaceRules", "behavior": "allow", "destination": "session",
        "rules": [{ "toolName": "Bash", "ruleContent": "touch:*" }]
    }]);
    ask(&mut session, &bash("rmdir one"), |request| with(request, other.clone()))?;
    ask(&mut session, &bash("mkdir two"), allow)?;
    let gone = json!([{
        "type": "removeRules", "behavior": "allow", "destination": "session",
        "rules": [{ "toolName": "Bash", "ruleContent": "touch:*" }]
    }]);
    ask(&mut session, &bash("touch three; mkdir three"), |request| with(request, gone.clone()))?;
    ask(&mut session, &bash("touch four"), deny)?;
    session.end()
}

/// The answer changes the mode: the next edit is not asked about.
fn sets_mode(stage: &mut Stage) -> Result<()> {
    let (one, two) = (stage.project().join("one.txt"), stage.project().join("two.txt"));
    let mut session = begin(stage, &[])?;
    let write = |path| tool("Write", &json!({ "file_path": path, "content": "x\n" }));
    ask(&mut session, &write(one), |request| {
        with(request, json!([{ "type": "setMode", "mode": "acceptEdits", "destination": "session" }]))
    })?;
    ask(&mut session, &write(two), allow)?;
    for mode in ["plan", "bypassPermissions", "dontAsk", "nonsense"] {
        let update = json!([{ "type": "setMode", "mode": mode, "destination": "session" }]);
        ask(&mut session, &bash(&format!("mkdir {mode}")), |request| with(request, update.clone()))?;
    }
    session.end()
}

fn directories(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let read = |path: &str| tool("Read", &json!({ "file_path": path }));
    let update =
        |kind: &str| json!([{ "type": kind, "directories": ["/usr/share"], "destination": "session" }]);
    for (path, kind) in [
        ("/usr/share/one", Some("addDirectories")),
        ("/usr/share/two", None),
        ("/var/three", Some("removeDirectories")),
        ("/usr/share/four", None),
    ] {
        ask(&mut session, &read(path), |request| match kind {
            Some(kind) => with(request, update(kind)),
            None => allow(request),
        })?;
    }
    session.end()
}

fn updates_not_valid(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let cases = [
        json!("a text"),
        json!({}),
        json!([7]),
        json!([{ "type": "unknown", "destination": "session" }]),
        json!([{ "type": "addRules", "behavior": "allow", "rules": [{ "toolName": "Bash" }] }]),
        json!([{ "type": "addRules", "behavior": "maybe", "destination": "session", "rules": [] }]),
        json!([{ "type": "addRules", "behavior": "allow", "destination": "nowhere", "rules": [] }]),
        json!([{ "type": "addRules", "behavior": "allow", "destination": "session", "rules": ["Bash"] }]),
        json!(null),
        json!([]),
    ];
    for (at, updates) in cases.into_iter().enumerate() {
        ask(&mut session, &bash(&format!("mkdir d{at}")), |request| with(request, updates.clone()))?;
    }
    session.end()
}

/// The input of an allowed call is left out, or is none.
fn without_input(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let cases = [
        json!({ "behavior": "allow" }),
        json!({ "behavior": "allow", "updatedInput": null }),
        json!({ "behavior": "allow", "updatedInput": {} }),
        json!({ "behavior": "allow", "updatedInput": "a text" }),
        json!({ "behavior": "allow", "updatedInput": { "command": 7 } }),
        json!({ "behavior": "allow", "updatedInput": { "command": "echo other", "unknown": 1 } }),
    ];
    for (at, answer) in cases.into_iter().enumerate() {
        ask(&mut session, &bash(&format!("mkdir d{at}")), |_| answer.clone())?;
    }
    session.end()
}

fn not_valid(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let cases = [
        json!({}),
        Value::Null,
        json!("allow"),
        json!({ "behavior": "perhaps" }),
        json!({ "behavior": "ask" }),
        json!({ "behavior": true }),
        json!({ "decision": "allow" }),
    ];
    for (at, answer) in cases.into_iter().enumerate() {
        ask(&mut session, &bash(&format!("mkdir d{at}")), |_| answer.clone())?;
    }
    session.end()
}

fn error(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    session.user(&bash("mkdir one"));
    let request = session.wait("permission request", is_request)?;
    session.refuse(&request, "the window is closed");
    session.result()?;
    ask(&mut session, "@say alive", allow)?;
    session.end()
}

fn deny_words(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let cases = [
        json!({ "behavior": "deny" }),
        json!({ "behavior": "deny", "message": "" }),
        json!({ "behavior": "deny", "message": 7 }),
        json!({ "behavior": "deny", "message": "no", "interrupt": false }),
        json!({ "behavior": "deny", "message": "no", "interrupt": "yes" }),
        json!({ "behavior": "deny", "interrupt": true }),
    ];
    for (at, answer) in cases.into_iter().enumerate() {
        ask(&mut session, &bash(&format!("mkdir d{at}")), |_| answer.clone())?;
    }
    session.end()
}

fn extra_members(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    ask(&mut session, &bash("mkdir one"), |request| {
        let mut answer = allow(request);
        answer["message"] = json!("fine");
        answer["interrupt"] = json!(true);
        answer["decisionClassification"] = json!("user_temporary");
        answer["unknown"] = json!({ "a": 1 });
        answer
    })?;
    ask(&mut session, &bash("mkdir two"), |request| {
        let mut answer = deny(request);
        answer["toolUseID"] = json!("another");
        answer["updatedInput"] = json!({ "command": "echo no" });
        answer["decisionClassification"] = json!("user_reject");
        answer
    })?;
    ask(&mut session, &bash("mkdir three"), |request| {
        let mut answer = deny(request);
        answer["decisionClassification"] = json!("nonsense");
        answer
    })?;
    session.end()
}

/// A request that is answered twice, and differently.
fn twice(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    session.user(&bash("mkdir one"));
    let request = session.wait("permission request", is_request)?;
    session.answer(&request, &allow(&request));
    session.answer(&request, &deny(&request));
    session.result()?;
    session.answer(&request, &deny(&request));
    ask(&mut session, &bash("mkdir two"), deny)?;
    session.end()
}

fn unknown_id(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let stray = json!({ "request_id": "never-asked" });
    session.answer(&stray, &json!({ "behavior": "allow", "updatedInput": {} }));
    session.user(&bash("mkdir one"));
    let request = session.wait("permission request", is_request)?;
    session.answer(&stray, &json!({ "behavior": "allow", "updatedInput": {} }));
    session.send(&json!({ "type": "control_cancel_request", "request_id": "never-asked" }));
    session.answer(&request, &allow(&request));
    session.result()?;
    session.end()
}

/// The host changes what an edit does.
fn changed_file(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let (path, other) = (stage.project().join("f.txt"), stage.project().join("other.txt"));
    let mut session = begin(stage, &[])?;
    let script = [
        tool("Read", &json!({ "file_path": path })),
        tool("Edit", &json!({ "file_path": path, "old_string": "two", "new_string": "TWO" })),
    ];
    ask(&mut session, &script.join("\n"), |request| {
        let mut answer = allow(request);
        answer["updatedInput"]["new_string"] = json!("changed");
        answer
    })?;
    ask(&mut session, &tool("Write", &json!({ "file_path": other, "content": "x" })), |request| {
        let mut answer = allow(request);
        answer["updatedInput"]["content"] = json!("changed");
        answer
    })?;
    session.end()
}

fn interrupt_while_asked(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    session.user(&bash("mkdir one"));
    let request = session.wait("permission request", is_request)?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.answer(&request, &allow(&request));
    ask(&mut session, &bash("mkdir two"), allow)?;
    session.end()
}

/// The host goes away while it is asked.
fn input_closed(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    session.user(&bash("mkdir one"));
    session.wait("permission request", is_request)?;
    session.close_input();
    session.maybe(Duration::from_secs(5), is_result);
    session.end()
}

/// A tool of an MCP server in the host answers in its place.
fn with_mcp_tool(stage: &mut Stage, prompts: &[String], answer: fn(&str) -> Value) -> Result<()> {
    let config = json!({ "mcpServers": { "gate": { "type": "sdk", "name": "gate" } } }).to_string();
    let flags = ["--permission-prompt-tool", "mcp__gate__approve", "--mcp-config", &config];
    let mut session = stage.start(&flags)?;
    let id = session.request("initialize", &json!({}));
    let serve = |request: &Value| serve(request, answer);
    session.converse_until(
        "answer to initialize",
        |frame| frame["type"] == "control_response" && frame["response"]["request_id"] == *id,
        serve,
    )?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(serve)?;
    }
    session.end()
}

/// The server of [`with_mcp_tool`].
fn serve(request: &Value, answer: fn(&str) -> Value) -> Value {
    let message = &request["request"]["message"];
    let result = match message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
            "serverInfo": { "name": "gate", "version": "1" }
        }),
        Some("tools/list") => json!({ "tools": [{
            "name": "approve", "description": "Approves calls",
            "inputSchema": { "type": "object", "properties": {}, "additionalProperties": true }
        }] }),
        Some("tools/call") => {
            let command = message["params"]["arguments"]["input"]["command"].as_str().unwrap_or_default();
            let decision_text = match answer(command.split(' ').nth(1).unwrap_or_default()) {
                Value::String(text) => text,
                answer => answer.to_string(),
            };
            json!({ "content": [{ "type": "text", "text": decision_text }] })
        }
        _ => json!({}),
    };
    json!({ "mcp_response": { "jsonrpc": "2.0", "id": message["id"], "result": result } })
}

fn by_mcp_tool(stage: &mut Stage) -> Result<()> {
    let prompts = ["allow", "deny", "changed", "unchanged"].map(|word| bash(&format!("mkdir {word}")));
    with_mcp_tool(stage, &prompts, |word| match word {
        "allow" => json!({ "behavior": "allow", "updatedInput": { "command": "mkdir allow" } }),
        "changed" => json!({ "behavior": "allow", "updatedInput": { "command": "echo changed" } }),
        "unchanged" => json!({ "behavior": "allow" }),
        _ => json!({ "behavior": "deny", "message": "not here" }),
    })
}

fn by_mcp_tool_not_valid(stage: &mut Stage) -> Result<()> {
    let prompts = ["words", "empty", "unknown", "silent"].map(|word| bash(&format!("mkdir {word}")));
    with_mcp_tool(stage, &prompts, |word| match word {
        "words" => json!("some words"),
        "empty" => json!({}),
        "unknown" => json!({ "behavior": "perhaps" }),
        _ => json!({ "behavior": "deny" }),
    })
}

/// A subagent's calls are asked about, too.
fn subagent(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage, &[])?;
    let input = |prompt: &str| {
        json!({
            "description": "sub", "prompt": prompt, "subagent_type": "general-purpose",
            "run_in_background": false,
        })
    };
    ask(&mut session, &tool("Agent", &input(&bash("mkdir one"))), allow)?;
    ask(&mut session, &tool("Agent", &input(&bash("mkdir two"))), deny)?;
    session.end()
}

/// The same calls in every mode.
fn mode(stage: &mut Stage, mode: &str) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let path = stage.project().join("f.txt");
    let mut session = begin(stage, &["--permission-mode", mode, "--disallowed-tools", "Bash(rm:*)"])?;
    let prompts = [
        tool("Read", &json!({ "file_path": path })),
        tool("Edit", &json!({ "file_path": path, "old_string": "one", "new_string": "1" })),
        tool("Write", &json!({ "file_path": stage.project().join("new.txt"), "content": "x\n" })),
        tool(
            "Write",
            &json!({ "file_path": stage.project().join(".claude/settings.json"), "content": "{}" }),
        ),
        tool("Read", &json!({ "file_path": "/etc/hostname" })),
        bash("mkdir made"),
        bash("touch x; rm x"),
        bash("rm x"),
        bash("curl http://127.0.0.1:1"),
        tool("WebFetch", &json!({ "url": "http://127.0.0.1:1/", "prompt": "what is it?" })),
    ];
    for prompt in prompts {
        ask(&mut session, &prompt, deny)?;
    }
    session.end()
}

/// The host changes the mode between prompts.
fn mode_changed_between(stage: &mut Stage) -> Result<()> {
    let project = stage.project().to_owned();
    let mut session = begin(stage, &[])?;
    let modes = ["acceptEdits", "plan", "dontAsk", "bypassPermissions", "default", "nonsense"];
    for (at, mode) in modes.into_iter().enumerate() {
        session.control("set_permission_mode", &json!({ "mode": mode }));
        let path = project.join(format!("{at}.txt"));
        ask(&mut session, &tool("Write", &json!({ "file_path": path, "content": "x" })), deny)?;
    }
    session.end()
}

/// Rules of the command line, and denials in the result.
fn rules_of_flags(stage: &mut Stage) -> Result<()> {
    let flags = [
        "--allowed-tools",
        "Bash(mkdir:*)",
        "Bash(touch a)",
        "--disallowed-tools",
        "Bash(mkdir bad)",
        "WebSearch",
    ];
    let mut session = begin(stage, &flags)?;
    let prompts = [
        bash("mkdir good"),
        bash("mkdir bad"),
        bash("touch a"),
        bash("touch b"),
        bash("mkdir x && touch a"),
        bash("mkdir x && mkdir bad"),
        tool("WebSearch", &json!({ "query": "what" })),
    ];
    for prompt in prompts {
        ask(&mut session, &prompt, deny)?;
    }
    session.end()
}
