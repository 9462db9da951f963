//! Turns: what a host sees, and in which order.

use serde_json::json;

use crate::host::{Place, kinds, lines};

#[test]
fn a_turn_with_partial_messages() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@say hello world");
    insta::assert_snapshot!(kinds(&host.turn()).join("\n"), @r"
    system/init
    system/status
    stream_event/message_start
    stream_event/content_block_start
    stream_event/content_block_delta
    stream_event/content_block_delta
    assistant/text
    stream_event/content_block_stop
    stream_event/message_delta
    stream_event/message_stop
    result/success
    ");
    let (rest, status) = host.end();
    assert!(rest.is_empty(), "{rest:?}");
    assert!(status.success());
}

#[test]
fn every_turn_begins_with_init_and_ends_with_one_result() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for (index, text) in ["one", "two"].iter().enumerate() {
        host.say(&format!("@say {text}"));
        let frames = host.turn();
        assert_eq!(kinds(&frames), ["system/init", "assistant/text", "result/success"]);
        let result = &frames[2];
        assert_eq!(result["result"], *text);
        assert_eq!(result["is_error"], false);
        assert_eq!(result["terminal_reason"], "completed");
        assert_eq!(result["result_index"], index);
        assert_eq!(result["num_turns"], 1);
        assert_eq!(result["session_id"], frames[0]["session_id"]);
    }
}

#[test]
fn a_tool_that_no_host_can_allow_is_denied_and_the_turn_continues() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@tool Bash {\"command\":\"touch made\",\"description\":\"t\"}");
    let frames = host.turn();
    assert_eq!(
        kinds(&frames),
        [
            "system/init",
            "assistant/tool_use",
            "system/permission_denied",
            "user/tool_result",
            "assistant/text",
            "result/success"
        ]
    );
    assert_eq!(frames[5]["permission_denials"][0]["tool_name"], "Bash");
    assert!(!place.project().join("made").exists());
}

#[test]
fn the_host_allows_changes_or_denies() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch made\",\"description\":\"t\"}");
    let request = host.request();
    assert_eq!(request["request"]["subtype"], "can_use_tool");
    assert_eq!(request["request"]["tool_name"], "Bash");
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": { "command": "touch other" } }));
    host.turn();
    assert!(place.project().join("other").exists() && !place.project().join("made").exists());

    host.say("@tool Bash {\"command\":\"touch third\",\"description\":\"t\"}");
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "deny", "message": "not today" }));
    let frames = host.turn();
    assert_eq!(frames[0]["message"]["content"][0]["content"], "not today");
    assert_eq!(frames.last().map(|frame| &frame["result"]), Some(&json!("after: not today")));
    assert!(!place.project().join("third").exists());
}

#[test]
fn always_allowed_is_written_down_and_not_asked_again() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    let call = "@tool Bash {\"command\":\"mkdir folder\",\"description\":\"t\"}";
    host.say(call);
    let request = host.request();
    let update = json!({
        "type": "addRules",
        "rules": [{ "toolName": "Bash", "ruleContent": "mkdir folder" }],
        "behavior": "allow",
        "destination": "localSettings",
    });
    host.answer(
        &request,
        &json!({ "behavior": "allow", "updatedInput": { "command": "mkdir folder" }, "updatedPermissions": [update] }),
    );
    host.turn();
    let settings =
        std::fs::read_to_string(place.project().join(".claude/settings.local.json")).expect("settings");
    assert!(settings.contains("Bash(mkdir folder)"), "{settings}");
    host.say(call);
    let frames = host.turn();
    assert!(!kinds(&frames).contains(&"control_request/can_use_tool".to_owned()), "{:?}", kinds(&frames));
}

#[test]
fn an_interrupted_stream_is_closed_and_the_next_prompt_is_served() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 10000 0.01");
    host.until(|frame| frame["event"]["type"] == "content_block_delta");
    host.send(
        &json!({ "type": "control_request", "request_id": "i", "request": { "subtype": "interrupt" } }),
    );
    let frames = host.turn();
    let kinds: Vec<String> =
        kinds(&frames).into_iter().filter(|kind| kind != "stream_event/content_block_delta").collect();
    insta::assert_snapshot!(kinds.join("\n"), @r"
    control_response/success
    assistant/text
    user/text
    stream_event/content_block_stop
    stream_event/message_delta
    stream_event/message_stop
    result/error_during_execution
    ");
    let result = frames.last().expect("a result");
    assert_eq!(result["terminal_reason"], "aborted_streaming");
    host.say("@say alive");
    assert_eq!(host.turn().last().map(|frame| &frame["result"]), Some(&json!("alive")));
}

