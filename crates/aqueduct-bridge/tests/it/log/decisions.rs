use aqueduct_bridge::log::{
    Append, DecisionOutcome, Hash, NewPending, PageLimits, PagePosition, PendingState, RecordedDecision,
    SessionChange, StoredRequest,
};

use super::{NOON, Scene, later, one};

const HASH: Hash = [7; 32];

fn request(id: &str) -> NewPending {
    NewPending {
        request_id: id.into(),
        agent_request_id: Some(format!("agent-{id}")),
        kind: "permission".into(),
        tool_use_id: Some("toolu_1".into()),
        tool_name: Some("Bash".into()),
        input: "{\"command\":\"ls\"}".into(),
        input_hash: HASH,
        suggestions: Some("[]".into()),
        details: Some("{\"title\":\"Run ls?\"}".into()),
    }
}

fn ask(id: &str) -> Append {
    one("asked").change(SessionChange::Ask(request(id)))
}

fn decision_of(who: &str) -> RecordedDecision {
    RecordedDecision {
        by: who.into(),
        decision: format!("{{\"behavior\":\"allow\",\"by\":\"{who}\"}}"),
        time: later(3),
    }
}

async fn pending(scene: &Scene) -> Vec<StoredRequest> {
    scene.log.attach("a", PagePosition::Newest, PageLimits { count: 1, bytes: 1 }).await.unwrap().pending
}

#[tokio::test]
async fn a_request_waits_until_the_agent_has_its_answer() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.append("a", ask("r1")).await.unwrap();
    let scene = scene.reopen().await;
    let [open] = &*pending(&scene).await else { panic!() };
    assert_eq!((&open.request, open.created, open.state), (&request("r1"), NOON, PendingState::Open));

    let first = scene.log.decide("a", "r1", Some(HASH), decision_of("phone"), one("resolved")).await.unwrap();
    assert!(matches!(first, DecisionOutcome::First(appended) if appended.last_seq == 2), "{first:?}");
    let scene = scene.reopen().await;
    let [decided] = &*pending(&scene).await else { panic!() };
    assert_eq!((decided.state, &decided.decision), (PendingState::Decided, &Some(decision_of("phone"))));
    assert_eq!(decided.request, request("r1"));

    for _ in 0..2 {
        let settled = Append::new(NOON).change(SessionChange::Settled("r1".into()));
        scene.log.append("a", settled).await.unwrap();
    }
    assert_eq!(pending(&scene).await, []);
    let late = scene.log.decide("a", "r1", Some(HASH), decision_of("browser"), one("lost")).await.unwrap();
    assert_eq!(late, DecisionOutcome::Late(decision_of("phone")));
    assert_eq!(scene.payloads("a").await, ["\"asked\"", "\"resolved\""]);
}

#[tokio::test]
async fn the_first_of_many_decisions_wins_and_the_others_receive_it() {
    let scene = Scene::with_sessions(&["a"]).await;
    for round in 0..10 {
        let id = format!("r{round}");
        scene.log.append("a", ask(&id)).await.unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for who in 0..12 {
            let (log, id, who) = (scene.log.clone(), id.clone(), format!("client {who}"));
            tasks.spawn(async move {
                let decided = log.decide("a", id, Some(HASH), decision_of(&who), one(&who)).await.unwrap();
                (who, decided)
            });
        }
        let outcomes = tasks.join_all().await;
        let winners: Vec<_> =
            outcomes.iter().filter(|(_, decided)| matches!(decided, DecisionOutcome::First(_))).collect();
        let [(winner, _)] = &*winners else { panic!("{winners:?}") };
        for (who, decided) in &outcomes {
            if who != winner {
                assert_eq!(*decided, DecisionOutcome::Late(decision_of(winner)));
            }
        }
        assert_eq!(*scene.payloads("a").await.last().unwrap(), format!("\"{winner}\""));
    }
    assert_eq!(scene.events("a").await.len(), 20);
}

