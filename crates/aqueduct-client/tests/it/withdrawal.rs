//! Turns that are dropped, or whose time is up: the run ends, and the next one begins at once.

use std::time::Duration;

use aqueduct_client::{Error, Outcome, Session};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::peer::Peer;

/// Sends a prompt, and waits until the agent has it.
async fn turn(
    session: &Session,
    peer: &mut Peer,
    text: &str,
) -> (JoinHandle<Result<Outcome, Error>>, String) {
    let turn = tokio::spawn({
        let (session, text) = (session.clone(), text.to_owned());
        async move { session.turn(text).await }
    });
    (turn, peer.prompted().await)
}

/// Drops a turn.
async fn stop(turn: JoinHandle<Result<Outcome, Error>>) {
    turn.abort();
    assert!(turn.await.unwrap_err().is_cancelled());
}

/// A session with an agent of a version that can take prompts from its queue.
async fn new_agent() -> (Peer, Session) {
    let (mut peer, builder) = Peer::new(Session::builder());
    let agent = async {
        let asked = peer.asked("initialize").await;
        asked.answer(&mut peer, json!({"claude_code_version": "2.1.325"})).await;
    };
    let (session, ()) = tokio::join!(builder.start_without_events(), agent);
    (peer, session.unwrap())
}

/// The result of a turn that was interrupted.
async fn aborted(peer: &mut Peer, prompt: &str) {
    peer.say(json!({
        "type": "result", "subtype": "error_during_execution", "is_error": true,
        "terminal_reason": "aborted_streaming", "user_message_uuids": [prompt],
    }))
    .await;
}

#[tokio::test]
async fn a_dropped_turn_interrupts_its_run() {
    let (mut peer, session) = new_agent().await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.state("running").await;
    peer.lifecycle(&first, "started").await;
    // The session has seen that the run has begun.
    session_sees(&mut peer, &session).await;
    stop(one).await;
    let interrupt = peer.asked("interrupt").await;
    // The next prompt is not written before the run has ended: it could be interrupted with it.
    let next = tokio::spawn({
        let session = session.clone();
        async move { session.turn("two").await }
    });
    interrupt.answer(&mut peer, json!({})).await;
    aborted(&mut peer, &first).await;
    peer.state("idle").await;
    let second = peer.prompted().await;
    peer.result_for("second", &[&second]).await;
    peer.state("idle").await;
    assert_eq!(next.await.unwrap().unwrap().done().unwrap().text(), "second");
}

/// Waits until the session has taken in all that the agent has sent so far.
async fn session_sees(peer: &mut Peer, session: &Session) {
    let (answer, ()) = tokio::join!(session.mcp_status(), async {
        peer.asked("mcp_status").await.answer(peer, json!({"mcpServers": []})).await;
    });
    answer.unwrap();
}

#[tokio::test]
async fn a_prompt_in_the_queue_is_taken_from_it() {
    let (mut peer, session) = new_agent().await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.lifecycle(&first, "started").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    stop(two).await;
    let asked = peer.asked("cancel_async_message").await;
    assert_eq!(asked.request["message_uuid"], second.as_str());
    asked.answer(&mut peer, json!({"cancelled": true})).await;
    // The run of the other caller is not interrupted, and the next prompt is written.
    let (three, third) = turn(&session, &mut peer, "three").await;
    peer.result_for("first", &[&first]).await;
    assert_eq!(one.await.unwrap().unwrap().done().unwrap().text(), "first");
    peer.result_for("third", &[&third]).await;
    assert_eq!(three.await.unwrap().unwrap().done().unwrap().text(), "third");
}

#[tokio::test]
async fn a_prompt_that_has_left_the_queue_is_interrupted() {
    let (mut peer, session) = new_agent().await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    stop(one).await;
    let asked = peer.asked("cancel_async_message").await;
    peer.lifecycle(&first, "started").await;
    asked.answer(&mut peer, json!({"cancelled": false})).await;
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    aborted(&mut peer, &first).await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    peer.result_for("second", &[&second]).await;
    assert_eq!(two.await.unwrap().unwrap().done().unwrap().text(), "second");
}

