//! Hooks and MCP servers that hang: what the user sees, and what an interrupt does.

use std::fs;
use std::path::{Path, PathBuf};

use aqueduct_agent::command_line::{self, ParsedOptions};
use aqueduct_agent::{Environment, ProcessSignal};
use aqueduct_testing::{wait_for, wait_until};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines};
use tokio::sync::mpsc;

use crate::host::{Host, Place, STREAM};

const SKIP: &str = "--dangerously-skip-permissions";

/// Hangs the first time it runs, with a child, and names both processes.
const HANG: &str = "[ -e \"$CLAUDE_PROJECT_DIR/ids\" ] && exit 0; sleep 1000 & echo $$ $! > \
    \"$CLAUDE_PROJECT_DIR/part\"; mv \"$CLAUDE_PROJECT_DIR/part\" \"$CLAUDE_PROJECT_DIR/ids\"; wait";

fn hook(place: &Place, event: &str) {
    let hook = json!({ "type": "command", "command": HANG, "timeout": 1000 });
    place.hook(&json!({ event: [{ "hooks": [hook] }] }));
}

/// Waits until the hook or the server hangs; gives its processes.
fn hangs(place: &Place) -> Vec<PathBuf> {
    let ids = wait_for("it hangs", || place.read("ids"));
    ids.split_whitespace().map(|id| PathBuf::from(format!("/proc/{id}"))).collect()
}