#[tokio::test]
async fn a_decision_is_about_what_was_shown() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    scene.log.append("a", ask("r1")).await.unwrap();
    let other = scene.log.decide("a", "r1", Some([8; 32]), decision_of("phone"), one("lost")).await.unwrap();
    assert_eq!(other, DecisionOutcome::OtherInput);
    for (session, id) in [("b", "r1"), ("a", "r2")] {
        let unknown =
            scene.log.decide(session, id, Some(HASH), decision_of("phone"), one("lost")).await.unwrap();
        assert_eq!(unknown, DecisionOutcome::Unknown);
    }
    assert_eq!(pending(&scene).await[0].state, PendingState::Open);
    assert_eq!(scene.events("a").await.len(), 1);
    assert_eq!(scene.log.session("a").await.unwrap().open, 1);
    // Who names no hash means whatever there is.
    let any = scene.log.decide("a", "r1", None, decision_of("phone"), one("resolved")).await.unwrap();
    assert!(matches!(any, DecisionOutcome::First(_)), "{any:?}");
    assert_eq!(scene.log.session("a").await.unwrap().open, 0);
}

#[tokio::test]
async fn what_the_agent_takes_back_is_over_unless_it_was_decided() {
    let scene = Scene::with_sessions(&["a"]).await;
    scene.log.append("a", ask("r1")).await.unwrap();
    scene.log.append("a", ask("r2")).await.unwrap();
    scene.log.decide("a", "r2", Some(HASH), decision_of("phone"), one("resolved")).await.unwrap();
    for id in ["r1", "r2"] {
        let withdrawn = Append::new(NOON).change(SessionChange::Withdrawn(id.into()));
        scene.log.append("a", withdrawn).await.unwrap();
    }
    let late = scene.log.decide("a", "r1", Some(HASH), decision_of("browser"), one("lost")).await.unwrap();
    assert_eq!(late, DecisionOutcome::Withdrawn);
    let late = scene.log.decide("a", "r2", Some(HASH), decision_of("browser"), one("lost")).await.unwrap();
    assert_eq!(late, DecisionOutcome::Late(decision_of("phone")));
    assert_eq!(pending(&scene).await.len(), 1);
}

/// An agent that starts again may count its requests from the beginning.
#[tokio::test]
async fn an_agents_id_that_comes_again_is_a_new_request() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    scene.log.append("a", ask("r1")).await.unwrap();
    scene.log.append("b", one("asked").change(SessionChange::Ask(request("r1")))).await.unwrap();
    let again = |id: &str| NewPending { request_id: id.into(), ..request("r1") };
    scene.log.append("a", Append::new(NOON).change(SessionChange::Ask(again("r2")))).await.unwrap();
    let [open] = &*pending(&scene).await else { panic!() };
    assert_eq!(open.request, again("r2"));
    let stale = scene.log.decide("a", "r1", Some(HASH), decision_of("phone"), one("lost")).await.unwrap();
    assert_eq!(stale, DecisionOutcome::Withdrawn);
    let fresh = scene.log.decide("a", "r2", Some(HASH), decision_of("phone"), one("resolved")).await.unwrap();
    assert!(matches!(fresh, DecisionOutcome::First(_)), "{fresh:?}");
    scene.log.append("a", Append::new(NOON).change(SessionChange::Ask(again("r3")))).await.unwrap();
    let [open] = &*pending(&scene).await else { panic!() };
    assert_eq!((&*open.request.request_id, open.state), ("r3", PendingState::Open));
    // Another session's request has nothing to do with it.
    assert_eq!(scene.log.session("b").await.unwrap().open, 1);
}

/// The bridge's own questions have no id of the agent, and do not end each other.
#[tokio::test]
async fn questions_of_the_bridge_are_distinguished() {
    let scene = Scene::with_sessions(&["a"]).await;
    for id in ["q1", "q2"] {
        let own = NewPending { agent_request_id: None, ..request(id) };
        scene.log.append("a", Append::new(NOON).change(SessionChange::Ask(own))).await.unwrap();
    }
    assert_eq!(pending(&scene).await.len(), 2);
}
