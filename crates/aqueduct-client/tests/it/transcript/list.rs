//! Lists: which sessions there are, in which order, by which name.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aqueduct_client::transcript::{ListQuery, Summary, TranscriptError, TranscriptProgram};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::transcript::folder_name;
use serde_json::{Value, json};

use super::room::{Room, id, side, talk, title, user, with};

fn all(room: &Room) -> Vec<Summary> {
    room.store.list(&ListQuery::default()).unwrap().sessions
}

fn ids(sessions: &[Summary]) -> Vec<&str> {
    sessions.iter().map(|session| session.id.as_str()).collect()
}

#[test]
fn the_newest_come_first() {
    let room = Room::new();
    for number in [2, 5, 3] {
        room.session(number, &talk());
    }
    room.write_in("/else", 4, talk().iter().map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(ids(&all(&room)), [id(5), id(4), id(3), id(2)]);
    let page = room.store.list(&ListQuery { offset: 1, limit: Some(2), ..ListQuery::default() }).unwrap();
    assert_eq!((ids(&page.sessions), page.has_more), (vec![&*id(4), &*id(3)], true));
    let project = ListQuery { project: Some(PathBuf::from("/else")), ..ListQuery::default() };
    assert_eq!(ids(&room.store.list(&project).unwrap().sessions), [id(4)]);
    let nowhere = ListQuery { project: Some(PathBuf::from("/nowhere")), ..ListQuery::default() };
    assert!(room.store.list(&nowhere).unwrap().sessions.is_empty());
}

#[test]
fn sessions_can_be_gone_through_one_by_one() {
    let room = Room::new();
    for number in 1..=5 {
        room.session(number, &talk());
    }
    let mut seen = Vec::new();
    let visit = |session: Summary| {
        seen.push(session.id);
        if seen.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    room.store.each(None, |session| session != id(4), visit).unwrap();
    assert_eq!(seen, [id(5), id(3)]);
    let nowhere = Path::new("/nowhere");
    room.store.each(Some(nowhere), |_| true, |_| panic!("nothing is there")).unwrap();
}

#[test]
fn a_session_has_a_description() {
    let lines = [
        json!({"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-04T05:06:00.000Z"}),
        user("u1", None, "Why is\nthe build red?"),
        with(
            user("u2", Some("u1"), "later"),
            json!({"gitBranch": "fix", "aqueductProgram": "aqueduct-agent 0.1.0"}),
        ),
        json!({"type": "tag", "tag": "ci", "sessionId": id(1)}),
    ];
    let room = Room::new();
    let path = room.session(1, &lines);
    let [session] = all(&room).try_into().unwrap();
    assert_eq!(session.title(), "Why is the build red?");
    assert_eq!(session.first_prompt.as_deref(), Some("Why is the build red?"));
    assert_eq!((session.cwd.as_deref(), session.git_branch.as_deref()), (Some("/proj"), Some("fix")));
    assert_eq!((session.tag.as_deref(), session.messages), (Some("ci"), Some(2)));
    assert_eq!(session.program, TranscriptProgram::Named("aqueduct-agent 0.1.0".into()));
    assert_eq!(
        (session.version.as_deref(), session.entrypoint.as_deref()),
        (Some("2.1.325"), Some("sdk-py"))
    );
    let begun = SystemTime::UNIX_EPOCH + Duration::from_millis(1_772_600_767_089);
    assert_eq!((session.created, session.size), (Some(begun), path.metadata().unwrap().len()));
    assert_eq!(session.path, path);
}

#[test]
fn the_name_is_the_best_there_is() {
    let notes = [
        title("The title"),
        json!({"type": "ai-title", "aiTitle": "The model's title", "sessionId": id(1)}),
        json!({"type": "last-prompt", "lastPrompt": "The last prompt", "sessionId": id(1)}),
        json!({"type": "summary", "summary": "The summary", "leafUuid": "a1"}),
    ];
    let name = |notes: &[Value]| {
        let room = Room::holding(&[talk(), notes.to_vec()].concat());
        room.first().summary().unwrap().title().to_owned()
    };
    let names: Vec<String> = (0..=notes.len()).map(|from| name(&notes[from..])).collect();
    assert_eq!(
        names,
        ["The title", "The model's title", "The last prompt", "The summary", "Why is the build red?"]
    );
    assert_eq!(name(&[title("one"), title("two")]), "two");
    assert_eq!(name(&[user("u2", None, "<command-name>/cost</command-name>")]), "Why is the build red?");
}

#[test]
fn a_file_that_is_not_a_conversation_is_not_listed() {
    let room = Room::new();
    room.session(1, &[json!({"type": "mode", "mode": "normal"})]);
    room.session(2, &[side(user("u1", None, "for a subagent"))]);
    room.write(3, "");
    room.write(4, "not json\n");
    std::fs::write(room.project("/proj").join("agent-1.jsonl"), "{}").unwrap();
    std::fs::write(room.project("/proj").join("notes.md"), "").unwrap();
    room.session(5, &[user("u1", None, "<command-name>/cost</command-name>")]);
    let listed = all(&room);
    assert_eq!(ids(&listed), [id(5)]);
    assert_eq!(listed[0].title(), "/cost");
    assert!(all(&Room::new()).is_empty());
}

#[test]
fn a_long_file_is_known_by_its_ends() {
    let filler = |number: usize| user(&format!("x{number}"), None, &"y".repeat(10_000));
    let mut lines = vec![user("u1", None, "The first words"), title("Given early")];
    lines.extend((0..40).map(filler));
    let room = Room::holding(&lines);
    let summary = room.first().summary().unwrap();
    assert_eq!((summary.title(), summary.messages), ("Given early", None));
    lines.push(title("Given late"));
    lines.push(json!({"type": "tag", "tag": "", "sessionId": id(1)}));
    room.session(1, &lines);
    assert_eq!(room.first().summary().unwrap().title(), "Given late");
    assert_eq!(room.first().summary().unwrap().tag, None);
}

#[test]
fn no_line_falls_between_the_ends() {
    for size in (1..70_000).step_by(1_777) {
        let lines = [
            user("u1", None, &"y".repeat(size)),
            title("In the middle"),
            user("u2", Some("u1"), &"z".repeat(60_000)),
        ];
        let room = Room::holding(&lines);
        let summary = room.first().summary().unwrap();
        assert_eq!(summary.title(), "In the middle", "{size}");
        assert!(summary.messages == Some(2) || summary.size > 128 << 10, "{size}");
    }
}

#[test]
fn a_title_outside_the_read_range_is_in_the_side_file() {
    let filler = |number: usize| user(&format!("x{number}"), None, &"y".repeat(10_000));
    let lines: Vec<Value> = (0..40).map(filler).collect();
    let room = Room::holding(&lines);
    let beside = room.project("/proj").join(id(1));
    std::fs::create_dir(&beside).unwrap();
    for (text, reported) in
        [(r#"{"customTitle":" Beside "}"#, "Beside"), ("{", ""), (r#"{"customTitle":7}"#, "")]
    {
        std::fs::write(beside.join("custom-title.json"), text).unwrap();
        assert_eq!(room.first().summary().unwrap().custom_title.unwrap_or_default(), reported);
    }
}

#[test]
fn huge_lines_at_both_ends_hide_nothing() {
    let huge = user("u1", None, &format!("Look at this: {}", "z".repeat(300_000)));
    let last = with(user("u2", Some("u1"), &"z".repeat(300_000)), json!({"gitBranch": "late"}));
    let room = Room::holding(&[huge, last]);
    let summary = room.first().summary().unwrap();
    assert!(summary.title().starts_with("Look at this: zzz"), "{}", summary.title());
    assert_eq!(summary.git_branch.as_deref(), Some("late"));
}

#[test]
fn thousands_of_sessions_are_listed_by_reading_little() {
    let room = Room::new();
    let filler = "f".repeat(100_000);
    for number in 0..2_000 {
        // Files of a hundred megabytes, by their reported size.
        let path = room.session(
            number,
            &[user("u1", None, &format!("prompt {number}")), user("u2", Some("u1"), &filler)],
        );
        if number % 100 == 0 {
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            file.set_len(100 << 20).unwrap();
            file.set_modified(modified).unwrap();
        }
    }
    let window = 64 << 10;
    let newest = room.store.list(&ListQuery::newest(20)).unwrap();
    assert_eq!((newest.sessions.len(), newest.has_more), (20, true));
    assert_eq!(newest.sessions[0].title(), "prompt 1999");
    assert!(newest.bytes_read <= 20 * 2 * window, "{}", newest.bytes_read);
    let every = room.store.list(&ListQuery::default()).unwrap();
    assert_eq!(every.sessions.len(), 2_000);
    // A hole has no lines, so more of it is looked at: a megabyte at most.
    assert!(every.bytes_read <= 2_000 * 2 * window + 20 * (2 << 20), "{}", every.bytes_read);
}

#[test]
fn sessions_with_a_tag_are_found() {
    let room = Room::new();
    for (number, tag) in [(1, "a"), (2, "b"), (3, "a")] {
        room.session(number, &talk());
        room.store.find(&id(number)).unwrap().tag(Some(tag)).unwrap();
    }
    let query = ListQuery { tag: Some("a".into()), ..ListQuery::default() };
    let mut found: Vec<String> =
        room.store.list(&query).unwrap().sessions.into_iter().map(|session| session.id).collect();
    found.sort();
    assert_eq!(found, [id(1), id(3)]);
}

#[test]
fn a_long_path_is_found_under_any_hash() {
    let cwd = format!("/{}", "deep/".repeat(60));
    let room = Room::new();
    let line = with(user("u1", None, "hi"), json!({ "cwd": cwd }));
    let cut = &folder_name(&cwd)[..200];
    for (number, (hash, line)) in [("abc", line), ("def", user("u1", None, "hi"))].into_iter().enumerate() {
        let folder = room.path().join("projects").join(format!("{cut}-{hash}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{}.jsonl", id(number))), format!("{line}\n")).unwrap();
    }
    let query = ListQuery { project: Some(PathBuf::from(&cwd)), ..ListQuery::default() };
    assert_eq!(ids(&room.store.list(&query).unwrap().sessions), [id(0)]);
}

#[test]
fn the_beginning_of_an_id_is_enough() {
    let room = Room::new();
    room.session(0x1234_5678, &talk());
    room.session(0x1234_9999, &talk());
    assert_eq!(room.store.find("12345").unwrap().id(), id(0x1234_5678));
    assert_eq!(room.store.find(&id(0x1234_9999).to_uppercase()).unwrap().id(), id(0x1234_9999));
    let reported = |given: &str| room.store.find(given).unwrap_err().advised();
    insta::assert_snapshot!([reported("1234"), reported("ffff"), reported("12"), reported("../../etc")].join("\n"), @r"
    1234 is the beginning of 2 sessions (12349999-e29b-41d4-a716-446655440000, 12345678-e29b-41d4-a716-446655440000); give more of the id
    session ffff does not exist; list the sessions
    `12` is not a session id; give a UUID such as 550e8400-e29b-41d4-a716-446655440000, or its beginning
    `../../etc` is not a session id; give a UUID such as 550e8400-e29b-41d4-a716-446655440000, or its beginning
    ");
    let elsewhere = room.store.find_in("12345", Some(Path::new("/else")));
    assert!(matches!(elsewhere, Err(TranscriptError::NotFound { .. })));
}
