//! Streams whose beginning was not seen.

use aqueduct_wire::assemble::Assembler;
use serde_json::{Value, json};

use super::*;

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
        with_id(
            json!({"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta", "text": "late"}}),
        ),
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
fn numbers_that_are_not_an_index() {
    for index in [json!(-1), json!(1.5), json!(1e300), json!(u64::MAX)] {
        let mut assembler = Assembler::new();
        let growth = json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": "x"}});
        assembler.push(&event(growth.clone()));
        assembler.push(&event(growth));
        assembler.push(&event(json!({"type": "content_block_stop", "index": index})));
        assert_eq!(assembler.message(None).unwrap().text(), "xx");
    }
}
