//! Subagents.

use aqueduct_wire::assemble::{Assembler, MAX_THREADS, MessageState};
use serde_json::json;

use super::*;

#[test]
fn subagents_write_at_the_same_time() {
    let of = |parent, value| event_of(Some(parent), value);
    let start = |parent, id| of(parent, start_event(id));
    let open =
        |parent| of(parent, json!({"type": "content_block_start", "index": 0, "content_block": text("")}));
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
        evicted.extend(
            change.finished.iter().map(|message| (message.parent().unwrap().to_owned(), message.state())),
        );
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
