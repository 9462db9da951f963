//! Keepers that are suspended, by a signal or with the machine: nothing is started beside them, and nothing is lost.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::world::{Client, PATIENCE, World, of};

/// A process that is suspended, until this is dropped.
struct Frozen(Pid);

impl Frozen {
    async fn new(process: i32) -> Frozen {
        let pid = Pid::from_raw(process).unwrap();
        kill_process(pid, Signal::STOP).unwrap();
        let frozen = Frozen(pid);
        wait(|| state(process) == Some('T')).await;
        frozen
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = kill_process(self.0, Signal::CONT);
    }
}

/// The state of a process in the system's table; none if it is not there.
fn state(process: i32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

fn is_gone(process: i32) -> bool {
    matches!(state(process), None | Some('Z'))
}

async fn wait(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it happens in time");
}

/// A session whose agent has answered once and is idle.
async fn idle(world: &World, client: &Client) -> String {
    let id = client.start(&world.project(), Some("@say Before.")).await;
    client.turn().await;
    id
}

/// A session whose agent waits for a permission.
async fn asking(world: &World, client: &Client) -> String {
    let id = idle(world, client).await;
    let text = "@tool Bash {\"command\":\"echo one >> lines\"}\n@say Done.";
    client.say(json!({"type": "input", "sessionId": id, "text": text})).await;
    client.until(|message| message["type"] == "permission_request").await;
    id
}

/// The session's keeper is frozen, and the bridge started again.
async fn restart_frozen(world: &mut World) -> (Frozen, (i32, i32)) {
    let [processes] = world.keepers()[..] else { panic!("{:?}", world.keepers()) };
    let frozen = Frozen::new(processes.0).await;
    world.restart().await;
    (frozen, processes)
}

async fn input(client: &Client, id: &str, text: &str) -> Value {
    client.say(json!({"type": "input", "sessionId": id, "text": text})).await;
    client.until(|message| message["type"] == "input_ack").await.pop().unwrap()
}

fn is_status(message: &Value, status: &str) -> bool {
    message["type"] == "status" && message["status"] == status
}

/// Waits until clients receive that the keeper does not answer.
async fn unreachable(client: &Client) {
    let reported = client.until(|message| is_status(message, "unreachable")).await;
    let message = reported.last().unwrap()["message"].as_str().unwrap();
    assert!(message.contains("does not answer") && message.contains("stop the session"), "{message}");
}

async fn snapshot(client: &Client, id: &str) -> Value {
    client.ask(json!({"type": "get_session", "sessionId": id})).await["snapshot"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_waits_for_a_frozen_keeper_and_runs_once() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let (frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    let ack = input(&client, &id, "@say After.").await;
    assert_eq!((&ack["state"], &ack["position"]), (&json!("queued"), &json!(0)), "{ack}");
    unreachable(&client).await;
    // Also after another restart: no agent is started beside the one that lives.
    world.restart().await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say Last.").await;
    unreachable(&client).await;
    assert_eq!(world.keepers(), [processes]);
    assert_eq!(snapshot(&client, &id).await["queue"].as_array().unwrap().len(), 2);
    drop(frozen);
    let reported = client.until(|message| message["type"] == "result" && message["result"] == "Last.").await;
    let inputs: Vec<&Value> = of(&reported, "user_input").into_iter().map(|input| &input["text"]).collect();
    assert_eq!(inputs, ["@say After.", "@say Last."], "{reported:#?}");
    assert_eq!(of(&reported, "result")[0]["result"], "After.");
    assert_eq!(world.keepers(), [processes]);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_reaches_a_turn_whose_keeper_was_frozen() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let (frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    let asked = snapshot(&client, &id).await["pending"][0]["id"].take();
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    let decided = client.ask(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    assert_eq!(decided["type"], "ok", "{decided}");
    unreachable(&client).await;
    drop(frozen);
    let reported = client.turn().await;
    assert_eq!(of(&reported, "result").last().unwrap()["result"], "Done.", "{reported:#?}");
    assert_eq!(std::fs::read_to_string(world.project().join("lines")).unwrap(), "one\n");
    assert_eq!(world.keepers(), [processes]);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_keeper_that_is_killed_is_replaced() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let (_frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say After.").await;
    kill_process(Pid::from_raw(processes.0).unwrap(), Signal::KILL).unwrap();
    let reported = client.until(|message| message["type"] == "result").await;
    assert_eq!(reported.last().unwrap()["result"], "After.", "{reported:#?}");
    assert!(of(&reported, "system").iter().any(|note| note["subtype"] == "agent_exited"), "{reported:#?}");
    wait(|| is_gone(processes.1)).await;
    assert!(!world.project().join("lines").exists());
    world.end().await;
}

/// What follows when a client stops a session whose keeper does not answer: both processes end, and the queue
/// is held.
async fn is_stopped(world: &World, client: &Client, id: &str, processes: (i32, i32)) {
    client.until(|message| is_status(message, "stopped")).await;
    wait(|| is_gone(processes.0) && is_gone(processes.1)).await;
    let snapshot = snapshot(client, id).await;
    assert_eq!(snapshot["queue"].as_array().unwrap().len(), 1, "{snapshot:#}");
    assert_eq!(snapshot["session"]["status"], "stopped");
    wait(|| world.keepers().is_empty()).await;
    client.ask(json!({"type": "resume_session", "sessionId": id})).await;
    let reported = client.until(|message| message["type"] == "result").await;
    assert_eq!(reported.last().unwrap()["result"], "After.", "{reported:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_stopped_although_its_keeper_is_frozen() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let (_frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say After.").await;
    let asked = snapshot(&client, &id).await["pending"][0]["id"].take();
    client.ask(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    unreachable(&client).await;
    let refused = client.ask(json!({"type": "interrupt", "sessionId": id})).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("error"), &json!("agent_timeout")), "{refused}");
    assert!(refused["message"].as_str().unwrap().contains("does not answer"), "{refused}");
    let stopped = client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    assert_eq!(stopped["type"], "ok", "{stopped}");
    is_stopped(&world, &client, &id, processes).await;
    assert!(!world.project().join("lines").exists());
    world.end().await;
}

/// Before it is known that the keeper is frozen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_stopped_before_its_frozen_keeper_is_missed() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let (_frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say After.").await;
    client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    is_stopped(&world, &client, &id, processes).await;
    world.end().await;
}

/// The bridge received a request to stop the session and died; the keeper never received it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_is_not_forgotten_by_the_next_bridge() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let (frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say After.").await;
    client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    world.restart().await;
    drop(frozen);
    let client = world.client("laptop").await;
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    is_stopped(&world, &client, &id, processes).await;
    world.end().await;
}

/// The bridge stays, and the keeper to which it is attached is frozen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_stopped_although_its_keeper_was_frozen_meanwhile() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let processes = world.keepers()[0];
    input(&client, &id, "@say After.").await;
    let _frozen = Frozen::new(processes.0).await;
    client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    is_stopped(&world, &client, &id, processes).await;
    world.end().await;
}

/// The agent alone is frozen: its keeper ends it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_stopped_although_its_agent_is_frozen() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let processes = world.keepers()[0];
    let _frozen = Frozen::new(processes.1).await;
    // Also by a bridge to which the agent has never answered.
    world.restart().await;
    let client = world.client("laptop").await;
    input(&client, &id, "@say After.").await;
    client.ask(json!({"type": "stop_session", "sessionId": id})).await;
    is_stopped(&world, &client, &id, processes).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_deleted_although_its_keeper_is_frozen() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = idle(&world, &client).await;
    let processes = world.keepers()[0];
    let frozen = Frozen::new(processes.0).await;
    // Once while the bridge is attached, and once by a bridge that can't attach.
    let deleted = client.ask(json!({"type": "delete_session", "sessionId": id})).await;
    assert_eq!(deleted["type"], "ok", "{deleted}");
    wait(|| is_gone(processes.0) && is_gone(processes.1)).await;
    drop(frozen);
    let id = idle(&world, &client).await;
    let (_frozen, processes) = restart_frozen(&mut world).await;
    let client = world.client("laptop").await;
    let deleted = client.ask(json!({"type": "delete_session", "sessionId": id})).await;
    assert_eq!(deleted["type"], "ok", "{deleted}");
    wait(|| is_gone(processes.0) && is_gone(processes.1)).await;
    wait(|| world.keepers().is_empty()).await;
    world.end().await;
}
