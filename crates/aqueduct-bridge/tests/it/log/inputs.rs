use aqueduct_bridge::log::{
    Append, EditOutcome, EnqueueOutcome, LogError, NewInput, PageLimits, PagePosition, SessionChange,
    StoredInputState,
};
use proptest::prelude::*;

use super::{NOON, Scene, later, one};

const FEW: PageLimits = PageLimits { count: 10, bytes: 1 << 20 };

fn input(id: &str, client_id: &str) -> NewInput {
    NewInput {
        id: id.into(),
        client_id: Some(client_id.into()),
        sender: Some("phone".into()),
        content: format!("\"do {id}\""),
        position: None,
    }
}

async fn queue(scene: &Scene) -> Vec<String> {
    let inputs = scene.log.attach("a", PagePosition::Newest, FEW).await.unwrap().inputs;
    inputs.into_iter().map(|input| input.id).collect()
}

fn to(id: &str, state: StoredInputState) -> Append {
    Append::new(later(1)).change(SessionChange::Input { id: id.into(), to: state })
}

#[tokio::test]
async fn what_a_client_sends_twice_is_queued_once() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let log = &scene.log;
    let first = log.enqueue("a", input("i1", "c1"), one("queued i1")).await.unwrap();
    assert!(matches!(first, EnqueueOutcome::New(appended) if appended.last_seq == 1), "{first:?}");
    let again = log.enqueue("a", input("i2", "c1"), one("queued i2")).await.unwrap();
    let EnqueueOutcome::Known(known) = again else { panic!("{again:?}") };
    assert_eq!((&*known.id, known.state, &*known.content), ("i1", StoredInputState::Queued, "\"do i1\""));

    // Also after it ran, and after a restart.
    for state in [StoredInputState::Sent, StoredInputState::Taken, StoredInputState::Done] {
        log.append("a", to("i1", state)).await.unwrap();
    }
    let scene = scene.reopen().await;
    let again = scene.log.enqueue("a", input("i3", "c1"), one("queued i3")).await.unwrap();
    let EnqueueOutcome::Known(known) = again else { panic!("{again:?}") };
    assert_eq!((&*known.id, known.state, &*known.content), ("i1", StoredInputState::Done, ""));
    assert_eq!(scene.payloads("a").await, ["\"queued i1\""]);

    // Another session knows nothing of it, and inputs without a client's id are distinguished by ours.
    let other = scene.log.enqueue("b", input("i1", "c1"), one("queued")).await.unwrap();
    assert!(matches!(other, EnqueueOutcome::New(_)), "{other:?}");
    for (id, is_new) in [("n1", true), ("n2", true), ("n1", false)] {
        let anonymous = NewInput { client_id: None, ..input(id, "") };
        let done = scene.log.enqueue("b", anonymous, Append::new(NOON)).await.unwrap();
        assert_eq!(matches!(done, EnqueueOutcome::New(_)), is_new, "{id}");
    }
}

#[tokio::test]
async fn twenty_clients_send_the_same_at_once() {
    let scene = Scene::with_sessions(&["a"]).await;
    let tries = (0..20).map(|number| {
        let log = scene.log.clone();
        async move { log.enqueue("a", input(&format!("i{number}"), "c"), one("queued")).await.unwrap() }
    });
    let mut tasks = tokio::task::JoinSet::new();
    tries.for_each(|attempt| drop(tasks.spawn(attempt)));
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, EnqueueOutcome::New(_))).count(), 1);
    assert_eq!(scene.events("a").await.len(), 1);
}

#[tokio::test]
async fn the_queue_keeps_its_order_and_may_be_edited() {
    let scene = Scene::with_sessions(&["a"]).await;
    for id in ["i1", "i2", "i3"] {
        scene.log.enqueue("a", input(id, id), Append::new(NOON)).await.unwrap();
    }
    scene.log.append("a", to("i1", StoredInputState::Sent)).await.unwrap();
    let edited = scene.log.edit_input("a", "i2", "\"other\"".into(), one("edited")).await.unwrap();
    assert!(matches!(edited, EditOutcome::Now(_)), "{edited:?}");
    let cancelled = scene.log.cancel_input("a", "i3", one("cancelled")).await.unwrap();
    assert!(matches!(cancelled, EditOutcome::Now(_)), "{cancelled:?}");

    // What was sent, or is over, can't be changed any more; nothing is appended then.
    for id in ["i1", "i3"] {
        let late = scene.log.edit_input("a", id, "\"late\"".into(), one("lost")).await.unwrap();
        assert!(matches!(late, EditOutcome::TooLate(_)), "{late:?}");
        let late = scene.log.cancel_input("a", id, one("lost")).await.unwrap();
        assert!(matches!(late, EditOutcome::TooLate(_)), "{late:?}");
    }
    assert_eq!(scene.log.cancel_input("a", "i9", one("lost")).await.unwrap(), EditOutcome::Unknown);
    assert_eq!(scene.payloads("a").await, ["\"edited\"", "\"cancelled\""]);

    let scene = scene.reopen().await;
    let queue = scene.log.attach("a", PagePosition::Newest, FEW).await.unwrap().inputs;
    let queue: Vec<_> = queue.iter().map(|input| (&*input.id, input.state, &*input.content)).collect();
    assert_eq!(
        queue,
        [("i1", StoredInputState::Sent, "\"do i1\""), ("i2", StoredInputState::Queued, "\"other\"")]
    );
    assert_eq!(scene.log.input("a", "i3").await.unwrap().unwrap().state, StoredInputState::Cancelled);
}

