//! Answers of command hooks around the calls of tools: every member that an answer can have, exit codes, and answers
//! that are not valid.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::{is_request, is_result};
use super::super::stage::Stage;
use super::{ASK, SHOWN, SKIP, Scenario, allow, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("hook-answer-allow", |stage| before(stage, ASK, &[("", &permission("allow"))], "touch a")),
    scenario("hook-answer-ask", |stage| before(stage, ALLOWED, &[("", &permission("ask"))], "echo a")),
    scenario("hook-answer-deny", |stage| before(stage, &[SKIP], &[("", &permission("deny"))], "echo a")),
    scenario("hook-answer-defer", |stage| before(stage, &[SKIP], &[("", &permission("defer"))], "echo a")),
    scenario("hook-answer-changed", changed),
    scenario("hook-answer-changed-unasked", changed_unasked),
    scenario("hook-answer-context", context),
    scenario("hook-answer-stop", |stage| before(stage, &[SKIP], &[("", STOP)], "echo a")),
    scenario("hook-answer-legacy", legacy),
    scenario("hook-answer-exit-codes", exit_codes),
    scenario("hook-answer-texts", texts),
    scenario("hook-answer-not-valid", not_valid),
    scenario("hook-answer-misnamed", misnamed),
    scenario("hook-answer-timeout", timeout),
    scenario("hook-answer-async", in_background),
    scenario("hook-answer-several", several),
    scenario("hook-answer-matchers", matchers),
    scenario("hook-answer-notices", notices),
    scenario("hook-answer-after", after),
    scenario("hook-answer-after-stop", |stage| behind(stage, STOP)),
    scenario("hook-answer-after-changed", after_changed),
    scenario("hook-answer-after-failure", after_failure),
    scenario("hook-answer-batch", batch),
    scenario("hook-answer-request", request),
    scenario("hook-answer-request-denied", request_denied),
    scenario("hook-answer-request-alone", request_alone),
    scenario("hook-answer-denied", denied),
];

/// The host is asked about all but `Bash`.
const ALLOWED: &[&str] = &["--permission-prompt-tool", "stdio", "--allowed-tools", "Bash"];

/// Ends the turn.
const STOP: &str = r#"echo '{"continue":false,"stopReason":"enough"}'"#;

/// A hook that prints an answer.
fn print(answer: &Value) -> String {
    format!("echo '{answer}'")
}

fn permission(decision: &str) -> String {
    print(&json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "policy"
    } }))
}

fn hook(command: &str) -> Value {
    json!([{ "type": "command", "command": command }])
}

/// Plays prompts with hooks from settings, and allows what the host is asked about.
fn play(stage: &mut Stage, flags: &[&str], hooks: &Value, prompts: &[String]) -> Result<()> {
    let settings = json!({ "hooks": hooks }).to_string();
    let mut session = stage.start(&[flags, &[SHOWN, "--settings", &settings]].concat())?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(allow)?;
    }
    session.user("@say alive");
    session.result()?;
    session.end()
}

/// Plays prompts with a `PermissionRequest` hook. The host is asked while the hook runs, and the first decision counts:
/// it answers once the hook has ended, so that only a hook without a decision leaves the call to it.
fn request_play(stage: &mut Stage, answers: &str, prompts: &[String]) -> Result<()> {
    let settings = json!({ "hooks": { "PermissionRequest": [{ "hooks": hook(answers) }] } }).to_string();
    let mut session = stage.start(&[ASK, &[SHOWN, "--settings", &settings]].concat())?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        let (mut asked, mut hook_ended) = (None, false);
        loop {
            let frame = session.wait("result", |frame| {
                is_request(frame) || is_result(frame) || is_cancel(frame) || ends_hook(frame)
            })?;
            if is_result(&frame) {
                break;
            } else if is_cancel(&frame) {
                asked = None;
            } else if ends_hook(&frame) {
                hook_ended = true;
            } else {
                asked = Some(frame);
            }
            if let Some(request) = asked.take_if(|_| hook_ended) {
                session.answer(&request, &allow(&request));
            }
        }
    }
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn is_cancel(frame: &Value) -> bool {
    frame["type"] == "control_cancel_request"
}

fn ends_hook(frame: &Value) -> bool {
    frame["subtype"] == "hook_response" && frame["hook_event"] == "PermissionRequest"
}

