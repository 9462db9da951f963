//! Several processes on one conversation.

use std::io::Write as _;

use rustix::fs::{FlockOperation, flock};

use super::*;

/// The conversation as a process sees it after it caught up.
fn seen(transcript: &mut TranscriptWriter) -> Option<Vec<String>> {
    let refreshed = transcript.catch_up().unwrap()?;
    refreshed.conversation.as_ref().map(uuids)
}

fn parents(room: &Room) -> Vec<(String, Option<String>)> {
    let lines = room.text();
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of = |line: Value| {
        Some((line["uuid"].as_str()?.to_owned(), line["parentUuid"].as_str().map(str::to_owned)))
    };
    lines.filter_map(of).collect()
}

#[test]
fn an_idle_process_holds_no_lock_and_continues_from_the_lines_of_others() {
    let room = Room::holding(&[user("u1", None)]);
    let (mut first, _) = room.resume();
    let (mut second, _) = room.resume();
    assert!(first.catch_up().unwrap().is_none(), "the file has not changed");
    say(&mut second, "u2").unwrap();
    assert_eq!(seen(&mut first).unwrap(), ["u1", "u2"]);
    assert!(first.catch_up().unwrap().is_none(), "it was seen");
    say(&mut first, "u3").unwrap();
    assert_eq!(seen(&mut second).unwrap(), ["u1", "u2", "u3"]);
    say(&mut second, "u4").unwrap();
    assert_eq!(room.uuids(), ["u1", "u2", "u3", "u4"]);
}

#[test]
fn those_at_work_at_the_same_time_have_a_branch_each() {
    let room = Room::holding(&[user("u1", None)]);
    let (mut first, _) = room.resume();
    let (mut second, _) = room.resume();
    first.begin_work();
    say(&mut first, "a1").unwrap();
    assert_eq!(seen(&mut second), None, "half of a turn is not continued");
    second.begin_work();
    say(&mut second, "b1").unwrap();
    say(&mut first, "a2").unwrap();
    say(&mut second, "b2").unwrap();
    first.end_work();
    second.end_work();
    assert_eq!(seen(&mut first), None, "it stays on its own");
    say(&mut first, "a3").unwrap();
    assert_eq!(room.uuids(), ["u1", "a1", "a2", "a3"]);
    assert_eq!(seen(&mut second), None);
    say(&mut second, "b3").unwrap();
    assert_eq!(room.uuids(), ["u1", "b1", "b2", "b3"]);
    // The process that ends last determines the branch.
    first.end();
    assert_eq!(room.uuids(), ["u1", "a1", "a2", "a3"]);
    assert_eq!(parents(&room).len(), 7, "no line is lost");
}

#[test]
fn ids_and_titles_of_others_are_known() {
    let room = Room::holding(&[user("u1", None)]);
    let (mut transcript, _) = room.resume();
    let mut file = fs::File::options().append(true).open(room.file()).unwrap();
    writeln!(file, "{}", json!({"type": "custom-title", "customTitle": "Theirs", "sessionId": ID})).unwrap();
    let refreshed = transcript.catch_up().unwrap().unwrap();
    assert_eq!(refreshed.title.as_deref(), Some("Theirs"));
    assert!(refreshed.conversation.is_none(), "nothing was said");
    // From an earlier line: another branch.
    writeln!(file, "{}", user("x1", None)).unwrap();
    let refreshed = transcript.catch_up().unwrap().unwrap();
    assert!(refreshed.known.contains("x1") && refreshed.conversation.is_none());
    say(&mut transcript, "u2").unwrap();
    assert_eq!(room.uuids(), ["u1", "u2"]);
}

#[test]
fn a_compaction_of_another_process_is_taken_over() {
    let room = Room::holding(&[user("u1", None), assistant("a1", Some("u1"), "m1")]);
    let (mut first, _) = room.resume();
    let (mut second, _) = room.resume();
    let summary = Raw::from_serialize(&json!({"role": "user", "content": "in short"})).unwrap();
    second.system(&SystemLine::new("c1", "compact_boundary")).unwrap();
    let mut line = UserLine::new("s1", &summary);
    line.is_compact_summary = true;
    second.user(&line).unwrap();
    assert_eq!(seen(&mut first).unwrap(), ["s1"]);
    say(&mut first, "u2").unwrap();
    assert_eq!(room.uuids(), ["s1", "u2"]);
}

