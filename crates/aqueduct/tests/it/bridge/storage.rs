//! A disk that takes no more: what can't be kept is refused, and everything goes on when there is room again.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;

use super::crash::{Client, Machine};

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
