//! Hooks that are callbacks of the host: what it is asked, and every answer that it can give.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::{is_request, is_result};
use super::super::stage::Stage;
use super::{ASK, Scenario, allow, bash, nonsense, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("callback-verdicts", verdicts),
    scenario("callback-changed", changed),
    scenario("callback-stop", stop),
    scenario("callback-contexts", contexts),
    scenario("callback-blocks", blocks),
    nonsense("callback-empty", empty),
    nonsense("callback-not-valid", not_valid),
    nonsense("callback-misnamed", misnamed),
    scenario("callback-error", error),
    scenario("callback-several", several),
    scenario("callback-matchers", matchers),
    scenario("callback-timeout", timeout),
    scenario("callback-async", asynchronous),
    scenario("callback-permission-request", permission_request),
    scenario("callback-all-events", all_events),
    scenario("callback-subagent", subagent),
    scenario("callback-interrupt", interrupt),
];

/// Hooks of the host on one event each, for all that happens.
fn registered(events: &[&str]) -> Value {
    let entry = |event: &&str| ((*event).to_owned(), json!([{ "hookCallbackIds": [event] }]));
    Value::Object(events.iter().map(entry).collect())
}

/// Plays prompts, and answers callbacks with what `answer` has for them.
fn play(
    stage: &mut Stage,
    flags: &[&str],
    hooks: &Value,
    prompts: &[String],
    answer: fn(&Value) -> Value,
) -> Result<()> {
    let mut session = stage.start(&[ASK, flags].concat())?;
    session.initialize(&json!({ "hooks": hooks }))?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(|request| match request["request"]["subtype"].as_str() {
            Some("hook_callback") => answer(request),
            _ => allow(request),
        })?;
    }
    session.user("@say alive");
    session.converse(|_| json!({}))?;
    session.end()
}

/// The word in the command that a callback is about: `mkdir WORD`.
fn word(request: &Value) -> &str {
    let command = request["request"]["input"]["tool_input"]["command"].as_str().unwrap_or_default();
    command.split(' ').nth(1).unwrap_or_default()
}

fn mkdirs(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| bash(&format!("mkdir {word}"))).collect()
}

fn specific(event: &str, members: Value) -> Value {
    let mut output = members;
    output["hookEventName"] = json!(event);
    json!({ "hookSpecificOutput": output })
}

fn verdicts(stage: &mut Stage) -> Result<()> {
    let words = ["allow", "ask", "deny", "defer", "approve", "block"];
    play(stage, &[], &registered(&["PreToolUse"]), &mkdirs(&words), |request| match word(request) {
        legacy @ ("approve" | "block") => json!({ "decision": legacy, "reason": "policy" }),
        decision => specific(
            "PreToolUse",
            json!({ "permissionDecision": decision, "permissionDecisionReason": "policy" }),
        ),
    })
}

fn changed(stage: &mut Stage) -> Result<()> {
    play(
        stage,
        &[],
        &registered(&["PreToolUse", "PostToolUse"]),
        &mkdirs(&["one", "two", "three"]),
        |request| {
            let input = json!({ "command": "mkdir changed", "description": "Changed" });
            match (request["request"]["callback_id"].as_str(), word(request)) {
                (Some("PreToolUse"), "one") => {
                    specific("PreToolUse", json!({ "permissionDecision": "allow", "updatedInput": input }))
                }
                (Some("PreToolUse"), "two") => specific("PreToolUse", json!({ "updatedInput": input })),
                (Some("PreToolUse"), "three") => {
                    specific("PreToolUse", json!({ "permissionDecision": "ask", "updatedInput": input }))
                }
                _ => json!({}),
            }
        },
    )
}

fn stop(stage: &mut Stage) -> Result<()> {
    let hooks = registered(&["PreToolUse", "PostToolUse"]);
    play(stage, &[], &hooks, &mkdirs(&["before", "behind"]), |request| {
        match (request["request"]["callback_id"].as_str(), word(request)) {
            (Some("PreToolUse"), "before") | (Some("PostToolUse"), "behind") => {
                json!({ "continue": false, "stopReason": "enough" })
            }
            _ => json!({ "continue": true }),
        }
    })
}

fn contexts(stage: &mut Stage) -> Result<()> {
    let events = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart"];
    let prompts = [bash("mkdir one"), bash("mkdir one")];
    play(stage, &["--allowed-tools", "Bash"], &registered(&events), &prompts, |request| {
        let event = request["request"]["input"]["hook_event_name"].as_str().unwrap_or_default();
        specific(event, json!({ "additionalContext": "know this" }))
    })
}

fn blocks(stage: &mut Stage) -> Result<()> {
    let events = ["PostToolUse", "UserPromptSubmit", "Stop"];
    let prompts = ["@say blocked".to_owned(), bash("mkdir one"), "@say stopping".to_owned()];
    play(stage, &["--allowed-tools", "Bash"], &registered(&events), &prompts, |request| {
        let input = &request["request"]["input"];
        let is_blocked = match input["hook_event_name"].as_str() {
            Some("UserPromptSubmit") => input["prompt"] == "@say blocked",
            Some("Stop") => {
                input["stop_hook_active"] == false && input["last_assistant_message"] == "stopping"
            }
            _ => true,
        };
        if is_blocked { json!({ "decision": "block", "reason": "@say blocked" }) } else { json!({}) }
    })
}

/// No verdict at all.
fn empty(stage: &mut Stage) -> Result<()> {
    let events = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];
    let prompts = mkdirs(&["empty", "null", "nothing", "text", "list"]);
    play(stage, &[], &registered(&events), &prompts, |request| match word(request) {
        "null" => Value::Null,
        "nothing" => specific("PreToolUse", json!({})),
        "text" => json!("a text"),
        "list" => json!([]),
        _ => json!({}),
    })
}

