//! Titles, tags, copies, and sessions that go.

use std::fs;

use aqueduct_client::transcript::{ForkOptions, ReadOptions, TranscriptError};
use aqueduct_wire::hint::HintedError as _;
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

use super::room::{Room, assistant, boundary, call, id, result, side, talk, title, user, with};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn titles_and_tags_are_appended() {
    let room = Room::holding(&talk());
    let before = room.text(1);
    let session = room.first();
    session.rename("  The red\nbuild\u{202e}\u{7} ").unwrap();
    session.tag(Some(" ci ")).unwrap();
    let after = room.text(1);
    let added = after.strip_prefix(&before).unwrap();
    insta::assert_snapshot!(added, @r#"
    {"type":"custom-title","customTitle":"The red build","sessionId":"00000001-e29b-41d4-a716-446655440000"}
    {"type":"tag","tag":"ci","sessionId":"00000001-e29b-41d4-a716-446655440000"}
    "#);
    let summary = session.summary().unwrap();
    assert_eq!((summary.title(), summary.tag.as_deref()), ("The red build", Some("ci")));
    session.tag(None).unwrap();
    assert_eq!(session.summary().unwrap().tag, None);
}

#[test]
fn invisible_characters_are_not_a_title() {
    let room = Room::holding(&talk());
    let reported = |title: &str| room.first().rename(title).unwrap_err().advised();
    insta::assert_snapshot!([reported(" \u{200b} "), reported(&"x".repeat(201))].join("\n"), @r"
    a title must have between 1 and 200 characters that can be seen; this one has 0
    a title must have between 1 and 200 characters that can be seen; this one has 201
    ");
    assert!(matches!(room.first().tag(Some("")), Err(TranscriptError::Length { .. })));
    assert_eq!(room.text(1).lines().count(), 2);
}

#[test]
fn a_line_without_its_end_is_ended_first() {
    let room = Room::new();
    let [one, two] = talk().try_into().unwrap();
    room.write(1, format!("{one}\n{two}"));
    room.first().rename("A title").unwrap();
    assert_eq!(room.open().broken_lines(), 0);
    assert_eq!(room.text(1).lines().count(), 3);
    room.write(1, format!("{one}\n{{\"torn\":"));
    room.first().rename("A title").unwrap();
    assert_eq!((room.open().broken_lines(), room.first().summary().unwrap().title()), (1, "A title"));
}

/// A conversation with everything that a copy has to mind.
fn rich() -> Vec<Value> {
    let kept = json!({"preservedMessages": {"anchorUuid": "sum", "uuids": ["u1"]}});
    vec![
        json!({"type": "queue-operation", "operation": "enqueue"}),
        with(user("u1", None, "u1"), json!({"slug": "quiet-river", "teamName": null})),
        call("a1", Some("u1"), "t1", "Bash", json!({"uuid": "u1"})),
        call("a2", Some("a1"), "t2", "Bash", json!({})),
        result("r1", "a1", "t1", "one"),
        result("r2", "a2", "t2", "two"),
        json!({"type": "progress", "uuid": "p1", "parentUuid": "r2", "data": {}}),
        with(boundary("b", "p1"), json!({"compactMetadata": kept})),
        user("sum", Some("b"), "the summary"),
        user("old", Some("sum"), "a way not taken"),
        assistant("a3", Some("sum"), "continued"),
        side(user("s1", None, "a subagent's")),
        json!({"type": "content-replacement", "sessionId": id(1), "replacements": [{"uuid": "r1"}]}),
        json!({"type": "cost-state", "sessionId": id(1), "totalCostUSD": 1}),
        json!({"type": "tools-used", "sessionId": id(1), "tools": ["Bash"]}),
        json!({"type": "tools-used", "sessionId": id(1), "tools": ["Bash", "Read"]}),
        user("u2", Some("a3"), "the end"),
        title("The original"),
    ]
}

#[test]
fn a_fork_has_the_same_messages_under_new_ids() {
    let room = Room::holding(&rich());
    let before = room.text(1);
    let fork = room.first().fork(&ForkOptions::default()).unwrap();
    assert_eq!(room.text(1), before);
    assert_ne!(fork.id(), id(1));
    let copied = lines(&fs::read_to_string(fork.path()).unwrap());
    assert!(copied.iter().all(|line| line["sessionId"] == fork.id()), "{copied:#?}");
    let messages: Vec<&Value> = copied.iter().filter(|line| line["uuid"].is_string()).collect();
    let was: Vec<&str> =
        messages.iter().map(|line| line["forkedFrom"]["messageUuid"].as_str().unwrap()).collect();
    assert_eq!(was, ["u1", "a1", "r1", "a2", "r2", "b", "sum", "a3", "u2"]);
    let fresh = |old: &str| &messages[was.iter().position(|uuid| *uuid == old).unwrap()]["uuid"];
    let of = |old: &str, key: &str| &messages[was.iter().position(|uuid| *uuid == old).unwrap()][key];
    for (child, parent) in [("a1", "u1"), ("r1", "a1"), ("r2", "a2"), ("sum", "b"), ("u2", "a3")] {
        assert_eq!(of(child, "parentUuid"), fresh(parent), "{child}");
    }
    assert!(of("u1", "parentUuid").is_null() && of("b", "parentUuid").is_null());
    let kept = &of("b", "compactMetadata")["preservedMessages"];
    assert_eq!((&kept["anchorUuid"], &kept["uuids"][0]), (fresh("sum"), fresh("u1")));
    assert_eq!(of("a1", "message")["content"][0]["input"]["uuid"], "u1", "what was said is not touched");
    assert!(
        messages
            .iter()
            .all(|line| line.get("slug").is_none() && line.get("sourceToolAssistantUUID").is_none())
    );
    assert_ne!(of("u2", "timestamp"), of("u1", "timestamp"));
    let notes: Vec<&str> = copied
        .iter()
        .filter(|line| !line["uuid"].is_string())
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    assert_eq!(notes, ["content-replacement", "tools-used", "custom-title"]);
    assert_eq!(copied[copied.len() - 2]["tools"], json!(["Bash", "Read"]));
    assert_eq!(&copied[copied.len() - 3]["replacements"][0]["uuid"], fresh("r1"));
    assert_eq!(fork.summary().unwrap().title(), "The original (fork)");

    let text = |session: &aqueduct_client::transcript::StoredSession, options: &ReadOptions| -> Vec<String> {
        let transcript = session.open_with(options).unwrap();
        let message_text = |line: &Value| line["message"].to_string();
        transcript
            .messages()
            .map(|message| message_text(&serde_json::from_str(message.unwrap().line()).unwrap()))
            .collect()
    };
    for options in [ReadOptions::default(), ReadOptions::since_compaction()] {
        assert_eq!(text(&fork, &options), text(&room.first(), &options));
    }
}

#[test]
fn a_fork_can_end_earlier_and_have_its_own_title() {
    let room = Room::holding(&rich());
    let fork = room.first().fork(&ForkOptions::until("a3").titled("Another way")).unwrap();
    let last = fork.open().unwrap().messages().last().unwrap().unwrap();
    assert!(last.line().contains("continued"));
    assert_eq!(fork.summary().unwrap().title(), "Another way");
    let reported = |options: &ForkOptions| room.first().fork(options).unwrap_err().advised();
    insta::assert_snapshot!(reported(&ForkOptions::until("unknown")), @"session 00000001-e29b-41d4-a716-446655440000 has no message unknown; take the uuid of one that it shows");
    room.session(2, &[title("Nothing said")]);
    let empty = room.store.find(&id(2)).unwrap().fork(&ForkOptions::default());
    assert!(matches!(empty, Err(TranscriptError::Empty { .. })));
    let names: Vec<_> =
        fs::read_dir(room.project("/proj")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing half done is left: {names:?}");
}

#[test]
fn a_lost_parent_does_not_break_the_copy() {
    let room = Room::holding(&[user("u1", None, "one"), user("u3", Some("lost"), "three")]);
    let fork = room.first().fork(&ForkOptions::default()).unwrap();
    let copied = lines(&fs::read_to_string(fork.path()).unwrap());
    assert_eq!(copied[1]["parentUuid"], copied[0]["uuid"]);
}

#[test]
fn a_session_goes_with_its_subagents() {
    let room = Room::holding(&talk());
    room.subagent("deep/agent-x.jsonl", Some(json!({})), &talk());
    room.session(2, &talk());
    room.first().delete().unwrap();
    let left: Vec<_> =
        fs::read_dir(room.project("/proj")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [format!("{}.jsonl", id(2)).as_str()]);
    assert!(matches!(room.store.find(&id(1)), Err(TranscriptError::NotFound { .. })));
}

#[test]
fn a_session_is_free_unless_a_turn_runs() {
    let room = Room::holding(&talk());
    let agent = fs::File::open(room.file(1)).unwrap();
    room.first().check_free().unwrap();
    flock(&agent, FlockOperation::LockShared).unwrap();
    assert!(matches!(room.first().check_free(), Err(TranscriptError::InUse { process: None, .. })));
    flock(&agent, FlockOperation::Unlock).unwrap();
    room.first().check_free().unwrap();
}

#[test]
fn a_session_at_work_is_not_deleted() {
    let room = Room::holding(&talk());
    let file = fs::File::open(room.file(1)).unwrap();
    flock(&file, FlockOperation::LockShared).unwrap();
    let refused = room.first().delete().unwrap_err();
    insta::assert_snapshot!(refused.advised(), @"session 00000001-e29b-41d4-a716-446655440000 is open in a running agent; end that one first");
    drop(file);

    let notes = room.path().join("sessions");
    fs::create_dir(&notes).unwrap();
    let note = |pid: u32, status: &str| {
        let note = json!({"pid": pid, "sessionId": id(1), "status": status});
        fs::write(notes.join("1.json"), note.to_string()).unwrap();
    };
    note(std::process::id(), "busy");
    assert!(matches!(room.first().delete(), Err(TranscriptError::InUse { process: Some(_), .. })));
    assert!(matches!(room.first().check_free(), Err(TranscriptError::InUse { process: Some(_), .. })));
    // Renaming is safe at any time.
    room.first().rename("Still there").unwrap();
    note(u32::try_from(i32::MAX).unwrap(), "busy");
    room.first().check_free().unwrap();
    // An agent that waits for a prompt is not at work.
    note(std::process::id(), "idle");
    room.first().delete().unwrap();
    assert!(!room.file(1).exists());
}
