//! Conversations as they were.

use std::ops::ControlFlow;

use aqueduct_client::transcript::{
    ConversationStep, Message, ReadOptions, Speaker, Transcript, TranscriptError,
};
use aqueduct_wire::FromAgent;
use serde_json::{Value, json};

use super::room::{Room, assistant, boundary, call, result, side, talk, user, with};

fn uuids(transcript: &Transcript) -> Vec<String> {
    transcript.messages().map(|message| message.unwrap().uuid().to_owned()).collect()
}

/// The way through the first session, a word a step.
fn steps(room: &Room, options: &ReadOptions) -> Vec<String> {
    let mut steps = Vec::new();
    let _ = room
        .first()
        .walk(options, |step| {
            steps.push(match step {
                ConversationStep::Message { message, depth } => {
                    format!("{}{}", "  ".repeat(depth), message.uuid())
                }
                ConversationStep::SubagentBegins { subagent, depth } => {
                    let id = subagent.map_or("?", |subagent| subagent.id());
                    format!("{}<{id}", "  ".repeat(depth))
                }
                ConversationStep::SubagentEnds { depth } => format!("{}>", "  ".repeat(depth)),
                _ => panic!("an unknown step"),
            });
            ControlFlow::Continue(())
        })
        .unwrap();
    steps
}

fn frame(message: &Message) -> Value {
    serde_json::from_str(&message.frame().unwrap().to_line()).unwrap()
}

#[test]
fn the_conversation_is_the_chain_to_the_newest_message() {
    let room = Room::holding(&[
        user("u1", None, "one"),
        assistant("a1", Some("u1"), "two"),
        user("old", Some("a1"), "a way not taken"),
        assistant("older", Some("old"), "no"),
        json!({"type": "attachment", "uuid": "x", "parentUuid": "a1", "attachment": {"type": "date"}}),
        user("u2", Some("x"), "three"),
    ]);
    let transcript = room.open();
    assert_eq!(uuids(&transcript), ["u1", "a1", "u2"]);
    assert_eq!((transcript.len(), transcript.messages_beside()), (3, 2));
    let page: Vec<String> =
        transcript.page(1, 1).unwrap().iter().map(|message| message.uuid().to_owned()).collect();
    assert_eq!(page, ["a1"]);
    assert!(transcript.page(9, 9).unwrap().is_empty());
    let until = room.first().open_with(&ReadOptions::until("a1")).unwrap();
    assert_eq!(uuids(&until), ["u1", "a1"]);
    let unknown = room.first().open_with(&ReadOptions::until("unknown"));
    assert!(matches!(unknown, Err(TranscriptError::NoSuchMessage { .. })));
}

#[test]
fn a_message_keeps_its_line_and_is_a_frame() {
    let mut lines = talk();
    lines[0]["x_new"] = json!({"deep": [1e2]});
    lines.push(call("a2", Some("a1"), "t1", "Bash", json!({"command": "make"})));
    lines.push(result("r1", "a2", "t1", "red"));
    lines.push(with(user("n1", Some("r1"), "a note"), json!({"isMeta": true})));
    let room = Room::holding(&lines);
    let messages = room.open().page(0, 9).unwrap();
    assert_eq!(messages[0].line(), lines[0].to_string());
    assert!(messages[0].time().is_some());
    let speakers: Vec<Speaker> = messages.iter().map(Message::speaker).collect();
    use Speaker::{Assistant, Program, Tool, User};
    assert_eq!(speakers, [User, Assistant, Assistant, Tool, Program]);
    let frames: Vec<Value> = messages.iter().map(frame).collect();
    assert_eq!(frames[0]["message"]["content"], "Why is the build red?");
    assert_eq!(frames[0]["uuid"], "u1");
    assert_eq!(frames[2]["message"]["content"][0]["name"], "Bash");
    assert_eq!(frames[3]["tool_use_result"]["stdout"], "red");
    assert_eq!(frames[4]["isSynthetic"], true);
    assert!(frames.iter().all(|frame| frame["session_id"] == room.first().id()));
}

#[test]
fn an_input_during_the_work_is_a_prompt() {
    let room = Room::holding(&[
        user("u1", None, "go"),
        json!({"type": "attachment", "uuid": "q1", "parentUuid": "u1", "sessionId": "s",
            "attachment": {"type": "queued_command", "prompt": [{"type": "text", "text": "and the docs"}]}}),
        assistant("a1", Some("q1"), "both"),
    ]);
    let messages = room.open().page(0, 9).unwrap();
    assert_eq!(messages[1].speaker(), Speaker::User);
    assert_eq!(frame(&messages[1])["message"]["content"][0]["text"], "and the docs");
}

