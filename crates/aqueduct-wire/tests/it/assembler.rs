//! Scenarios: given these frames, this is the message so far.

use std::fmt::Write;

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::{Assembler, BlockState, ChangeKind, MAX_THREADS, MessageSoFar, MessageState};
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::json::IntoOwned;
use serde_json::{Value, json};

type Frame = FromAgent<'static>;

fn frame(value: Value) -> Frame {
    FromAgent::parse(&value.to_string()).unwrap().into_owned()
}

/// A stream event of the main conversation.
fn event(event: Value) -> Frame {
    event_of(None, event)
}

fn event_of(parent: Option<&str>, event: Value) -> Frame {
    frame(json!({
        "type": "stream_event", "event": event, "parent_tool_use_id": parent,
        "uuid": "e-1", "session_id": "s-1",
    }))
}

fn message_start(id: &str) -> Frame {
    event(start_event(id))
}

fn start_event(id: &str) -> Value {
    json!({"type": "message_start", "message": {
        "id": id, "type": "message", "role": "assistant", "model": "m-1", "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 50, "output_tokens": 1},
    }})
}

fn block_start(index: u64, block: Value) -> Frame {
    event(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn text_start(index: u64) -> Frame {
    block_start(index, json!({"type": "text", "text": ""}))
}

fn delta(index: u64, delta: Value) -> Frame {
    event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn text_delta(index: u64, text: &str) -> Frame {
    delta(index, json!({"type": "text_delta", "text": text}))
}

fn json_delta(index: u64, json: &str) -> Frame {
    delta(index, json!({"type": "input_json_delta", "partial_json": json}))
}

fn block_stop(index: u64) -> Frame {
    event(json!({"type": "content_block_stop", "index": index}))
}

fn message_delta(stop_reason: Option<&str>) -> Frame {
    event(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason, "stop_sequence": null},
        "usage": {"output_tokens": 7, "input_tokens": null},
    }))
}

fn message_stop() -> Frame {
    event(json!({"type": "message_stop"}))
}

fn assistant(id: &str, uuid: &str, block: Value) -> Frame {
    assistant_of(None, id, uuid, block, json!({}))
}

/// An `assistant` frame with one block and more members.
fn assistant_of(parent: Option<&str>, id: &str, uuid: &str, block: Value, more: Value) -> Frame {
    let mut value = json!({
        "type": "assistant",
        "message": {
            "id": id, "type": "message", "role": "assistant", "model": "m-1", "content": [block],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1},
        },
        "parent_tool_use_id": parent, "uuid": uuid, "session_id": "s-1",
    });
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    frame(value)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn tool(id: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": input})
}

fn user(content: Value) -> Frame {
    frame(json!({
        "type": "user", "message": {"role": "user", "content": content},
        "parent_tool_use_id": null, "uuid": "u-1", "session_id": "s-1",
    }))
}

fn interruption() -> Frame {
    user(json!([text("[Request interrupted by user]")]))
}

fn tool_result(id: &str, is_error: bool) -> Frame {
    user(json!([{"type": "tool_result", "tool_use_id": id, "content": "…", "is_error": is_error}]))
}

fn result() -> Frame {
    frame(json!({
        "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "num_turns": 1,
        "result": "", "session_id": "s-1", "uuid": "r-1",
    }))
}

/// Plays frames and writes down what each changed, what was handed out, and what is left at the end.
fn play(frames: &[Frame]) -> String {
    let mut assembler = Assembler::new();
    let mut story = String::new();
    for frame in frames {
        let change = assembler.push(frame);
        if change.kind != ChangeKind::Nothing || !change.finished.is_empty() {
            let thread = change.thread.map(|thread| format!("{thread}: ")).unwrap_or_default();
            writeln!(story, "{thread}{:?}", change.kind).unwrap();
        }
        if !change.retracted.is_empty() {
            writeln!(story, "  retracted {:?}", change.retracted).unwrap();
        }
        for message in &change.finished {
            write!(story, "  handed out {}", shown(message)).unwrap();
        }
    }
    for message in assembler.messages() {
        write!(story, "left: {}", shown(message)).unwrap();
    }
    story
}

