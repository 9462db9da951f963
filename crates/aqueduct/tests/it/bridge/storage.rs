//! A disk that takes no more: what can't be kept is refused, and everything continues when there is room again.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use super::crash::{Client, Machine};
use super::world::{World, of};

/// Lets the files of a process grow no further than this, as if the disk were full.
fn limit(process: u32, bytes: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_and_loses_nothing() {
    let mut machine = Machine::new();
    machine.start().await;
    let session = uuid::Uuid::new_v4().to_string();
    machine.start_session(&session).await;
    let mut client = Client::new(&session);
    client.connect(&machine).await.unwrap();
    client.input("one", "@say One.").await;
    client.until(|message| message["type"] == "result").await;

    limit(machine.process(), Some(0));
    client.input("two", "@say Two.").await;
    let refused = client.until(|message| message["type"] == "input_rejected").await;
    assert_eq!(refused["code"], "storage_failed", "{refused}");
    assert_eq!(refused["clientMessageId"], "two");
    client.say(json!({"type": "get_history", "sessionId": session, "requestId": "history"})).await.unwrap();
    let history = client.until(|message| message["requestId"] == "history").await;
    assert_eq!(history["type"], "history", "what is there can be read");

    limit(machine.process(), None);
    client.input("two", "@say Two.").await;
    let ack = client.until(|message| message["type"] == "input_ack").await;
    assert_eq!(ack["clientMessageId"], "two");
    let result = client.until(|message| message["type"] == "result").await;
    assert_eq!(result["result"], "Two.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_project_that_is_removed_costs_its_tools_and_nothing_else() {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@say One.")).await;
    client.turn().await;
    std::fs::remove_dir_all(world.project()).unwrap();

    // The agent that runs continues; what it does in the folder fails with an error.
    let text = "@tool Bash {\"command\":\"echo two > made\"}\n@say Two.";
    client.say(json!({"type": "input", "sessionId": id, "text": text})).await;
    let reported = client.until(|message| message["type"] == "permission_request").await;
    let asked = &reported.last().unwrap()["id"];
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    let reported = client.turn().await;
    assert_eq!(of(&reported, "tool_result")[0]["isError"], true, "{reported:#?}");
    assert_eq!(of(&reported, "result")[0]["result"], "Two.");

    // No other agent starts there; the input waits.
    client.stop(json!({"type": "stop_session", "sessionId": id})).await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Three."})).await;
    let reported = client.until(|message| message["type"] == "error").await;
    let error = reported.last().unwrap();
    let project = world.project();
    assert!(error["message"].as_str().unwrap().contains(project.to_str().unwrap()), "{error}");
    let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    assert_eq!(reply["snapshot"]["session"]["status"], "failed", "{reply:#}");
    assert_eq!(reply["snapshot"]["queue"].as_array().unwrap().len(), 1);

    std::fs::create_dir(&project).unwrap();
    client.say(json!({"type": "resume_session", "sessionId": id})).await;
    let reported = client.until(|message| message["type"] == "result").await;
    assert_eq!(reported.last().unwrap()["result"], "Three.");
    world.end().await;
}

/// The disk fills up in the middle of a turn. The agent works on, so the session has not failed: it can't be followed
/// until there is room, and then it is found as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_works_on_has_not_failed() {
    let mut machine = Machine::new();
    machine.start().await;
    let session = uuid::Uuid::new_v4().to_string();
    machine.start_session(&session).await;
    let mut client = Client::new(&session);
    client.connect(&machine).await.unwrap();
    client.input("long", "@flood 4000000 200").await;
    client.until(|message| message["type"] == "stream_delta").await;

    limit(machine.process(), Some(0));
    let is_of =
        |message: &Value, status: &str| message["status"] == status || message["session"]["status"] == status;
    let unreachable = client
        .until(|message| {
            assert!(!is_of(message, "failed"), "{message}");
            message["type"] == "status" && is_of(message, "unreachable")
        })
        .await;
    assert!(unreachable["message"].as_str().unwrap().contains("disk"), "{unreachable}");
    client.say(json!({"type": "list_sessions", "requestId": "list"})).await.unwrap();
    let list = client.until(|message| message["requestId"] == "list").await;
    assert_eq!(list["sessions"][0]["status"], "unreachable", "{list}");

    limit(machine.process(), None);
    while client.of("result").is_empty() {
        client
            .until(|message| {
                assert!(!is_of(message, "failed"), "{message}");
                true
            })
            .await;
    }
    assert_eq!(client.of("result")[0]["isError"], false);
    client.until(|message| message["type"] == "status" && is_of(message, "idle")).await;
}
