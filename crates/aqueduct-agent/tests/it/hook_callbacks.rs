//! Hooks of the host: it is called, and answers.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, tool_results};

const TOUCH: &str = "@tool Bash {\"command\":\"touch made\",\"description\":\"d\"}";

/// Starts a host that registers hooks.
fn hooked(place: &Place, arguments: &[&str], hooks: &Value) -> Host {
    let mut host = place.start(arguments);
    let answer = host.ask(&json!({ "subtype": "initialize", "hooks": hooks }));
    assert_eq!(answer["response"]["hooks_applied"], true);
    assert_eq!(answer["response"]["hook_on_failure_supported"], true);
    host
}

/// The next call of a hook, after what came before it.
fn called(host: &mut Host, id: &str) -> Value {
    let request = host.request();
    assert_eq!(request["request"]["subtype"], "hook_callback", "{request}");
    assert_eq!(request["request"]["callback_id"], id, "{request}");
    request
}

fn refuse(host: &mut Host, request: &Value) {
    host.send(&json!({ "type": "control_response", "response": {
        "subtype": "error", "request_id": request["request_id"], "error": "kaputt",
    } }));
}

#[test]
fn the_host_is_called_at_every_point_it_named() {
    let place = Place::new();
    let mut host = hooked(
        &place,
        &["--allowed-tools", "Bash"],
        &json!({
            "UserPromptSubmit": [{ "hookCallbackIds": ["prompt"] }],
            "PreToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["before"] }, { "matcher": "Read", "hookCallbackIds": ["never"] }],
            "PostToolUse": [{ "matcher": "Bash|Edit", "hookCallbackIds": ["after"] }],
            "Stop": [{ "hookCallbackIds": ["stop"] }],
        }),
    );
    host.say(TOUCH);
    let proceed = json!({ "continue": true });
    let prompt = called(&mut host, "prompt");
    assert_eq!(prompt["request"]["input"]["prompt"], TOUCH);
    host.answer(&prompt, &proceed);
    let before = called(&mut host, "before");
    let input = &before["request"]["input"];
    assert_eq!((&input["tool_name"], &input["hook_event_name"]), (&json!("Bash"), &json!("PreToolUse")));
    assert_eq!(input["tool_use_id"], before["request"]["tool_use_id"]);
    assert_eq!(input["cwd"], place.project().display().to_string());
    host.answer(&before, &proceed);
    let after = called(&mut host, "after");
    assert_eq!(after["request"]["input"]["tool_response"]["interrupted"], false);
    host.answer(&after, &json!({}));
    let stop = called(&mut host, "stop");
    assert_eq!(stop["request"]["input"]["stop_hook_active"], false);
    host.answer(&stop, &json!({}));
    assert_eq!(find(&host.turn(), "result")["terminal_reason"], "completed");
    assert!(place.read("made").is_some());
}

#[test]
fn a_hook_of_the_host_denies_asks_and_runs_async() {
    let place = Place::new();
    let arguments = ["--permission-prompt-tool", "stdio", "--allowed-tools", "Bash"];
    let mut host = hooked(&place, &arguments, &json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] }));
    let word = |decision: &str| {
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "policy",
        } })
    };
    host.say(TOUCH);
    let before = called(&mut host, "before");
    host.answer(&before, &word("deny"));
    let denied = tool_results(&host.turn());
    assert_eq!(denied[0]["content"], "PreToolUse:Bash hook error: policy");

    host.say(TOUCH);
    let before = called(&mut host, "before");
    host.answer(&before, &word("ask"));
    let asked = host.request();
    assert_eq!(asked["request"]["subtype"], "can_use_tool");
    assert_eq!(asked["request"]["decision_reason"], "policy");
    assert_eq!(asked["request"]["decision_reason_type"], "hook");
    host.answer(&asked, &json!({ "behavior": "deny", "message": "no" }));
    assert_eq!(tool_results(&host.turn())[0]["content"], "no");
    assert!(place.read("made").is_none());

    host.say(TOUCH);
    let before = called(&mut host, "before");
    host.answer(&before, &json!({ "async": true, "asyncTimeout": 1000 }));
    host.turn();
    assert!(place.read("made").is_some());
}

#[test]
fn decisions_about_a_file_get_its_real_path() {
    let place = Place::new();
    let arguments = ["--permission-prompt-tool", "stdio"];
    let hooks = json!({
        "PreToolUse": [{ "hookCallbackIds": ["before"] }],
        "PostToolUse": [{ "hookCallbackIds": ["after"] }],
    });
    let mut host = hooked(&place, &arguments, &hooks);
    let at = |name: &str| json!(place.project().join(name).display().to_string());
    let hooked_path = |request: &Value| request["request"]["input"]["tool_input"]["file_path"].clone();
    let asked_path = |request: &Value| request["request"]["input"]["file_path"].clone();

    host.say("@tool Write {\"file_path\":\"sub/../a.txt\",\"content\":\"x\"}");
    let before = called(&mut host, "before");
    assert_eq!(hooked_path(&before), at("a.txt"));
    let updated = json!({ "file_path": "./b.txt", "content": "y" });
    host.answer(
        &before,
        &json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "ask", "updatedInput": updated,
        } }),
    );
    let asked = host.request();
    assert_eq!(asked_path(&asked), at("b.txt"));
    host.answer(&asked, &json!({ "behavior": "allow" }));
    let after = called(&mut host, "after");
    assert_eq!(hooked_path(&after), at("b.txt"));
    host.answer(&after, &json!({}));
    host.turn();
    assert_eq!(place.read("b.txt").as_deref(), Some("y"));

    host.say("@tool Write {\"file_path\":\"../../etc/x\",\"content\":\"x\"}");
    let before = called(&mut host, "before");
    host.answer(&before, &json!({}));
    let asked = host.request();
    let reported = asked_path(&asked);
    assert!(
        reported.as_str().is_some_and(|reported| reported.starts_with('/') && !reported.contains("..")),
        "{reported}"
    );
    host.answer(&asked, &json!({ "behavior": "deny", "message": "no" }));
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["permission_denials"][0]["tool_input"]["file_path"], reported);
}