/// `PreToolUse` hooks, with their matchers, before a command.
fn before(stage: &mut Stage, flags: &[&str], hooks: &[(&str, &str)], command: &str) -> Result<()> {
    let entries: Vec<Value> =
        hooks.iter().map(|(matcher, answer)| json!({ "matcher": matcher, "hooks": hook(answer) })).collect();
    play(stage, flags, &json!({ "PreToolUse": entries }), &[bash(command)])
}

/// A hook behind a command.
fn behind(stage: &mut Stage, answer: &str) -> Result<()> {
    play(stage, &[SKIP], &json!({ "PostToolUse": [{ "hooks": hook(answer) }] }), &[bash("echo a")])
}

/// A hook whose answer depends on a word in its input.
fn by_word(cases: &[(&str, &str)]) -> String {
    let cases: Vec<String> = cases.iter().map(|(word, answer)| format!("*{word}*) {answer};;")).collect();
    format!("case \"$(cat)\" in {} esac", cases.join(" "))
}

fn changed(stage: &mut Stage) -> Result<()> {
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow",
        "updatedInput": { "command": "echo changed", "description": "Changed" }
    } });
    before(stage, ASK, &[("Bash", &print(&answer))], "touch a")
}

/// The input changes, and the hook leaves the decision to others.
fn changed_unasked(stage: &mut Stage) -> Result<()> {
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "updatedInput": { "command": "touch changed", "description": "Changed" }
    } });
    before(stage, ASK, &[("Bash", &print(&answer))], "touch a")
}

