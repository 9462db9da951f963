use aqueduct_bridge::log::{Append, LogError, NewEvent, NewSession, SessionChange, StoredInputState};

use super::{NOON, Scene, event, later, new_session, one};

#[tokio::test]
async fn events_of_a_session_are_numbered_without_gaps() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let log = &scene.log;
    let first = log.append("a", one("1").event(event("2"))).await.unwrap();
    assert_eq!(first.seqs().collect::<Vec<_>>(), [1, 2]);
    let other = log.append("b", one("1")).await.unwrap();
    assert_eq!((other.last_seq, other.count), (1, 1));
    let none = log.append("a", Append::new(NOON)).await.unwrap();
    assert_eq!((none.last_seq, none.count, none.seqs().count()), (2, 0, 0));
    let second = log.append("a", one("3")).await.unwrap();
    assert_eq!(second.seqs().collect::<Vec<_>>(), [3]);

    let scene = scene.reopen().await;
    assert_eq!(scene.payloads("a").await, ["\"1\"", "\"2\"", "\"3\""]);
    assert_eq!(scene.events("a").await.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3]);
    scene.assert_sound().await;
}

#[tokio::test]
async fn an_event_comes_back_as_it_was() {
    let scene = Scene::with_sessions(&["a"]).await;
    let payload = "{\"type\":\"assistant\",\"n\":1e2,\"s\":\"\\ud800 \u{2028} é\"}";
    let whole = NewEvent::new("assistant", payload).with_uuid("4f1c").searchable().at(later(-60));
    scene.log.append("a", Append::new(NOON).event(whole).event(event("x"))).await.unwrap();
    let events = scene.events("a").await;
    assert_eq!((&*events[0].kind, &*events[0].payload), ("assistant", payload));
    assert_eq!((events[0].time, events[0].uuid.as_deref()), (later(-60), Some("4f1c")));
    assert_eq!((events[1].time, events[1].uuid.as_deref()), (NOON, None));
}

#[tokio::test]
async fn a_batch_happens_as_a_whole_or_not_at_all() {
    let scene = Scene::with_sessions(&["a"]).await;
    let before = scene.log.session("a").await.unwrap();
    let impossible = SessionChange::Input { id: "unknown".into(), to: StoredInputState::Sent };
    let append = one("lost").change(SessionChange::Status("running".into())).change(impossible);
    let error = scene.log.append("a", append).await.unwrap_err();
    assert_eq!(error, LogError::InputState { id: "unknown".into(), from: None, to: "sent" });
    assert_eq!(scene.log.session("a").await.unwrap(), before);
    assert_eq!(scene.events("a").await, []);
    assert_eq!(scene.log.append("a", one("kept")).await.unwrap().last_seq, 1);
}

#[tokio::test]
async fn output_is_never_read_twice() {
    let scene = Scene::with_sessions(&["a"]).await;
    let read = |from, to| one("line").change(SessionChange::Cursor { from, to });
    scene.log.append("a", read(0, 10)).await.unwrap();
    let error = scene.log.append("a", read(0, 10)).await.unwrap_err();
    assert_eq!(error, LogError::CursorMoved { expected: 0, actual: 10 });
    scene.log.append("a", read(10, 25)).await.unwrap();
    let session = scene.log.session("a").await.unwrap();
    assert_eq!((session.cursor, session.last_seq), (25, 2));

    // Another keeper has an output of its own.
    let keeper = SessionChange::Keeper(Some("/home/ada/keepers/2".into()));
    scene.log.append("a", Append::new(NOON).change(keeper)).await.unwrap();
    scene.log.append("a", read(0, 7)).await.unwrap();
    assert_eq!(scene.log.session("a").await.unwrap().cursor, 7);
}

