//! Hooks of settings: commands that run at points of a conversation.

use aqueduct_testing::wait_for;
use serde_json::{Value, json};

use crate::host::{Place, find, kinds, lines, tool_results};

const SKIP: &str = "--dangerously-skip-permissions";

/// A matcher for all with one command.
pub(crate) fn command(command: &str) -> Value {
    json!([{ "hooks": [{ "type": "command", "command": command }] }])
}

/// A command that answers with this.
fn prints(answer: &Value) -> Value {
    command(&format!("echo '{answer}'"))
}

fn specific(event: &str, members: &Value) -> Value {
    let mut specific = members.clone();
    specific["hookEventName"] = event.into();
    json!({ "hookSpecificOutput": specific })
}

fn bash(command: &str) -> String {
    format!("@tool Bash {}", json!({ "command": command, "description": "d" }))
}

/// The events that a recording hook wrote, in order.
pub(crate) fn reported(place: &Place, file: &str) -> Vec<Value> {
    let text = place.read(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_event_of_a_turn_is_reported_with_what_it_is_about() {
    let place = Place::new();
    let record = command("cat >> \"$CLAUDE_PROJECT_DIR/events.jsonl\"");
    let events = [
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "Stop",
        "CwdChanged",
        "PreCompact",
        "PostCompact",
        "InstructionsLoaded",
    ];
    place.hook(&events.map(|event| (event.to_owned(), record.clone())).into_iter().collect::<Value>());
    place.write("CLAUDE.md", "Be kind. @more.md\n");
    place.write("more.md", "Be brief.\n");
    place.write("sub/file", "x");
    let mut host = place.start(&[SKIP]);
    host.say(&format!("{}\n{}\n@say done", bash("cd sub"), bash("exit 3")));
    host.turn();
    host.say("/compact be short");
    host.turn();
    host.end();
    let mut reported = reported(&place, "events.jsonl");
    let project = place.project().display().to_string();
    for event in &mut reported {
        let event = event.as_object_mut().unwrap();
        for name in ["session_id", "transcript_path"] {
            assert!(event.remove(name).is_some_and(|value| value.is_string()), "{name}");
        }
        event.remove("prompt_id");
        event.remove("duration_ms");
        event.remove("compact_summary");
    }
    let mut lines: Vec<String> =
        reported.iter().map(|event| event.to_string().replace(&project, "/proj")).collect();
    // The agent does not wait for these hooks, so their order is not fixed.
    let apart = |line: &String| {
        ["InstructionsLoaded", "CwdChanged", "PostCompact"]
            .iter()
            .any(|name| line.contains(&format!("\"{name}\"")))
    };
    let mut loose: Vec<String> = lines.extract_if(.., |line| apart(line)).collect();
    loose.sort();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"cwd":"/proj","hook_event_name":"SessionStart","model":"scripted","source":"startup"}
    {"cwd":"/proj","hook_event_name":"UserPromptSubmit","permission_mode":"bypassPermissions","prompt":"@tool Bash {\"command\":\"cd sub\",\"description\":\"d\"}\n@tool Bash {\"command\":\"exit 3\",\"description\":\"d\"}\n@say done"}
    {"cwd":"/proj","hook_event_name":"PreToolUse","permission_mode":"bypassPermissions","tool_input":{"command":"cd sub","description":"d"},"tool_name":"Bash","tool_use_id":"toolu_0001"}
    {"cwd":"/proj/sub","hook_event_name":"PostToolUse","permission_mode":"bypassPermissions","tool_input":{"command":"cd sub","description":"d"},"tool_name":"Bash","tool_response":{"interrupted":false,"isImage":false,"noOutputExpected":true,"stderr":"","stdout":""},"tool_use_id":"toolu_0001"}
    {"cwd":"/proj/sub","hook_event_name":"PostToolBatch","permission_mode":"bypassPermissions","tool_calls":[{"tool_input":{"command":"cd sub","description":"d"},"tool_name":"Bash","tool_response":"(Bash completed with no output)","tool_use_id":"toolu_0001"}]}
    {"cwd":"/proj/sub","hook_event_name":"PreToolUse","permission_mode":"bypassPermissions","tool_input":{"command":"exit 3","description":"d"},"tool_name":"Bash","tool_use_id":"toolu_0002"}
    {"cwd":"/proj/sub","error":"Exit code 3","hook_event_name":"PostToolUseFailure","is_interrupt":false,"permission_mode":"bypassPermissions","tool_input":{"command":"exit 3","description":"d"},"tool_name":"Bash","tool_use_id":"toolu_0002"}
    {"cwd":"/proj/sub","hook_event_name":"PostToolBatch","permission_mode":"bypassPermissions","tool_calls":[{"tool_input":{"command":"exit 3","description":"d"},"tool_name":"Bash","tool_response":"Exit code 3","tool_use_id":"toolu_0002"}]}
    {"background_tasks":[],"cwd":"/proj/sub","hook_event_name":"Stop","last_assistant_message":"done","permission_mode":"bypassPermissions","session_crons":[],"stop_hook_active":false}
    {"custom_instructions":"be short","cwd":"/proj/sub","hook_event_name":"PreCompact","trigger":"manual"}
    {"cwd":"/proj/sub","hook_event_name":"SessionStart","model":"scripted","source":"compact"}
    {"cwd":"/proj/sub","hook_event_name":"SessionEnd","reason":"other"}
    "#);
    insta::assert_snapshot!(loose.join("\n"), @r#"
    {"cwd":"/proj","file_path":"/proj/CLAUDE.md","hook_event_name":"InstructionsLoaded","load_reason":"session_start","memory_type":"Project"}
    {"cwd":"/proj","file_path":"/proj/more.md","hook_event_name":"InstructionsLoaded","load_reason":"include","memory_type":"Project","parent_file_path":"/proj/CLAUDE.md"}
    {"cwd":"/proj/sub","hook_event_name":"CwdChanged","new_cwd":"/proj/sub","old_cwd":"/proj"}
    {"cwd":"/proj/sub","hook_event_name":"PostCompact","trigger":"manual"}
    "#);
}

#[test]
fn a_session_begins_with_hooks_that_are_always_shown() {
    let place = Place::new();
    place.hook(&json!({
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo the build is red" }] },
            { "matcher": "resume", "hooks": [{ "type": "command", "command": "echo welcome back" }] },
        ],
        "Stop": command("true"),
    }));
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e55";
    let mut host = place.start(&["--session-id", id]);
    host.say("@say hi");
    let frames = host.turn();
    assert_eq!(
        kinds(&frames),
        ["system/hook_started", "system/hook_response", "system/init", "assistant/text", "result/success"]
    );
    assert_eq!(frames[0]["hook_name"], "SessionStart:startup");
    assert_eq!(frames[0]["hook_id"], frames[1]["hook_id"]);
    assert_eq!((&frames[1]["stdout"], &frames[1]["exit_code"]), (&json!("the build is red\n"), &json!(0)));
    host.end();
    let reported = |lines: &[Value]| lines.iter().any(|line| line.to_string().contains("the build is red"));
    assert!(reported(&lines(&place.transcript(id))), "what the hook printed is for the model");
    let mut host = place.start(&["--resume", id]);
    host.say("@say again");
    assert_eq!(host.turn()[0]["hook_name"], "SessionStart:resume");
}

#[test]
fn a_hook_can_begin_the_conversation_and_name_it() {
    let place = Place::new();
    place.hook(&json!({ "SessionStart": prints(&specific("SessionStart", &json!({
        "initialUserMessage": "@say good morning", "sessionTitle": "Mornings",
    }))) }));
    let mut host = place.start(&[]);
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "good morning");
    assert!(
        frames
            .iter()
            .any(|frame| frame["subtype"] == "session_title_changed" && frame["title"] == "Mornings")
    );
}