fn shown(message: &MessageSoFar) -> String {
    let mut shown = message.id().unwrap_or("(no id)").to_owned();
    if let Some(parent) = message.parent() {
        write!(shown, " of {parent}").unwrap();
    }
    write!(shown, " {:?}", message.state()).unwrap();
    if let Some(reason) = &message.head().stop_reason {
        write!(shown, " {reason}").unwrap();
    }
    shown.push('\n');
    for block in message.blocks() {
        let mut json = String::new();
        aqueduct_wire::json::Json::write(&block.to_block(), &mut json);
        write!(shown, "    {:?} {json}", block.state()).unwrap();
        if let Some(uuid) = block.uuid() {
            write!(shown, " by {uuid}").unwrap();
        }
        for other in block.other_deltas() {
            write!(shown, " + {}", other.tag()).unwrap();
        }
        shown.push('\n');
    }
    shown
}

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
fn tool_input_can_be_read_as_it_comes() {
    let mut assembler = Assembler::new();
    assembler.push(&message_start("msg_1"));
    assembler.push(&block_start(0, tool("t-1", json!({}))));
    let mut seen = Vec::new();
    let input = |assembler: &Assembler| assembler.message(None).unwrap().blocks()[0].input_so_far().to_string();
    seen.push(input(&assembler));
    for piece in ["", "{\"comm", "and\": \"ls \\u00", "e9", " && pwd\", \"timeout\": 10", "00, \"flags\": [tr", "ue]}"] {
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
    Grew { block: 0, part: Other, added: "" }
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
fn an_interrupt_in_the_middle_of_a_message() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "w0 w1 "),
        assistant_of(None, "msg_1", "a-1", text("w0 w1 "), json!({"aborted": true})),
        interruption(),
        block_stop(0),
        message_delta(None),
        message_stop(),
        result(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "w0 w1 " }
    Whole { blocks: [0] }
    Interrupted
    BlockDone { block: 0 }
    MessageChanged
    MessageDone
    TurnEnded
      handed out msg_1 Interrupted
        Done {"type":"text","text":"w0 w1 "} by a-1
    "#);
}

#[test]
fn an_interrupt_after_which_nothing_closes_the_message() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "w0 w1 "),
        interruption(),
        result(),
        message_start("msg_2"),
        text_start(0),
        text_delta(0, "alive"),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "w0 w1 " }
    Interrupted
    TurnEnded
      handed out msg_1 Interrupted
        Incomplete {"type":"text","text":"w0 w1 "}
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "alive" }
    left: msg_2 Open
        Open {"type":"text","text":"alive"}
    "#);
}

#[test]
fn an_interrupt_while_a_tool_runs_leaves_the_message_complete() {
    let call = tool("t-1", json!({"command": "sleep 30"}));
    let notice = user(json!("[Request interrupted by user for tool use]"));
    let streamed = play(&[
        message_start("msg_1"),
        block_start(0, tool("t-1", json!({}))),
        json_delta(0, "{\"command\":\"sleep 30\"}"),
        assistant("msg_1", "a-1", call.clone()),
        block_stop(0),
        message_delta(Some("tool_use")),
        message_stop(),
        tool_result("t-1", true),
        notice.clone(),
        result(),
    ]);
    let whole = play(&[assistant("msg_1", "a-1", call), tool_result("t-1", true), notice, result()]);
    insta::assert_snapshot!(format!("{streamed}---\n{whole}"), @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Input, added: "{\"command\":\"sleep 30\"}" }
    Whole { blocks: [0] }
    BlockDone { block: 0 }
    MessageChanged
    MessageDone
    TurnEnded
      handed out msg_1 Complete tool_use
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"sleep 30"}} by a-1
    ---
    Whole { blocks: [0] }
    TurnEnded
      handed out msg_1 Complete
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"sleep 30"}} by a-1
    "#);
}

