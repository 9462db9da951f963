//! Any frames in any order: the assembler never panics, and what it shows always holds together.
//!
//! The input is read four bytes at a time: which frame, whose, which block, which text.

#![no_main]

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::{Assembler, BlockState, ChangeKind, MAX_THREADS, MessageSoFar, MessageState};
use aqueduct_wire::json::{Json, Raw};
use libfuzzer_sys::fuzz_target;

/// What deltas may bring, as the inside of a JSON string.
const TEXTS: [&str; 16] = [
    "",
    "hello ",
    r#"{\"path\": \"src"#,
    r#"/main.rs\", "#,
    r#"\"lines\": [1, 2"#,
    "3], ",
    r#"\"ok\": tr"#,
    "ue}",
    r"\ud83d",
    r"\ude00",
    r"\\u00",
    r"e9\\",
    r#"\"\\ud8"#,
    r"\n\r\t",
    "[[[{",
    "}]]],",
];
const PARENTS: [&str; 4] = ["null", "\"t-1\"", "\"t-2\"", "7"];
const IDS: [&str; 4] = ["msg_1", "msg_2", "msg_3", "msg_4"];
const INDEXES: [&str; 6] = ["0", "1", "2", "1e2", "-1", "18446744073709551616"];
const BLOCKS: [&str; 8] = [
    r#"{"type":"text","text":""}"#,
    r#"{"type":"text","text":"a","citations":[{"n":1}]}"#,
    r#"{"type":"thinking","thinking":"","signature":""}"#,
    r#"{"type":"redacted_thinking","data":"x"}"#,
    r#"{"type":"tool_use","id":"t-1","name":"Bash","input":{}}"#,
    r#"{"type":"tool_use","id":"t-2","name":"Bash","input":{"a":1}}"#,
    r#"{"type":"server_tool_use","id":"s-1","name":"web_search","input":{}}"#,
    r#"{"type":"hologram"}"#,
];

fuzz_target!(|data: &[u8]| {
    let mut assembler = Assembler::new();
    for instruction in data.as_chunks::<4>().0.iter().take(400) {
        let line = line(instruction);
        let Ok(frame) = FromAgent::parse(&line) else { panic!("{line} is not a frame") };
        let is_result = frame.tag() == "result";
        let change = assembler.push(&frame);
        for message in &change.finished {
            check(message);
            assert_ne!(message.state(), MessageState::Open);
            assert!(message.blocks().iter().all(|block| block.state() != BlockState::Open));
        }
        let blocks = assembler.message(change.thread).map_or(&[][..], MessageSoFar::blocks);
        match change.kind {
            ChangeKind::BlockStarted { block }
            | ChangeKind::Grew { block, .. }
            | ChangeKind::BlockDone { block } => assert!(block < blocks.len()),
            ChangeKind::Whole { blocks: places } => {
                assert!(places.iter().all(|place| blocks[*place].is_whole()));
            }
            _ => {}
        }
        if let Some(message) = assembler.message(change.thread) {
            check(message);
        }
        assert!(!is_result || assembler.message(None).is_none());
        assert!(assembler.messages().count() <= MAX_THREADS + 1);
    }
    assembler.reset().iter().for_each(check);
    assert_eq!(assembler.messages().count(), 0);
});

fn check(message: &MessageSoFar) {
    let mut json = String::new();
    message.to_message().write(&mut json);
    assert!(Raw::parse(&json).is_ok(), "{json}");
    for block in message.blocks() {
        assert!(Raw::parse(block.input_so_far().as_str()).is_ok());
        let grown = block.text().len() + block.input_json().len() + block.kind().len();
        std::hint::black_box(grown);
    }
}

fn line(&[what, whose, index, text]: &[u8; 4]) -> String {
    fn pick<'t>(list: &[&'t str], byte: u8) -> &'t str {
        list[usize::from(byte) % list.len()]
    }
    let parent = pick(&PARENTS, whose);
    let id = pick(&IDS, whose >> 2);
    let uuid = whose >> 4;
    let index_name = pick(&INDEXES, index);
    let block = pick(&BLOCKS, text);
    let text = pick(&TEXTS, text);
    let event = |event: String| {
        let id = if index >= 128 { format!(r#","api_message_id":"{id}""#) } else { String::new() };
        format!(r#"{{"type":"stream_event","parent_tool_use_id":{parent},"event":{event}{id}}}"#)
    };
    let delta = |kind: &str, key: &str| {
        event(format!(
            r#"{{"type":"content_block_delta","index":{index_name},"delta":{{"type":"{kind}","{key}":"{text}"}}}}"#
        ))
    };
    let assistant = |more: &str| {
        format!(
            r#"{{"type":"assistant","parent_tool_use_id":{parent},"uuid":"a-{uuid}","message":{{"id":"{id}","content":[{block}]}}{more}}}"#
        )
    };
    match what % 22 {
        0 => event(format!(r#"{{"type":"message_start","message":{{"id":"{id}","content":[]}}}}"#)),
        1 => {
            event(format!(r#"{{"type":"content_block_start","index":{index_name},"content_block":{block}}}"#))
        }
        2 => delta("text_delta", "text"),
        3 => delta("thinking_delta", "thinking"),
        4 => delta("signature_delta", "signature"),
        5 | 6 => delta("input_json_delta", "partial_json"),
        7 => delta("citations_delta", "citation"),
        8 => delta("pixel_delta", "pixel"),
        9 => event(format!(r#"{{"type":"content_block_stop","index":{index_name}}}"#)),
        10 => event(format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"{text}"}},"usage":{{"output_tokens":{index},"more":{index}}}}}"#
        )),
        11 => event(r#"{"type":"message_stop"}"#.to_owned()),
        12 => event(r#"{"type":"error","error":{"type":"overloaded_error"}}"#.to_owned()),
        13 => event(format!(r#"{{"type":"weather","text":"{text}"}}"#)),
        14 => assistant(""),
        15 => assistant(r#","aborted":true"#),
        16 => assistant(&format!(r#","supersedes":["a-{}","a-1"]"#, index % 16)),
        17 => format!(
            r#"{{"type":"user","parent_tool_use_id":{parent},"message":{{"content":"[Request interrupted by user]"}}}}"#
        ),
        18 => format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":{parent},"is_error":{}}}]}}}}"#,
            index >= 128
        ),
        19 => r#"{"type":"result","subtype":"success"}"#.to_owned(),
        20 => format!(
            r#"{{"type":"system","subtype":"model_refusal_fallback","original_model":"a","fallback_model":"b","retracted_message_uuids":["a-{}"]}}"#,
            index % 16
        ),
        _ => r#"{"type":"conversation_reset","new_conversation_id":"c-2"}"#.to_owned(),
    }
}