#[test]
fn a_compaction_is_a_place_in_the_conversation() {
    let room = Room::holding(&[
        user("u1", None, "one"),
        boundary("b", "u1"),
        with(user("sum", Some("b"), "summary"), json!({"isCompactSummary": true})),
        user("u2", Some("sum"), "two"),
    ]);
    let messages = room.open().page(0, 9).unwrap();
    assert_eq!(uuids(&room.open()), ["u1", "b", "sum", "u2"]);
    let boundary = messages[1].frame().unwrap();
    assert!(matches!(&boundary, FromAgent::System(_)));
    assert_eq!(frame(&messages[1])["compact_metadata"]["pre_tokens"], 900);
    let rest = room.first().open_with(&ReadOptions::since_compaction()).unwrap();
    assert_eq!(uuids(&rest), ["b", "sum", "u2"]);
}

#[test]
fn broken_lines_are_named_and_passed_over() {
    let [one, two] = talk().try_into().unwrap();
    let room = Room::new();
    room.write(1, format!("{one}\n{{\"type\":\"user\",\n\u{0}\n{two}\n{{\"torn"));
    let transcript = room.open();
    assert_eq!(uuids(&transcript), ["u1", "a1"]);
    assert_eq!(transcript.broken_lines(), 3);
    assert_eq!(transcript.broken().iter().map(|broken| broken.number).collect::<Vec<_>>(), [2, 3, 5]);
}

#[test]
fn subagents_are_shown_where_they_were_called() {
    let room = Room::holding(&[
        user("u1", None, "go"),
        call("a1", Some("u1"), "t1", "Agent", json!({})),
        result("r1", "a1", "t1", "started"),
        call("a2", Some("r1"), "t2", "Agent", json!({})),
        with(result("r2", "a2", "t2", "done"), json!({"toolUseResult": {"agentId": "by-result"}})),
        side(user("s1", None, "in the same file")),
    ]);
    let own = |uuid: &str| side(user(uuid, None, "inner"));
    let meta = json!({"toolUseId": "t1", "agentType": "Explore", "description": "look around"});
    room.subagent(
        "agent-by-call.jsonl",
        Some(meta),
        &[own("c1"), side(call("c2", Some("c1"), "t3", "Agent", json!({})))],
    );
    room.subagent("deep/er/agent-nested.jsonl", Some(json!({"toolUseId": "t3"})), &[own("n1")]);
    room.subagent("agent-by-result.jsonl", None, &[own("d1")]);
    room.subagent("agent-lost.jsonl", Some(json!([1])), &[own("l1")]);
    room.subagent("notes.txt", None, &[]);
    let expected = "u1 a1   <by-call   c1   c2     <nested     n1     >   > r1 a2   <by-result   d1   > r2   <lost   l1   >   <?   s1   >";
    assert_eq!(steps(&room, &ReadOptions::default()).join(" "), expected);
    let part = "u1 a1   <by-call   c1   c2     <nested     n1     >   > r1";
    assert_eq!(steps(&room, &ReadOptions::until("r1")).join(" "), part);
    let subagents = room.first().subagents().unwrap();
    assert_eq!(
        subagents.iter().map(|subagent| subagent.id()).collect::<Vec<_>>(),
        ["by-call", "by-result", "lost", "nested"]
    );
    assert_eq!(subagents[0].meta().agent_type.as_deref(), Some("Explore"));
}

#[test]
fn a_subagents_frames_name_its_call() {
    let room = Room::holding(&[user("u1", None, "go"), call("a1", Some("u1"), "t1", "Agent", json!({}))]);
    room.subagent("agent-x.jsonl", Some(json!({"toolUseId": "t1"})), &[side(user("c1", None, "inner"))]);
    let mut calls = Vec::new();
    let walked = room.first().walk(&ReadOptions::default(), |step| match step {
        ConversationStep::Message { message, depth: 1 } => {
            calls.push(frame(message)["parent_tool_use_id"].clone());
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    assert_eq!((calls, walked.unwrap()), (vec![json!("t1")], ControlFlow::Break(())));
}