fn context(stage: &mut Stage) -> Result<()> {
    let answer = |event: &str| {
        print(&json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": "be careful" } }))
    };
    let hooks = json!({
        "PreToolUse": [{ "hooks": hook(&answer("PreToolUse")) }],
        "PostToolUse": [{ "hooks": hook(&answer("PostToolUse")) }],
    });
    play(stage, &[SKIP], &hooks, &[bash("echo a")])
}

/// Decisions as older versions had them.
fn legacy(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"decision":"block","reason":"not this one"}'"#),
        ("two", r#"echo '{"decision":"approve","reason":"this one"}'"#),
        ("three", r#"echo '{"decision":"block"}'"#),
    ]);
    let prompts = ["mkdir one", "mkdir two", "mkdir three"].map(bash);
    play(stage, ASK, &json!({ "PreToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

fn exit_codes(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", "echo out; echo wrong >&2; exit 1"),
        ("two", "echo out; echo stop >&2; exit 2"),
        ("three", "exit 2"),
        ("four", "exit 127"),
    ]);
    let prompts = ["echo one", "echo two", "echo three", "echo four"].map(bash);
    let hooks = json!({
        "PreToolUse": [{ "matcher": "Bash", "hooks": hook(&answers) }],
        "PostToolUse": [{ "matcher": "Bash", "hooks": hook("echo behind >&2; exit 2") }],
    });
    play(stage, &[SKIP], &hooks, &prompts)
}

/// The output is not an answer in JSON.
fn texts(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", "echo plain words"),
        ("two", "echo '{broken'"),
        ("three", "echo '[1]'"),
        ("four", r#"echo before; echo '{"continue":false}'"#),
        ("five", "echo '{}'"),
    ]);
    let prompts = ["echo one", "echo two", "echo three", "echo four", "echo five"].map(bash);
    play(stage, &[SKIP], &json!({ "PreToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

/// JSON that is not an answer.
fn not_valid(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"decision":"maybe"}'"#),
        (
            "two",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"perhaps"}}'"#,
        ),
        ("five", r#"echo '{"continue":"no"}'"#),
        ("six", r#"echo '{"unknown":true}'"#),
        ("seven", r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":7}}'"#),
    ]);
    let words = ["one", "two", "five", "six", "seven"];
    let prompts = words.map(|word| bash(&format!("echo {word}")));
    play(stage, &[SKIP], &json!({ "PreToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

/// Answers under the name of another event, and under none.
fn misnamed(stage: &mut Stage) -> Result<()> {
    let other = json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": "x" } });
    let nameless = json!({ "hookSpecificOutput": { "permissionDecision": "deny" } });
    let answers = by_word(&[("one", &print(&other)), ("two", &print(&nameless))]);
    let prompts = ["echo one", "echo two"].map(bash);
    play(stage, &[SKIP], &json!({ "PreToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

fn timeout(stage: &mut Stage) -> Result<()> {
    let slow = json!([{ "type": "command", "command": "sleep 30", "timeout": 1 }]);
    let hooks = json!({ "PreToolUse": [{ "hooks": slow }], "PostToolUse": [{ "hooks": slow }] });
    play(stage, &[SKIP], &hooks, &[bash("echo a")])
}

/// Hooks that are not awaited: by their answer, and by their settings.
fn in_background(stage: &mut Stage) -> Result<()> {
    let asynchronous = json!([{ "type": "command", "command": "cat > before.json", "async": true }]);
    let hooks = json!({
        "PreToolUse": [{ "hooks": asynchronous }],
        "PostToolUse": [{ "hooks": hook(r#"echo '{"async":true,"asyncTimeout":5000}'; cat > after.json"#) }],
    });
    play(stage, &[SKIP], &hooks, &[bash("echo a")])
}

/// Hooks that don't agree: the strictest counts.
fn several(stage: &mut Stage) -> Result<()> {
    let first = by_word(&[("one", &permission("allow")), ("two", &permission("ask")), ("three", STOP)]);
    let second = by_word(&[("one", &permission("deny")), ("two", &permission("allow"))]);
    let hooks = json!({ "PreToolUse": [
        { "matcher": "Bash", "hooks": hook(&first) }, { "matcher": "*", "hooks": hook(&second) },
    ] });
    let prompts = ["mkdir one", "mkdir two", "mkdir three"].map(bash);
    play(stage, ASK, &hooks, &prompts)
}

fn matchers(stage: &mut Stage) -> Result<()> {
    let patterns = [
        "Read|Bash",
        "Ba.*",
        "^Bash$",
        "bash",
        "Bas",
        "",
        "*",
        "Read, Bash",
        "Bash(echo:*)",
        "Read",
        "(",
        ".",
    ];
    let entries: Vec<Value> = patterns
        .iter()
        .map(|pattern| json!({ "matcher": pattern, "hooks": hook(&format!("echo '{pattern}' >&2; exit 1")) }))
        .collect();
    play(stage, &[SKIP], &json!({ "PreToolUse": entries }), &[bash("echo a")])
}

fn notices(stage: &mut Stage) -> Result<()> {
    let answer = print(&json!({ "systemMessage": "for people", "suppressOutput": true }));
    let hooks = json!({
        "PreToolUse": [{ "hooks": hook(&answer) }],
        "PostToolUse": [{ "hooks": hook(&answer) }],
        "UserPromptSubmit": [{ "hooks": hook(&answer) }],
        "Stop": [{ "hooks": hook(&answer) }],
        "SessionStart": [{ "hooks": hook(&answer) }],
    });
    play(stage, &[SKIP], &hooks, &[bash("echo a")])
}

/// Hooks behind a call that refuse it when it has happened.
fn after(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        ("one", r#"echo '{"decision":"block","reason":"do it again"}'"#),
        ("two", "echo do it again >&2; exit 2"),
        ("three", "echo words"),
        ("four", "echo wrong >&2; exit 1"),
        ("five", r#"echo '{"decision":"approve"}'"#),
    ]);
    let prompts = ["echo one", "echo two", "echo three", "echo four", "echo five"].map(bash);
    play(stage, &[SKIP], &json!({ "PostToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

/// A hook puts another result in the place of the tool's.
fn after_changed(stage: &mut Stage) -> Result<()> {
    let answer = |output: Value| {
        print(
            &json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "updatedToolOutput": output } }),
        )
    };
    let printed = json!({ "stdout": "other", "stderr": "", "interrupted": false, "isImage": false });
    let answers = by_word(&[("one", &answer(printed)), ("two", &answer(json!("a text")))]);
    let prompts = ["echo one", "echo two"].map(bash);
    play(stage, &[SKIP], &json!({ "PostToolUse": [{ "hooks": hook(&answers) }] }), &prompts)
}

fn after_failure(stage: &mut Stage) -> Result<()> {
    let context = print(&json!({ "hookSpecificOutput": {
        "hookEventName": "PostToolUseFailure", "additionalContext": "try the other one"
    } }));
    let answers = by_word(&[
        ("one", &context),
        ("two", "echo no >&2; exit 2"),
        ("three", r#"echo '{"decision":"block","reason":"no"}'"#),
        ("four", STOP),
    ]);
    let prompts = ["one", "two", "three", "four"].map(|word| bash(&format!("echo {word}; exit 3")));
    let hooks = json!({
        "PostToolUse": [{ "hooks": hook("echo never") }],
        "PostToolUseFailure": [{ "matcher": "Bash", "hooks": hook(&answers) }],
    });
    play(stage, &[SKIP], &hooks, &prompts)
}

fn batch(stage: &mut Stage) -> Result<()> {
    let answers = by_word(&[
        (
            "one",
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PostToolBatch","additionalContext":"both"}}'"#,
        ),
        ("two", r#"echo '{"decision":"block","reason":"no more"}'"#),
        ("three", STOP),
    ]);
    let call = |text: &str| json!(["Bash", { "command": format!("echo {text}"), "description": text }]);
    let prompts = ["one", "two", "three"].map(|word| format!("@tools {}", json!([call(word), call("b")])));
    play(stage, &[SKIP], &json!({ "PostToolBatch": [{ "hooks": hook(&answers) }] }), &prompts)
}

fn decision(decision: Value) -> String {
    print(&json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } }))
}

/// Hooks that answer in the user's place.
fn request(stage: &mut Stage) -> Result<()> {
    let changed = json!({ "command": "mkdir changed", "description": "Changed" });
    let rule = json!([{
        "type": "addRules", "behavior": "allow", "destination": "session",
        "rules": [{ "toolName": "Bash", "ruleContent": "mkdir:*" }]
    }]);
    let answers = by_word(&[
        ("one", &decision(json!({ "behavior": "allow" }))),
        ("two", &decision(json!({ "behavior": "allow", "updatedInput": changed }))),
        ("three", "echo words"),
        ("four", "echo wrong >&2; exit 1"),
        ("five", &decision(json!({ "behavior": "allow", "updatedPermissions": rule }))),
    ]);
    let words = ["one", "two", "three", "four", "five", "six", "seven"];
    let prompts = words.map(|word| bash(&format!("mkdir {word}")));
    request_play(stage, &answers, &prompts)
}

fn request_denied(stage: &mut Stage) -> Result<()> {
    let words = ["one", "two", "three", "four", "five", "six", "seven"];
    let prompts = words.map(|word| bash(&format!("mkdir {word}")));
    request_play(stage, &denials(), &prompts)
}

/// No host can be asked: hooks decide alone.
fn request_alone(stage: &mut Stage) -> Result<()> {
    let words = ["one", "two", "three", "four", "five", "six", "seven"];
    let prompts = words.map(|word| bash(&format!("mkdir {word}")));
    play(stage, &[], &json!({ "PermissionRequest": [{ "hooks": hook(&denials()) }] }), &prompts)
}

/// A hook that denies, in several ways, and allows.
fn denials() -> String {
    by_word(&[
        ("one", &decision(json!({ "behavior": "deny", "message": "not here" }))),
        ("two", &decision(json!({ "behavior": "deny" }))),
        ("three", "echo not here >&2; exit 2"),
        ("four", &decision(json!({ "behavior": "deny", "message": "not here", "interrupt": true }))),
        ("five", &decision(json!({ "behavior": "allow" }))),
        ("seven", r#"echo '{"decision":"block","reason":"not here"}'"#),
    ])
}

/// A call that is denied by a rule, by a hook, and because no user can be asked.
fn denied(stage: &mut Stage) -> Result<()> {
    let retry =
        print(&json!({ "hookSpecificOutput": { "hookEventName": "PermissionDenied", "retry": true } }));
    let hooks = json!({
        "PermissionDenied": [{ "hooks": hook(&retry) }],
        "PermissionRequest": [{ "hooks": hook("exit 0") }],
        "Notification": [{ "hooks": hook("exit 0") }],
    });
    let prompts = [bash("mkdir one"), tool("Write", &json!({ "file_path": "/etc/x", "content": "x" }))];
    play(stage, &["--disallowed-tools", "Bash(mkdir:*)"], &hooks, &prompts)
}
