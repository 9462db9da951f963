//! What is known of a message only when it ends.

use aqueduct_wire::usage::Usage;

use super::*;

/// Writes a block of a message that has not ended.
fn block(transcript: &mut TranscriptWriter, uuid: &str, id: &str, text: &str) {
    let usage = json!({"input_tokens": 10, "output_tokens": 1, "service_tier": "standard"});
    let message = json!({"id": id, "type": "message", "role": "assistant", "model": "m", "stop_reason": null,
        "stop_sequence": null, "content": [{"type": "text", "text": text}], "usage": usage});
    let raw = Raw::from_serialize(&message).unwrap();
    let mut line = AssistantLine::new(uuid, &raw);
    line.open_message = Some(id);
    transcript.assistant(&line).unwrap();
}

fn used(output: u64) -> Usage<'static> {
    let mut usage = Usage::new();
    usage.input_tokens = Some(10u64.into());
    usage.output_tokens = Some(output.into());
    usage
}

/// Why the messages of the file ended, and with how many tokens.
fn ends(room: &Room) -> Vec<(Value, Value)> {
    let text = room.text();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers = lines.filter(|line| line["type"] == "assistant");
    answers
        .map(|line| {
            let message = &line["message"];
            (message["stop_reason"].clone(), message["usage"]["output_tokens"].clone())
        })
        .collect()
}

#[test]
fn every_line_of_a_message_has_its_end() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    say(&mut transcript, "u1").unwrap();
    block(&mut transcript, "a1", "m1", "one");
    block(&mut transcript, "a2", "m1", "two");
    assert_eq!(ends(&room), vec![(Value::Null, json!(1)); 2]);
    let before = room.text().len();
    // Others write in between.
    let (mut other, _) = room.resume();
    say(&mut other, "x1").unwrap();
    transcript.settle(Some("end_turn"), &used(123_456));
    assert_eq!(ends(&room), vec![(json!("end_turn"), json!(123_456)); 2]);
    assert!(room.text().len() > before);
    // A later message leaves them alone.
    block(&mut transcript, "a3", "m2", "three");
    transcript.settle(Some("tool_use"), &used(7));
    assert_eq!(ends(&room)[1..], [(json!("end_turn"), json!(123_456)), (json!("tool_use"), json!(7))]);
    drop(transcript);
    assert_eq!(room.uuids(), ["u1", "a1", "a2", "a3"]);
}

#[test]
fn the_end_is_written_within_one_page() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    for number in 0..200 {
        let text = "x".repeat(number * 37 % 5_000);
        block(&mut transcript, &format!("a{number}"), &format!("m{number}"), &text);
        let start = room.text().rfind("\"stop_reason\"").unwrap();
        transcript.settle(Some("model_context_window_exceeded"), &used(u64::from(u32::MAX)));
        let end = start + room.text()[start..].find(" }").unwrap();
        assert_eq!(start / 4096, end / 4096, "{number}");
    }
    assert_eq!(ends(&room), vec![(json!("model_context_window_exceeded"), json!(u32::MAX)); 200]);
}

#[test]
fn what_does_not_fit_is_left_out_but_never_the_counts() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    block(&mut transcript, "a1", "m1", "one");
    let mut usage = used(42);
    usage.iterations = Some(vec![Raw::from_serialize(&"x".repeat(2_000)).unwrap()]);
    transcript.settle(Some("end_turn"), &usage);
    assert_eq!(ends(&room), [(json!("end_turn"), json!(42))]);
}

#[test]
fn a_file_that_is_another_one_now_is_left_alone() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    block(&mut transcript, "a1", "m1", "one");
    let text = room.text();
    let other = "y".repeat(text.len());
    room.write(&other);
    transcript.settle(Some("end_turn"), &used(2));
    assert_eq!(room.text(), other);
    fs::remove_file(room.file()).unwrap();
    room.write(&text);
    transcript.settle(Some("end_turn"), &used(3));
    assert_eq!(room.text(), text);
}

#[test]
fn a_mirror_is_sent_the_final_lines() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    let mirror = Mirror::default();
    transcript.mirror_to(mirror.clone(), false).unwrap();
    say(&mut transcript, "u1").unwrap();
    block(&mut transcript, "a1", "m1", "one");
    say(&mut transcript, "u2").unwrap();
    let sent = || -> Vec<Value> {
        let taken = mirror.take();
        taken.iter().flat_map(|(_, lines)| lines).map(|line| line.to().unwrap()).collect()
    };
    assert_eq!(sent().len(), 1, "what is behind an unfinished line waits with it");
    transcript.settle(Some("end_turn"), &used(9));
    let lines: Vec<Value> = room.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(sent(), lines[1..]);
    // A message that was cut off is sent as it is.
    block(&mut transcript, "a2", "m2", "two");
    assert!(sent().is_empty());
    transcript.close_message();
    assert_eq!(sent().len(), 1);
}