#[test]
fn a_call_can_be_put_off() {
    let place = Place::new();
    let mut host = hooked(&place, &[], &json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] }));
    let defer =
        json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "defer" } });
    host.say(TOUCH);
    let before = called(&mut host, "before");
    host.answer(&before, &defer);
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["result/success"]);
    assert_eq!(frames[0]["terminal_reason"], "tool_deferred");
    assert_eq!(frames[0]["deferred_tool_use"]["name"], "Bash");
    assert_eq!(frames[0]["is_error"], false);
    host.say("@say what now?");
    assert_eq!(find(&host.turn(), "result")["result"], "what now?");
}

#[test]
fn a_host_that_fails_costs_a_note_unless_it_wants_otherwise() {
    let place = Place::new();
    let arguments = ["--allowed-tools", "Bash"];
    let hooks = |more: &str| {
        let mut hook = json!({ "hookCallbackIds": ["before"] });
        if !more.is_empty() {
            hook["onFailure"] = more.into();
        }
        json!({ "PreToolUse": [hook] })
    };
    for (on_failure, runs) in [("", true), ("continue", true), ("block", false)] {
        let mut host = hooked(&place, &arguments, &hooks(on_failure));
        for rubbish in [false, true] {
            host.say(TOUCH);
            let before = called(&mut host, "before");
            if rubbish {
                host.answer(&before, &json!({ "continue": "seven" }));
            } else {
                refuse(&mut host, &before);
            }
            let frames = host.turn();
            let note = frames.iter().find(|frame| frame["subtype"] == "informational").unwrap();
            assert_eq!(note["tag"], "hook_callback_failed");
            assert_eq!(tool_results(&frames)[0]["is_error"], !runs, "{on_failure:?} {frames:?}");
            assert_eq!(place.read("made").is_some(), runs);
            let _ = std::fs::remove_file(place.project().join("made"));
        }
    }
}

#[test]
fn a_guard_that_times_out_blocks_the_call() {
    let place = Place::new();
    let mut host = hooked(
        &place,
        &["--allowed-tools", "Bash"],
        &json!({
            "PreToolUse": [{ "hookCallbackIds": ["before"], "timeout": 0.05 }],
        }),
    );
    host.say(TOUCH);
    let before = called(&mut host, "before");
    let frames = host.turn();
    assert_eq!(find(&frames, "control_cancel_request")["request_id"], before["request_id"]);
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    assert!(place.read("made").is_none());
}

#[test]
fn a_guard_that_has_disconnected_blocks_the_call() {
    let place = Place::new();
    let mut host = hooked(
        &place,
        &["--allowed-tools", "Bash"],
        &json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] }),
    );
    host.say(TOUCH);
    called(&mut host, "before");
    let (frames, _) = host.end();
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    assert!(place.read("made").is_none());
}

#[test]
fn an_interrupt_takes_the_call_of_a_hook_back() {
    let place = Place::new();
    let mut host = hooked(
        &place,
        &["--allowed-tools", "Bash"],
        &json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] }),
    );
    host.say(TOUCH);
    let before = called(&mut host, "before");
    host.send(
        &json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    assert_eq!(find(&frames, "control_cancel_request")["request_id"], before["request_id"]);
    assert_eq!(find(&frames, "result")["terminal_reason"], "aborted_tools");
    assert!(place.read("made").is_none());
}

#[test]
fn a_change_of_the_model_can_be_blocked_and_other_requests_do_not_wait() {
    let place = Place::new();
    let mut host = hooked(&place, &[], &json!({ "PreModelSwitch": [{ "hookCallbackIds": ["switch"] }] }));
    host.send(&json!({ "type": "control_request", "request_id": "s", "request": { "subtype": "set_model", "model": "opus" } }));
    let switch = called(&mut host, "switch");
    assert_eq!(switch["request"]["input"]["source"], "sdk");
    // The agent serves others while it waits for the hook.
    assert_eq!(host.ask(&json!({ "subtype": "get_binary_version" }))["subtype"], "success");
    host.answer(&switch, &json!({ "decision": "block", "reason": "stay" }));
    let refused = host.until(|frame| frame["response"]["request_id"] == "s").pop().unwrap();
    assert_eq!(refused["response"]["error_code"], "blocked_by_hook");
    host.say("/model sonnet");
    let switch = called(&mut host, "switch");
    assert_eq!(switch["request"]["input"]["source"], "command");
    host.answer(&switch, &json!({}));
    assert!(find(&host.turn(), "result")["result"].as_str().unwrap().contains("sonnet"));
}

#[test]
fn a_host_can_declare_the_folder_trusted() {
    let place = Place::new();
    let command = json!([{ "hooks": [{ "type": "command", "command": "touch ran" }] }]);
    place.write(".claude/settings.json", &json!({ "hooks": { "UserPromptSubmit": command } }).to_string());
    let mut host = place.start(&[]);
    let folder = place.project().display().to_string();
    host.ask(
        &json!({ "subtype": "initialize", "workspaceTrust": { "accepted": true, "directory": folder } }),
    );
    host.say("@say hi");
    host.turn();
    assert!(place.read("ran").is_some());
}
