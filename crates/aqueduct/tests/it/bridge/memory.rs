//! What large answers cost the bridge in memory: a small multiple of their size, for however many clients.

use std::fs;

use super::crash::{Client, Machine};

/// How large an answer is. Below that the program itself is most of what is measured.
const LARGE: u64 = 8 << 20;

/// The most memory that the bridge has had, in bytes.
fn peak(machine: &Machine) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", machine.process())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() * 1024
}

/// How many times the size of an answer the bridge needs for it, beyond what it needs for a short one.
async fn times(watchers: usize) -> f64 {
    let mut machine = Machine::new();
    machine.start().await;
    let session = uuid::Uuid::new_v4().to_string();
    machine.start_session(&session).await;
    let mut clients = Vec::new();
    for _ in 0..watchers {
        let mut client = Client::new(&session);
        client.connect(&machine).await.unwrap();
        clients.push(client);
    }
    clients[0].input("short", "@say Short.").await;
    for client in &mut clients {
        client.until(|message| message["type"] == "result").await;
    }
    let before = peak(&machine);
    clients[0].input("large", &format!("@flood {LARGE} 60000")).await;
    let mut reading = tokio::task::JoinSet::new();
    for mut client in clients {
        reading.spawn(async move {
            while client.of("result").len() < 2 {
                client.until(|_| true).await;
            }
            let size = client.of("assistant").last().map(|answer| answer.to_string().len());
            assert!(size >= usize::try_from(LARGE).ok(), "{size:?}");
        });
    }
    reading.join_all().await;
    (peak(&machine) - before) as f64 / LARGE as f64
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_answer_is_held_a_few_times_for_all_clients_together() {
    // The answer arrives twice, by itself and as the result of the turn, and both may wait to be read; the allocator
    // adds what it keeps. A copy for each client would add ten to the second figure.
    for watchers in [1, 6] {
        let times = times(watchers).await;
        assert!(times < 12.0, "{times} times for {watchers} clients");
    }
}