#[tokio::test]
async fn an_interrupt_that_came_before_the_turn_is_repeated() {
    // An agent of unknown version, without a lifecycle.
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    drop(events);
    let (one, _) = turn(&session, &mut peer, "one").await;
    stop(one).await;
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    peer.say(json!({"type": "system", "subtype": "init", "session_id": "s"})).await;
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    peer.say(json!({"type": "result", "subtype": "error_during_execution", "is_error": false})).await;
    let (two, _) = turn(&session, &mut peer, "two").await;
    peer.result("second").await;
    assert_eq!(two.await.unwrap().unwrap().done().unwrap().text(), "second");
}

#[tokio::test]
async fn an_old_agent_ends_a_waiting_prompt_when_its_turn_comes() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    drop(events);
    let (one, _) = turn(&session, &mut peer, "one").await;
    let (two, _) = turn(&session, &mut peer, "two").await;
    stop(two).await;
    // The first run is wanted.
    peer.result("first").await;
    assert_eq!(one.await.unwrap().unwrap().done().unwrap().text(), "first");
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    peer.say(json!({"type": "result", "subtype": "error_during_execution", "is_error": false})).await;
    let (three, _) = turn(&session, &mut peer, "three").await;
    peer.result("third").await;
    assert_eq!(three.await.unwrap().unwrap().done().unwrap().text(), "third");
}

#[tokio::test]
async fn a_turn_that_serves_another_prompt_too_is_not_interrupted() {
    let (mut peer, session) = new_agent().await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    for prompt in [&first, &second] {
        peer.lifecycle(prompt, "started").await;
    }
    session_sees(&mut peer, &session).await;
    stop(one).await;
    peer.result_for("both", &[&first, &second]).await;
    assert_eq!(two.await.unwrap().unwrap().done().unwrap().text(), "both");
    // Nothing was asked before this prompt.
    let (three, third) = turn(&session, &mut peer, "three").await;
    peer.result_for("third", &[&third]).await;
    assert_eq!(three.await.unwrap().unwrap().done().unwrap().text(), "third");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_interrupts() {
    let (mut peer, session) = new_agent().await;
    let limit = Duration::from_secs(30);
    let agent = async {
        let prompt = peer.prompted().await;
        peer.lifecycle(&prompt, "started").await;
        peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
        aborted(&mut peer, &prompt).await;
    };
    let began = tokio::time::Instant::now();
    let (outcome, ()) = tokio::join!(session.turn_within("one", limit), agent);
    assert!(matches!(outcome.unwrap(), Outcome::Interrupted(Some(_))));
    assert_eq!(began.elapsed().as_secs(), limit.as_secs());
    // In time.
    let agent = async {
        peer.prompted().await;
        peer.result("second").await;
    };
    let (outcome, ()) = tokio::join!(session.turn_within("two", limit), agent);
    assert_eq!(outcome.unwrap().done().unwrap().text(), "second");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_of_an_agent_that_does_not_react() {
    let (mut peer, session) = new_agent().await;
    let (outcome, prompt) =
        tokio::join!(session.turn_within("one", Duration::from_secs(30)), peer.prompted());
    assert_eq!(outcome.unwrap(), Outcome::Interrupted(None));
    // Its answer, late as it is, is not that of the next prompt.
    peer.asked("cancel_async_message").await.answer(&mut peer, json!({"cancelled": false})).await;
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    peer.result_for("first", &[&prompt]).await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    peer.result_for("second", &[&second]).await;
    assert_eq!(two.await.unwrap().unwrap().done().unwrap().text(), "second");
}

#[tokio::test]
async fn a_turn_that_is_dropped_before_it_is_sent() {
    let (mut peer, session) = new_agent().await;
    let mut turn = Box::pin(session.turn("one"));
    std::future::poll_fn(|context| {
        assert!(turn.as_mut().poll(context).is_pending());
        std::task::Poll::Ready(())
    })
    .await;
    drop(turn);
    session.send("two").await.unwrap();
    let line = peer.receive().await.unwrap();
    assert_eq!(line["message"]["content"], "two");
}