#[tokio::test]
async fn everything_known_of_a_session_changes_and_stays() {
    let scene = Scene::new();
    let new = NewSession {
        agent_id: Some("agent-1".into()),
        model: Some("sonnet".into()),
        permission_mode: Some("plan".into()),
        name: Some("Tidy up".into()),
        options: Some("{}".into()),
        budget: Some(5.0),
        ..new_session("a")
    };
    scene.log.create_session(new, one("made")).await.unwrap();
    let append = Append::new(later(5))
        .event(event("more"))
        .change(SessionChange::Keeper(Some("/home/ada/keepers/1".into())))
        .change(SessionChange::AgentId("agent-2".into()))
        .change(SessionChange::Model(Some("opus".into())))
        .change(SessionChange::PermissionMode(None))
        .change(SessionChange::Title("Attic".into()))
        .change(SessionChange::FirstPrompt("Tidy up the attic".into()))
        .change(SessionChange::FirstPrompt("And the cellar".into()))
        .change(SessionChange::Details(Some("{\"branch\":\"main\"}".into())))
        .change(SessionChange::Status("running".into()))
        .change(SessionChange::Options(Some("{\"effort\":\"high\"}".into())))
        .change(SessionChange::Budget(None))
        .change(SessionChange::Archived(true));
    scene.log.append("a", append).await.unwrap();

    let scene = scene.reopen().await;
    let session = scene.log.session("a").await.unwrap();
    assert_eq!(session.project, "/proj/a");
    assert_eq!(session.agent, "builtin");
    assert_eq!(session.agent_id.as_deref(), Some("agent-2"));
    assert_eq!(session.model.as_deref(), Some("opus"));
    assert_eq!(session.permission_mode, None);
    assert_eq!((session.title.as_deref(), session.name.as_deref()), (Some("Attic"), Some("Tidy up")));
    assert_eq!(session.first_prompt.as_deref(), Some("Tidy up the attic"));
    assert_eq!(session.details.as_deref(), Some("{\"branch\":\"main\"}"));
    assert_eq!(session.status, "running");
    assert_eq!(session.options.as_deref(), Some("{\"effort\":\"high\"}"));
    assert_eq!((session.created, session.updated), (NOON, later(5)));
    assert_eq!(session.keeper.as_deref(), Some("/home/ada/keepers/1"));
    assert_eq!(session.budget, None);
    assert_eq!((session.archived, session.last_seq), (true, 2));
}

#[tokio::test]
async fn a_title_that_a_person_chose_can_be_taken_back() {
    let scene = Scene::with_sessions(&["a"]).await;
    let change = |change| Append::new(NOON).change(change);
    scene.log.append("a", change(SessionChange::Rename(Some("Chosen".into())))).await.unwrap();
    scene.log.append("a", change(SessionChange::Title("Found".into()))).await.unwrap();
    let session = scene.log.session("a").await.unwrap();
    assert_eq!((session.title.as_deref(), session.name.as_deref()), (Some("Found"), Some("Chosen")));
    scene.log.append("a", change(SessionChange::Rename(None))).await.unwrap();
    assert_eq!(scene.log.session("a").await.unwrap().name, None);
}

/// Who writes the place of an event into its payload is right, or nothing is appended.
#[tokio::test]
async fn an_append_can_insist_on_its_place() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.append("a", one("1").event(event("2")).after(0)).await.unwrap();
    for wrong in [0, 1, 3] {
        let append = one("lost").change(SessionChange::Status("lost".into())).after(wrong);
        let error = scene.log.append("a", append).await.unwrap_err();
        assert_eq!(error, LogError::SeqMoved { expected: wrong, actual: 2 });
    }
    assert_eq!(scene.log.session("a").await.unwrap().status, "starting");
    assert_eq!(scene.log.append("a", one("3").after(2)).await.unwrap().last_seq, 3);
    scene.log.append("a", Append::new(NOON).after(3)).await.unwrap();
}

#[tokio::test]
async fn an_id_names_one_session() {
    let scene = Scene::with_sessions(&["a"]).await;
    let error = scene.log.create_session(new_session("a"), one("twice")).await.unwrap_err();
    assert_eq!(error, LogError::SessionExists { id: "a".into() });
    assert_eq!(scene.events("a").await, []);
    let error = scene.log.append("b", one("lost")).await.unwrap_err();
    assert_eq!(error, LogError::NoSession { id: "b".into() });
}

/// An append that fails in a group that is committed together fails alone.
#[tokio::test]
async fn many_sessions_append_at_once() {
    let ids: Vec<String> = (0..40).map(|id| format!("s{id}")).collect();
    let scene = Scene::with_sessions(&ids.iter().map(|id| &**id).collect::<Vec<_>>()).await;
    let mut tasks = tokio::task::JoinSet::new();
    for id in ids.iter().cloned().chain(["unknown".to_owned()]) {
        let log = scene.log.clone();
        tasks.spawn(async move {
            for round in 1..=25 {
                let done = log.append(&*id, one(&round.to_string())).await;
                match &*id {
                    "unknown" => assert!(matches!(done, Err(LogError::NoSession { .. }))),
                    _ => assert_eq!(done.unwrap().last_seq, round),
                }
            }
        });
    }
    tasks.join_all().await;
    for id in &ids {
        let rounds: Vec<String> = (1..=25).map(|round| format!("\"{round}\"")).collect();
        assert_eq!(scene.payloads(id).await, rounds);
    }
    scene.assert_sound().await;
}

#[tokio::test]
async fn an_event_larger_than_the_queue_has_it_for_itself() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let large = format!("\"{}\"", "x".repeat(20 << 20));
    let (one, two) = tokio::join!(
        scene.log.append("a", Append::new(NOON).event(NewEvent::new("note", large.clone()))),
        scene.log.append("b", Append::new(NOON).event(NewEvent::new("note", large.clone()))),
    );
    assert_eq!((one.unwrap().last_seq, two.unwrap().last_seq), (1, 1));
    assert_eq!(scene.payloads("b").await, [large]);
}