#[test]
fn exit_code_2_forbids_a_call_and_other_codes_do_not() {
    let place = Place::new();
    place.hook(&json!({
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo not today >&2; exit 2" }] },
            { "matcher": "Glob", "hooks": [{ "type": "command", "command": "echo oh no >&2; exit 7" }] },
        ],
    }));
    let mut host = place.start(&[SKIP, "--include-hook-events"]);
    host.say(&format!("{}\n@tool Glob {{\"pattern\":\"*\"}}", bash("touch made")));
    let frames = host.turn();
    let results = tool_results(&frames);
    assert_eq!(results[0]["is_error"], true);
    assert_eq!(
        results[0]["content"],
        "PreToolUse:Bash hook error: [echo not today >&2; exit 2]: not today\n"
    );
    assert!(place.read("made").is_none());
    assert_ne!(results[1]["is_error"], true);
    let responses: Vec<_> = frames.iter().filter(|frame| frame["subtype"] == "hook_response").collect();
    assert_eq!((&responses[0]["exit_code"], &responses[0]["outcome"]), (&json!(2), &json!("error")));
    assert_eq!((&responses[1]["exit_code"], &responses[1]["stderr"]), (&json!(7), &json!("oh no\n")));
    assert!(frames.iter().all(|frame| frame["subtype"] != "informational"));
    let result = find(&frames, "result");
    assert_eq!(result["permission_denials"][0]["tool_name"], "Bash");
    assert_eq!(result["is_error"], false);
}

