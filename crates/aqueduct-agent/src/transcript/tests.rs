//! Tests of transcripts.

use std::fs;
use std::io::Write;
use std::path::Path;

use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

mod settling;
mod sharing;

const ID: &str = "550e8400-e29b-41d4-a716-446655440000";
const OTHER: &str = "650e8400-e29b-41d4-a716-446655440000";

fn stamp(session_id: &str) -> LineStamp {
    LineStamp {
        session_id: session_id.to_owned(),
        cwd: "/proj".to_owned(),
        version: "2.1.325".to_owned(),
        git_branch: None,
        entrypoint: "sdk-py".to_owned(),
        user_type: "external".to_owned(),
        agent_id: None,
    }
}

struct Room {
    folder: TempDir,
    project: Project,
}

impl Room {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let project = Project::of(folder.path(), Path::new("/proj"));
        Room { folder, project }
    }

    fn holding(lines: &[Value]) -> Self {
        let room = Room::new();
        room.write(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        room
    }

    fn write(&self, text: &str) {
        fs::create_dir_all(self.project.folder()).unwrap();
        fs::write(self.file(), text).unwrap();
    }

    fn file(&self) -> std::path::PathBuf {
        self.project.file(ID).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn resume(&self) -> (TranscriptWriter, Conversation) {
        TranscriptWriter::resume(&self.project, stamp(ID), None).unwrap()
    }

    fn uuids(&self) -> Vec<String> {
        uuids(&self.resume().1)
    }
}

fn uuids(conversation: &Conversation) -> Vec<String> {
    conversation.entries.iter().map(|entry| entry.uuid.clone()).collect()
}

fn user(uuid: &str, parent: Option<&str>) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": ID,
        "message": {"role": "user", "content": uuid}})
}

fn assistant(uuid: &str, parent: Option<&str>, id: &str) -> Value {
    json!({"type": "assistant", "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": ID,
        "message": {"id": id, "role": "assistant", "content": [{"type": "text", "text": uuid}]}})
}

fn result(uuid: &str, call: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": call, "isSidechain": false, "sessionId": ID,
        "sourceToolAssistantUUID": call, "toolUseResult": "done",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "x"}]}})
}

fn between(kind: &str, uuid: &str, parent: Option<&str>) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": ID})
}

fn say(transcript: &mut TranscriptWriter, uuid: &str) -> Result<(), TranscriptFileError> {
    let message = Raw::from_serialize(&json!({"role": "user", "content": uuid})).unwrap();
    transcript.user(&UserLine::new(uuid, &message))
}

#[test]
fn nothing_is_on_the_disk_before_the_first_line() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    assert!(!room.project.folder().exists());
    say(&mut transcript, "u1").unwrap();
    assert_eq!(room.text().lines().count(), 1);
    assert!(matches!(
        TranscriptWriter::create(&room.project, stamp(ID)),
        Err(TranscriptFileError::AlreadyUsed { .. })
    ));
}

#[test]
fn two_that_planned_the_same_file_do_not_share_it() {
    let room = Room::new();
    let mut first = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    let mut second = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    say(&mut first, "u1").unwrap();
    assert!(matches!(say(&mut second, "u2"), Err(TranscriptFileError::AlreadyUsed { .. })));
}