#[test]
fn subagents_write_at_the_same_time() {
    let of = |parent, value| event_of(Some(parent), value);
    let start = |parent, id| of(parent, start_event(id));
    let open = |parent| {
        of(parent, json!({"type": "content_block_start", "index": 0, "content_block": text("")}))
    };
    let grow = |parent, text| {
        let delta = json!({"type": "text_delta", "text": text});
        of(parent, json!({"type": "content_block_delta", "index": 0, "delta": delta}))
    };
    let story = play(&[
        message_start("msg_main"),
        start("t-1", "msg_a"),
        text_start(0),
        open("t-1"),
        start("t-2", "msg_b"),
        text_delta(0, "main "),
        open("t-2"),
        grow("t-1", "first "),
        grow("t-2", "second "),
        grow("t-1", "subagent"),
        text_delta(0, "text"),
        assistant_of(Some("t-1"), "msg_a", "a-1", text("first subagent"), json!({})),
        of("t-1", json!({"type": "content_block_stop", "index": 0})),
        of("t-1", json!({"type": "message_stop"})),
        tool_result("t-1", false),
        tool_result("t-2", true),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    t-1: Started
    BlockStarted { block: 0 }
    t-1: BlockStarted { block: 0 }
    t-2: Started
    Grew { block: 0, part: Text, added: "main " }
    t-2: BlockStarted { block: 0 }
    t-1: Grew { block: 0, part: Text, added: "first " }
    t-2: Grew { block: 0, part: Text, added: "second " }
    t-1: Grew { block: 0, part: Text, added: "subagent" }
    Grew { block: 0, part: Text, added: "text" }
    t-1: Whole { blocks: [0] }
    t-1: BlockDone { block: 0 }
    t-1: MessageDone
    Nothing
      handed out msg_a of t-1 Complete
        Done {"type":"text","text":"first subagent"} by a-1
    Nothing
      handed out msg_b of t-2 Incomplete
        Incomplete {"type":"text","text":"second "}
    left: msg_main Open
        Open {"type":"text","text":"main text"}
    "#);
}

#[test]
fn a_subagent_in_the_background_outlives_the_turn() {
    let story = play(&[
        assistant("msg_1", "a-1", tool("t-1", json!({}))),
        tool_result("t-1", false),
        event_of(Some("t-1"), start_event("msg_a")),
        tool_result("t-1", false),
        result(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Whole { blocks: [0] }
    t-1: Started
    TurnEnded
      handed out msg_1 Complete
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{}} by a-1
    left: msg_a of t-1 Open
    "#);
}

#[test]
fn a_refusal_takes_messages_back() {
    let fallback = frame(json!({
        "type": "system", "subtype": "model_refusal_fallback", "trigger": "refusal", "direction": "retry",
        "original_model": "m-1", "fallback_model": "m-2", "request_id": null, "content": "m-2 takes over",
        "retracted_message_uuids": ["a-1", "a-0"], "uuid": "x-1", "session_id": "s-1",
    }));
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "I could"),
        assistant("msg_1", "a-1", text("I could")),
        block_stop(0),
        text_start(1),
        text_delta(1, "but"),
        message_delta(Some("refusal")),
        message_stop(),
        fallback,
        message_start("msg_2"),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "I could" }
    Whole { blocks: [0] }
    BlockDone { block: 0 }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Text, added: "but" }
    MessageChanged
    MessageDone
    Retracted
      retracted ["a-1", "a-0"]
    Started
    left: msg_2 Open
    "#);
}

#[test]
fn a_frame_supersedes_others() {
    let story = play(&[
        assistant("msg_1", "a-1", text("one")),
        assistant("msg_1", "a-2", text("two")),
        assistant("msg_1", "a-3", text("three")),
        assistant_of(None, "msg_1", "a-4", text("TWO"), json!({"supersedes": ["a-2"]})),
        assistant_of(None, "msg_2", "a-5", text("all"), json!({"supersedes": ["a-1", "a-3", "a-4"]})),
    ]);
    insta::assert_snapshot!(story, @r#"
    Whole { blocks: [0] }
    Whole { blocks: [1] }
    Whole { blocks: [2] }
    Whole { blocks: [1] }
      retracted ["a-2"]
    Whole { blocks: [0] }
      retracted ["a-1", "a-3", "a-4"]
    left: msg_2 Open
        Done {"type":"text","text":"all"} by a-5
    "#);
}

#[test]
fn missing_ends() {
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        text_delta(0, "no stop"),
        text_start(1),
        text_delta(1, "stopped"),
        block_stop(1),
        message_stop(),
        message_start("msg_2"),
        text_start(0),
        text_delta(0, "cut"),
        message_start("msg_3"),
        text_start(0),
        text_delta(0, "first"),
        text_start(0),
        text_delta(0, "again"),
        result(),
        message_stop(),
        block_stop(0),
        message_delta(Some("end_turn")),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "no stop" }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Text, added: "stopped" }
    BlockDone { block: 1 }
    MessageDone
    Started
      handed out msg_1 Incomplete
        Incomplete {"type":"text","text":"no stop"}
        Done {"type":"text","text":"stopped"}
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "cut" }
    Started
      handed out msg_2 Incomplete
        Incomplete {"type":"text","text":"cut"}
    BlockStarted { block: 0 }
    Grew { block: 0, part: Text, added: "first" }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Text, added: "again" }
    TurnEnded
      handed out msg_3 Incomplete
        Incomplete {"type":"text","text":"first"}
        Incomplete {"type":"text","text":"again"}
    "#);
}

#[test]
fn a_broken_stream() {
    let mut assembler = Assembler::new();
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    for frame in [message_start("msg_1"), text_start(0), text_delta(0, "ha"), event(error)] {
        assembler.push(&frame);
    }
    let message = assembler.message(None).unwrap();
    assert_eq!(message.state(), MessageState::Incomplete);
    assert_eq!(message.error().unwrap().kind(), Some("overloaded_error"));
    assert_eq!(message.text(), "ha");
}