#[test]
fn a_hook_allows_with_another_input_and_adds_context() {
    let place = Place::new();
    place.hook(&json!({ "PreToolUse": prints(&specific("PreToolUse", &json!({
        "permissionDecision": "allow",
        "updatedInput": { "command": "touch other", "description": "d" },
        "additionalContext": "mind the gap",
    }))) }));
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e56";
    let mut host = place.start(&["--session-id", id]);
    host.say(&bash("touch made"));
    let frames = host.turn();
    let reported = frames.iter().find(|frame| frame["tool_result_meta"].is_array()).unwrap();
    let decision = json!({ "decision": "accept", "source": "hook", "reason_type": "hook" });
    assert_eq!(reported["tool_result_meta"][0]["permission_decision"], decision);
    assert!(place.read("other").is_some() && place.read("made").is_none());
    let transcript = lines(&place.transcript(id));
    let reminder = transcript.iter().find(|line| line["isMeta"] == true).unwrap();
    assert_eq!(
        reminder["message"]["content"][0]["text"],
        "<system-reminder>\nPreToolUse:Bash hook: mind the gap\n</system-reminder>"
    );
}

#[test]
fn what_a_hook_allows_a_rule_can_still_forbid() {
    let place = Place::new();
    place.hook(
        &json!({ "PreToolUse": prints(&specific("PreToolUse", &json!({ "permissionDecision": "allow" }))) }),
    );
    let mut host = place.start(&["--disallowed-tools", "Bash(touch:*)"]);
    host.say(&bash("touch made"));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    let asked = place.start(&["--settings", r#"{"permissions":{"ask":["Bash(touch:*)"]}}"#]);
    let mut host = asked;
    host.say(&bash("touch made"));
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    assert!(place.read("made").is_none());
}

#[test]
fn several_hooks_run_side_by_side_and_the_strictest_counts() {
    let place = Place::new();
    let word = |decision: &str, wait: &str, other: &str| {
        let answer = specific(
            "PreToolUse",
            &json!({ "permissionDecision": decision, "permissionDecisionReason": decision }),
        );
        json!({ "type": "command", "command": format!("touch {wait}; while [ ! -e {other} ]; do sleep 0.01; done; echo '{answer}'") })
    };
    // Each hook waits for the other: run sequentially, they would never exit.
    place.hook(&json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [
        word("deny", "first", "second"), word("allow", "second", "first"),
    ] }] }));
    let mut host = place.start(&[SKIP]);
    host.say(&bash("touch made"));
    assert_eq!(tool_results(&host.turn())[0]["content"], "PreToolUse:Bash hook error: deny");
    assert!(place.read("made").is_none());
}

#[test]
fn a_hook_that_hangs_or_fails_does_not_end_the_turn_and_a_guard_without_verdict_is_reported() {
    let place = Place::new();
    place.hook(&json!({
        "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "sleep 60", "timeout": 0.1 }] }],
        "PreToolUse": command("echo '{\"continue\": 7}'"),
        "PostToolUse": command("echo '{\"continue\": fal'"),
        "Stop": command("kill -9 $$"),
    }));
    let mut host = place.start(&[SKIP]);
    host.say(&format!("{}\n@say done", bash("touch made")));
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "done");
    assert!(place.read("made").is_some());
    let notes: Vec<&str> = frames
        .iter()
        .filter(|frame| frame["subtype"] == "informational")
        .map(|frame| frame["content"].as_str().unwrap())
        .collect();
    insta::assert_snapshot!(notes.join("\n"), @r#"
    PreToolUse:Bash hook failed: [echo '{"continue": 7}']: in its answer continue has another shape: 7
    "#);
}

