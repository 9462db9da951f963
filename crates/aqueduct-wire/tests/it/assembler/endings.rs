//! How messages end when something comes between.

use aqueduct_wire::assemble::{Assembler, MessageState};
use serde_json::json;

use super::*;

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
fn a_refusal_in_the_middle_of_a_message() {
    let fallback = frame(json!({
        "type": "system", "subtype": "model_refusal_fallback", "trigger": "refusal", "direction": "retry",
        "original_model": "m-1", "fallback_model": "m-2", "request_id": null, "content": "m-2 takes over",
        "retracted_message_uuids": ["a-1"], "uuid": "x-1", "session_id": "s-1",
    }));
    let story = play(&[
        message_start("msg_1"),
        text_start(0),
        assistant("msg_1", "a-1", text("I could")),
        block_stop(0),
        text_start(1),
        fallback,
        text_delta(1, "but"),
        message_start("msg_2"),
    ]);
    insta::assert_snapshot!(story, @r#"
    Started
    BlockStarted { block: 0 }
    Whole { blocks: [0] }
    BlockDone { block: 0 }
    BlockStarted { block: 1 }
    Retracted
      retracted ["a-1"]
    Grew { block: 0, part: Text, added: "but" }
    Started
    left: msg_2 Open
    "#);
}