/// Interrupts a turn that hangs, and checks that it ends as interrupted turns do, that nothing of what hung is left
/// and that the next turn works.
fn interrupted(host: &mut Host, processes: &[PathBuf]) {
    host.send(
        &json!({ "type": "control_request", "request_id": "stop", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!(result["subtype"], "error_during_execution", "{result}");
    assert!(
        result["terminal_reason"].as_str().is_some_and(|reason| reason.starts_with("aborted")),
        "{result}"
    );
    let answered = frames.iter().find(|frame| frame["type"] == "control_response").unwrap();
    assert_eq!(answered["response"]["response"]["still_queued"], json!([]));
    for process in processes {
        // A process that has ended may remain a zombie for a short time.
        wait_until("the process has ended", || !is_alive(process));
    }
    host.say("@say next");
    assert_eq!(host.turn().pop().unwrap()["result"], "next");
}

fn is_alive(process: &Path) -> bool {
    fs::read_to_string(process.join("stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn an_interrupt_ends_the_hook_of_every_event_that_a_turn_waits_for() {
    let prompt = format!("@tool Bash {}\n@say done", json!({ "command": "true", "description": "d" }));
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop"] {
        let place = Place::new();
        hook(&place, event);
        let mut host = place.start(&[SKIP]);
        host.say(&prompt);
        interrupted(&mut host, &hangs(&place));
        assert!(host.end().1.success(), "{event}");
    }
}

#[test]
fn an_interrupt_ends_hooks_of_failures_subagents_permissions_and_compaction() {
    let failing = format!("@tool Bash {}\n@say done", json!({ "command": "false", "description": "d" }));
    let task = json!({ "description": "d", "prompt": "@say found", "run_in_background": false, "subagent_type": "general-purpose" });
    let task = format!("@tool Agent {task}\n@say done");
    for (event, prompt) in [
        ("PostToolUseFailure", failing.as_str()),
        ("SubagentStart", &task),
        ("SubagentStop", &task),
        ("PreCompact", "/compact"),
    ] {
        let place = Place::new();
        hook(&place, event);
        let mut host = place.start(&[SKIP]);
        host.say("@say begun");
        host.turn();
        host.say(prompt);
        interrupted(&mut host, &hangs(&place));
    }
    let place = Place::new();
    hook(&place, "PermissionRequest");
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say(&format!("@tool Bash {}", json!({ "command": "touch made", "description": "d" })));
    interrupted(&mut host, &hangs(&place));
}

#[test]
fn an_interrupt_of_the_start_takes_the_waiting_prompt_and_no_other() {
    let place = Place::new();
    hook(&place, "SessionStart");
    let mut host = place.start(&[]);
    let processes = hangs(&place);
    // Without a prompt there is no turn to end.
    host.ask(&json!({ "subtype": "interrupt" }));
    host.say("@say first");
    assert_eq!(host.turn().pop().unwrap()["result"], "first");
    assert!(!processes.iter().any(|process| is_alive(process)));

    let place = Place::new();
    hook(&place, "SessionStart");
    let mut host = place.start(&[]);
    for (text, uuid) in [
        ("/compact", "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6c01"),
        ("@say two", "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6c02"),
    ] {
        host.send(&json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": text } }));
    }
    hangs(&place);
    let answer = host.ask(&json!({ "subtype": "interrupt" }));
    assert_eq!(answer["response"]["still_queued"], json!(["3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6c02"]));
    assert_eq!(host.turn().pop().unwrap()["subtype"], "error_during_execution");
    assert_eq!(host.turn().pop().unwrap()["result"], "two");
}

#[test]
fn a_signal_ends_the_hooks_of_the_end() {
    let place = Place::new();
    hook(&place, "SessionEnd");
    let mut host = place.start(&[]);
    host.say("@say begun");
    host.turn();
    host.close();
    let processes = hangs(&place);
    host.signal(rustix::process::Signal::INT);
    host.wait();
    assert!(!processes.iter().any(|process| is_alive(process)));
}

/// A server that answers so many requests and then hangs.
fn server(answers: usize) -> Value {
    let all = [
        json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "t", "version": "1" } }),
        json!({ "tools": [{ "name": "hang", "inputSchema": { "type": "object" } }] }),
    ];
    let mut script = String::new();
    for (id, result) in all.iter().take(answers).enumerate() {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        // The notification that follows the first answer is no request.
        let more = if id == 0 { "read -r line; " } else { "" };
        script.push_str(&format!("read -r line; echo '{answer}'; {more}"));
    }
    let wait = if answers == all.len() { "read -r line; " } else { "" };
    script.push_str(&format!("{wait}echo $$ > part; mv part ids; exec sleep 1000"));
    json!({ "mcpServers": { "stuck": { "command": "sh", "args": ["-c", script] } } })
}

#[test]
fn an_interrupt_gives_up_on_a_server_that_does_not_connect() {
    for answers in [0, 1] {
        let place = Place::new();
        let mut host = place.start(&["--mcp-config", &server(answers).to_string()]);
        host.say("go");
        interrupted(&mut host, &hangs(&place));
        let status = host.ask(&json!({ "subtype": "mcp_status" }))["response"]["mcpServers"][0].clone();
        assert_eq!(status["status"], "failed");
        assert!(status["error"].as_str().is_some_and(|text| text.contains("mcp_reconnect")), "{status}");
    }
}

#[test]
fn an_interrupt_ends_the_call_of_a_server_that_hangs() {
    let place = Place::new();
    let mut host = place.start(&[SKIP, "--mcp-config", &server(2).to_string()]);
    host.say("@tool mcp__stuck__hang {}\n@say done");
    hangs(&place);
    // The server may serve other calls, so it keeps running.
    interrupted(&mut host, &[]);
}

/// An agent in this process, whose clock jumps to what happens next.
struct Inside {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
}

impl Inside {
    async fn send(&mut self, frame: &Value) {
        self.input.write_all(format!("{frame}\n").as_bytes()).await.unwrap();
    }

    async fn say(&mut self, text: &str) {
        self.send(&json!({ "type": "user", "message": { "role": "user", "content": text } })).await;
    }

    async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.output.next_line().await.unwrap().unwrap();
            let frame: Value = serde_json::from_str(&line).unwrap();
            if fits(&frame) {
                return frame;
            }
        }
    }

    /// The notice about a slow operation.
    async fn notice(&mut self, tag: &str) -> Value {
        self.until(|frame| frame["tag"] == tag).await
    }

    async fn interrupt(&mut self) {
        self.send(&json!({ "type": "control_request", "request_id": "stop", "request": { "subtype": "interrupt" } }))
            .await;
        let result = self.until(|frame| frame["type"] == "result").await;
        assert_eq!(result["subtype"], "error_during_execution", "{result}");
    }
}

