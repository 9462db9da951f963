//! Search of messages.

use std::cell::Cell;
use std::ops::ControlFlow;

use aqueduct_client::transcript::{Hit, MessagePart, SearchQuery, SearchStats, TranscriptError};
use serde_json::json;

use super::room::{Room, assistant, call, id, result, side, talk, title, user, with};

fn search(room: &Room, query: &SearchQuery) -> (Vec<Hit>, SearchStats) {
    let mut hits = Vec::new();
    let done = room.store.search(
        query,
        || false,
        |hit| {
            hits.push(hit);
            ControlFlow::Continue(())
        },
    );
    (hits, done.unwrap())
}

fn found(room: &Room, words: &str) -> Vec<String> {
    search(room, &SearchQuery::new(words)).0.into_iter().map(|hit| hit.uuid.unwrap_or_default()).collect()
}

#[test]
fn all_words_count_and_case_does_not() {
    let room = Room::holding(&[
        user("u1", None, "Fix the FLAKY test, please"),
        assistant("a1", Some("u1"), "The flaky one is in tests/it."),
        assistant("a2", Some("a1"), "Done: \"TESTS\" pass\n\tagain."),
    ]);
    assert_eq!(found(&room, "flaky"), ["u1", "a1"]);
    assert_eq!(found(&room, "flaky please"), ["u1"]);
    assert_eq!(found(&room, "please FLAKY test,"), ["u1"]);
    assert_eq!(found(&room, "again. pass"), ["a2"]);
    assert!(found(&room, "flaky again").is_empty());
    assert!(found(&room, "sessionId").is_empty(), "names of members are not what was said");
    let nothing = room.store.search(&SearchQuery::new("  "), || false, |_| ControlFlow::Continue(()));
    assert!(matches!(nothing, Err(TranscriptError::NoWords)));
}

#[test]
fn sessions_can_be_meant_or_left_out() {
    let room = Room::new();
    for number in 1..=3 {
        room.session(number, &talk());
    }
    let sessions = |query: &SearchQuery| -> Vec<String> {
        search(&room, query).0.into_iter().map(|hit| hit.session).collect()
    };
    let mut query = SearchQuery::new("build");
    query.without = [id(2)].into();
    assert_eq!(sessions(&query), [id(3), id(1)]);
    query.session = Some(id(1));
    assert_eq!(sessions(&query), [id(1)]);
    query.session = Some(id(2));
    assert!(sessions(&query).is_empty());
}

#[test]
fn a_hit_has_its_place_and_its_text() {
    let long = format!("{} The NEEDLE\nlies here, a needle. {}", "before ".repeat(40), "after ".repeat(40));
    let room = Room::holding(&[user("u1", None, &long)]);
    let mut query = SearchQuery::new("needle");
    query.context = 24;
    let (hits, done) = search(&room, &query);
    let hit = &hits[0];
    assert_eq!(
        (hit.session.as_str(), hit.uuid.as_deref(), hit.part),
        (id(1).as_str(), Some("u1"), MessagePart::Prompt)
    );
    assert_eq!(hit.context, "…fore before before  The NEEDLE lies here, a needle. af…");
    let words: Vec<&str> = hit.matches.iter().map(|range| &hit.context[range.clone()]).collect();
    assert_eq!(words, ["NEEDLE", "needle"]);
    assert_eq!((done.sessions, done.hits, done.is_cut), (1, 1, false));
    assert_eq!(done.bytes, room.text(1).len() as u64);
}

#[test]
fn letters_that_are_escaped_are_found() {
    let room = Room::new();
    let escaped = user("u1", None, "Das ist über").to_string().replace('ü', "\\u00fc");
    room.write(1, format!("{escaped}\n{}\n{}\n", user("u2", None, "ÜBER alles"), user("u3", None, "日本")));
    assert_eq!(found(&room, "Über"), ["u1", "u2"]);
    assert_eq!(found(&room, "日本"), ["u3"]);
}

