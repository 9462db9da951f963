//! Many clients that connect and disconnect receive the same.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::world::{Client, World};

/// What a client has of a session: stored messages, and answers as they grow.
#[derive(Default)]
struct ReceivedMessages {
    stored: BTreeMap<u64, Value>,
    /// Blocks that grow, by answer and place.
    growing: BTreeMap<(String, u64), String>,
}

impl ReceivedMessages {
    fn last(&self) -> u64 {
        self.stored.keys().next_back().copied().unwrap_or_default()
    }

    fn take(&mut self, message: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match message["type"].as_str().unwrap() {
            "history_delta" => {
                message["messages"].as_array().unwrap().iter().for_each(|message| self.take(message))
            }
            "stream_delta" => {
                let block = (text(&message["messageId"]), message["index"].as_u64().unwrap());
                self.growing.entry(block).or_default().push_str(message["text"].as_str().unwrap());
            }
            "partial" => {
                for block in message["blocks"].as_array().unwrap() {
                    let place = (text(&message["messageId"]), block["index"].as_u64().unwrap());
                    self.growing.insert(place, text(&block["text"]));
                }
            }
            "assistant" => {
                let place = (text(&message["message"]["id"]), message["index"].as_u64().unwrap());
                let whole = text(&message["message"]["content"][0]["text"]);
                // A client that received a part of it received a prefix without a gap.
                if let Some(grown) = self.growing.remove(&place) {
                    assert!(whole.starts_with(&grown), "{grown:?} is not a prefix of {whole:?}");
                }
            }
            _ => {}
        }
        if let Some(seq) = message["seq"].as_u64().filter(|_| message["type"] != "ok") {
            assert_eq!(seq, self.last() + 1, "a gap, or something twice: {message}");
            self.stored.insert(seq, message.clone());
        }
    }
}

/// Words enough for many deltas.
fn script() -> String {
    let words: Vec<String> = (0..60).map(|number| format!("word{number}")).collect();
    format!("@say {}", words.join(" "))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_clients_that_reconnect_receive_the_same() {
    let world = World::new().await;
    let speaker = world.client("speaker").await;
    let id = speaker.start(&world.project(), None).await;
    const TURNS: usize = 12;
    for turn in 0..TURNS {
        speaker.ask(json!({"type": "input", "sessionId": id, "text": script(), "clientMessageId": turn.to_string()})).await;
    }
    let listeners = (0..20).map(|number| {
        let (hub, id) = (world.hub.clone(), id.clone());
        tokio::spawn(async move {
            let mut random = fastrand::Rng::with_seed(number);
            let mut received = ReceivedMessages::default();
            loop {
                let client = Client::enter(&hub, &format!("listener {number}")).await;
                client.say(json!({"type": "subscribe", "sessionId": id, "sinceSeq": received.last()})).await;
                received.growing.clear();
                client.until(|message| message["type"] == "subscribed").await;
                for _ in 0..random.usize(1..80) {
                    received.take(&client.next().await);
                    let results =
                        received.stored.values().filter(|message| message["type"] == "result").count();
                    if results == TURNS {
                        return received.stored;
                    }
                }
            }
        })
    });
    let mut all = Vec::new();
    for listener in listeners.collect::<Vec<_>>() {
        all.push(listener.await.unwrap());
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_client_gets_the_whole_answer_so_far() {
    let world = World::new().await;
    let first = world.client("first").await;
    let id = first.start(&world.project(), Some("@slow 300 0.005")).await;
    for _ in 0..5 {
        first.until(|message| message["type"] == "stream_delta").await;
    }
    let late = world.client("late").await;
    late.say(json!({"type": "subscribe", "sessionId": id, "sinceSeq": 0})).await;
    let reported = late.until(|message| message["type"] == "assistant").await;
    let partial = reported.iter().rposition(|message| message["type"] == "partial").unwrap();
    let mut assembled = reported[partial]["blocks"][0]["text"].as_str().unwrap().to_owned();
    assert!(assembled.starts_with("w0 w1 w2"), "{assembled}");
    for delta in reported[partial..].iter().filter(|message| message["type"] == "stream_delta") {
        assembled.push_str(delta["text"].as_str().unwrap());
    }
    assert_eq!(reported.last().unwrap()["message"]["content"][0]["text"], assembled.as_str());
    world.end().await;
}