async fn inside(place: &Place, arguments: &[&str], host: impl AsyncFnOnce(&mut Inside)) {
    let arguments: Vec<String> =
        STREAM.iter().chain(arguments).map(|&argument| argument.to_owned()).collect();
    let ParsedOptions::Run { options, .. } = command_line::parse(&arguments) else { panic!("options") };
    let guard = [env!("CARGO_BIN_EXE_aqueduct-agent"), aqueduct_agent::program::GUARD];
    let environment = Environment {
        cwd: place.project(),
        home: place.home(),
        config: place.home().join(".claude"),
        temporary: std::env::temp_dir(),
        variables: vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap_or_default()),
            ("HOME".into(), place.home().into()),
            // The clock jumps, so the timeout must never expire.
            ("MCP_TIMEOUT".into(), "1000000000000".into()),
        ],
        guard: guard.iter().map(Into::into).collect(),
    };
    let (input, theirs) = tokio::io::duplex(1 << 20);
    let (out, output) = tokio::io::duplex(1 << 20);
    let (_signals, received) = mpsc::channel::<ProcessSignal>(1);
    let mut report = |text: &str| panic!("{text}");
    let run = aqueduct_agent::run(environment, *options, theirs, out, received, &mut report);
    let mut inside = Inside { input, output: BufReader::new(output).lines() };
    tokio::select! {
        code = run => panic!("it ended with {code}"),
        () = host(&mut inside) => (),
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_is_shown_which_hook_a_turn_waits_for() {
    let prompt = format!("@tool Bash {}\n@say done", json!({ "command": "true", "description": "d" }));
    let mut reported = Vec::new();
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] {
        let place = Place::new();
        let hook = json!({ "type": "command", "command": "sleep 1000", "timeout": 80000 });
        place.hook(&json!({ event: [{ "hooks": [hook] }] }));
        inside(&place, &[SKIP], async |host: &mut Inside| {
            host.say(&prompt).await;
            let notice = host.notice("hook_slow").await;
            assert_eq!(notice["level"], "notice");
            assert_eq!(notice["tool_use_id"].is_string(), event.contains("ToolUse"), "{notice}");
            reported.push(notice["content"].as_str().unwrap().to_owned());
            host.interrupt().await;
        })
        .await;
    }
    insta::assert_snapshot!(reported.join("\n"), @r"
    Waiting for the SessionStart:startup hook `sleep 1000` for 3 s. Interrupt to stop it.
    Waiting for the UserPromptSubmit hook `sleep 1000` for 3 s. Interrupt to stop it.
    Waiting for the PreToolUse:Bash hook `sleep 1000` for 3 s. Interrupt to stop it.
    Waiting for the PostToolUse:Bash hook `sleep 1000` for 3 s. Interrupt to stop it.
    Waiting for the Stop hook `sleep 1000` for 3 s. Interrupt to stop it.
    ");
}

#[tokio::test(start_paused = true)]
async fn the_user_is_shown_which_server_a_turn_waits_for() {
    let place = Place::new();
    inside(&place, &["--mcp-config", &server(0).to_string()], async |host: &mut Inside| {
        host.say("@say done").await;
        let notice = host.notice("mcp_server_slow").await;
        insta::assert_snapshot!(notice["content"].as_str().unwrap(), @"Waiting for the MCP server stuck for \
            3 s. Interrupt to continue without it.");
        host.interrupt().await;
    })
    .await;
    inside(&Place::new(), &[SKIP, "--mcp-config", &server(2).to_string()], async |host: &mut Inside| {
        host.say("@tool mcp__stuck__hang {}\n@say done").await;
        let notice = host.notice("mcp_call_slow").await;
        assert!(notice["tool_use_id"].is_string(), "{notice}");
        insta::assert_snapshot!(notice["content"].as_str().unwrap(), @"Waiting for hang of the MCP server stuck for 3 s. Interrupt to stop it.");
        host.interrupt().await;
    })
    .await;
}
