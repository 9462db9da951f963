//! Which sessions a policy removes, and which it never does.

use std::time::Duration;

use aqueduct_bridge::log::{
    Append, LogSnapshot, NewEvent, NewPending, RetentionPlan, RetentionPolicy, RetentionReason,
    SessionChange, StoredInputState, Time,
};

use super::{NOON, Scene, later, new_input, new_session, one};

const DAY: i64 = 24 * 60 * 60;

fn aged(days: u64) -> RetentionPolicy {
    RetentionPolicy { age: Some(Duration::from_secs(days * DAY as u64)), bytes: None }
}

fn sized(bytes: u64) -> RetentionPolicy {
    RetentionPolicy { age: None, bytes: Some(bytes) }
}

/// Sessions whose newest messages are so many days old at [`NOW`], with about so many bytes each.
async fn sessions(days: &[(&str, i64)], bytes: usize) -> Scene {
    let scene = Scene::new();
    for (id, days) in days {
        let time = later((NOW_DAYS - days) * DAY);
        let append = Append::new(time).event(NewEvent::new("note", format!("\"{}\"", "x".repeat(bytes))));
        scene.log.create_session(new_session(id), append).await.unwrap();
    }
    scene
}

const NOW_DAYS: i64 = 1000;

fn now() -> Time {
    later(NOW_DAYS * DAY)
}

fn ids(plan: &RetentionPlan) -> Vec<&str> {
    plan.expired.iter().map(|session| session.id.as_str()).collect()
}

fn question(id: &str) -> NewPending {
    NewPending {
        request_id: id.to_owned(),
        agent_request_id: None,
        kind: "permission".to_owned(),
        tool_use_id: None,
        tool_name: None,
        input: "{}".into(),
        input_hash: [1; 32],
        suggestions: None,
        details: None,
    }
}

#[tokio::test]
async fn old_sessions_expire_the_oldest_first() {
    let scene = sessions(&[("new", 1), ("older", 91), ("old", 90), ("oldest", 400)], 10).await;
    let plan = scene.log.retention(aged(90), now()).await.unwrap();
    assert_eq!(ids(&plan), ["oldest", "older"]);
    assert_eq!((plan.kept, plan.in_use), (2, 0));
    assert!(
        plan.expired.iter().all(|session| session.reason == RetentionReason::Age && session.messages == 1)
    );
    let plan = scene.log.retention(RetentionPolicy::default(), now()).await.unwrap();
    assert_eq!((ids(&plan).len(), plan.kept), (0, 4));
}

#[tokio::test]
async fn the_oldest_go_until_the_log_is_small_enough() {
    let scene = sessions(&[("c", 1), ("b", 2), ("a", 3)], 1 << 20).await;
    scene.log.settle().await.unwrap();
    let all = scene.log.retention(sized(u64::MAX), now()).await.unwrap();
    assert_eq!(ids(&all), Vec::<&str>::new());
    assert!(all.log_bytes > 3 << 20, "{all:?}");
    let plan = scene.log.retention(sized(5 << 19), now()).await.unwrap();
    assert_eq!(ids(&plan), ["a"]);
    assert_eq!(plan.expired[0].reason, RetentionReason::Size);
    assert!(plan.bytes().abs_diff(all.log_bytes / 3) < 1 << 16, "{plan:?}");
    assert_eq!(ids(&scene.log.retention(sized(0), now()).await.unwrap()), ["a", "b", "c"]);
    // What is deleted and not yet removed from the file counts no more.
    assert!(scene.log.delete_ended_session("a", now()).await.unwrap());
    assert_eq!(ids(&scene.log.retention(sized(5 << 19), now()).await.unwrap()), Vec::<&str>::new());
    scene.log.settle().await.unwrap();
    assert_eq!(ids(&scene.log.retention(sized(5 << 19), now()).await.unwrap()), Vec::<&str>::new());
    scene.assert_sound().await;
}

/// An agent, an input or a question keeps its session, in the plan and at the deletion.
#[tokio::test]
async fn what_has_not_ended_never_goes() {
    let scene = sessions(&[("agent", 9), ("input", 9), ("sent", 9), ("question", 9), ("ended", 9)], 10).await;
    let log = &scene.log;
    let past = later((NOW_DAYS - 9) * DAY);
    let change = |change| Append::new(past).change(change);
    log.append("agent", change(SessionChange::Keeper(Some("k".to_owned())))).await.unwrap();
    log.enqueue("input", new_input("i"), Append::new(past)).await.unwrap();
    log.enqueue("sent", new_input("i"), Append::new(past)).await.unwrap();
    let state = |to| change(SessionChange::Input { id: "i".to_owned(), to });
    log.append("question", change(SessionChange::Ask(question("q")))).await.unwrap();
    for to in [StoredInputState::Sent, StoredInputState::Unconfirmed] {
        log.append("sent", state(to)).await.unwrap();
        let plan = log.retention(sized(0), now()).await.unwrap();
        assert_eq!((ids(&plan), plan.in_use), (vec!["ended"], 4), "{to:?}");
    }
    for id in ["agent", "input", "sent", "question"] {
        assert!(!log.delete_ended_session(id, now()).await.unwrap(), "{id}");
        log.session(id).await.unwrap();
    }
    // They go when nothing of it is left.
    log.append("agent", change(SessionChange::Keeper(None))).await.unwrap();
    log.append("input", state(StoredInputState::Cancelled)).await.unwrap();
    log.append("sent", state(StoredInputState::Done)).await.unwrap();
    log.append("question", change(SessionChange::Withdrawn("q".to_owned()))).await.unwrap();
    for id in ["agent", "input", "sent", "question", "ended"] {
        assert!(log.delete_ended_session(id, now()).await.unwrap(), "{id}");
        log.session(id).await.unwrap_err();
    }
}

#[tokio::test]
async fn a_session_with_newer_messages_stays() {
    let scene = sessions(&[("a", 100)], 10).await;
    let expired = scene.log.retention(aged(90), now()).await.unwrap().expired;
    scene.log.append("a", Append::new(now()).event(NewEvent::new("note", "\"again\""))).await.unwrap();
    assert!(!scene.log.delete_ended_session("a", expired[0].updated).await.unwrap());
    assert!(!scene.log.delete_ended_session("unknown", now()).await.unwrap());
    assert!(scene.log.delete_ended_session("a", now()).await.unwrap());
}

/// A command beside a bridge sees what was committed before, and disturbs nothing.
#[tokio::test]
async fn a_snapshot_is_a_state_of_a_log_in_use() {
    let scene = sessions(&[("a", 100), ("b", 1)], 10).await;
    let snapshot = LogSnapshot::open(scene.folder.path()).unwrap().unwrap();
    scene.log.append("b", one("later").after(1)).await.unwrap();
    scene.log.settle().await.unwrap();
    let counts = snapshot.counts().unwrap();
    assert_eq!((counts.sessions, counts.messages), (2, 2));
    assert_eq!(ids(&snapshot.retention(&aged(90), now()).unwrap()), ["a"]);
    assert_eq!((snapshot.id(), snapshot.faults().unwrap()), (scene.log.id(), Vec::new()));
    drop(snapshot);
    scene.log.append("b", Append::new(NOON)).await.unwrap();
    scene.assert_sound().await;
    assert!(LogSnapshot::open(&scene.folder.path().join("missing")).unwrap().is_none());
}
