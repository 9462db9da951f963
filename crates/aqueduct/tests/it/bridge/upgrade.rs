//! An upgrade in the middle of a turn: the new bridge meets a keeper of the version before, which knows nothing of plans
//! for the time without a bridge.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aqueduct_bridge::keeper::protocol::{FromKeeper, Messages, ProtocolMessage, ToKeeper};
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};

use super::world::World;

/// What the version before made of a kind of message that it does not know: it closed the connection.
#[derive(Clone, Default)]
struct Strange(Arc<AtomicBool>);

/// Puts something between the bridge and the keeper in this folder that behaves as a keeper of the previous
/// version.
fn set_back(folder: &Path, strange: &Strange) {
    let (socket, own) = (folder.join("keeper.sock"), folder.join("own.sock"));
    std::fs::rename(&socket, &own).unwrap();
    let listener = UnixListener::bind(&socket).unwrap();
    let strange = strange.clone();
    tokio::spawn(async move {
        while let Ok((bridge, _)) = listener.accept().await {
            let (from_bridge, to_bridge) = bridge.into_split();
            let Ok(keeper) = UnixStream::connect(&own).await else { return };
            let (from_keeper, to_keeper) = keeper.into_split();
            let strange = strange.clone();
            tokio::spawn(relay(from_keeper, to_bridge, |message| {
                if let FromKeeper::Hello(hello) = message {
                    hello.unattended = false;
                }
            }));
            tokio::spawn(relay(from_bridge, to_keeper, move |message: &mut ToKeeper| {
                if let ToKeeper::Unattended(_) = message {
                    strange.0.store(true, Ordering::Relaxed);
                }
            }));
        }
    });
}

async fn relay<M: ProtocolMessage>(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, change: impl Fn(&mut M)) {
    let (mut messages, mut bytes) = (Messages::<M>::default(), vec![0; 64 << 10]);
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let (mut input, mut output) = (&bytes[..count], Vec::new());
        while let Some(mut message) = messages.next(&mut input).unwrap() {
            change(&mut message);
            message.encode(&mut output);
        }
        if to.write_all(&output).await.is_err() {
            return;
        }
    }
}

fn is_result(message: &Value, text: &str) -> bool {
    message["type"] == "result" && message["result"] == text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keeper_of_the_version_before_is_used_and_ended() {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some("@tool Bash {\"command\":\"touch made\"}\n@say One.")).await;
    let reported = client.until(|message| message["type"] == "permission_request").await;
    let asked = reported.last().unwrap()["id"].clone();
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Two."})).await;
    client.until(|message| message["type"] == "input_ack").await;
    let processes = world.keepers();
    let (keepers, strange) = (world.data().join("keepers"), Strange::default());
    world
        .restart_after(|_| {
            let folder = std::fs::read_dir(&keepers).unwrap().next().unwrap().unwrap();
            set_back(&folder.path(), &strange);
        })
        .await;
    let client = world.client("laptop").await;
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    client.until(|message| is_result(message, "One.")).await;
    client.until(|message| is_result(message, "Two.")).await;
    assert_eq!(world.keepers(), processes, "the agent that was at work continues");
    client.stop(json!({"type": "stop_session", "sessionId": id})).await;
    assert!(!strange.0.load(Ordering::Relaxed), "it received something that it does not know");
    let is_there = |process: i32| test_kill_process(Pid::from_raw(process).unwrap()).is_ok();
    let ended = async {
        while is_there(processes[0].0) || is_there(processes[0].1) || !world.keepers().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(super::world::PATIENCE, ended).await.expect("its processes and its folder go");
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Three."})).await;
    client.until(|message| is_result(message, "Three.")).await;
    world.end().await;
}
