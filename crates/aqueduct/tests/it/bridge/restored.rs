//! Logs that are set back to an earlier state, and data folders that are moved or copied, while agents run or not.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::Duration;

use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::log::{Append, Log, SessionChange, StoredInputState, Time};
use aqueduct_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use super::world::{Client, World, of};

const FILE: &str = "log.sqlite3";

const FIRST: &str = "@tool Bash {\"command\":\"echo one >> lines\"}\n@say One.";
const SECOND: &str = "@tool Bash {\"command\":\"echo two >> lines\"}\n@say Two.";

/// A prompt that makes the agent write more than a segment of the spool holds, so that its beginning is gone
/// when it is acknowledged.
fn long() -> String {
    format!("@delta 1000000\n@say {}", "word ".repeat(400_000))
}

fn lines(world: &World) -> String {
    fs::read_to_string(world.project().join("lines")).unwrap_or_default()
}

/// Makes a copy of a log that is closed.
fn keep(data: &Path) {
    fs::copy(data.join(FILE), data.join("kept")).unwrap();
}

/// Puts the copy in the place of the log.
fn bring_back(data: &Path) {
    fs::rename(data.join("kept"), data.join(FILE)).unwrap();
}

fn is_result(message: &Value, text: &str) -> bool {
    message["type"] == "result" && message["result"] == text
}

/// All that the log has of the session.
async fn history(client: &Client, id: &str) -> Vec<Value> {
    let mut page = client.ask(json!({"type": "get_history", "sessionId": id})).await;
    match page["messages"].take() {
        Value::Array(messages) => messages,
        other => panic!("{other} in {page}"),
    }
}

