//! A bridge that may open no more files: it reports this, continues for existing clients, and recovers.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use serde_json::json;

use super::crash::{Client, Machine};

/// Lets a process open no further file, until this is dropped.
struct Exhausted {
    process: Pid,
    before: Rlimit,
}

impl Exhausted {
    fn new(process: u32) -> Exhausted {
        let process = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
        let exhausted = Exhausted { process, before: getrlimit(Resource::Nofile) };
        exhausted.take_away();
        exhausted
    }

    /// Uses up what is free; returns how much the process may have.
    fn take_away(&self) -> u64 {
        let folder = format!("/proc/{}/fd", self.process.as_raw_nonzero());
        let is_open = |number: &u64| std::fs::symlink_metadata(format!("{folder}/{number}")).is_ok();
        let free = (0..).find(|number| !is_open(number));
        prlimit(Some(self.process), Resource::Nofile, Rlimit { current: free, ..self.before }).unwrap();
        free.unwrap()
    }
}

impl Drop for Exhausted {
    fn drop(&mut self) {
        prlimit(Some(self.process), Resource::Nofile, self.before).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bridge_without_descriptors_reports_it_and_recovers() {
    let mut machine = Machine::new();
    machine.start().await;
    let session = uuid::Uuid::new_v4().to_string();
    machine.start_session(&session).await;
    let mut client = Client::new(&session);
    client.connect(&machine).await.unwrap();
    client.errors.extend(["agent_failed", "internal"]);
    client.until(|message| message["type"] == "subscribed").await;

    let exhausted = Exhausted::new(machine.process());
    // The connection that started the session may still be open.
    let (mut most, mut rounds) = (u64::MAX, 0);
    while rounds < 20 {
        client.say(json!({"type": "ping"})).await.unwrap();
        client.until(|message| message["type"] == "pong").await;
        let now = exhausted.take_away();
        rounds = if now == most { rounds + 1 } else { 0 };
        most = now;
    }
    client.input("one", "@say One.").await;
    let answer =
        client.until(|message| message["type"] == "input_ack" || message["type"] == "input_rejected").await;
    // What could not be stored is not acknowledged; what is stored waits for an agent, which can't be started.
    let refused = match answer["type"] == "input_ack" {
        true => client.until(|message| message["type"] == "error").await,
        false => answer,
    };
    assert!(refused["message"].as_str().unwrap().contains("open"), "{refused}");
    let connecting = async {
        let mut late = Client::new(&session);
        late.connect(&machine).await.map(|()| late)
    };
    tokio::pin!(connecting);
    client.say(json!({"type": "ping"})).await.unwrap();
    tokio::select! {
        biased;
        _ = &mut connecting => panic!("no client can connect"),
        _ = client.until(|message| message["type"] == "pong") => {}
    }

    drop(exhausted);
    let mut late = tokio::time::timeout(super::crash::PATIENCE, connecting).await.unwrap().unwrap();
    late.input("one", "@say One.").await;
    late.input("two", "@say Two.").await;
    let result = late.until(|message| message["type"] == "result").await;
    assert_eq!(result["result"], "One.");
    let result = late.until(|message| message["type"] == "result").await;
    assert_eq!(result["result"], "Two.");
}