fn not_valid(stage: &mut Stage) -> Result<()> {
    let words = ["decision", "permission", "continue", "unknown", "input", "context"];
    play(stage, &[], &registered(&["PreToolUse"]), &mkdirs(&words), |request| match word(request) {
        "decision" => json!({ "decision": "maybe" }),
        "permission" => specific("PreToolUse", json!({ "permissionDecision": "perhaps" })),
        "continue" => json!({ "continue": "no" }),
        "unknown" => json!({ "unknown": true }),
        "input" => specific("PreToolUse", json!({ "updatedInput": 7 })),
        _ => specific("PreToolUse", json!({ "additionalContext": 7 })),
    })
}

/// Answers under the name of another event, and under none.
fn misnamed(stage: &mut Stage) -> Result<()> {
    let words = ["event", "nameless"];
    play(stage, &[], &registered(&["PreToolUse"]), &mkdirs(&words), |request| match word(request) {
        "event" => specific("PostToolUse", json!({ "additionalContext": "of another event" })),
        _ => json!({ "hookSpecificOutput": { "permissionDecision": "deny" } }),
    })
}

/// The host answers with errors.
fn error(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash"]].concat())?;
    let events = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];
    session.initialize(&json!({ "hooks": registered(&events) }))?;
    session.user(&bash("mkdir one"));
    loop {
        let frame = session.wait("request or result", |frame| is_request(frame) || is_result(frame))?;
        if !is_request(&frame) {
            break;
        }
        session.refuse(&frame, "the callback failed");
    }
    session.end()
}

/// Several callbacks on one event, in one entry and in two.
fn several(stage: &mut Stage) -> Result<()> {
    let hooks = json!({ "PreToolUse": [
        { "hookCallbackIds": ["first", "second"] }, { "matcher": "Bash", "hookCallbackIds": ["third"] },
    ] });
    play(stage, &[], &hooks, &mkdirs(&["one", "two"]), |request| {
        let decision = match (request["request"]["callback_id"].as_str(), word(request)) {
            (Some("first"), _) => "allow",
            (Some("second"), "one") => "deny",
            (Some("third"), "two") => "ask",
            _ => return json!({}),
        };
        specific(
            "PreToolUse",
            json!({ "permissionDecision": decision, "permissionDecisionReason": decision }),
        )
    })
}

fn matchers(stage: &mut Stage) -> Result<()> {
    let patterns = ["Bash", "Read|Bash", "Ba.*", "bash", "", "*", "Read", "Write|Edit"];
    let entries: Vec<Value> = patterns
        .iter()
        .map(|pattern| json!({ "matcher": pattern, "hookCallbackIds": [format!("matches {pattern}")] }))
        .chain([json!({ "matcher": null, "hookCallbackIds": ["null"] })])
        .collect();
    play(stage, &[], &json!({ "PreToolUse": entries }), &mkdirs(&["one"]), |_| json!({}))
}

/// A callback that is never answered: behind a call, where nothing depends on it.
fn timeout(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash"]].concat())?;
    session.initialize(
        &json!({ "hooks": { "PostToolUse": [{ "hookCallbackIds": ["after"], "timeout": 1 }] } }),
    )?;
    session.user(&bash("mkdir one"));
    let request = session.wait("callback", is_request)?;
    session.result()?;
    // Too late.
    session.answer(&request, &json!({ "decision": "block", "reason": "too late" }));
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn asynchronous(stage: &mut Stage) -> Result<()> {
    let hooks = registered(&["PreToolUse", "PostToolUse"]);
    play(stage, &[], &hooks, &mkdirs(&["one"]), |_| json!({ "async": true, "asyncTimeout": 1000 }))
}

fn permission_request(stage: &mut Stage) -> Result<()> {
    let words = ["allow", "deny", "nothing", "changed", "interrupt"];
    play(stage, &[], &registered(&["PermissionRequest"]), &mkdirs(&words), |request| {
        let decision = match word(request) {
            "allow" => json!({ "behavior": "allow" }),
            "deny" => json!({ "behavior": "deny", "message": "not here" }),
            "changed" => json!({
                "behavior": "allow", "updatedInput": { "command": "mkdir other", "description": "Changed" }
            }),
            "interrupt" => json!({ "behavior": "deny", "message": "not here", "interrupt": true }),
            _ => return json!({}),
        };
        specific("PermissionRequest", json!({ "decision": decision }))
    })
}

/// What each event is asked with.
fn all_events(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let events = [
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "PermissionRequest",
        "UserPromptSubmit",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "Notification",
        "PreCompact",
        "PostCompact",
    ];
    let read = tool("Read", &json!({ "file_path": stage.project().join("f.txt") }));
    let prompts = [read, bash("mkdir a"), bash("mkdir a"), bash("cd a"), bash("rm -r f.txt")];
    let flags = ["--allowed-tools", "Bash(cd:*)", "--disallowed-tools", "Bash(rm:*)"];
    play(stage, &flags, &registered(&events), &prompts, |_| json!({}))
}

fn subagent(stage: &mut Stage) -> Result<()> {
    let input = json!({
        "description": "sub", "prompt": bash("mkdir inner"), "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    let events = ["PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "Stop"];
    play(stage, &[], &registered(&events), &[tool("Agent", &input)], |_| json!({}))
}

/// The user interrupts while a callback is open.
fn interrupt(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash"]].concat())?;
    session.initialize(&json!({ "hooks": registered(&["PreToolUse", "Stop"]) }))?;
    session.user(&bash("mkdir one"));
    let request = session.wait("callback", is_request)?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.answer(&request, &json!({}));
    session.user("@say alive");
    session.converse(|_| json!({}))?;
    session.end()
}