#[test]
fn lines_have_the_form_that_others_read() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    let question = Raw::parse(r#"{"role":"user","content":"hi"}"#).unwrap();
    let mut line = UserLine::new("u1", &question);
    line.timestamp = Some("2026-01-02T03:04:05.678Z");
    line.permission_mode = Some("default");
    transcript.user(&line).unwrap();
    let answer = Raw::parse(r#"{"id":"m1","role":"assistant","content":[]}"#).unwrap();
    let mut line = AssistantLine::new("a1", &answer);
    line.timestamp = Some("2026-01-02T03:04:06.000Z");
    line.request_id = Some("req_1");
    transcript.assistant(&line).unwrap();
    let metadata = Raw::parse(r#"{"trigger":"manual","preTokens":9}"#).unwrap();
    let mut line = SystemLine::new("s1", "compact_boundary");
    line.timestamp = Some("2026-01-02T03:04:07.000Z");
    line.compact_metadata = Some(&metadata);
    transcript.system(&line).unwrap();
    transcript.other(&Raw::parse(r#"{"type":"custom-title","customTitle":"A title"}"#).unwrap()).unwrap();
    insta::assert_snapshot!(room.text(), @r#"
    {"type":"user","message":{"role":"user","content":"hi"},"parentUuid":null,"isSidechain":false,"permissionMode":"default","uuid":"u1","timestamp":"2026-01-02T03:04:05.678Z","userType":"external","entrypoint":"sdk-py","aqueductProgram":"aqueduct-agent 0.1.0","cwd":"/proj","sessionId":"550e8400-e29b-41d4-a716-446655440000","version":"2.1.325","gitBranch":"HEAD"}
    {"type":"assistant","message":{"id":"m1","role":"assistant","content":[]},"parentUuid":"u1","isSidechain":false,"requestId":"req_1","uuid":"a1","timestamp":"2026-01-02T03:04:06.000Z","userType":"external","entrypoint":"sdk-py","aqueductProgram":"aqueduct-agent 0.1.0","cwd":"/proj","sessionId":"550e8400-e29b-41d4-a716-446655440000","version":"2.1.325","gitBranch":"HEAD"}
    {"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"a1","isSidechain":false,"isMeta":false,"compactMetadata":{"trigger":"manual","preTokens":9},"uuid":"s1","timestamp":"2026-01-02T03:04:07.000Z","userType":"external","entrypoint":"sdk-py","aqueductProgram":"aqueduct-agent 0.1.0","cwd":"/proj","sessionId":"550e8400-e29b-41d4-a716-446655440000","version":"2.1.325","gitBranch":"HEAD"}
    {"type":"custom-title","customTitle":"A title","sessionId":"550e8400-e29b-41d4-a716-446655440000"}
    "#);
}

#[test]
fn a_written_conversation_is_resumed_and_continued() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    say(&mut transcript, "u1").unwrap();
    say(&mut transcript, "u2").unwrap();
    transcript.other(&Raw::parse(r#"{"type":"ai-title","aiTitle":"Two words"}"#).unwrap()).unwrap();
    drop(transcript);
    let (mut transcript, conversation) = room.resume();
    assert_eq!(uuids(&conversation), ["u1", "u2"]);
    assert_eq!(conversation.title.as_deref(), Some("Two words"));
    assert!(conversation.entries[0].timestamp.as_deref().is_some_and(|time| time.len() == 24));
    say(&mut transcript, "u3").unwrap();
    drop(transcript);
    assert_eq!(room.uuids(), ["u1", "u2", "u3"]);
}

#[test]
fn titles_stay_visible() {
    let room = Room::holding(&[
        user("u0", None),
        json!({"type": "custom-title", "customTitle": "Mine", "sessionId": ID}),
        json!({"type": "tag", "tag": "keep", "sessionId": ID}),
    ]);
    let is_visible = |word: &str| {
        let text = room.text();
        let end = &text[text.len().saturating_sub(64 << 10)..];
        end.contains(word)
    };
    let (mut transcript, _) = room.resume();
    let long = Raw::from_serialize(&json!({"role": "user", "content": "x".repeat(3_000)})).unwrap();
    for number in 1..100 {
        transcript.user(&UserLine::new(&format!("u{number}"), &long)).unwrap();
        assert!(is_visible("Mine") && is_visible("keep"), "{number}");
        if number == 50 {
            // Another process sets another title and removes the tag.
            let mut file = fs::File::options().append(true).open(room.file()).unwrap();
            let notes = [
                json!({"type": "custom-title", "customTitle": "Mine, renamed", "sessionId": ID}),
                json!({"type": "tag", "tag": "keep", "sessionId": ID}),
            ];
            notes.iter().for_each(|note| writeln!(file, "{note}").unwrap());
        }
    }
    assert!(room.text().lines().filter(|line| line.contains("custom-title")).count() < 20);
    drop(transcript);
    let (_, conversation) = room.resume();
    assert_eq!(conversation.title.as_deref(), Some("Mine, renamed"));
    assert_eq!(conversation.entries.len(), 100);
}

#[test]
fn no_two_lines_share_their_time() {
    let mut first = user("u0", None);
    first["timestamp"] = json!("2999-01-01T00:00:00.000Z");
    let room = Room::holding(&[first]);
    let (mut transcript, _) = room.resume();
    for number in 1..50 {
        say(&mut transcript, &format!("u{number}")).unwrap();
    }
    drop(transcript);
    let (_, conversation) = room.resume();
    let times: Vec<String> =
        conversation.entries.iter().filter_map(|entry| entry.timestamp.clone()).collect();
    assert_eq!(times.len(), 50);
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
}

#[test]
fn a_torn_last_line_is_passed_over_and_made_blank() {
    for torn in ["{\"type\":\"user\",\"uuid\":\"u2\",\"mess", "{\"a\":\"\u{e9}"] {
        let room = Room::holding(&[user("u1", None)]);
        let mut bytes = fs::read(room.file()).unwrap();
        // Broken off inside a character.
        bytes.extend(&torn.as_bytes()[..torn.len() - 1]);
        fs::write(room.file(), &bytes).unwrap();
        let (mut transcript, conversation) = room.resume();
        assert_eq!((uuids(&conversation), conversation.bad_lines), (vec!["u1".to_owned()], 1));
        assert_eq!(fs::read(room.file()).unwrap(), bytes, "looking changes nothing");
        say(&mut transcript, "u3").unwrap();
        say(&mut transcript, "u4").unwrap();
        drop(transcript);
        let (_, conversation) = room.resume();
        assert_eq!((uuids(&conversation).join(" "), conversation.bad_lines), ("u1 u3 u4".to_owned(), 0));
    }
}

#[test]
fn a_last_line_without_its_end_counts() {
    let room = Room::new();
    room.write(&format!("{}\r\n\r\n{}", user("u1", None), user("u2", Some("u1"))));
    let (mut transcript, conversation) = room.resume();
    assert_eq!(uuids(&conversation), ["u1", "u2"]);
    say(&mut transcript, "u3").unwrap();
    drop(transcript);
    assert_eq!(room.uuids(), ["u1", "u2", "u3"]);
}

#[test]
fn a_disk_that_is_full_spoils_nothing() {
    // The one file that is always full.
    let mut log = log::TranscriptLog::open("/dev/full".into()).unwrap();
    assert!(matches!(log.append("{}".to_owned(), None), Err(TranscriptFileError::Write { .. })));
    assert_eq!(log.end, aqueduct_wire::transcript::FileEnd::Closed);
}

#[test]
fn broken_lines_cycles_and_duplicates_are_survived() {
    let room = Room::new();
    let lines = [
        user("u1", None).to_string(),
        "not json".to_owned(),
        "[1,2]".to_owned(),
        "{\"type\":\"user\",\"uuid\":7,\"message\":{}}".to_owned(),
        "{\"type\":\"user\",\"uuid\":\"no-message\",\"parentUuid\":\"u1\",\"message\":\"text\"}".to_owned(),
        user("u2", Some("lost in a broken line")).to_string(),
        user("u2", Some("no-message")).to_string(),
        assistant("a1", Some("u2"), "m1").to_string(),
        assistant("a1", Some("u2"), "m1").to_string(),
    ];
    room.write(&lines.join("\n"));
    assert_eq!(room.uuids(), ["u1", "u2", "a1"]);
    room.write(&format!("{}\n{}\n", user("u1", Some("u2")), user("u2", Some("u1"))));
    assert_eq!(room.uuids(), ["u1", "u2"]);
}

#[test]
fn a_lost_parent_costs_one_line_and_not_the_conversation() {
    let room = Room::holding(&[user("u1", None), user("u3", Some("u2")), user("u4", Some("u3"))]);
    assert_eq!(room.uuids(), ["u1", "u3", "u4"]);
}

#[test]
fn sidechains_and_what_hangs_between_messages_are_no_messages() {
    let mut side = user("side", Some("a1"));
    side["isSidechain"] = json!(true);
    let room = Room::holding(&[
        between("attachment", "x0", None),
        user("u1", Some("x0")),
        between("progress", "x1", Some("u1")),
        assistant("a1", Some("x1"), "m1"),
        side,
        between("attachment", "x2", Some("a1")),
        between("attachment", "x3", None),
        json!({"type": "something-new", "sessionId": ID}),
    ]);
    let (transcript, conversation) = room.resume();
    assert_eq!(uuids(&conversation), ["u1", "a1"]);
    assert_eq!(transcript.tip(), Some("x2"), "the next line hangs behind the attachment");
}

#[test]
fn input_during_a_turn_is_a_message() {
    let mut queued = between("attachment", "q1", Some("u1"));
    queued["attachment"] =
        json!({"type": "queued_command", "prompt": [{"type": "text", "text": "and this"}]});
    let room = Room::holding(&[user("u1", None), queued, assistant("a1", Some("q1"), "m1")]);
    let (_, conversation) = room.resume();
    assert_eq!(uuids(&conversation), ["u1", "q1", "a1"]);
    let content = conversation.entries[1].content.to::<Value>().unwrap();
    assert_eq!(content, json!([{"type": "text", "text": "and this"}]));
}

#[test]
fn the_newest_branch_counts() {
    let lines = [
        user("u1", None),
        assistant("a1", Some("u1"), "m1"),
        user("old", Some("a1")),
        user("new", Some("a1")),
    ];
    assert_eq!(Room::holding(&lines).uuids(), ["u1", "a1", "new"]);
}

#[test]
fn parallel_calls_are_whole_again() {
    let lines = [
        user("u1", None),
        assistant("a1", Some("u1"), "m1"),
        assistant("a2", Some("a1"), "m1"),
        assistant("a3", Some("a2"), "m1"),
        result("r1", "a1"),
        result("r3", "a3"),
        result("r2", "a2"),
        assistant("a4", Some("r2"), "m2"),
    ];
    let room = Room::holding(&lines);
    assert_eq!(room.uuids(), ["u1", "a1", "a2", "a3", "r1", "r3", "r2", "a4"]);
    // Asked for as it was before the results, it has none.
    let (_, conversation) = TranscriptWriter::resume(&room.project, stamp(ID), Some("a2")).unwrap();
    assert_eq!(uuids(&conversation), ["u1", "a1", "a2"]);
}

#[test]
fn a_compaction_begins_the_conversation_anew() {
    let mut boundary = between("system", "b", None);
    boundary["subtype"] = json!("compact_boundary");
    boundary["logicalParentUuid"] = json!("a1");
    let mut summary = user("sum", Some("b"));
    summary["isCompactSummary"] = json!(true);
    let mut lines =
        vec![user("u1", None), assistant("a1", Some("u1"), "m1"), boundary, summary, user("u2", Some("sum"))];
    let room = Room::holding(&lines);
    let (_, conversation) = room.resume();
    assert_eq!(uuids(&conversation), ["sum", "u2"]);
    assert!(conversation.entries[0].is_compact_summary);

    for metadata in [
        json!({"preservedMessages": {"anchorUuid": "sum", "uuids": ["u1", "a1"]}}),
        json!({"preservedSegment": {"headUuid": "u1", "anchorUuid": "sum", "tailUuid": "a1"}}),
    ] {
        lines[2]["compactMetadata"] = metadata;
        assert_eq!(Room::holding(&lines).uuids(), ["sum", "u1", "a1", "u2"]);
    }
}

#[test]
fn a_fork_is_a_file_of_its_own() {
    let room = Room::holding(&[
        user("u1", None),
        between("attachment", "x1", Some("u1")),
        assistant("a1", Some("x1"), "m1"),
        user("u2", Some("a1")),
    ]);
    let before = room.text();
    let (mut fork, conversation) =
        TranscriptWriter::fork(&room.project, ID, stamp(OTHER), Some("a1")).unwrap();
    assert_eq!(uuids(&conversation), ["u1", "a1"]);
    say(&mut fork, "u9").unwrap();
    assert_eq!(room.text(), before);
    let copied = fs::read_to_string(room.project.file(OTHER).unwrap()).unwrap();
    let lines: Vec<Value> = copied.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["sessionId"] == OTHER), "{copied}");
    assert_eq!(lines.iter().map(|line| &line["uuid"]).collect::<Vec<_>>(), ["u1", "x1", "a1", "u9"]);
    assert_eq!(lines[3]["parentUuid"], "a1");
    assert_eq!(room.project.sessions().len(), 2);
}

#[test]
fn errors_report_their_cause() {
    let room = Room::holding(&[user("u1", None)]);
    let elsewhere = Project::of(room.folder.path(), Path::new("/else"));
    fs::create_dir_all(elsewhere.folder()).unwrap();
    let mut line = user("u1", None);
    line["cwd"] = json!("/else");
    fs::write(elsewhere.file(OTHER).unwrap(), format!("{line}\n")).unwrap();
    let reported =
        |id: &str, at| TranscriptWriter::resume(&room.project, stamp(id), at).unwrap_err().advised();
    let texts = [
        reported("../../etc/passwd", None),
        reported(OTHER, None),
        reported("750e8400-e29b-41d4-a716-446655440000", None),
        reported(ID, Some("unknown")),
    ];
    insta::assert_snapshot!(texts.join("\n"), @r"
    `../../etc/passwd` is not a valid session id; use a UUID such as 550e8400-e29b-41d4-a716-446655440000
    No conversation found with session ID: 650e8400-e29b-41d4-a716-446655440000 for this folder; it belongs to /else; start the agent there
    No conversation found with session ID: 750e8400-e29b-41d4-a716-446655440000
    No message found with message.uuid of: unknown
    ");
}

#[test]
fn the_newest_session_with_a_conversation_is_found() {
    let room = Room::holding(&[user("u1", None)]);
    fs::write(room.project.file(OTHER).unwrap(), "{\"type\":\"mode\"}\n").unwrap();
    fs::write(room.project.folder().join("agent-1.jsonl"), user("x", None).to_string()).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::open(room.project.file(OTHER).unwrap()).unwrap().set_modified(later).unwrap();
    assert_eq!(room.project.sessions()[0].session_id, OTHER);
    assert_eq!(room.project.newest().unwrap().session_id, ID);
}

#[test]
fn unsaved_is_unsaved() {
    let mut transcript = TranscriptWriter::unsaved(stamp(ID));
    say(&mut transcript, "u1").unwrap();
    assert_eq!(transcript.tip(), Some("u1"));
}

proptest! {
    #[test]
    fn any_bytes_load(lines in proptest::collection::vec(any::<Vec<u8>>(), 0..8), at in 0usize..9) {
        let room = Room::new();
        let mut text: Vec<Vec<u8>> = lines;
        text.insert(at.min(text.len()), user("u1", None).to_string().into_bytes());
        fs::create_dir_all(room.project.folder()).unwrap();
        fs::write(room.file(), text.join(&b'\n')).unwrap();
        prop_assert_eq!(room.uuids(), ["u1"]);
    }

    #[test]
    fn any_parents_load(parents in proptest::collection::vec((0usize..12, any::<bool>()), 1..12)) {
        let name = |number: usize| format!("u{number}");
        let lines: Vec<Value> = parents
            .iter()
            .enumerate()
            .map(|(number, (parent, is_root))| {
                let parent = (!is_root).then(|| name(*parent));
                user(&name(number), parent.as_deref())
            })
            .collect();
        let found = Room::holding(&lines).uuids();
        let last = name(parents.len() - 1);
        prop_assert!(found.contains(&last));
    }
}