#[test]
fn a_file_that_was_deleted_is_made_again() {
    let room = Room::holding(&[user("u1", None)]);
    let (mut transcript, _) = room.resume();
    transcript.begin_work();
    fs::remove_file(room.file()).unwrap();
    assert!(transcript.catch_up().unwrap().is_none());
    say(&mut transcript, "u2").unwrap();
    say(&mut transcript, "u3").unwrap();
    assert_eq!(parents(&room), [("u2".into(), Some("u1".into())), ("u3".into(), Some("u2".into()))]);
    assert_eq!(room.uuids(), ["u2", "u3"]);
}

#[test]
fn a_file_that_was_replaced_or_cut_is_appended_to() {
    let room = Room::holding(&[user("u1", None), user("u2", Some("u1"))]);
    let (mut transcript, _) = room.resume();
    // Another file under the name, as editors and copies make it, with something added.
    let other = room.file().with_extension("new");
    let text = format!("{}{}\n", room.text(), user("u3", Some("u2")));
    fs::write(&other, text).unwrap();
    fs::rename(&other, room.file()).unwrap();
    assert_eq!(seen(&mut transcript).unwrap(), ["u1", "u2", "u3"]);
    say(&mut transcript, "u4").unwrap();
    // Its own lines are gone: what it knows still holds.
    room.write(&format!("{}\n", user("u1", None)));
    assert_eq!(seen(&mut transcript), None);
    say(&mut transcript, "u5").unwrap();
    assert_eq!(parents(&room), [("u1".into(), None), ("u5".into(), Some("u4".into()))]);
}

#[test]
fn a_turn_is_marked_while_it_runs() {
    let room = Room::new();
    let mut transcript = TranscriptWriter::create(&room.project, stamp(ID)).unwrap();
    transcript.begin_work();
    say(&mut transcript, "u1").unwrap();
    let is_free = || {
        let file = fs::File::open(room.file()).unwrap();
        flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
    };
    assert!(!is_free());
    transcript.end_work();
    assert!(is_free());
    // An earlier version of this program holds its lock for as long as it runs. No process waits for it.
    let old = fs::File::open(room.file()).unwrap();
    flock(&old, FlockOperation::LockExclusive).unwrap();
    transcript.begin_work();
    say(&mut transcript, "u2").unwrap();
    assert_eq!(room.uuids(), ["u1", "u2"]);
}

proptest! {
    /// Any order of turns, looks and crashes of three processes: every line that was written is in the file, and
    /// the conversation can be resumed.
    #[test]
    fn no_line_is_lost(steps in proptest::collection::vec((0usize..3, 0u8..6), 1..40)) {
        let room = Room::holding(&[user("u0", None)]);
        let mut processes: Vec<TranscriptWriter> = (0..3).map(|_| room.resume().0).collect();
        let mut written = vec!["u0".to_owned()];
        for (number, (which, action)) in steps.into_iter().enumerate() {
            let process = &mut processes[which];
            match action {
                0 => {
                    process.catch_up().unwrap();
                    process.begin_work();
                }
                1 => process.end_work(),
                2 => *process = room.resume().0,
                // Killed in the middle of a line.
                3 => {
                    let mut file = fs::File::options().append(true).open(room.file()).unwrap();
                    file.write_all(b"{\"type\":\"user\",\"uuid\":\"torn").unwrap();
                    *process = room.resume().0;
                }
                _ => {
                    let uuid = format!("u{}", number + 1);
                    say(process, &uuid).unwrap();
                    written.push(uuid);
                    let newest = room.uuids().pop();
                    prop_assert!(newest.is_some_and(|newest| written.contains(&newest)));
                }
            }
        }
        let lines: Vec<String> = parents(&room).into_iter().map(|(uuid, _)| uuid).collect();
        prop_assert_eq!(lines, written);
    }
}
