//! Agents and keepers that die, and sessions that continue.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::world::{Client, World, of};

/// A session whose agent waits for a permission.
async fn asking(world: &World, client: &Client) -> String {
    let id = client.start(&world.project(), Some("@say Before.")).await;
    client.turn().await;
    let script = "@tool Bash {\"command\":\"touch made\"}\n@say Done.";
    client.say(json!({"type": "input", "sessionId": id, "text": script})).await;
    client.until(|message| message["type"] == "permission_request").await;
    id
}

fn card(world: &World) -> Value {
    let mut folders = std::fs::read_dir(world.data().join("keepers")).unwrap();
    let card = std::fs::read(folders.next().unwrap().unwrap().path().join("keeper.json")).unwrap();
    serde_json::from_slice(&card).unwrap()
}

fn kill(pid: &Value) {
    let pid = Pid::from_raw(i32::try_from(pid.as_i64().unwrap()).unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

/// The agent died; the session reports it, and continues with the next input.
async fn continues(client: &Client, id: &str, signal: Option<&str>) {
    let reported = client.until(|message| message["type"] == "status" && message["status"] == "failed").await;
    let resolved = of(&reported, "permission_resolved");
    assert_eq!(resolved[0]["decision"], "cancelled", "{reported:#?}");
    let exited: Vec<&Value> =
        of(&reported, "system").into_iter().filter(|note| note["subtype"] == "agent_exited").collect();
    assert_eq!((exited.len(), &exited[0]["expected"]), (1, &json!(false)));
    assert_eq!(exited[0]["signal"].as_str(), signal);
    client.say(json!({"type": "input", "sessionId": id, "text": "@say After."})).await;
    let turn = client.turn().await;
    assert_eq!(of(&turn, "result")[0]["result"], "After.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_agent_is_reported_and_resumed() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    kill(&card(&world)["agent"]);
    continues(&client, &id, Some("SIGKILL")).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_keeper_ends_its_agent_and_the_session_continues() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    kill(&card(&world)["keeper"]);
    continues(&client, &id, None).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_without_a_transcript_begins_anew_and_the_input_is_answered() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@say Before.")).await;
    client.turn().await;
    kill(&card(&world)["agent"]);
    client.until(|message| message["type"] == "status" && message["status"] == "failed").await;
    std::fs::remove_dir_all(world.data().with_file_name("home")).unwrap();
    client.say(json!({"type": "input", "sessionId": id, "text": "@say After."})).await;
    let turn = client.turn().await;
    let notes: Vec<&Value> = of(&turn, "system").into_iter().map(|note| &note["message"]).collect();
    let anew = "The agent has kept nothing of the conversation so far: it begins anew.";
    assert!(notes.contains(&&json!(anew)), "{turn:#?}");
    assert_eq!(of(&turn, "result")[0]["result"], "After.");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happened_while_the_bridge_was_away_is_found() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    let card = card(&world);
    drop(client);
    world.hub.close().await;
    kill(&card["keeper"]);
    world.restart().await;
    let client = world.client("laptop").await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say After."})).await;
    let turn = client.turn().await;
    assert_eq!(of(&turn, "result").last().unwrap()["result"], "After.", "{turn:#?}");
    assert!(!world.project().join("made").exists());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_does_not_start_reports_why() {
    let world = World::with(|settings| settings.agents[0].program = "/nowhere/agent".into()).await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("Hello")).await;
    let reported = client.until(|message| message["type"] == "error").await;
    let error = reported.last().unwrap();
    assert_eq!((&error["code"], &error["sessionId"]), (&json!("agent_failed"), &json!(id)));
    let snapshot = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    assert_eq!(snapshot["snapshot"]["session"]["status"], "failed", "{snapshot:#}");
    assert_eq!(snapshot["snapshot"]["queue"].as_array().unwrap().len(), 1, "the input waits");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_dies_at_its_start_reports_why() {
    let world = World::with(|settings| {
        settings.agents[0].program = "/bin/sh".into();
        settings.agents[0].leading = vec!["-c".into(), "echo 'no licence' >&2; exit 3".into()];
    })
    .await;
    let client = world.client("laptop").await;
    client.start(&world.project(), Some("Hello")).await;
    let reported = client.until(|message| message["type"] == "error").await;
    let error = reported.last().unwrap();
    assert!(error["message"].as_str().unwrap().contains("no licence"), "{error}");
    assert!(error["stderr"].as_str().unwrap().contains("no licence"), "{error}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_interrupted_softly_and_hard() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    client.say(json!({"type": "interrupt", "sessionId": id})).await;
    let stopped = client.turn().await;
    assert_eq!(of(&stopped, "result")[0]["interrupted"], true, "{stopped:#?}");
    client.say(json!({"type": "input", "sessionId": id, "text": "@tool Bash {\"command\":\"touch other\"}\n@say Done."})).await;
    client.until(|message| message["type"] == "permission_request").await;
    client.say(json!({"type": "interrupt", "sessionId": id, "hard": true})).await;
    client.until(|message| message["type"] == "status" && message["status"] == "stopped").await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say After."})).await;
    let turn = client.turn().await;
    assert_eq!(of(&turn, "result")[0]["result"], "After.");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_after_a_restart_has_its_tool_s_name() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = asking(&world, &client).await;
    drop(client);
    world.restart().await;
    let client = world.client("laptop").await;
    let snapshot = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    let asked = &snapshot["snapshot"]["pending"][0]["id"];
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    let turn = client.turn().await;
    let results = of(&turn, "tool_result");
    assert_eq!(results.len(), 1, "{turn:#?}");
    assert_eq!(results[0]["toolName"], "Bash");
    world.end().await;
}