#[test]
fn a_prompt_can_be_blocked_and_is_then_forgotten() {
    let place = Place::new();
    place.hook(
        &json!({ "UserPromptSubmit": command("grep -q secret && { echo no secrets >&2; exit 2; }; true") }),
    );
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e57";
    let mut host = place.start(&["--session-id", id]);
    host.say("@say a secret");
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["system/init", "system/informational", "result/success"]);
    assert_eq!(frames[1]["prevent_continuation"], true);
    assert_eq!(frames[1]["prompt_submit_outcome"]["kind"], "blocked_by_hook");
    assert_eq!(frames[1]["prompt_submit_outcome"]["reason"], "no secrets");
    assert_eq!((&frames[2]["num_turns"], &frames[2]["is_error"]), (&json!(0), &json!(false)));
    host.say("@say hi");
    assert_eq!(find(&host.turn(), "result")["result"], "hi");
    host.end();
    assert!(!std::fs::read_to_string(place.transcript(id)).unwrap().contains("a secret"));
}

#[test]
fn a_turn_ends_after_the_step_where_a_hook_wants_it() {
    let place = Place::new();
    place.hook(&json!({ "PostToolUse": prints(&json!({ "continue": false, "stopReason": "enough" })) }));
    let mut host = place.start(&[SKIP]);
    host.say(&format!("{}\n@say never said", bash("touch made")));
    let frames = host.turn();
    let result = find(&frames, "result");
    assert_eq!((&result["terminal_reason"], &result["is_error"]), (&json!("hook_stopped"), &json!(false)));
    assert_eq!(tool_results(&frames).len(), 1);
}

#[test]
fn a_stop_hook_can_make_the_model_continue() {
    let place = Place::new();
    let once = "if [ -e once ]; then cat > second.json; else touch once; echo run the tests >&2; exit 2; fi";
    place.hook(&json!({ "Stop": command(once) }));
    let mut host = place.start(&[]);
    host.say("@say one\n@say two");
    let frames = host.turn();
    assert_eq!(
        kinds(&frames),
        [
            "system/init",
            "assistant/text",
            "user/text",
            "system/notification",
            "assistant/text",
            "result/success"
        ]
    );
    assert_eq!(frames[2]["isSynthetic"], true);
    assert!(frames[2]["message"]["content"][0]["text"].as_str().unwrap().ends_with("run the tests\n"));
    assert_eq!((&frames[5]["result"], &frames[5]["num_turns"]), (&json!("two"), &json!(2)));
    let second: Value = serde_json::from_str(&place.read("second.json").unwrap()).unwrap();
    assert_eq!(
        (&second["stop_hook_active"], &second["last_assistant_message"]),
        (&json!(true), &json!("two"))
    );
}

#[test]
fn a_hook_that_never_lets_go_is_overruled() {
    let place = Place::new();
    place.hook(&json!({ "Stop": prints(&json!({ "decision": "block", "reason": "more" })) }));
    let mut host = place.start(&[]);
    host.say("@say one");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["terminal_reason"], "completed");
    assert_eq!(kinds(&frames).iter().filter(|kind| *kind == "user/text").count(), 9);
    assert!(frames.iter().any(|frame| frame["subtype"] == "informational"));
}

#[test]
fn a_hook_can_replace_and_block_a_result() {
    let place = Place::new();
    let output = json!({ "stdout": "[redacted]", "stderr": "", "interrupted": false, "isImage": false });
    let mut answer = specific("PostToolUse", &json!({ "updatedToolOutput": output }));
    answer["decision"] = "block".into();
    answer["reason"] = "that was a password".into();
    place.hook(&json!({ "PostToolUse": prints(&answer) }));
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e58";
    let mut host = place.start(&[SKIP, "--session-id", id]);
    host.say(&bash("echo hunter2"));
    assert_eq!(tool_results(&host.turn())[0]["content"], "[redacted]");
    host.end();
    let transcript = std::fs::read_to_string(place.transcript(id)).unwrap();
    assert!(transcript.contains("that was a password"));
}

