//! Stopped sessions: no other agent is started until a client continues.

use std::path::PathBuf;

use aqueduct_testing::yield_until;
use serde_json::{Value, json};

use super::world::{Client, World, of};

/// A bridge whose agent leaves a line in a file when it starts, and does not answer before another file is there.
async fn world() -> World {
    World::with(|settings| {
        let place = settings.roots[0].clone();
        let program = env!("CARGO_BIN_EXE_aqueduct");
        let script = format!(
            "echo started >> {place}/starts; if [ -e {place}/answers ]; then exec {program} agent \"$@\"; fi; \
             while read line; do :; done",
            place = place.display()
        );
        settings.agents[0].program = "/bin/sh".into();
        settings.agents[0].leading = vec!["-c".into(), script.into(), "sh".into()];
    })
    .await
}

fn path(world: &World, name: &str) -> PathBuf {
    world.project().with_file_name(name)
}

fn starts(world: &World) -> usize {
    std::fs::read_to_string(path(world, "starts")).unwrap_or_default().lines().count()
}

/// From now on agents answer.
fn let_answer(world: &World) {
    std::fs::write(path(world, "answers"), "").unwrap();
}

/// A session whose agent does not answer, with two inputs that wait; it is stopped.
async fn stopped(world: &World, client: &Client) -> String {
    let id = client.start(&world.project(), Some("@say One.")).await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Two."})).await;
    client.until(|message| message["type"] == "input_ack").await;
    // The agent runs: its card names it.
    yield_until("the agent has started", async || !world.keepers().is_empty() && starts(world) > 0).await;
    client.stop(json!({"type": "stop_session", "sessionId": id})).await;
    id
}

/// The queue waits, and no other agent was started.
async fn is_held(world: &World, client: &Client, id: &str, queued: usize) {
    let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    let snapshot = &reply["snapshot"];
    assert_eq!(snapshot["session"]["status"], "stopped", "{reply:#}");
    assert_eq!(snapshot["queue"].as_array().unwrap().len(), queued, "{reply:#}");
    assert_eq!(starts(world), 1);
}

async fn results(client: &Client, last: &str) -> Vec<String> {
    let reported = client.until(|message| message["type"] == "result" && message["result"] == last).await;
    of(&reported, "result").iter().map(|result| result["result"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_never_got_ready_is_stopped_and_not_replaced() {
    let mut world = world().await;
    let client = world.client("laptop").await;
    let id = stopped(&world, &client).await;
    let_answer(&world);
    is_held(&world, &client, &id, 2).await;
    world.restart().await;
    let client = world.client("laptop").await;
    is_held(&world, &client, &id, 2).await;
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    let reply = client.ask(json!({"type": "resume_session", "sessionId": id})).await;
    assert_eq!(reply["type"], "ok", "{reply}");
    assert_eq!(results(&client, "Two.").await, ["One.", "Two."]);
    assert_eq!(starts(&world), 2);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_input_continues_with_what_was_held() {
    let world = world().await;
    let client = world.client("laptop").await;
    let id = stopped(&world, &client).await;
    let_answer(&world);
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Three."})).await;
    assert_eq!(results(&client, "Three.").await, ["One.", "Two.", "Three."]);
    assert_eq!(starts(&world), 2);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hard_interrupt_holds_the_queue() {
    let world = world().await;
    let_answer(&world);
    let client = world.client("laptop").await;
    let text = "@tool Bash {\"command\":\"touch made\"}\n@say Done.";
    let id = client.start(&world.project(), Some(text)).await;
    client.until(|message| message["type"] == "permission_request").await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Two."})).await;
    client.stop(json!({"type": "interrupt", "sessionId": id, "hard": true})).await;
    is_held(&world, &client, &id, 1).await;
    client.say(json!({"type": "resume_session", "sessionId": id})).await;
    assert_eq!(results(&client, "Two.").await, ["Two."]);
    assert!(!world.project().join("made").exists());
    world.end().await;
}

/// The agent ends before it answers, while a client stops it: that is the requested end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_dies_while_it_is_stopped_is_not_replaced() {
    let world = world().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@say One.")).await;
    yield_until("the agent has started", async || !world.keepers().is_empty() && starts(&world) > 0).await;
    let agent = rustix::process::Pid::from_raw(world.keepers()[0].1).unwrap();
    let stop = json!({"type": "stop_session", "sessionId": id});
    client.say(stop).await;
    // It may have ended by itself already.
    let _ = rustix::process::kill_process(agent, rustix::process::Signal::KILL);
    let reported =
        client.until(|message| message["type"] == "status" && message["status"] == "stopped").await;
    let failed = |message: &&Value| message["type"] == "status" && message["status"] == "failed";
    assert!(!reported.iter().any(|message| failed(&message)), "{reported:#?}");
    is_held(&world, &client, &id, 1).await;
    world.end().await;
}
