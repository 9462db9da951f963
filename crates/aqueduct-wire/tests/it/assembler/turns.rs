//! What a turn brings when all goes well.

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::{Assembler, BlockState};
use aqueduct_wire::event::StreamEvent;
use serde_json::{Value, json};

use super::*;

#[test]
fn a_turn_with_partial_messages() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "hello wo"),
        text_delta(0, "rld"),
        assistant("msg_1", "a-1", text("hello world")),
        block_stop(0),
        message_delta(Some("end_turn")),
        message_stop(),
        result(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "hello wo" }
    Grew { block: 0, part: Text, added: "rld" }
    Whole { blocks: [0] }
    BlockDone { block: 0 }
    MessageChanged
    MessageDone
    TurnEnded
      handed out msg_1 Complete end_turn
        Done {"type":"text","text":"hello world"} by a-1
    "#);
}

#[test]
fn thinking_and_its_signature() {
    let story = play(&[
        message_start("msg_1"),
        block_start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "let me "})),
        delta(0, json!({"type": "thinking_delta", "thinking": "see"})),
        delta(0, json!({"type": "signature_delta", "signature": "c2ln"})),
        block_stop(0),
        block_start(1, json!({"type": "redacted_thinking", "data": "xyz"})),
        block_stop(1),
        text_start(2),
        text_delta(2, "so"),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Thinking, added: "let me " }
    Grew { block: 0, part: Thinking, added: "see" }
    Grew { block: 0, part: Signature, added: "" }
    BlockDone { block: 0 }
    BlockStarted { block: 1 }
    BlockDone { block: 1 }
    BlockStarted { block: 2 }
    Grew { block: 2, part: Text, added: "so" }
    left: msg_1 Open
        Done {"type":"thinking","thinking":"let me see","signature":"c2ln"}
        Done {"type":"redacted_thinking","data":"xyz"}
        Open {"type":"text","text":"so"}
    "#);
}

#[test]
fn without_partial_messages_blocks_come_whole() {
    let story = play(&[
        assistant("msg_1", "a-1", tool("t-1", json!({"command": "echo a"}))),
        tool_result("t-1", false),
        assistant("msg_1", "a-2", tool("t-2", json!({"command": "echo b"}))),
        tool_result("t-2", false),
        assistant("msg_2", "a-3", text("same")),
        assistant("msg_2", "a-4", text("same")),
        result(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Whole { blocks: [0] }
    Whole { blocks: [1] }
    Whole { blocks: [0] }
      handed out msg_1 Complete
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"echo a"}} by a-1
        Done {"type":"tool_use","id":"t-2","name":"Bash","input":{"command":"echo b"}} by a-2
    Whole { blocks: [1] }
    TurnEnded
      handed out msg_2 Complete
        Done {"type":"text","text":"same"} by a-3
        Done {"type":"text","text":"same"} by a-4
    "#);
}

#[test]
fn an_assistant_frame_is_right_about_its_block() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "hel"),
        block_start(1, tool("t-1", json!({}))),
        json_delta(1, "{\"a\":"),
        block_start(2, tool("t-2", json!({}))),
        json_delta(2, "{}"),
        assistant("msg_1", "a-2", tool("t-2", json!({"b": 2}))),
        assistant("msg_1", "a-1", tool("t-1", json!({"a": 1}))),
        assistant("msg_1", "a-0", text("HELLO")),
        text_delta(0, "lo"),
        block_stop(2),
        block_stop(1),
        block_stop(0),
        message_stop(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "hel" }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Input, added: "{\"a\":" }
    BlockStarted { block: 2 }
    Grew { block: 2, part: Input, added: "{}" }
    Whole { blocks: [2] }
    Whole { blocks: [1] }
    Whole { blocks: [0] }
    BlockDone { block: 2 }
    BlockDone { block: 1 }
    BlockDone { block: 0 }
    MessageDone
    left: msg_1 Complete
        Done {"type":"text","text":"HELLO"} by a-0
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{"a":1}} by a-1
        Done {"type":"tool_use","id":"t-2","name":"Bash","input":{"b":2}} by a-2
    "#);
}

#[test]
fn assistant_frames_may_come_after_the_message() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "one"),
        block_stop(0),
        text_start(1),
        text_delta(1, "two"),
        block_stop(1),
        message_delta(Some("end_turn")),
        message_stop(),
        assistant("msg_1", "a-1", text("one")),
        assistant("msg_1", "a-2", text("two")),
        result(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "one" }
    BlockDone { block: 0 }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Text, added: "two" }
    BlockDone { block: 1 }
    MessageChanged
    MessageDone
    Whole { blocks: [0] }
    Whole { blocks: [1] }
    TurnEnded
      handed out msg_1 Complete end_turn
        Done {"type":"text","text":"one"} by a-1
        Done {"type":"text","text":"two"} by a-2
    "#);
}

