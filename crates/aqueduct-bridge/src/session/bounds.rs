//! An agent that names things without end, or with ids without end, takes bounded memory.

use aqueduct_wire::FromAgent;
use serde_json::{Value, json};

use super::translate::{REMEMBERED_BYTES, Translator};

fn frame_outputs(translator: &mut Translator, frame: &Value) -> usize {
    let line = frame.to_string();
    let mut outputs = Vec::new();
    translator.frame(FromAgent::parse_kept(&line).unwrap(), 0, &mut outputs);
    outputs.len()
}

fn call(answer: &str, id: &str, name: &str) -> Value {
    let content = json!([{"type": "tool_use", "id": id, "name": name, "input": {}}]);
    let message = json!({"id": answer, "role": "assistant", "content": content});
    json!({"type": "assistant", "message": message, "session_id": "s"})
}

#[test]
fn calls_and_answers_are_remembered_up_to_a_limit() {
    let mut translator = Translator::default();
    for number in 0..2000 {
        frame_outputs(&mut translator, &call(&format!("m{number}"), &format!("t{number}"), "Bash"));
        assert!(translator.calls().len() <= 256);
    }
}

/// Clients still get its whole output.
#[test]
fn ids_without_end_are_not_remembered() {
    let mut translator = Translator::default();
    let long = "x".repeat(REMEMBERED_BYTES + 1);
    assert_eq!(frame_outputs(&mut translator, &call(&long, "t1", &long)), 1);
    assert_eq!(frame_outputs(&mut translator, &call("m1", &long, "Bash")), 1);
    assert!(translator.calls().is_empty());
    let start = json!({"type": "message_start", "message": {"id": long, "role": "assistant", "model": long, "content": []}});
    let delta =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a"}});
    for event in [start, delta] {
        let frame =
            json!({"type": "stream_event", "event": event, "parent_tool_use_id": null, "session_id": "s"});
        frame_outputs(&mut translator, &frame);
    }
    let partials = translator.partials();
    assert_eq!((partials.len(), &partials[0].message_id, &partials[0].model), (1, &None, &None));
}