#[test]
fn the_agent_does_not_wait_for_an_async_hook() {
    let place = Place::new();
    let go = "while [ ! -e go ]; do sleep 0.01; done";
    let late = |text: &str| specific("PreToolUse", &json!({ "additionalContext": text }));
    place.hook(&json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "command", "async": true, "command": format!("{go}; echo '{}'", late("by its settings")) },
        { "type": "command", "command": format!("echo '{{\"async\":true}}'; {go}; echo '{}'", late("by its word")) },
    ] }] }));
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e59";
    let mut host = place.start(&[SKIP, "--include-hook-events", "--session-id", id]);
    host.say(&bash("ls"));
    let frames = host.turn();
    assert!(!kinds(&frames).contains(&"system/hook_response".to_owned()));
    place.write("go", "");
    for _ in 0..2 {
        let response = host.until(|frame| frame["subtype"] == "hook_response").pop().unwrap();
        assert_eq!(response["outcome"], "success");
    }
    host.say("@say next");
    host.turn();
    host.end();
    let transcript = std::fs::read_to_string(place.transcript(id)).unwrap();
    assert!(transcript.contains("by its settings") && transcript.contains("by its word"));
}

#[test]
fn hooks_answer_in_the_users_place() {
    let place = Place::new();
    let allow = specific("PermissionRequest", &json!({ "decision": { "behavior": "allow" } }));
    let deny = specific(
        "PermissionRequest",
        &json!({ "decision": { "behavior": "deny", "message": "not this one" } }),
    );
    let script = format!("if grep -q good; then echo '{allow}'; else echo '{deny}'; fi");
    place.hook(&json!({ "PermissionRequest": command(&script) }));
    // Without a host to ask, and with a host that never answers.
    for arguments in [&[][..], &["--permission-prompt-tool", "stdio"]] {
        let mut host = place.start(arguments);
        host.say(&format!("{}\n{}", bash("touch good"), bash("touch bad")));
        let results = tool_results(&host.turn());
        assert_ne!(results[0]["is_error"], true, "{results:?}");
        assert_eq!(results[1]["content"], "not this one");
        assert!(place.read("good").is_some() && place.read("bad").is_none());
        std::fs::remove_file(place.project().join("good")).unwrap();
    }
}

#[test]
fn a_question_that_a_hook_answers_is_taken_back() {
    let place = Place::new();
    let allow = specific("PermissionRequest", &json!({ "decision": { "behavior": "allow" } }));
    place.hook(&json!({ "PermissionRequest": command(&format!("while [ ! -e go ]; do sleep 0.01; done; echo '{allow}'")) }));
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say(&bash("touch made"));
    let request = host.request();
    place.write("go", "");
    let frames = host.turn();
    let cancelled = find(&frames, "control_cancel_request");
    assert_eq!(cancelled["request_id"], request["request_id"]);
    assert!(place.read("made").is_some());
}

#[test]
fn only_a_decision_of_the_hook_takes_a_question_back() {
    let place = Place::new();
    let deny = specific("PermissionRequest", &json!({ "decision": { "behavior": "deny" } }));
    let script = format!("if grep -q first; then exit 2; else echo '{deny}'; fi");
    place.hook(&json!({ "PermissionRequest": command(&script) }));
    let mut host = place.start(&["--permission-prompt-tool", "stdio", "--include-hook-events"]);
    host.say(&bash("touch first"));
    let request = host.request();
    host.until(|frame| frame["subtype"] == "hook_response");
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    host.turn();
    assert!(place.read("first").is_some(), "exit code 2 leaves the call to the host");
    host.say(&bash("touch second"));
    let frames = host.turn();
    find(&frames, "control_cancel_request");
    assert!(!frames.iter().any(|frame| frame["subtype"] == "permission_denied"), "the host was asked");
    assert!(place.read("second").is_none());
}

#[test]
fn compaction_can_be_forbidden() {
    let place = Place::new();
    place.hook(&json!({ "PreCompact": command("echo keep it all >&2; exit 2") }));
    let mut host = place.start(&[]);
    host.say("@say one");
    host.turn();
    host.say("/compact");
    let frames = host.turn();
    let status = frames.iter().find(|frame| frame["compact_result"] == "failed").unwrap();
    let error = status["compact_error"].as_str().unwrap();
    assert!(error.starts_with("skipped: ") && error.ends_with("keep it all"), "{error}");
    let answer = find(&frames, "assistant");
    assert_eq!(answer["local_command_outcome"], json!({ "kind": "failed" }));
    assert!(answer["local_command_source"].as_str().unwrap().starts_with("<local-command-stderr>"));
    assert!(!kinds(&frames).contains(&"system/compact_boundary".to_owned()));
}

