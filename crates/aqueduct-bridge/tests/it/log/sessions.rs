use aqueduct_bridge::log::{
    Append, EventQuery, LogError, NewInput, NewPending, NewSession, SessionChange, SessionQuery, TokenCounts,
    TurnUsage, UsageQuery,
};

use super::{NOON, Scene, event, later, new_session};

fn recent() -> SessionQuery {
    SessionQuery { project: None, root: None, text: None, archived: false, offset: 0, limit: 100 }
}

async fn ids(scene: &Scene, query: SessionQuery) -> Vec<String> {
    scene.log.sessions(query).await.unwrap().into_iter().map(|session| session.id).collect()
}

#[tokio::test]
async fn the_session_with_the_newest_event_comes_first() {
    let scene = Scene::with_sessions(&["a", "b", "c"]).await;
    assert_eq!(ids(&scene, recent()).await, ["c", "b", "a"]);
    scene.log.append("a", Append::new(later(5)).event(event("news"))).await.unwrap();
    scene.log.append("b", Append::new(later(9)).change(SessionChange::Status("idle".into()))).await.unwrap();
    assert_eq!(ids(&scene, recent()).await, ["a", "c", "b"]);
    // What is imported from long ago moves nothing back.
    scene.log.append("a", Append::new(later(-500)).event(event("old"))).await.unwrap();
    assert_eq!(ids(&scene, recent()).await, ["a", "c", "b"]);
}

#[tokio::test]
async fn the_list_has_pages_and_filters() {
    let scene = Scene::new();
    for number in 0..10 {
        let project = if number % 2 == 0 { "/proj/even" } else { "/proj/odd" };
        let session = NewSession { project: project.into(), ..new_session(&format!("s{number}")) };
        // Pairs of sessions have the same timestamp.
        scene.log.create_session(session, Append::new(later(number / 2))).await.unwrap();
    }
    scene.log.append("s4", Append::new(NOON).change(SessionChange::Archived(true))).await.unwrap();
    let everything = ids(&scene, recent()).await;
    assert_eq!(everything, ["s9", "s8", "s7", "s6", "s5", "s3", "s2", "s1", "s0"]);
    assert_eq!(ids(&scene, SessionQuery { archived: true, ..recent() }).await.len(), 10);
    let even = SessionQuery { project: Some("/proj/even".into()), ..recent() };
    assert_eq!(ids(&scene, even.clone()).await, ["s8", "s6", "s2", "s0"]);
    assert!(ids(&scene, SessionQuery { project: Some("/proj/none".into()), ..recent() }).await.is_empty());

    for (query, expected) in [(recent(), everything), (even, ids_of(&["s8", "s6", "s2", "s0"]))] {
        let mut found = Vec::new();
        loop {
            let page = SessionQuery { offset: found.len(), limit: 2, ..query.clone() };
            let page = ids(&scene, page).await;
            if page.is_empty() {
                break;
            }
            found.extend(page);
        }
        assert_eq!(found, expected);
    }
}

fn ids_of(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|&id| id.to_owned()).collect()
}

#[tokio::test]
async fn a_session_is_found_by_what_lists_show_of_it() {
    let scene = Scene::with_sessions(&["roof", "cellar", "attic"]).await;
    let change = |change| Append::new(NOON).change(change);
    scene.log.append("cellar", change(SessionChange::Title("About the ROOF".into()))).await.unwrap();
    scene.log.append("attic", change(SessionChange::FirstPrompt("Über dem Röof".into()))).await.unwrap();
    for (text, expected) in [
        ("roof", vec!["cellar", "roof"]),
        ("ÜBER", vec!["attic"]),
        ("/PROJ/att", vec!["attic"]),
        ("%", vec![]),
        ("", vec!["attic", "cellar", "roof"]),
    ] {
        let query = SessionQuery { text: Some(text.into()), ..recent() };
        assert_eq!(ids(&scene, query).await, expected, "{text}");
    }
    // The title that a person chose is the one that is shown.
    scene.log.append("cellar", change(SessionChange::Rename(Some("Damp".into())))).await.unwrap();
    let query = SessionQuery { text: Some("roof".into()), offset: 1, ..recent() };
    assert!(ids(&scene, query).await.is_empty());
}