#[tokio::test]
async fn what_an_agent_never_got_is_the_first_for_the_next() {
    let scene = Scene::with_sessions(&["a"]).await;
    for id in ["i1", "i2"] {
        scene.log.enqueue("a", input(id, id), Append::new(NOON)).await.unwrap();
    }
    scene.log.append("a", to("i1", StoredInputState::Sent)).await.unwrap();
    scene.log.append("a", to("i1", StoredInputState::Returned)).await.unwrap();
    assert_eq!(queue(&scene).await, ["i1", "i2"]);
    scene.log.append("a", to("i1", StoredInputState::Sent)).await.unwrap();
    let back = scene.log.append("a", to("i1", StoredInputState::Queued)).await;
    assert!(matches!(back, Err(LogError::InputState { .. })), "it was reported as sent: {back:?}");
    scene.log.append("a", to("i1", StoredInputState::Unconfirmed)).await.unwrap();
    assert_eq!(queue(&scene).await, ["i2"]);
    let kept = scene.log.input("a", "i1").await.unwrap().unwrap();
    assert_eq!((kept.state, kept.content.as_str()), (StoredInputState::Unconfirmed, "\"do i1\""));
}

#[tokio::test]
async fn inputs_that_wait_change_places() {
    let scene = Scene::with_sessions(&["a"]).await;
    for id in ["i1", "i2", "i3", "i4"] {
        scene.log.enqueue("a", input(id, id), Append::new(NOON)).await.unwrap();
    }
    scene.log.append("a", to("i1", StoredInputState::Sent)).await.unwrap();
    for (id, position, expected) in [
        ("i4", 0, ["i1", "i4", "i2", "i3"]),
        ("i4", 1, ["i1", "i2", "i4", "i3"]),
        ("i2", 99, ["i1", "i4", "i3", "i2"]),
        ("i3", 1, ["i1", "i4", "i3", "i2"]),
    ] {
        let moved = scene.log.move_input("a", id, position, one("moved")).await.unwrap();
        assert!(matches!(moved, EditOutcome::Now(_)), "{moved:?}");
        assert_eq!(queue(&scene).await, expected);
    }
    let late = scene.log.move_input("a", "i1", 0, one("lost")).await.unwrap();
    assert!(matches!(late, EditOutcome::TooLate(_)), "{late:?}");
    assert_eq!(scene.log.move_input("a", "i9", 0, one("lost")).await.unwrap(), EditOutcome::Unknown);
    assert_eq!(scene.events("a").await.len(), 4);

    // One that is to be next, whatever waits.
    let urgent = NewInput { position: Some(0), ..input("i5", "i5") };
    scene.log.enqueue("a", urgent, Append::new(NOON)).await.unwrap();
    let scene = scene.reopen().await;
    assert_eq!(queue(&scene).await, ["i1", "i5", "i4", "i3", "i2"]);
    assert_eq!(scene.log.session("a").await.unwrap().queued, 4);
}

fn any_state() -> impl Strategy<Value = StoredInputState> {
    prop::sample::select(vec![
        StoredInputState::Queued,
        StoredInputState::Sent,
        StoredInputState::Taken,
        StoredInputState::Done,
        StoredInputState::Cancelled,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the bridge writes to the log in any order, an input that was taken is never sent again.
    #[test]
    fn an_input_runs_once(states in prop::collection::vec(any_state(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let scene = Scene::with_sessions(&["a"]).await;
            scene.log.enqueue("a", input("i", "c"), Append::new(NOON)).await.unwrap();
            let mut was_taken = false;
            for state in states {
                let before = scene.log.input("a", "i").await.unwrap().unwrap().state;
                let done = scene.log.append("a", to("i", state)).await;
                let after = scene.log.input("a", "i").await.unwrap().unwrap().state;
                match done {
                    Ok(_) => assert_eq!(after, state),
                    Err(LogError::InputState { .. }) => assert_eq!(after, before),
                    Err(error) => panic!("{error}"),
                }
                was_taken |= matches!(after, StoredInputState::Taken | StoredInputState::Done);
                assert!(!(was_taken && matches!(after, StoredInputState::Queued | StoredInputState::Sent)));
            }
        });
    }
}
