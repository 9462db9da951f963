//! Several prompts, and which outcome is whose.

use aqueduct_client::{Error, Event, Events, Outcome, Prompt, Session};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::peer::{Peer, result};

type Turn = JoinHandle<Result<Outcome, Error>>;

/// Sends a prompt, and waits until the agent has it.
async fn turn(session: &Session, peer: &mut Peer, text: &str) -> (Turn, String) {
    let turn = tokio::spawn({
        let (session, text) = (session.clone(), text.to_owned());
        async move { session.turn(text).await }
    });
    (turn, peer.prompted().await)
}

async fn text(turn: Turn) -> String {
    match turn.await.unwrap().unwrap() {
        Outcome::Done(report) => report.text().to_owned(),
        other => other.to_string(),
    }
}

/// The outcomes of runs, as events report them, up to the end of the session.
async fn runs(mut events: Events) -> Vec<String> {
    let mut runs = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            Event::RunEnded(Outcome::Done(report)) => runs.push(report.text().to_owned()),
            Event::RunEnded(other) => runs.push(other.to_string()),
            _ => {}
        }
    }
    runs
}

#[tokio::test]
async fn an_agent_without_ids_serves_prompts_in_their_order() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    let (one, _) = turn(&session, &mut peer, "one").await;
    let (two, _) = turn(&session, &mut peer, "two").await;
    peer.result("first").await;
    assert_eq!(text(one).await, "first");
    assert!(!two.is_finished());
    peer.result("second").await;
    assert_eq!(text(two).await, "second");
    drop(peer);
    session.ended().await;
    assert_eq!(runs(events).await, ["first", "second"]);
}

#[tokio::test]
async fn prompts_that_are_merged_share_an_outcome() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.state("running").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    let (three, third) = turn(&session, &mut peer, "three").await;
    peer.result_for("alone", &[&first]).await;
    peer.result_for("together", &[&second, &third]).await;
    // The first run ended when the next one did at the latest.
    assert_eq!(text(one).await, "alone");
    assert!(!two.is_finished() && !three.is_finished(), "the agent is not idle");
    peer.state("idle").await;
    assert_eq!((text(two).await.as_str(), text(three).await.as_str()), ("together", "together"));
    drop(peer);
    session.ended().await;
    assert_eq!(runs(events).await, ["alone", "together"]);
}

#[tokio::test]
async fn a_run_ends_when_the_next_prompt_is_taken_up() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    let (_two, second) = turn(&session, &mut peer, "two").await;
    peer.state("running").await;
    peer.lifecycle(&first, "started").await;
    peer.result_for("first", &[&first]).await;
    peer.lifecycle(&first, "completed").await;
    // A queue that never empties must not block any caller.
    peer.lifecycle(&second, "started").await;
    assert_eq!(text(one).await, "first");
}

#[tokio::test]
async fn what_a_background_task_finds_belongs_to_the_run() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.state("running").await;
    peer.say(json!({"type": "system", "subtype": "task_started", "task_id": "t", "description": "d"})).await;
    peer.result_for("started it", &[&first]).await;
    peer.lifecycle(&first, "completed").await;
    let mut found = result("it found this");
    found["origin"] = json!({"kind": "task-notification"});
    peer.say(found).await;
    peer.state("idle").await;
    assert_eq!(text(one).await, "it found this");
    drop(peer);
    session.ended().await;
    assert_eq!(runs(events).await, ["it found this"]);
}

#[tokio::test]
async fn a_prompt_of_another_host_is_a_separate_run() {
    let (mut peer, session, events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.state("running").await;
    let mut other = result("for a channel");
    other["origin"] = json!({"kind": "channel", "server": "s"});
    peer.say(other.clone()).await;
    peer.result_for("for the prompt", &[&first]).await;
    peer.say(other).await;
    peer.state("idle").await;
    assert_eq!(text(one).await, "for the prompt");
    drop(peer);
    session.ended().await;
    assert_eq!(runs(events).await, ["for a channel", "for the prompt", "for a channel"]);
}

#[tokio::test]
async fn an_agent_that_knows_prompts_by_id_names_its_own() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    peer.lifecycle(&first, "queued").await;
    peer.result_for("of another host's prompt", &["of-another-host"]).await;
    peer.result_for("of this one's", &[&first]).await;
    assert_eq!(text(one).await, "of this one's");
}

#[tokio::test]
async fn a_prompt_taken_into_a_turn_that_names_too_few() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    let (three, third) = turn(&session, &mut peer, "three").await;
    peer.state("running").await;
    for prompt in [&first, &second, &third] {
        peer.lifecycle(prompt, "started").await;
    }
    // Before the result, behind it, and named.
    peer.lifecycle(&second, "completed").await;
    peer.result_for("all of it", &[&first]).await;
    peer.lifecycle(&third, "completed").await;
    peer.state("idle").await;
    for turn in [one, two, three] {
        assert_eq!(text(turn).await, "all of it");
    }
}