#[test]
fn bad_input_is_answered_and_the_conversation_continues() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for line in [
        "not json",
        "{\"type\":\"user\"}",
        "{\"type\":\"nonsense\"}",
        "[1,2]",
        "{\"type\":\"user\",\"message\":{\"role\":\"robot\",\"content\":\"x\"}}",
        "{\"no\":\"type\"}",
    ] {
        host.line(line);
        let frame = host.next().expect("a frame");
        assert_eq!(frame["type"], "error", "{line}: {frame}");
        assert!(frame["error"]["message"].as_str().is_some_and(|text| text.len() > 10), "{frame}");
    }
    host.line("");
    host.say("@say ok");
    assert_eq!(host.turn().last().map(|frame| &frame["result"]), Some(&json!("ok")));
}

#[test]
fn the_turn_is_finished_after_stdin_is_closed() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@slow 20 0.001");
    host.say("@say second");
    let (frames, status) = host.end();
    let results: Vec<_> = frames.iter().filter(|frame| frame["type"] == "result").collect();
    assert!(!results.is_empty() && results.iter().all(|result| result["is_error"] == false), "{frames:#?}");
    assert_eq!(results.last().map(|result| &result["result"]), Some(&json!("second")));
    assert!(status.success());
}

#[test]
fn a_prompt_with_a_known_uuid_is_served_once() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let prompt = json!({
        "type": "user",
        "uuid": "6d0b2c1a-3f52-4c88-9a0e-5b7f1c2d3e41",
        "message": { "role": "user", "content": "@say once" },
    });
    host.send(&prompt);
    host.until(|frame| frame["state"] == "completed");
    host.send(&prompt);
    let frame = host.next().expect("a frame");
    assert_eq!((&frame["type"], &frame["state"]), (&json!("command_lifecycle"), &json!("completed")));
    let (rest, _) = host.end();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn text_and_json_output() {
    let place = Place::new();
    let text = place.command(&["-p", "@say plain", "--model", "scripted"]).output().expect("output");
    assert_eq!(String::from_utf8_lossy(&text.stdout), "plain\n");
    let json = place
        .command(&["-p", "@say plain", "--output-format", "json", "--model=scripted"])
        .output()
        .expect("output");
    let result: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&result["type"], &result["result"]), (&json!("result"), &json!("plain")));
}

#[test]
fn a_stream_that_breaks_is_closed_and_what_was_shown_is_kept() {
    let place = Place::new();
    let session = "5d1f0c36-8d5a-4c0a-9f0e-0d9a8b7c6d5e";
    let mut host = place.start(&["--include-partial-messages", "--session-id", session]);
    host.say("@delta 4\n@error 2 invalid_request_error\n@say one two three four");
    let frames = host.turn();
    let kinds: Vec<String> =
        kinds(&frames).into_iter().filter(|kind| kind != "stream_event/content_block_delta").collect();
    insta::assert_snapshot!(kinds.join("\n"), @r"
    system/init
    system/status
    stream_event/message_start
    stream_event/content_block_start
    assistant/text
    stream_event/content_block_stop
    stream_event/message_delta
    stream_event/message_stop
    assistant/text
    result/success
    ");
    let kept = frames.iter().find(|frame| frame["type"] == "assistant").expect("what was shown");
    assert_eq!(
        (&kept["aborted"], &kept["message"]["content"][0]["text"]),
        (&json!(true), &json!("one two "))
    );
    assert_eq!(frames.last().map(|frame| &frame["is_error"]), Some(&json!(true)));
    let kept = lines(&place.transcript(session)).into_iter().any(|line| line["uuid"] == kept["uuid"]);
    assert!(kept, "what a host received is in the transcript");
}
