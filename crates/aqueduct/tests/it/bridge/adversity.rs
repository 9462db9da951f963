//! What must hold when a client stops a session, a keeper is frozen, or a file of a keeper is lost.

use std::path::PathBuf;
use std::time::Duration;

use aqueduct_testing::yield_until;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use super::world::{Client, World, of};

/// How long something may take that must not hang.
const SOON: Duration = Duration::from_secs(20);

fn keeper_folder(world: &World) -> PathBuf {
    let mut folders = std::fs::read_dir(world.data().join("keepers")).unwrap();
    folders.next().unwrap().unwrap().path()
}

fn send(world: &World, process: &str, signal: Signal) {
    let card = std::fs::read(keeper_folder(world).join("keeper.json")).unwrap();
    let card: Value = serde_json::from_slice(&card).unwrap();
    let pid = i32::try_from(card[process].as_i64().unwrap()).unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

/// A session whose agent is idle.
async fn idle(world: &World, client: &Client) -> String {
    let id = client.start(&world.project(), Some("@say Before.")).await;
    client.turn().await;
    id
}

fn is_over(message: &Value) -> bool {
    message["type"] == "result" || message["type"] == "status" && message["status"] == "stopped"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_stopped_before_its_keeper_answers_runs_nothing() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    send(&world, "keeper", Signal::STOP);
    world.restart().await;
    let client = world.client("laptop").await;
    client.ask(json!({"type": "subscribe", "sessionId": id})).await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Ran."})).await;
    client.until(|message| message["type"] == "input_ack").await;
    let reply = client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    assert_eq!(reply["type"], "ok");
    send(&world, "keeper", Signal::CONT);
    let reported = client.until(is_over).await;
    assert!(of(&reported, "result").is_empty(), "it ran: {reported:#?}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_requests_to_a_frozen_keeper_do_not_block_the_session_for_ever() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    send(&world, "keeper", Signal::STOP);
    for number in 0..40 {
        let mode = if number % 2 == 0 { "plan" } else { "default" };
        client.say(json!({"type": "set_permission_mode", "sessionId": id, "mode": mode})).await;
    }
    send(&world, "keeper", Signal::CONT);
    client.say(json!({"type": "input", "sessionId": id, "text": "@say After."})).await;
    let answered = client.until(|message| message["type"] == "result" && message["result"] == "After.");
    let answered = tokio::time::timeout(SOON, answered).await;
    assert!(answered.is_ok(), "the session hangs");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_whose_keeper_is_frozen_can_be_deleted() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    send(&world, "keeper", Signal::STOP);
    let deleted = client.ask(json!({"type": "delete_session", "sessionId": id}));
    let deleted = tokio::time::timeout(SOON, deleted).await;
    if deleted.is_err() {
        send(&world, "keeper", Signal::KILL);
    }
    assert!(deleted.is_ok(), "no answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_whose_keeper_is_frozen_can_be_stopped() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    send(&world, "keeper", Signal::STOP);
    client.say(json!({"type": "stop_session", "sessionId": id})).await;
    let stopped = client.until(|message| message["type"] == "status" && message["status"] == "stopped");
    let stopped = tokio::time::timeout(SOON, stopped).await;
    if stopped.is_err() {
        send(&world, "keeper", Signal::KILL);
    }
    assert!(stopped.is_ok(), "it still runs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_that_is_sent_again_under_its_id_does_not_start_a_stopped_session() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let script = "@tool Bash {\"command\":\"touch made\"}\n@say Done.";
    client.say(json!({"type": "input", "sessionId": id, "text": script})).await;
    client.until(|message| message["type"] == "permission_request").await;
    let second =
        json!({"type": "input", "sessionId": id, "text": "@say Second.", "clientMessageId": "second"});
    client.say(second.clone()).await;
    client.until(|message| message["type"] == "input_ack").await;
    client.say(json!({"type": "stop_session", "sessionId": id})).await;
    client.until(|message| message["type"] == "status" && message["status"] == "stopped").await;
    client.say(second).await;
    client.until(|message| message["type"] == "input_ack").await;
    // Whatever is asked next is answered after what the input led to.
    let snapshot = client.ask(json!({"type": "subscribe", "sessionId": id})).await;
    assert_eq!(snapshot["snapshot"]["session"]["status"], "stopped", "{snapshot:#}");
    world.end().await;
}

/// An input that the agent was given and has not begun with; then these files of the keeper's folder are removed, and the
/// keeper is killed. Returns the next message: a question, or a result.
async fn after_losing(files: &[&str]) -> Value {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    send(&world, "agent", Signal::STOP);
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Perhaps."})).await;
    let reported = client.until(|message| message["type"] == "user_input").await;
    let input = format!("={}\n", reported.last().unwrap()["id"].as_str().unwrap());
    let folder = keeper_folder(&world);
    yield_until("the keeper has the input", async || {
        std::fs::read_to_string(folder.join("inputs")).unwrap().contains(&input)
    })
    .await;
    let card: Value = serde_json::from_slice(&std::fs::read(folder.join("keeper.json")).unwrap()).unwrap();
    for file in files {
        let file = folder.join(file);
        if file.is_dir() { std::fs::remove_dir_all(file) } else { std::fs::remove_file(file) }.unwrap();
    }
    let keeper = i32::try_from(card["keeper"].as_i64().unwrap()).unwrap();
    kill_process(Pid::from_raw(keeper).unwrap(), Signal::KILL).unwrap();
    let is_next = |message: &Value| message["type"] == "permission_request" || message["type"] == "result";
    let reported = client.until(is_next).await.pop().unwrap();
    world.end().await;
    reported
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_journal_does_not_prove_that_an_input_was_not_given() {
    assert_eq!(after_losing(&["inputs"]).await["kind"], "resend");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_folder_of_a_keeper_does_not_prove_that_an_input_was_not_given() {
    assert_eq!(after_losing(&["inputs", "keeper.json", "spool"]).await["kind"], "resend");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_agent_ends_although_the_log_can_not_be_written() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let card: Value =
        serde_json::from_slice(&std::fs::read(keeper_folder(&world).join("keeper.json")).unwrap()).unwrap();
    let pid = Pid::from_raw(i32::try_from(card["agent"].as_i64().unwrap()).unwrap()).unwrap();
    std::fs::remove_file(world.data().join("log.sqlite3")).unwrap();
    client.say(json!({"type": "stop_session", "sessionId": id})).await;
    let ended = async {
        while test_kill_process(pid).is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(SOON, ended).await.is_ok(), "it still runs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_works_on_what_was_allowed_is_not_ended_as_one_that_waits() {
    let world = World::with(|settings| {
        settings.unattended.idle = Duration::from_millis(300);
        settings.unattended.decision = Duration::from_millis(300);
    })
    .await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let script = "@tool Bash {\"command\":\"touch begun; sleep 2; touch made\"}\n@say Done.";
    client.say(json!({"type": "input", "sessionId": id, "text": script})).await;
    let reported = client.until(|message| message["type"] == "permission_request").await;
    let request = reported.last().unwrap()["id"].clone();
    client.say(json!({"type": "approve", "sessionId": id, "id": request})).await;
    let appears = async |name: &str| {
        let file = world.project().join(name);
        let appeared = async {
            while !file.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        assert!(tokio::time::timeout(SOON, appeared).await.is_ok(), "{name} never came");
    };
    appears("begun").await;
    world.hub.close().await;
    appears("made").await;
}

/// The files of the log.
fn copy_log(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let name = format!("log.sqlite3{suffix}");
        let _ = std::fs::remove_file(to.join(&name));
        if from.join(&name).exists() {
            std::fs::copy(from.join(&name), to.join(&name)).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_set_back_into_a_turn_does_not_wait_for_an_input_that_the_agent_knows() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let script = "@tool Bash {\"command\":\"touch made\"}\n@say First.";
    client.say(json!({"type": "input", "sessionId": id, "text": script})).await;
    client.until(|message| message["type"] == "permission_request").await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Second."})).await;
    client.until(|message| message["type"] == "input_ack").await;
    world.hub.close().await;
    world.hub.log().close().await;
    let kept = world.data().with_file_name("kept");
    copy_log(&world.data(), &kept);
    world.restart().await;
    let client = world.client("laptop").await;
    let subscribed = client.ask(json!({"type": "subscribe", "sessionId": id})).await;
    let request = subscribed["snapshot"]["pending"][0]["id"].clone();
    client.say(json!({"type": "approve", "sessionId": id, "id": request})).await;
    client.until(|message| message["type"] == "result" && message["result"] == "Second.").await;
    world.hub.close().await;
    world.hub.log().close().await;
    send(&world, "keeper", Signal::KILL);
    std::fs::remove_dir_all(world.data().join("keepers")).unwrap();
    copy_log(&kept, &world.data());
    world.restart().await;
    let client = world.client("laptop").await;
    client.ask(json!({"type": "subscribe", "sessionId": id})).await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Third."})).await;
    let answered = client.until(|message| message["type"] == "result" && message["result"] == "Third.");
    let answered = tokio::time::timeout(SOON, answered).await;
    assert!(answered.is_ok(), "it waits for a result that never comes");
    world.end().await;
}