#[test]
fn an_interrupt_ends_a_hook_and_what_it_started() {
    let place = Place::new();
    place.hook(&json!({ "PreToolUse": command("sleep 600 & echo $! > child; wait") }));
    let mut host = place.start(&[SKIP, "--include-hook-events"]);
    host.say(&bash("touch made"));
    host.until(|frame| frame["subtype"] == "hook_started");
    let child: i32 = wait_for("the hook runs", || {
        place.read("child").and_then(|text| text.strip_suffix('\n')?.parse().ok())
    });
    host.send(
        &json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["terminal_reason"], "aborted_tools");
    let response = frames.iter().find(|frame| frame["subtype"] == "hook_response").unwrap();
    assert_eq!(response["outcome"], "cancelled");
    assert!(place.read("made").is_none());
    assert!(!std::path::Path::new(&format!("/proc/{child}")).exists(), "the hook's child lives on");
}

#[test]
fn hooks_of_a_folder_run_only_where_it_is_trusted() {
    let settings = json!({ "hooks": { "UserPromptSubmit": command("touch ran") } }).to_string();
    for file in [".claude/settings.json", ".claude/settings.local.json"] {
        let place = Place::new();
        place.write(file, &settings);
        let output = place.command(&["-p", "@say hi"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "hi\n");
        assert!(String::from_utf8_lossy(&output.stderr).contains("this folder is not trusted"));
        assert!(place.read("ran").is_none());
        place.trust();
        let output = place.command(&["-p", "@say hi"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(place.read("ran").is_some());
    }
}

#[test]
fn hooks_can_be_switched_off_but_not_by_a_folder_that_is_not_trusted() {
    let place = Place::new();
    place.hook(&json!({ "UserPromptSubmit": command("touch ran") }));
    place.write(".claude/settings.json", r#"{"disableAllHooks":true}"#);
    place.command(&["-p", "@say hi"]).output().unwrap();
    assert!(place.read("ran").is_some(), "a stranger's folder silenced the user's hook");
    std::fs::remove_file(place.project().join("ran")).unwrap();
    place.trust();
    place.command(&["-p", "@say hi"]).output().unwrap();
    assert!(place.read("ran").is_none());
}

#[test]
fn errors_are_reported_with_file_and_line_and_the_rest_works() {
    let place = Place::new();
    let text = "{ \"hooks\": {\n  \"Stopp\": [],\n  \"Stop\": [{ \"hooks\": [\n    { \"type\": \"command\" },\n    { \"type\": \"command\", \"command\": \"touch ran\" }\n  ] }]\n} }";
    place.write_home(".claude/settings.json", text);
    let file = place.home().join(".claude/settings.json").display().to_string();
    let output = place.command(&["-p", "@say hi"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).replace(&file, "FILE");
    insta::assert_snapshot!(stderr.trim_end(), @r"
    FILE:2: hooks.Stopp is not an event; its hooks never run
    FILE:4: hooks.Stop[0].hooks[0].command must be a command
    ");
    assert!(place.read("ran").is_some());
    let mut host = place.start(&[]);
    let listing = host.ask(&json!({ "subtype": "get_hooks_listing" }))["response"].clone();
    assert_eq!(listing["errors"].as_array().unwrap().len(), 2);
    assert_eq!(listing["events"][0]["name"], "Stop");
    assert_eq!(listing["hooks"][0]["commandText"], "touch ran");
    assert_eq!(listing["hooks"][0]["source"], "userSettings");
    assert_eq!(listing["policy"]["allDisabled"], false);
}

#[test]
fn a_hook_gets_the_project_folder_and_runs_when_its_rule_matches() {
    let place = Place::new();
    place.hook(&json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "command", "command": "echo \"$CLAUDE_PROJECT_DIR\" >> seen", "if": "Bash(mkdir:*)" },
        { "type": "command", "command": "echo never >> seen", "if": "Bash(git:*)" },
        { "type": "command", "command": "echo \"$CLAUDE_PROJECT_DIR\" >> seen", "if": "Bash(mkdir:*)" },
    ] }] }));
    let mut host = place.start(&[SKIP]);
    host.say(&bash("true && mkdir d"));
    host.turn();
    assert_eq!(place.read("seen").unwrap(), format!("{}\n", place.project().display()));
}

