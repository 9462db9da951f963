use aqueduct_bridge::log::{Append, EventHit, EventQuery, NewEvent, SessionChange};
use proptest::prelude::*;

use super::{NOON, Scene, event};

fn look(text: &str) -> EventQuery {
    EventQuery { text: text.into(), project: None, root: None, session_id: None, offset: 0, limit: 50 }
}

async fn places(scene: &Scene, query: EventQuery) -> Vec<(String, u64)> {
    let hits = scene.log.search(query).await.unwrap().hits;
    hits.into_iter().map(|hit| (hit.session_id, hit.seq)).collect()
}

/// The excerpt with its hits in brackets.
fn shown(hit: &EventHit) -> String {
    hit.excerpt.replace(EventHit::OPEN, "[").replace(EventHit::CLOSE, "]")
}

async fn library() -> Scene {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let messages = [
        ("a", r#"{"text":"Please repair the leaking roof in src/roof_tiles.rs"}"#),
        ("a", r#"{"type":"tool_use","name":"Bash","input":{"command":"cargo test --package roofing"}}"#),
        ("b", r#"{"text":"The Café is closed; naïve façade"}"#),
        ("b", r#"{"text":"屋根の漏水を修理してください"}"#),
        ("b", r#"{"text":"roof and tiles, tiles and roof"}"#),
    ];
    for (session, payload) in messages {
        let event = NewEvent::new("said", payload).searchable();
        scene.log.append(session, Append::new(NOON).event(event)).await.unwrap();
    }
    scene.log.append("b", Append::new(NOON).event(event("roof, but not searchable"))).await.unwrap();
    scene.log.settle().await.unwrap();
    scene
}

#[tokio::test]
async fn words_are_found_in_every_kind_of_message() {
    let scene = library().await;
    for (text, expected) in [
        ("roof", vec![("b", 3), ("a", 1)]),
        ("roof*", vec![("b", 3), ("a", 2), ("a", 1)]),
        ("roof tiles", vec![("b", 3), ("a", 1)]),
        ("tiles roof", vec![("b", 3), ("a", 1)]),
        ("\"roof tiles\"", vec![("a", 1)]),
        ("“roof tiles” leak*", vec![("a", 1)]),
        ("roof_tiles.rs", vec![("a", 1)]),
        ("ROOFING", vec![("a", 2)]),
        ("roo* repair", vec![("a", 1)]),
        ("roo", vec![]),
        ("ro*", vec![]),
        ("leak repair", vec![]),
        ("bash --package", vec![("a", 2)]),
        ("cafe facade", vec![("b", 1)]),
        ("漏水", vec![("b", 2)]),
        ("修理して", vec![("b", 2)]),
        ("水漏", vec![]),
        ("searchable", vec![]),
        ("tool_use", vec![]),
        ("s1", vec![]),
        ("", vec![]),
        ("-- !!", vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(id, seq)| (id.to_owned(), seq)).collect();
        assert_eq!(places(&scene, look(text)).await, expected, "{text}");
    }
}

#[tokio::test]
async fn a_hit_shows_the_words_around_it() {
    let scene = library().await;
    for (text, expected) in [
        ("roof tiles", "[roof] and [tiles], [tiles] and [roof]"),
        ("cafe", "The [Café] is closed; naïve façade"),
        ("漏水", "屋根の[漏水]を修理してください"),
    ] {
        let hits = scene.log.search(look(text)).await.unwrap().hits;
        assert_eq!(shown(&hits[0]), expected);
    }
    let long = format!("{} needle {}", "before ".repeat(500), "after ".repeat(500));
    scene.log.append("a", Append::new(NOON).event(event(&long).searchable())).await.unwrap();
    scene.log.settle().await.unwrap();
    let hits = scene.log.search(look("needle")).await.unwrap().hits;
    let shown = shown(&hits[0]);
    assert!(shown.starts_with("…before") && shown.ends_with("after…"), "{shown}");
    assert!(shown.contains(" [needle] ") && shown.len() < 300, "{shown}");
}

#[tokio::test]
async fn hits_are_filtered_and_paged() {
    let scene = library().await;
    let of_a = EventQuery { session_id: Some("a".into()), ..look("roof*") };
    assert_eq!(places(&scene, of_a).await, [("a".to_owned(), 2), ("a".to_owned(), 1)]);
    let of_b = EventQuery { project: Some("/proj/b".into()), ..look("roof") };
    assert_eq!(places(&scene, of_b).await, [("b".to_owned(), 3)]);
    let nowhere = EventQuery { project: Some("/proj/c".into()), ..look("roof") };
    assert_eq!(places(&scene, nowhere).await, []);

    let all = places(&scene, look("roof*")).await;
    for offset in 0..4 {
        let found = scene.log.search(EventQuery { offset, limit: 1, ..look("roof*") }).await.unwrap();
        let hits: Vec<_> = found.hits.iter().map(|hit| (hit.session_id.clone(), hit.seq)).collect();
        assert_eq!(hits, all.iter().skip(offset as usize).take(1).cloned().collect::<Vec<_>>());
        assert_eq!(found.more, offset < 2);
    }

    // A hit names its session.
    for name in [SessionChange::Title("Found".into()), SessionChange::Rename(Some("Chosen".into()))] {
        scene.log.append("b", Append::new(NOON).change(name)).await.unwrap();
    }
    let hit = scene.log.search(look("roof")).await.unwrap().hits.remove(0);
    assert_eq!((hit.title.as_deref(), &*hit.project, &*hit.kind), (Some("Chosen"), "/proj/b", "said"));
}

/// Without being asked, the writer indexes when it is quiet; a restart does not keep it from that.
#[tokio::test]
async fn what_was_not_indexed_before_a_restart_is_indexed_after() {
    let scene = Scene::with_sessions(&["a"]).await;
    for number in 0..300 {
        let event = event(&format!("common word{number}")).searchable();
        scene.log.append("a", Append::new(NOON).event(event)).await.unwrap();
    }
    let scene = scene.reopen().await;
    scene.log.settle().await.unwrap();
    let found = scene.log.search(EventQuery { limit: 1000, ..look("common") }).await.unwrap();
    assert_eq!((found.hits.len(), found.unindexed), (300, 0));
    scene.assert_sound().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any input is searched for literally.
    #[test]
    fn no_input_breaks_the_query(
        texts in prop::collection::vec("\\PC{0,20}|[a-z\"*(){}:^+\\-]{0,20}|NEAR\\(a b\\)|a AND|body : x|[\u{0}-\u{1f}a]{0,5}", 4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let scene = Scene::with_sessions(&["a"]).await;
            for text in &texts {
                let payload = serde_json::to_string(text).unwrap();
                scene.log.append("a", Append::new(NOON).event(NewEvent::new("said", payload).searchable())).await.unwrap();
            }
            scene.log.settle().await.unwrap();
            for (number, text) in (1..).zip(&texts) {
                let seqs = places(&scene, look(text)).await;
                let quoted = places(&scene, look(&format!("\"{}\"", text.replace(['"', '“', '”', '„'], " ")))).await;
                // A text is found by itself, if there is a word in it.
                for seqs in [seqs, quoted] {
                    let found = seqs.contains(&("a".to_owned(), number));
                    assert!(found || !text.contains(|char: char| char.is_ascii_alphanumeric()), "{text:?}");
                }
            }
        });
    }
}