#[tokio::test]
async fn a_prompt_is_taken_from_the_queue() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    let (three, third) = turn(&session, &mut peer, "three").await;
    peer.state("running").await;
    // By the agent's word about it.
    peer.lifecycle(&third, "cancelled").await;
    assert_eq!(three.await.unwrap().unwrap(), Outcome::Interrupted(None));
    // By its answer alone.
    let cancelling = tokio::spawn({
        let (session, second) = (session.clone(), second.clone());
        async move { session.cancel_queued(&second).await }
    });
    let asked = peer.asked("cancel_async_message").await;
    assert_eq!(asked.request["message_uuid"], second.as_str());
    asked.answer(&mut peer, json!({"cancelled": true})).await;
    assert_eq!(cancelling.await.unwrap().unwrap().cancelled, Some(true));
    assert_eq!(two.await.unwrap().unwrap(), Outcome::Interrupted(None));
    // What is not cancelled continues.
    peer.result_for("done", &[&first]).await;
    peer.state("idle").await;
    assert_eq!(text(one).await, "done");
}

#[tokio::test]
async fn an_interrupt_empties_the_queue() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, first) = turn(&session, &mut peer, "one").await;
    let (two, second) = turn(&session, &mut peer, "two").await;
    peer.state("running").await;
    let interrupting = tokio::spawn({
        let session = session.clone();
        async move { session.interrupt_all().await }
    });
    let asked = peer.asked("interrupt").await;
    assert_eq!(asked.request["cancel_queued"], true);
    asked.answer(&mut peer, json!({"still_queued": [], "cancelled": [second]})).await;
    interrupting.await.unwrap().unwrap();
    assert_eq!(two.await.unwrap().unwrap(), Outcome::Interrupted(None));
    let mut aborted = result("");
    aborted["subtype"] = "error_during_execution".into();
    aborted["terminal_reason"] = "aborted_streaming".into();
    aborted["user_message_uuids"] = json!([first]);
    peer.say(aborted).await;
    peer.lifecycle(&first, "cancelled").await;
    peer.state("idle").await;
    assert!(matches!(one.await.unwrap().unwrap(), Outcome::Interrupted(Some(_))));
}

#[tokio::test]
async fn an_older_agent_does_not_report_that_it_was_interrupted() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (one, _) = turn(&session, &mut peer, "one").await;
    let interrupting = tokio::spawn({
        let session = session.clone();
        async move { session.interrupt().await }
    });
    let asked = peer.asked("interrupt").await;
    // The first turn ends by itself before the interrupt comes, and the second is hit.
    let (two, _) = turn(&session, &mut peer, "two").await;
    peer.result("in time").await;
    asked.answer(&mut peer, json!({})).await;
    interrupting.await.unwrap().unwrap();
    let failed =
        json!({"type": "result", "subtype": "error_during_execution", "is_error": false, "errors": []});
    peer.say(failed.clone()).await;
    assert_eq!(text(one).await, "in time");
    assert!(matches!(two.await.unwrap().unwrap(), Outcome::Interrupted(Some(_))));
    // That was that: the next one that fails has failed.
    let (three, _) = turn(&session, &mut peer, "three").await;
    peer.say(failed).await;
    assert!(matches!(three.await.unwrap().unwrap(), Outcome::Failed(_)));
}

#[tokio::test]
async fn an_interrupt_while_idle_marks_nothing() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let interrupting = tokio::spawn({
        let session = session.clone();
        async move { session.interrupt().await }
    });
    peer.asked("interrupt").await.answer(&mut peer, json!({})).await;
    interrupting.await.unwrap().unwrap();
    let (one, _) = turn(&session, &mut peer, "one").await;
    peer.say(json!({"type": "result", "subtype": "error_during_execution", "is_error": true})).await;
    assert!(matches!(one.await.unwrap().unwrap(), Outcome::Failed(_)));
}

#[tokio::test]
async fn a_prompt_that_was_sent_before_is_refused() {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let prompt = Prompt::from("one").with_id("9c7e");
    session.send(prompt.clone()).await.unwrap();
    peer.prompted().await;
    let error = session.turn(prompt).await.unwrap_err();
    assert!(error.to_string().starts_with("the prompt 9c7e was sent before"), "{error}");
}

#[tokio::test]
async fn what_is_sent_after_the_end_of_input() {
    let (mut peer, session, mut events) =
        Peer::start(Session::builder().on_permission(|_| async { aqueduct_client::Permission::allow() }))
            .await;
    let (one, _) = turn(&session, &mut peer, "one").await;
    session.end_input().await;
    assert!(matches!(session.send("two").await, Err(Error::InputClosed(_))));
    // The agent is still answered until it is done.
    let answer = peer.served(json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}})).await;
    assert_eq!(answer["behavior"], "allow");
    peer.result("done").await;
    assert_eq!(text(one).await, "done");
    assert_eq!(peer.receive().await, None, "the input is closed");
    drop(peer);
    while events.next().await.is_some() {}
}