#[test]
fn every_part_of_a_message_is_looked_at() {
    let thinking = with(
        assistant("th", Some("u1"), ""),
        json!({"message": {"id": "m", "role": "assistant", "content": [{"type": "thinking", "thinking": "a plum", "signature": ""}]}}),
    );
    let room = Room::holding(&[
        user("u1", None, "plum?"),
        thinking,
        call("a1", Some("u1"), "t1", "Bash", json!({"command": "grep plum", "deep": [{"x": "y"}]})),
        result("r1", "a1", "t1", "no plum"),
        with(user("n1", Some("r1"), "note on the plum"), json!({"isMeta": true})),
        json!({"type": "api-request-blob", "message": {"role": "user", "content": "plum"}}),
        json!({"type": "attachment", "uuid": "q1", "parentUuid": "n1",
            "attachment": {"type": "queued_command", "prompt": "one more plum"}}),
    ]);
    room.subagent("agent-x.jsonl", None, &[side(assistant("s1", None, "plums all over"))]);
    let mut query = SearchQuery::new("plum");
    query.limit_per_session = 50;
    let hits = search(&room, &query).0;
    let reported: Vec<String> =
        hits.iter().map(|hit| format!("{} {:?}", hit.uuid.as_deref().unwrap_or("-"), hit.part)).collect();
    insta::assert_snapshot!(reported.join(", "), @"u1 Prompt, th Thinking, a1 ToolCall, r1 ToolResult, n1 Note, q1 Prompt, s1 Answer");
    assert_eq!(hits.last().unwrap().agent.as_deref(), Some("x"));
    query.only_said = true;
    let uuids: Vec<String> =
        search(&room, &query).0.into_iter().map(|hit| hit.uuid.unwrap_or_default()).collect();
    assert_eq!(uuids, ["u1", "q1", "s1"]);
}

#[test]
fn titles_are_found_once() {
    let lines =
        [talk(), vec![title("A red herring"), title("A red herring"), title("Herring again")]].concat();
    let room = Room::holding(&lines);
    let hits = search(&room, &SearchQuery::new("herring")).0;
    let reported: Vec<(MessagePart, &str)> =
        hits.iter().map(|hit| (hit.part, hit.context.as_str())).collect();
    assert_eq!(reported, [(MessagePart::Title, "A red herring"), (MessagePart::Title, "Herring again")]);
    assert!(hits.iter().all(|hit| hit.uuid.is_none()));
}

#[test]
fn limits_bound_what_comes() {
    let room = Room::new();
    for number in 1..=3 {
        let lines: Vec<_> =
            (0..10).map(|line| user(&format!("u{number}-{line}"), None, "same word")).collect();
        room.session(number, &lines);
    }
    let mut query = SearchQuery::new("word");
    query.limit_per_session = 2;
    let (hits, done) = search(&room, &query);
    let sessions: Vec<&str> = hits.iter().map(|hit| hit.session.as_str()).collect();
    assert_eq!(sessions, [id(3), id(3), id(2), id(2), id(1), id(1)]);
    assert!(!done.is_cut);
    query.limit = 3;
    let (hits, done) = search(&room, &query);
    assert_eq!((hits.len(), done.is_cut), (3, true));
    let done = room.store.search(&query, || false, |_| ControlFlow::Break(())).unwrap();
    assert_eq!((done.hits, done.is_cut), (1, true));
}

#[test]
fn a_search_can_be_cancelled() {
    let room = Room::new();
    let big = user("u1", None, &"nothing here ".repeat(400_000)).to_string();
    room.write(1, format!("{big}\n").repeat(2));
    let asked = Cell::new(0);
    let is_cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let done = room.store.search(&SearchQuery::new("needle"), is_cancelled, |_| ControlFlow::Continue(()));
    let done = done.unwrap();
    assert!(done.is_cut && done.bytes < big.len() as u64, "{done:?}");
}

#[test]
fn lines_longer_than_a_block_are_searched_whole() {
    let room = Room::new();
    let mut lines = vec![user("u0", None, "needle first").to_string()];
    lines.push(
        user("u1", None, &format!("{} Needle {}", "x".repeat(1_500_000), "y".repeat(1_500_000))).to_string(),
    );
    lines.push("broken needle".to_owned());
    lines.push(user("u2", None, "needle last, without a line end").to_string());
    room.write(1, lines.join("\n"));
    assert_eq!(found(&room, "needle"), ["u0", "u1", "u2"]);
}

#[test]
fn one_projects_sessions_are_searched_alone() {
    let room = Room::new();
    let text: String = talk().iter().map(|line| format!("{line}\n")).collect();
    room.write_in("/one", 1, &text);
    room.write_in("/two", 2, &text);
    let mut query = SearchQuery::new("build");
    query.project = Some("/two".into());
    assert_eq!(search(&room, &query).0.iter().map(|hit| hit.session.clone()).collect::<Vec<_>>(), [id(2)]);
}