#[test]
fn citations_and_server_tools() {
    let story = play(&[
        message_start("msg_1"),
        block_start(0, json!({"type": "server_tool_use", "id": "st-1", "name": "web_search", "input": {}})),
        json_delta(0, "{\"query\": \"rust\"}"),
        block_stop(0),
        block_start(1, json!({"type": "web_search_tool_result", "tool_use_id": "st-1", "content": []})),
        block_stop(1),
        block_start(2, json!({"type": "text", "text": "See ", "citations": [{"n": 1}]})),
        text_delta(2, "there."),
        delta(2, json!({"type": "citations_delta", "citation": {"n": 2}})),
        delta(2, json!({"type": "citations_delta", "citation": {"n": 3}})),
        block_stop(2),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Input, added: "{\"query\": \"rust\"}" }
    BlockDone { block: 0 }
    BlockStarted { block: 1 }
    BlockDone { block: 1 }
    BlockStarted { block: 2 }
    Grew { block: 2, part: Text, added: "there." }
    Grew { block: 2, part: Citations, added: "" }
    Grew { block: 2, part: Citations, added: "" }
    BlockDone { block: 2 }
    left: msg_1 Open
        Done {"type":"server_tool_use","id":"st-1","name":"web_search","input":{"query": "rust"}}
        Done {"type":"web_search_tool_result","tool_use_id":"st-1","content":[]}
        Done {"type":"text","text":"See there.","citations":[{"n":1},{"n":2},{"n":3}]}
    "#);
}

#[test]
fn unknown_things_are_kept() {
    let mut assembler = Assembler::new();
    for frame in [
        message_start("msg_1"),
        block_start(0, json!({"type": "hologram", "size": 3})),
        delta(0, json!({"type": "pixel_delta", "pixel": 1})),
        delta(0, json!({"type": "input_json_delta", "partial_json": "{\"x\":"})),
        delta(0, json!({"type": "pixel_delta", "pixel": 2})),
        event(json!({"type": "weather", "rain": true})),
        text_start(1),
        delta(1, json!({"type": "thinking_delta", "thinking": "what"})),
        delta(1, json!({"type": "text_delta", "text": 5})),
    ] {
        assembler.push(&frame);
    }
    let message = assembler.message(None).unwrap();
    let [hologram, text] = message.blocks() else { panic!("{message:?}") };
    assert_eq!(hologram.kind(), "hologram");
    assert_eq!(hologram.other_deltas().len(), 2);
    assert_eq!(hologram.input_json(), "{\"x\":");
    let others: Vec<&str> = text.other_deltas().iter().map(|delta| delta.tag()).collect();
    assert_eq!(others, ["thinking_delta", "text_delta"]);
    assert_eq!(text.text(), "");
    assert!(matches!(message.other_events(), [StreamEvent::Unknown(_)]));
}

#[test]
fn the_closing_usage_completes_the_opening_one() {
    let mut assembler = Assembler::new();
    let frames = [
        message_start("msg_1"),
        assistant("msg_1", "a-1", text("x")),
        message_delta(Some("end_turn")),
        message_stop(),
    ];
    for frame in &frames {
        assembler.push(frame);
    }
    let mut usage = String::new();
    let message = assembler.message(None).unwrap();
    aqueduct_wire::json::Json::write(message.head().usage.as_ref().unwrap(), &mut usage);
    let usage: Value = serde_json::from_str(&usage).unwrap();
    assert_eq!(usage, json!({"input_tokens": 10, "output_tokens": 7, "cache_read_input_tokens": 50}));
}

#[test]
fn halves_of_a_character_meet() {
    let piece = |token: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{token}"}}"#);
        let event = format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#);
        let line = format!(r#"{{"type":"stream_event","event":{event}}}"#);
        FromAgent::parse(&line).unwrap().into_owned()
    };
    let mut assembler = Assembler::new();
    assembler.push(&message_start("msg_1"));
    assembler.push(&text_start(0));
    let mut seen = Vec::new();
    for token in [r"a \\ud83d \ud83d", r"\ude00", r" b\n\\", r"\ud83d", "c", r"\ud83d"] {
        assembler.push(&piece(token));
        seen.push(assembler.message(None).unwrap().text());
    }
    let smile = "a \\ud83d \u{1f600}";
    assert_eq!(seen[0], "a \\ud83d ");
    assert_eq!(seen[1], smile);
    assert_eq!(seen[2], format!("{smile} b\n\\"));
    assert_eq!(seen[3], seen[2]);
    assert_eq!(seen[4], format!("{smile} b\n\\\u{fffd}c"));
    assert_eq!(seen[5], seen[4]);
    let mut json = String::new();
    aqueduct_wire::json::Json::write(&assembler.message(None).unwrap().blocks()[0].to_block(), &mut json);
    assert_eq!(json, r#"{"type":"text","text":"a \\ud83d \ud83d\ude00 b\n\\\ud83dc\ud83d"}"#);
}

#[test]
fn tool_input_can_be_read_as_it_comes() {
    let mut assembler = Assembler::new();
    assembler.push(&message_start("msg_1"));
    assembler.push(&block_start(0, tool("t-1", json!({}))));
    let mut seen = Vec::new();
    let input =
        |assembler: &Assembler| assembler.message(None).unwrap().blocks()[0].input_so_far().to_string();
    seen.push(input(&assembler));
    for piece in
        ["", "{\"comm", "and\": \"ls \\u00", "e9", " && pwd\", \"timeout\": 10", "00, \"flags\": [tr", "ue]}"]
    {
        assembler.push(&json_delta(0, piece));
        seen.push(input(&assembler));
    }
    assembler.push(&block_stop(0));
    insta::assert_snapshot!(seen.join("\n"), @r#"
    {}
    {}
    {}
    {"command": "ls "}
    {"command": "ls \u00e9"}
    {"command": "ls \u00e9 && pwd"}
    {"command": "ls \u00e9 && pwd", "timeout": 1000, "flags": []}
    {"command": "ls \u00e9 && pwd", "timeout": 1000, "flags": [true]}
    "#);
    assert_eq!(assembler.message(None).unwrap().blocks()[0].state(), BlockState::Done);
}