/// Waits until the session is idle, after so many turns at least. A client that has much to catch up with may
/// not receive each change.
async fn idle(client: &Client, id: &str, turns: u64) {
    let deadline = tokio::time::Instant::now() + super::world::PATIENCE;
    loop {
        let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
        let session = &reply["snapshot"]["session"];
        if session["status"] == "idle" && session["turns"].as_u64() >= Some(turns) {
            return assert_eq!(reply["snapshot"]["queue"], json!([]), "{reply:#}");
        }
        assert!(tokio::time::Instant::now() < deadline, "{reply:#}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Allows everything until the second result.
async fn run_both(client: &Client, id: &str, asked: Value) {
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    let reported = client.until(|message| message["type"] == "permission_request").await;
    let asked = &reported.last().unwrap()["id"];
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    idle(client, id, 2).await;
}

/// A session with a turn that waits for a decision and an input that waits for the turn, in a log that is kept; both
/// run to their ends, and the log is set back. What happens to the keeper meanwhile is given.
async fn set_back(second: &str, meanwhile: impl FnOnce(&World)) -> (World, Client, String) {
    let mut world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some(FIRST)).await;
    client.until(|message| message["type"] == "permission_request").await;
    client.say(json!({"type": "input", "sessionId": id, "text": second, "clientMessageId": "two"})).await;
    client.until(|message| message["type"] == "input_ack").await;
    drop(client);
    let data = world.data();
    world.restart_after(|_| keep(&data)).await;
    let client = world.client("laptop").await;
    let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    run_both(&client, &id, reply["snapshot"]["pending"][0]["id"].clone()).await;
    drop(client);
    world.hub.close().await;
    world.hub.log().close().await;
    meanwhile(&world);
    world.restart_after(|_| bring_back(&data)).await;
    let client = world.client("laptop").await;
    client.say(json!({"type": "subscribe", "sessionId": id, "sinceSeq": 0})).await;
    (world, client, id)
}

/// The session continues, and neither input ran again.
async fn continues(world: World, client: Client, id: &str, second: &str) -> Vec<Value> {
    // The client sends again what it may think to be lost.
    client.say(json!({"type": "input", "sessionId": id, "text": second, "clientMessageId": "two"})).await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Three."})).await;
    let history = loop {
        let history = history(&client, id).await;
        if history.iter().any(|message| is_result(message, "Three.")) {
            break history;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(lines(&world), "one\ntwo\n");
    idle(&client, id, 0).await;
    let texts: Vec<&str> =
        of(&history, "user_input").iter().map(|input| input["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [FIRST, second, "@say Three."]);
    world.end().await;
    history
}

/// The agent's output is still there, and is read again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_was_set_back_catches_up_with_its_agent() {
    let (world, client, id) = set_back(SECOND, |_| {}).await;
    continues(world, client, &id, SECOND).await;
}

/// The output was so large that the keeper has deleted a part of it: this is reported, and nothing is waited
/// for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_was_set_back_too_far_continues_without_what_is_lost() {
    let second = format!("@tool Bash {{\"command\":\"echo two >> lines\"}}\n{}", long());
    let (world, client, id) = set_back(&second, |_| {}).await;
    let history = continues(world, client, &id, &second).await;
    let reports = |text: &str| {
        history
            .iter()
            .any(|reported| reported["message"].as_str().is_some_and(|message| message.contains(text)))
    };
    assert!(reports("a part of the output is missing here"), "{history:#?}");
    assert!(reports("had this message before the log was set back"), "{history:#?}");
}

/// The keeper was killed: what it left behind shows that both ran.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_was_set_back_catches_up_with_a_dead_keeper() {
    let (world, client, id) = set_back(SECOND, |world| {
        let keeper = Pid::from_raw(world.keepers()[0].0).unwrap();
        kill_process(keeper, Signal::KILL).unwrap();
    })
    .await;
    continues(world, client, &id, SECOND).await;
}

/// Nothing is left of the keeper: the agent knows the input, which is reported, and the session continues.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_that_the_transcript_has_is_not_run_again() {
    let (world, client, id) = set_back(SECOND, |world| {
        let (keeper, agent) = world.keepers()[0];
        // The keeper may still write something while its folder is being deleted.
        wait_until("the folder is deleted", || fs::remove_dir_all(world.data().join("keepers")).is_ok());
        for process in [keeper, agent] {
            wait_until("the keeper and its agent have ended", || {
                test_kill_process(Pid::from_raw(process).unwrap()).is_err()
            });
        }
    })
    .await;
    let is_known = |message: &Value| {
        message["message"].as_str().is_some_and(|text| text.contains("had worked on this message before"))
    };
    client.until(is_known).await;
    continues(world, client, &id, SECOND).await;
}

/// A session with an input that waits, because its agent can't be started.
async fn waiting() -> (World, String) {
    let world = World::with(|settings| settings.agents[0].leading = vec!["no-such-command".into()]).await;
    let client = world.client("laptop").await;
    let id = client
        .start(&world.project(), Some("@tool Bash {\"command\":\"echo one >> lines\"}\n@say One."))
        .await;
    client.until(|message| message["type"] == "error").await;
    (world, id)
}

/// The log has an input as sent to a keeper of which nothing is left.
async fn sent_to_a_lost_keeper(world: &mut World, id: &str) -> (Client, Value) {
    let log = world.hub.log().clone();
    let reply = world.client("laptop").await.ask(json!({"type": "get_session", "sessionId": id})).await;
    let input = reply["snapshot"]["queue"][0]["id"].as_str().unwrap().to_owned();
    world.hub.close().await;
    let append = Append::new(Time::now())
        .change(SessionChange::Input { id: input, to: StoredInputState::Sent })
        .change(SessionChange::Keeper(Some("removed".to_owned())));
    log.append(id, append).await.unwrap();
    world.restart_after(|settings| settings.agents[0].leading = vec!["agent".into()]).await;
    let client = world.client("laptop").await;
    let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    let asked = reply["snapshot"]["pending"][0].clone();
    assert_eq!(asked["kind"], "resend", "{reply:#}");
    assert_eq!(asked["title"], "Sent, but not confirmed: send again?");
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    (client, asked["id"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_whose_keeper_is_lost_is_sent_again_on_request() {
    let (mut world, id) = waiting().await;
    let (client, asked) = sent_to_a_lost_keeper(&mut world, &id).await;
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    let reported = client
        .until(|message| message["type"] == "permission_request" && message["kind"] == "permission")
        .await;
    let asked = &reported.last().unwrap()["id"];
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    client.until(|message| is_result(message, "One.")).await;
    assert_eq!(lines(&world), "one\n");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_input_whose_keeper_is_lost_is_dropped_on_request() {
    let (mut world, id) = waiting().await;
    let (client, asked) = sent_to_a_lost_keeper(&mut world, &id).await;
    client.say(json!({"type": "reject", "sessionId": id, "id": asked})).await;
    client.until(|message| message["type"] == "permission_resolved").await;
    client.say(json!({"type": "input", "sessionId": id, "text": "@say Two."})).await;
    let reported = client.until(|message| is_result(message, "Two.")).await;
    assert!(!reported.iter().any(|message| is_result(message, "One.")), "{reported:#?}");
    assert_eq!(lines(&world), "");
    world.end().await;
}

/// A session whose agent waits for a decision.
async fn asking() -> (World, String, Value) {
    let world = World::new().await;
    let client = world.client("laptop").await;
    let id = client.start(&world.project(), Some(FIRST)).await;
    let reported = client.until(|message| message["type"] == "permission_request").await;
    let asked = reported.last().unwrap()["id"].clone();
    (world, id, asked)
}

async fn allow(world: &World, id: &str, asked: &Value) {
    let client = world.client("laptop").await;
    client.say(json!({"type": "subscribe", "sessionId": id})).await;
    client.say(json!({"type": "approve", "sessionId": id, "id": asked})).await;
    client.until(|message| is_result(message, "One.")).await;
    assert_eq!(lines(world), "one\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_is_found_in_a_data_folder_that_was_moved() {
    let (mut world, id, asked) = asking().await;
    let processes = world.keepers();
    let (old, new) = (world.data(), world.data().with_file_name("moved"));
    world
        .restart_after(|settings| {
            fs::rename(old, &new).unwrap();
            settings.data = new;
        })
        .await;
    allow(&world, &id, &asked).await;
    assert_eq!(world.keepers(), processes);
    world.end().await;
}

/// Earlier versions kept the whole path of a keeper's folder.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_is_found_by_the_path_that_an_earlier_version_kept() {
    let (mut world, id, asked) = asking().await;
    let processes = world.keepers();
    let (old, new) = (world.data(), world.data().with_file_name("moved"));
    world
        .restart_after(|settings| {
            let log = rusqlite::Connection::open(old.join(FILE)).unwrap();
            let path = format!("{}/keepers/", old.display());
            let changed = log.execute("UPDATE sessions SET keeper = ?1 || keeper", [path]).unwrap();
            assert_eq!(changed, 1);
            log.close().unwrap();
            fs::rename(old, &new).unwrap();
            settings.data = new;
        })
        .await;
    allow(&world, &id, &asked).await;
    assert_eq!(world.keepers(), processes);
    world.end().await;
}

/// Copies files as a backup does: sockets are none.
fn copy(from: &Path, to: &Path) {
    fs::DirBuilder::new().mode(0o700).create(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (to.join(entry.file_name()), entry.file_type().unwrap());
        match kind {
            kind if kind.is_dir() => copy(&entry.path(), &path),
            kind if kind.is_file() => drop(fs::copy(entry.path(), path).unwrap()),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bridge_of_a_copy_leaves_the_original_s_agents_alone() {
    let (world, id, asked) = asking().await;
    let copied = world.data().with_file_name("copy");
    copy(&world.data(), &copied);
    let mut settings = world.hub.settings().clone();
    settings.data.clone_from(&copied);
    let hub = Hub::open(settings, Log::open(&copied).unwrap()).await.unwrap();
    let client = Client::enter(&hub, "other").await;
    // It has taken in what the copied folder holds: its own session has no agent.
    let reply = client.ask(json!({"type": "get_session", "sessionId": id})).await;
    assert_eq!(reply["snapshot"]["pending"], json!([]), "{reply:#}");
    assert!(fs::read_dir(copied.join("keepers")).unwrap().next().is_none());
    hub.close().await;
    allow(&world, &id, &asked).await;
    world.end().await;
}

/// Keepers that a log does not know, since it was set back to a time before they were started, are ended and removed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keepers_that_the_log_does_not_know_are_ended() {
    let mut world = World::new().await;
    let data = world.data();
    world.restart_after(|_| keep(&data)).await;
    let client = world.client("laptop").await;
    for text in [&long(), "@say Short."] {
        let id = client.start(&world.project(), Some(text)).await;
        idle(&client, &id, 1).await;
    }
    let processes = world.keepers();
    assert_eq!(processes.len(), 2);
    let folders = fs::read_dir(data.join("keepers")).unwrap();
    assert_eq!(folders.filter(has_beginning).count(), 1);
    drop(client);
    world.restart_after(|_| bring_back(&data)).await;
    let is_alive = |process: i32| test_kill_process(Pid::from_raw(process).unwrap()).is_ok();
    let deadline = tokio::time::Instant::now() + super::world::PATIENCE;
    while processes.iter().any(|(keeper, agent)| is_alive(*keeper) || is_alive(*agent))
        || fs::read_dir(data.join("keepers")).unwrap().next().is_some()
    {
        assert!(tokio::time::Instant::now() < deadline, "they are still there");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    world.end().await;
}

/// Whether the first segment of the spool in a keeper's folder is there.
fn has_beginning(folder: &std::io::Result<fs::DirEntry>) -> bool {
    folder.as_ref().unwrap().path().join("spool/00000000000000000000").exists()
}
