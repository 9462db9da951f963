//! What large answers, files and transcripts cost in memory: a small multiple of what has to be held.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};

use serde_json::{Value, json};

use crate::host::{Host, Place};

const ID: &str = "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6d01";

/// How large what is held is. Below that the program itself is most of what is measured.
const HELD: u64 = 8 << 20;

/// The most memory that the agent has had, in bytes.
fn peak(host: &Host) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", host.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() * 1024
}

/// The peak of an agent that has answered this prompt.
fn peak_after(host: &mut Host, prompt: &str) -> u64 {
    host.say(prompt);
    let result = host.turn().pop().unwrap();
    assert_eq!(result["is_error"], false, "{result}");
    peak(host)
}

/// How many times what is held an agent needs beyond what it needs anyway.
fn times(peak: u64, held: u64) -> f64 {
    let place = Place::new();
    let anyway = peak_after(&mut place.start(&[]), "@say little");
    peak.saturating_sub(anyway) as f64 / held as f64
}

#[test]
fn a_large_answer_is_held_a_few_times() {
    for arguments in [[].as_slice(), &["--include-partial-messages"]] {
        let place = Place::new();
        let mut host = place.start(arguments);
        let times = times(peak_after(&mut host, &format!("@flood {HELD} 60000")), HELD);
        assert!(times < 5.5, "{times} times with {arguments:?}");
    }
}

#[test]
fn an_edit_holds_a_large_file_a_few_times() {
    let place = Place::new();
    let file = place.project().join("large");
    let mut text = "a line of text that is so long\n".repeat(usize::try_from(HELD).unwrap() / 31);
    text.push_str("needle\n");
    fs::write(&file, &text).unwrap();
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    host.say(&format!("@tool Read {}", json!({ "file_path": file, "limit": 3 })));
    host.turn();
    let edit = json!({ "file_path": file, "old_string": "needle", "new_string": "pin" });
    host.say(&format!("@tool Edit {edit}"));
    let frames = host.turn();
    let result =
        frames.iter().map(|frame| &frame["tool_use_result"]).find(|result| result.is_object()).unwrap();
    assert_eq!(result["originalFile"], Value::Null);
    assert_eq!(result["structuredPatch"][0]["lines"][3], "-needle", "{result}");
    let times = times(peak(&host), HELD);
    assert!(times < 3.5, "{times} times");
    assert!(fs::read_to_string(&file).unwrap().ends_with("long\npin\n"));
}

/// Adds lines to a transcript until it has grown by so much; gives the id of the last one.
fn grow(place: &Place, bytes: u64) -> String {
    let path = place.transcript(ID);
    let first = fs::read_to_string(&path).unwrap();
    let of = |kind: &str| -> Value {
        let line = first.lines().find(|line| line.starts_with(&format!("{{\"type\":\"{kind}\"")));
        serde_json::from_str(line.unwrap()).unwrap()
    };
    let (mut user, mut assistant) = (of("user"), of("assistant"));
    let mut out = BufWriter::new(File::options().append(true).open(&path).unwrap());
    let mut parent = assistant["uuid"].clone();
    let words = "word ".repeat(4000);
    let mut written = 0;
    for number in 0.. {
        let line = if number % 2 == 0 { &mut user } else { &mut assistant };
        let uuid = json!(format!("3f0c9a52-7d1e-4b86-9a54-{number:012}"));
        line["parentUuid"] = std::mem::replace(&mut parent, uuid.clone());
        line["uuid"] = uuid;
        line["message"]["content"] = json!([{ "type": "text", "text": words }]);
        let text = format!("{line}\n");
        out.write_all(text.as_bytes()).unwrap();
        written += text.len() as u64;
        if written >= bytes {
            break;
        }
    }
    out.flush().unwrap();
    parent.as_str().unwrap().to_owned()
}

#[test]
fn a_conversation_that_is_resumed_is_held_once_and_what_was_compacted_not_at_all() {
    let place = Place::new();
    let mut host = place.start(&["--session-id", ID]);
    host.say("@say hi");
    host.turn();
    host.end();
    let last = grow(&place, HELD);
    let resumed = times(peak_after(&mut place.start(&["--resume", ID]), "/cost"), HELD);
    assert!(resumed < 1.6, "{resumed} times");

    let mut out = File::options().append(true).open(place.transcript(ID)).unwrap();
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": null,
        "logicalParentUuid": last, "isSidechain": false, "sessionId": ID,
    });
    let summary = json!({
        "type": "user", "uuid": "s1", "parentUuid": "b1", "isSidechain": false, "isCompactSummary": true,
        "sessionId": ID, "message": { "role": "user", "content": "All that was said." },
    });
    writeln!(out, "{boundary}\n{summary}").unwrap();
    let compacted = times(peak_after(&mut place.start(&["--resume", ID]), "/cost"), HELD);
    assert!(compacted < 0.3, "{compacted} times");
}
