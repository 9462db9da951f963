//! Transcripts: lines, how they hang together, and where they are.

use aqueduct_wire::transcript::{
    Chain, ChainSelection, LineFault, PromptText, TranscriptIndex, TranscriptLine, folder_name,
    is_session_id, last_prompt, prompt,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn index(lines: &[Value]) -> TranscriptIndex {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    TranscriptIndex::read(text.as_bytes()).unwrap()
}

fn uuids(index: &TranscriptIndex, chain: &Chain) -> Vec<String> {
    chain.entries.iter().map(|&number| index.entries[number].uuid.to_string()).collect()
}

fn user(uuid: &str, parent: Option<&str>) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"role": "user", "content": uuid}})
}

fn side(uuid: &str, parent: Option<&str>) -> Value {
    let mut line = user(uuid, parent);
    line["isSidechain"] = json!(true);
    line
}

fn boundary(uuid: &str, before: &str) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": uuid, "parentUuid": null,
        "logicalParentUuid": before})
}

#[test]
fn a_path_becomes_a_name() {
    assert_eq!(folder_name("/home/ada/my_proj.x"), "-home-ada-my-proj-x");
    assert_eq!(folder_name("/é/日本/a b😀"), "------a-b--");
}

#[test]
fn a_long_path_is_cut_and_hashed() {
    // What the reference made of this path.
    let path = format!("/tmp/p_69xo33m/{}/{}", "y".repeat(120), "z".repeat(130));
    let name = folder_name(&path);
    assert_eq!(name.len(), 206);
    assert!(name.ends_with("zzz-2ed2b"), "{name}");
    assert_eq!(folder_name(&"a".repeat(200)), "a".repeat(200));
}

#[test]
fn an_id_is_a_uuid_and_nothing_else() {
    assert!(is_session_id("550e8400-e29b-41d4-a716-446655440000"));
    assert!(is_session_id("550E8400-E29B-41D4-A716-446655440000"));
    for text in [
        "",
        "../../etc/passwd",
        "550e8400e29b41d4a716446655440000",
        "{550e8400-e29b-41d4-a716-446655440000}",
        "550e8400-e29b-41d4-a716-44665544000/",
        "550e8400-e29b-41d4-a716-44665544000é",
    ] {
        assert!(!is_session_id(text), "{text}");
    }
}

#[test]
fn a_compaction_ends_the_conversation_unless_all_of_it_is_wanted() {
    let lines = [
        user("u1", None),
        user("u2", Some("u1")),
        boundary("b", "u2"),
        user("sum", Some("b")),
        user("u3", Some("sum")),
    ];
    let index = index(&lines);
    assert_eq!(uuids(&index, &Chain::newest(&index)), ["b", "sum", "u3"]);
    let whole = Chain::of(&index, &ChainSelection { whole: true, ..ChainSelection::default() });
    assert_eq!(uuids(&index, &whole), ["u1", "u2", "b", "sum", "u3"]);
    let until = Chain::of(&index, &ChainSelection { until: index.find("u2"), ..ChainSelection::default() });
    assert_eq!(uuids(&index, &until), ["u1", "u2"]);
}

#[test]
fn what_a_compaction_kept_is_in_its_original_place() {
    let mut cut = boundary("b", "u2");
    cut["compactMetadata"] = json!({"preservedMessages": {"anchorUuid": "sum", "uuids": ["u2"]}});
    let lines = [user("u1", None), user("u2", Some("u1")), cut, user("sum", Some("b"))];
    let index = index(&lines);
    assert_eq!(uuids(&index, &Chain::newest(&index)), ["b", "sum", "u2"]);
    let whole = Chain::of(&index, &ChainSelection { whole: true, ..ChainSelection::default() });
    assert_eq!(uuids(&index, &whole), ["u1", "u2", "b", "sum"], "once, and not again");
}

/// What a process writes when it leaves a conversation.
fn left_at(leaf: &str) -> Value {
    json!({"type": "last-prompt", "lastPrompt": "x", "leafUuid": leaf, "sessionId": "s"})
}

#[test]
fn the_branch_that_was_left_last_is_continued() {
    let branches = [user("u1", None), user("a", Some("u1")), user("b", Some("u1"))];
    let newest = |more: &[Value]| {
        let index = index(&[branches.as_slice(), more].concat());
        uuids(&index, &Chain::newest(&index)).join(" ")
    };
    assert_eq!(newest(&[]), "u1 b");
    assert_eq!(newest(&[left_at("a")]), "u1 a");
    assert_eq!(newest(&[left_at("a"), left_at("b")]), "u1 b");
    assert_eq!(newest(&[left_at("b"), left_at("a")]), "u1 a");
    assert_eq!(newest(&[left_at("u1")]), "u1 b", "the newest line from there");
    assert_eq!(newest(&[left_at("lost")]), "u1 b");
    assert_eq!(newest(&[left_at("a"), user("a2", Some("a"))]), "u1 a a2");
    assert_eq!(newest(&[left_at("a"), user("b2", Some("b"))]), "u1 a");
    assert_eq!(newest(&[left_at("a"), boundary("c", "a"), user("sum", Some("c"))]), "c sum");
    assert_eq!(newest(&[left_at("b"), user("b3", Some("lost"))]), "u1 b b3", "a lost parent costs one line");
    let none = json!({"type": "last-prompt", "sessionId": "s"});
    assert_eq!(newest(&[left_at("a"), none]), "u1 a");
}