#[test]
fn the_end_of_a_session_is_reported_and_not_waited_for_long() {
    let place = Place::new();
    place.hook(&json!({ "SessionEnd": [{ "hooks": [
        { "type": "command", "command": "cat > end.json" },
        { "type": "command", "command": "sleep 60" },
    ] }] }));
    let mut host = place.start(&[]);
    host.say("/clear");
    host.turn();
    let cleared: Value = serde_json::from_str(&place.read("end.json").unwrap()).unwrap();
    assert_eq!(cleared["reason"], "clear");
    let (_, status) = host.end();
    assert!(status.success());
    let ended: Value = serde_json::from_str(&place.read("end.json").unwrap()).unwrap();
    assert_eq!(ended["reason"], "other");
    assert_ne!(ended["session_id"], cleared["session_id"]);
}

#[test]
fn tasks_of_the_model_can_be_forbidden() {
    let place = Place::new();
    place.hook(&json!({
        "TaskCreated": command("cat > created.json; grep -q forbidden created.json && { echo no >&2; exit 2; }; true"),
        "TaskCompleted": command("cat > completed.json; echo not yet >&2; exit 2"),
    }));
    let mut host = place.start(&[SKIP]);
    let create =
        |subject: &str| format!("@tool TaskCreate {}", json!({ "subject": subject, "description": "d" }));
    let done = "@tool TaskUpdate {\"taskId\":\"1\",\"status\":\"completed\"}";
    host.say(&format!("{}\n{}\n{done}\n@tool TaskList {{}}", create("forbidden"), create("fine")));
    let results = tool_results(&host.turn());
    let errors: Vec<bool> = results.iter().map(|result| result["is_error"] == true).collect();
    assert_eq!(errors, [true, false, true, false]);
    let list = results[3]["content"].to_string();
    assert!(list.contains("fine") && !list.contains("forbidden") && !list.contains("completed"), "{list}");
    let completed: Value = serde_json::from_str(&place.read("completed.json").unwrap()).unwrap();
    assert_eq!((&completed["task_id"], &completed["task_subject"]), (&json!("1"), &json!("fine")));
}

#[test]
fn a_prompt_that_is_interrupted_before_its_hooks_have_decided_is_forgotten() {
    let place = Place::new();
    place.hook(&json!({ "UserPromptSubmit": command("sleep 600") }));
    let id = "5a3d0a0e-6a52-4a53-8d0e-3c2f7a1b9e5a";
    let mut host = place.start(&["--include-hook-events", "--session-id", id]);
    host.say("@say a secret");
    host.until(|frame| frame["subtype"] == "hook_started");
    host.send(
        &json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["terminal_reason"], "aborted_streaming");
    host.end();
    assert!(!std::fs::read_to_string(place.transcript(id)).unwrap().contains("a secret"));
}

#[test]
fn a_project_is_set_up_before_the_session_begins() {
    let place = Place::new();
    let record = command("cat >> \"$CLAUDE_PROJECT_DIR/events.jsonl\"");
    place.hook(&json!({ "Setup": record, "SessionStart": record, "UserPromptSubmit": record }));
    let events = |arguments: &[&str]| {
        let _ = std::fs::remove_file(place.project().join("events.jsonl"));
        let output = place.command(arguments).stdin(std::process::Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let reported = reported(&place, "events.jsonl");
        let names = reported
            .iter()
            .map(|reported| (reported["hook_event_name"].clone(), reported["trigger"].clone()));
        (names.collect::<Vec<_>>(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (set_up, begun, asked) =
        (|why: &str| (json!("Setup"), json!(why)), (json!("SessionStart"), Value::Null), "UserPromptSubmit");
    let asked = (json!(asked), Value::Null);
    let all = vec![set_up("init"), begun.clone(), asked.clone()];
    assert_eq!(events(&["-p", "@say x", "--init"]), (all, "x\n".to_owned()));
    let all = vec![set_up("maintenance"), begun.clone(), asked.clone()];
    assert_eq!(events(&["-p", "@say x", "--maintenance"]), (all, "x\n".to_owned()));
    assert_eq!(events(&["--init-only"]), (vec![set_up("init"), begun.clone()], String::new()));
    assert_eq!(events(&["-p", "@say x"]).0, [begun, asked]);
}