#[test]
fn a_client_that_comes_late() {
    let with_id = |value: Value| {
        frame(json!({
            "type": "stream_event", "event": value, "parent_tool_use_id": null, "uuid": "e-1",
            "session_id": "s-1", "api_message_id": "msg_1",
        }))
    };
    let story = play(&[
        block_stop(6),
        message_stop(),
        delta(2, json!({"type": "thinking_delta", "thinking": "…so"})),
        block_stop(2),
        delta(3, json!({"type": "input_json_delta", "partial_json": "s -l\"}"})),
        assistant("msg_1", "a-3", tool("t-1", json!({"command": "ls -l"}))),
        block_stop(3),
        text_start(4),
        text_delta(4, "done"),
        block_stop(4),
        message_delta(Some("end_turn")),
        message_stop(),
        result(),
        with_id(json!({"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta", "text": "late"}})),
        with_id(json!({"type": "message_stop"})),
    ]);
    insta::assert_snapshot!(story, @r#"
    Grew { block: 0, part: Thinking, added: "…so" }
    BlockDone { block: 0 }
    Grew { block: 1, part: Input, added: "s -l\"}" }
    Whole { blocks: [1] }
    BlockDone { block: 1 }
    BlockStarted { block: 2 }
    Grew { block: 2, part: Text, added: "done" }
    BlockDone { block: 2 }
    MessageChanged
    MessageDone
    TurnEnded
      handed out msg_1 Incomplete end_turn
        Incomplete {"type":"thinking","thinking":"…so"}
        Done {"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"ls -l"}} by a-3
        Done {"type":"text","text":"done"}
    "#);
}

#[test]
fn a_client_that_comes_between_two_blocks() {
    let story = play(&[
        assistant("msg_1", "a-1", text("one")),
        block_stop(0),
        text_start(1),
        text_delta(1, "tw"),
        assistant("msg_1", "a-2", text("two")),
        block_stop(1),
        message_delta(Some("end_turn")),
        message_stop(),
    ]);
    insta::assert_snapshot!(story, @r#"
    Whole { blocks: [0] }
    BlockStarted { block: 1 }
    Grew { block: 1, part: Text, added: "tw" }
    Whole { blocks: [1] }
    BlockDone { block: 1 }
    MessageChanged
    MessageDone
    left: msg_1 Incomplete end_turn
        Done {"type":"text","text":"one"} by a-1
        Done {"type":"text","text":"two"} by a-2
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
fn the_closing_usage_completes_the_opening_one() {
    let mut assembler = Assembler::new();
    let frames =
        [message_start("msg_1"), assistant("msg_1", "a-1", text("x")), message_delta(Some("end_turn")), message_stop()];
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
fn a_reset_ends_everything() {
    let reset = frame(json!({
        "type": "conversation_reset", "new_conversation_id": "c-2", "uuid": "x-1", "session_id": "s-1",
    }));
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        event_of(Some("t-1"), start_event("msg_a")),
        reset,
        message_start("msg_2"),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    t-1: Started
    Reset
      handed out msg_1 Incomplete
        Incomplete {"type":"text","text":""}
      handed out msg_a of t-1 Incomplete
    Started
    left: msg_2 Open
    "#);
}

#[test]
fn threads_are_bounded() {
    let mut assembler = Assembler::new();
    let name = |n: usize| format!("t-{n}");
    for n in 0..MAX_THREADS {
        let start = event_of(Some(&name(n)), start_event(&format!("msg_{n}")));
        assert_eq!(assembler.push(&start).finished, []);
    }
    assembler.push(&event_of(Some("t-7"), json!({"type": "message_stop"})));
    let mut evicted = Vec::new();
    for n in MAX_THREADS..MAX_THREADS + 3 {
        let start = event_of(Some(&name(n)), start_event("x"));
        let change = assembler.push(&start);
        evicted.extend(change.finished.iter().map(|message| (message.parent().unwrap().to_owned(), message.state())));
    }
    let expected = [
        ("t-7".to_owned(), MessageState::Complete),
        ("t-0".to_owned(), MessageState::Incomplete),
        ("t-1".to_owned(), MessageState::Incomplete),
    ];
    assert_eq!(evicted, expected);
    assert_eq!(assembler.messages().count(), MAX_THREADS);
    assert_eq!(assembler.reset().len(), MAX_THREADS);
    assert_eq!(assembler.messages().count(), 0);
}

#[test]
fn numbers_that_are_no_index() {
    for index in [json!(-1), json!(1.5), json!(1e300), json!(u64::MAX)] {
        let mut assembler = Assembler::new();
        let growth = json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": "x"}});
        assembler.push(&event(growth.clone()));
        assembler.push(&event(growth));
        assembler.push(&event(json!({"type": "content_block_stop", "index": index})));
        assert_eq!(assembler.message(None).unwrap().text(), "xx");
    }
}
