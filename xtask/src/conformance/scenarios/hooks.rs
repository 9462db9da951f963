//! Hooks: callbacks to the host, and commands from settings.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{ASK, PARTIAL, SHOWN, SKIP, Scenario, allow, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("hook-callbacks", |stage| callbacks(stage, |_| json!({ "continue": true }))),
    scenario("hook-denies", |stage| callbacks(stage, denied)),
    scenario("hook-commands", |stage| commands(stage, &[PARTIAL, SKIP])),
    // An option the older versions do not have: they end at once, with a message on stderr only.
    scenario("hook-events", |stage| commands(stage, &[PARTIAL, SKIP, SHOWN]).or(Ok(()))),
    scenario("hook-display", display),
    scenario("hook-http", |stage| http(stage).or(Ok(()))),
    scenario("hook-prompt", |stage| judged(stage, "prompt", "@say")),
    scenario("hook-agent", |stage| judged(stage, "agent", "@tool StructuredOutput")),
    scenario("worktree", worktree),
];

/// A hook that is a request to a server: one that denies a call, and one that has no answer for another.
fn http(stage: &mut Stage) -> Result<()> {
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not here"
    } });
    let hook = |url: String| json!([{ "type": "http", "url": url }]);
    let settings = json!({ "hooks": {
        "PreToolUse": [{ "matcher": "Bash", "hooks": hook(serve(answer.to_string())?) }],
        "UserPromptSubmit": [{ "hooks": hook(serve(String::new())?) }],
    } });
    let mut session = stage.start(&[SKIP, SHOWN, "--settings", &settings.to_string()])?;
    session.user(&bash("echo hello"));
    session.result()?;
    session.end()
}

/// A server on loopback that has one answer for all requests. It ends with the program.
fn serve(answer: String) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let mut body = vec![0; length];
            let _ = reader.read_exact(&mut body);
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ";
            let _ = (&stream).write_all(format!("{head}{}\r\n\r\n{answer}", answer.len()).as_bytes());
        }
    });
    Ok(url)
}

/// A hook that asks a model: it lets one tool pass, and refuses another.
fn judged(stage: &mut Stage, kind: &str, line: &str) -> Result<()> {
    let hook = |verdict: Value| json!([{ "type": kind, "prompt": format!("Is it good?\n{line} {verdict}") }]);
    let settings = json!({ "hooks": { "PreToolUse": [
        { "matcher": "Read", "hooks": hook(json!({ "ok": true, "reason": "fine" })) },
        { "matcher": "Bash", "hooks": hook(json!({ "ok": false, "reason": "too loud" })) },
    ] } });
    stage.write("f.txt", "one\ntwo\n")?;
    let read = tool("Read", &json!({ "file_path": stage.project().join("f.txt") }));
    let mut session = stage.start(&[SKIP, SHOWN, "--settings", &settings.to_string()])?;
    session.user(&format!("{read}\n{}", bash("echo 1")));
    session.result()?;
    session.end()
}

/// A session in a worktree, with a name.
fn worktree(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    stage.trust()?;
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
    for arguments in [&["init", "-q"][..], &["add", "f.txt"], &["commit", "-qm", "first"]] {
        let status =
            Command::new("git").args(identity).args(arguments).current_dir(stage.project()).status()?;
        anyhow::ensure!(status.success(), "git {arguments:?} failed");
    }
    let mut session = stage.start(&[SKIP, "--worktree", "feature"])?;
    session.user(&bash("git branch --show-current"));
    session.result()?;
    session.end()
}

/// What is shown differs from what was sent.
fn display(stage: &mut Stage) -> Result<()> {
    let answer =
        json!({ "hookSpecificOutput": { "hookEventName": "MessageDisplay", "displayContent": "shown" } });
    let hook = json!([{ "type": "command", "command": format!("echo '{answer}'") }]);
    let settings = json!({ "hooks": { "MessageDisplay": [{ "hooks": hook }] } }).to_string();
    let mut session = stage.start(&[PARTIAL, "--settings", &settings])?;
    for prompt in ["@say said", &bash("echo hello")] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

fn callbacks(stage: &mut Stage, hook: fn(&Value) -> Value) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash"]].concat())?;
    session.initialize(&json!({ "hooks": {
        "PreToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["before"] }],
        "PostToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["after"] }],
        "UserPromptSubmit": [{ "hookCallbackIds": ["prompt"] }],
        "Stop": [{ "hookCallbackIds": ["stop"] }],
    } }))?;
    session.user(&bash("echo hello"));
    session.converse(|request| match request["request"]["subtype"].as_str() {
        Some("hook_callback") => hook(request),
        _ => allow(request),
    })?;
    session.end()
}

fn denied(request: &Value) -> Value {
    if request["request"]["callback_id"] != "before" {
        return json!({ "continue": true });
    }
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "blocked by policy"
    } })
}

fn commands(stage: &mut Stage, flags: &[&str]) -> Result<()> {
    let hook = |command: &str| json!([{ "type": "command", "command": command }]);
    let settings = json!({ "hooks": {
        "SessionStart": [{ "hooks": hook("echo a session begins") }],
        "PreToolUse": [{ "matcher": "Bash", "hooks": hook("echo not allowed >&2; exit 2") }],
        "PostToolUse": [{ "matcher": "Read", "hooks": hook("cat > read.json") }],
    } });
    stage.write(".claude/settings.json", &settings.to_string())?;
    stage.trust()?;
    stage.write("f.txt", "one\ntwo\n")?;
    let read = tool("Read", &json!({ "file_path": stage.project().join("f.txt") }));
    let mut session = stage.start(flags)?;
    session.user(&format!("{}\n{read}", bash("echo 1")));
    session.result()?;
    session.end()
}