#[test]
fn a_last_prompt_is_one_line_of_words() {
    let shown = |content: Value| {
        let line = json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": content}});
        let text = line.to_string();
        let Ok(TranscriptLine::User(line)) = TranscriptLine::parse(&text) else { panic!("{text}") };
        last_prompt(&line.message.view().unwrap().content)
    };
    // What the reference made of these prompts.
    assert_eq!(shown(json!("  @say a\n\n\tb   c  ")).as_deref(), Some("@say a  \tb   c"));
    assert_eq!(
        shown(json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}])).as_deref(),
        Some("one")
    );
    assert_eq!(shown(json!("/hi there")).as_deref(), Some("/hi there"));
    assert_eq!(shown(json!("<foo>bar</foo>\nwords")), None);
    assert_eq!(shown(json!([])), None);
    assert_eq!(shown(json!("x".repeat(300))), Some(format!("{}…", "x".repeat(200))));
    assert_eq!(shown(json!("word ".repeat(100))).map(|text| text.chars().count()), Some(200));
}

#[test]
fn subagents_have_chains_of_their_own() {
    let lines = [
        user("u1", None),
        side("s1", None),
        side("t1", None),
        side("s2", Some("s1")),
        user("u2", Some("u1")),
        side("t2", Some("t1")),
    ];
    let index = index(&lines);
    assert_eq!(uuids(&index, &Chain::newest(&index)), ["u1", "u2"]);
    let sides: Vec<Vec<String>> =
        Chain::sidechains(&index).iter().map(|chain| uuids(&index, chain)).collect();
    assert_eq!(sides, [["s1", "s2"], ["t1", "t2"]]);
    let own = Chain::of(&index, &ChainSelection { sidechain: true, ..ChainSelection::default() });
    assert_eq!(uuids(&index, &own), ["t1", "t2"]);
}

#[test]
fn a_title_with_an_id_is_not_part_of_the_chain() {
    // Copies made by the SDKs have such titles.
    let title = json!({"type": "custom-title", "customTitle": "A title", "uuid": "t", "sessionId": "s"});
    let index = index(&[user("u1", None), title, user("u2", Some("lost"))]);
    assert_eq!(uuids(&index, &Chain::newest(&index)), ["u1", "u2"]);
    assert_eq!(index.title(), Some("A title"));
}

#[test]
fn an_unknown_kind_is_part_of_the_chain() {
    let index = index(&[
        user("u1", None),
        json!({"type": "omen", "uuid": "o", "parentUuid": "u1"}),
        user("u2", Some("o")),
    ]);
    assert_eq!(uuids(&index, &Chain::newest(&index)), ["u1", "o", "u2"]);
}

#[test]
fn broken_lines_are_named() {
    let text = format!("{}\nnot json\n\n[]\n{}\n{{\"a\":", user("u1", None), user("u2", Some("u1")));
    let index = TranscriptIndex::read(text.as_bytes()).unwrap();
    assert_eq!(index.broken_lines, 3);
    let reported: Vec<String> = index.broken.iter().map(ToString::to_string).collect();
    assert!(reported[0].starts_with("line 2 can't be read: "), "{reported:?}");
    assert_eq!(index.broken.iter().map(|broken| broken.number).collect::<Vec<_>>(), [2, 4, 6]);
    assert!(index.broken.iter().all(|broken| matches!(broken.fault, LineFault::Parse(_))));
    let first = index.entries[0].place;
    assert_eq!((first.offset, first.length as usize), (0, user("u1", None).to_string().len()));
}

#[test]
fn prompts_are_a_persons_words() {
    let shown = |content: Value| {
        let line = json!({"type": "user", "message": {"role": "user", "content": content}}).to_string();
        let TranscriptLine::User(line) = TranscriptLine::parse(&line).unwrap() else { panic!("a user line") };
        prompt(&line)
    };
    assert_eq!(shown(json!("  two\n words ")), Some(PromptText::Said("two words".into())));
    assert_eq!(
        shown(json!([{"type": "text", "text": "<b>x"}, {"type": "text", "text": "a"}])),
        Some(PromptText::Said("a".into()))
    );
    assert_eq!(shown(json!("1 <2")), Some(PromptText::Said("1 <2".into())));
    assert_eq!(shown(json!("<command-name>/cost</command-name>")), Some(PromptText::Command("/cost".into())));
    assert_eq!(shown(json!("<bash-input> ls</bash-input>")), Some(PromptText::Said("! ls".into())));
    for text in ["", "<local-command-stdout>x</local-command-stdout>", "[Request interrupted by user]"] {
        assert_eq!(shown(json!(text)), None, "{text}");
    }
    assert_eq!(shown(json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}])), None);
    let image =
        json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}]);
    assert_eq!(shown(image), Some(PromptText::Medium("Image")));
    let Some(PromptText::Said(long)) = shown(json!("é".repeat(300))) else { panic!("words") };
    assert_eq!(long.chars().count(), 201);
}

proptest! {
    #[test]
    fn any_lines_make_a_chain(lines in proptest::collection::vec((0usize..9, 0usize..9, 0u8..8), 0..12)) {
        let name = |number: usize| format!("u{number}");
        let lines: Vec<Value> = lines
            .into_iter()
            .map(|(uuid, parent, what)| match what {
                0 => boundary(&name(uuid), &name(parent)),
                1 => side(&name(uuid), Some(&name(parent))),
                2 => user(&name(uuid), None),
                _ => user(&name(uuid), Some(&name(parent))),
            })
            .collect();
        let index = index(&lines);
        for whole in [false, true] {
            let chain = Chain::of(&index, &ChainSelection { whole, ..ChainSelection::default() });
            let mut once = chain.entries.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), chain.entries.len());
            let newest = index.entries.iter().rposition(|entry| !entry.is_sidechain && !entry.is_superseded);
            prop_assert!(newest.is_none_or(|newest| chain.entries.contains(&newest)));
        }
        Chain::sidechains(&index);
    }
}