#[tokio::test]
async fn a_bridge_that_starts_finds_what_it_has_to_resume() {
    let scene =
        Scene::with_sessions(&["kept", "released", "deleted", "queued", "done", "asked", "idle"]).await;
    let keeper =
        |folder: Option<&str>| Append::new(NOON).change(SessionChange::Keeper(folder.map(str::to_owned)));
    for id in ["kept", "released", "deleted"] {
        scene.log.append(id, keeper(Some("/home/ada/keepers/1"))).await.unwrap();
    }
    scene.log.append("released", keeper(None)).await.unwrap();
    scene.log.delete_session("deleted").await.unwrap();
    for id in ["queued", "done"] {
        let input = NewInput {
            id: "i".into(),
            client_id: None,
            sender: None,
            content: "\"x\"".into(),
            position: None,
        };
        scene.log.enqueue(id, input, Append::new(NOON)).await.unwrap();
    }
    scene.log.cancel_input("done", "i", Append::new(NOON)).await.unwrap();
    let request = NewPending {
        request_id: "r".into(),
        agent_request_id: None,
        kind: "plan".into(),
        tool_use_id: None,
        tool_name: None,
        input: "{}".into(),
        input_hash: [0; 32],
        suggestions: None,
        details: None,
    };
    scene.log.append("asked", Append::new(NOON).change(SessionChange::Ask(request))).await.unwrap();
    let scene = scene.reopen().await;
    let found = scene.log.sessions_in_work().await.unwrap();
    assert_eq!(found.iter().map(|session| &*session.id).collect::<Vec<_>>(), ["kept", "queued", "asked"]);
}

#[tokio::test]
async fn a_session_is_found_by_every_id_that_its_agent_gave_it() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    for id in ["one", "two", "two"] {
        scene.log.append("a", Append::new(NOON).change(SessionChange::AgentId(id.into()))).await.unwrap();
    }
    for (id, expected) in [("one", 1), ("two", 1), ("three", 0)] {
        let found = scene.log.sessions_of_agent_id(id).await.unwrap();
        assert_eq!(found.len(), expected, "{id}");
        assert!(found.iter().all(|session| session.agent_id.as_deref() == Some("two")));
    }
}

#[tokio::test]
async fn a_deleted_session_leaves_nothing_but_what_it_spent() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let turn = TurnUsage {
        day: "2025-06-15".into(),
        model: "opus".into(),
        turns: 1,
        cost: 0.5,
        tokens: TokenCounts { input: 3, ..TokenCounts::default() },
    };
    for id in ["a", "b"] {
        let search_text = event("the same secret word").searchable();
        scene
            .log
            .append(id, Append::new(NOON).event(search_text).change(SessionChange::Usage(turn.clone())))
            .await
            .unwrap();
    }
    scene.log.settle().await.unwrap();
    scene.log.delete_session("b").await.unwrap();
    let gone = LogError::NoSession { id: "b".into() };
    assert_eq!(scene.log.session("b").await.unwrap_err(), gone);
    assert_eq!(scene.log.append("b", Append::new(NOON)).await.unwrap_err(), gone);
    assert_eq!(scene.log.delete_session("b").await.unwrap_err(), gone);
    assert_eq!(ids(&scene, recent()).await, ["a"]);
    let look = EventQuery {
        text: "secret".into(),
        project: None,
        root: None,
        session_id: None,
        offset: 0,
        limit: 10,
    };
    assert_eq!(scene.log.search(look.clone()).await.unwrap().hits.len(), 1);

    // The removal continues after a restart, and then the id may be used again.
    let scene = scene.reopen().await;
    scene.log.settle().await.unwrap();
    assert_eq!(scene.log.search(look.clone()).await.unwrap().hits.len(), 1);
    scene.assert_sound().await;
    // Its transcripts are still known.
    assert!(scene.log.known_ids().await.unwrap().contains("b"));
    scene.log.create_session(new_session("b"), Append::new(NOON)).await.unwrap();
    scene.log.append("b", Append::new(NOON).event(event("another secret").searchable())).await.unwrap();
    scene.log.settle().await.unwrap();
    let hits = scene.log.search(look).await.unwrap().hits;
    assert_eq!(hits.iter().map(|hit| (&*hit.session_id, hit.seq)).collect::<Vec<_>>(), [("b", 1), ("a", 1)]);

    let query =
        UsageQuery { from: "2025-06-01".into(), to: "2025-06-30".into(), session_id: None, project: None };
    let rows = scene.log.usage(query).await.unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (&*row.project, row.cost)).collect();
    assert_eq!(rows, [("/proj/a", 0.5), ("/proj/b", 0.5)]);
}

/// A session with many events goes in steps, and others are written and found in between.
#[tokio::test]
async fn deleting_much_does_not_hold_up_others() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let mut much = Append::new(NOON);
    for number in 0..2000 {
        much = much.event(event(&format!("word{number} common")).searchable());
    }
    scene.log.append("a", much).await.unwrap();
    scene.log.settle().await.unwrap();
    scene.log.delete_session("a").await.unwrap();
    for _ in 0..20 {
        scene.log.append("b", Append::new(NOON).event(event("common").searchable())).await.unwrap();
    }
    scene.log.settle().await.unwrap();
    let look = EventQuery {
        text: "common".into(),
        project: None,
        root: None,
        session_id: None,
        offset: 0,
        limit: 100,
    };
    assert_eq!(scene.log.search(look).await.unwrap().hits.len(), 20);
    scene.assert_sound().await;
}
