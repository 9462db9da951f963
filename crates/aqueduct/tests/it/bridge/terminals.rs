//! Sessions that were begun in a terminal and continue here.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::world::{World, of};

impl World {
    /// A bridge that sees the transcripts of a terminal's agent.
    async fn beside_a_terminal() -> World {
        World::with(|settings| settings.transcripts = vec![settings.roots[0].join("home/.claude")]).await
    }

    /// A user runs the agent in a terminal.
    fn terminal(&self, prompt: &str) {
        let home = self.project().with_file_name("home");
        let output = Command::new(env!("CARGO_BIN_EXE_aqueduct"))
            .args(["agent", "-p", "--model", "scripted", prompt])
            .current_dir(self.project())
            .env_clear()
            .env("HOME", &home)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The transcripts that there are.
    fn transcripts(&self) -> Vec<String> {
        let projects = self.project().with_file_name("home").join(".claude/projects");
        let folders = std::fs::read_dir(projects).unwrap().map(|entry| entry.unwrap().path());
        let names = |folder: &Path| -> Vec<String> {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            entries.filter_map(|name| Some(name.to_str()?.strip_suffix(".jsonl")?.to_owned())).collect()
        };
        folders.flat_map(|folder| names(&folder)).collect()
    }
}

fn sessions(reply: &Value) -> Vec<(&str, &str)> {
    let sessions = reply["sessions"].as_array().unwrap().iter();
    sessions
        .map(|session| (session["sessionId"].as_str().unwrap(), session["source"].as_str().unwrap()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_begun_in_a_terminal_continues_here() {
    let world = World::beside_a_terminal().await;
    world.terminal("@say Those are the strawberries.");
    let [id] = world.transcripts().try_into().unwrap();
    let client = world.client("phone").await;

    let recent = client.ask(json!({"type": "list_recent_sessions"})).await;
    assert_eq!(sessions(&recent), [(id.as_str(), "terminal")]);
    assert_eq!(recent["sessions"][0]["projectPath"], world.project().to_str().unwrap());
    let found = client.ask(json!({"type": "search", "query": "strawberries"})).await;
    assert_eq!(found["hits"][0]["sessionId"], id.as_str());
    assert_eq!(found["hits"][0]["seq"], Value::Null);
    let before = client.ask(json!({"type": "get_history", "sessionId": id, "sinceSeq": 0})).await;
    let shown = before["messages"].as_array().unwrap();
    assert_eq!(of(shown, "user_input")[0]["source"], "terminal");
    assert_eq!(of(shown, "assistant").len(), 1);
    assert_eq!(before["lastSeq"], shown.len());

    let ack = client
        .ask(json!({"type": "input", "sessionId": id, "text": "@say And these are the pears.", "clientMessageId": "c-1"}))
        .await;
    assert_eq!(ack["type"], "input_ack", "{ack}");
    let turn = client.turn().await;
    assert_eq!(of(&turn, "result")[0]["isError"], false);

    let after = client.ask(json!({"type": "get_history", "sessionId": id, "sinceSeq": 0})).await;
    let kept = after["messages"].as_array().unwrap();
    assert_eq!(&kept[..shown.len()], &shown[..], "what was shown before has kept its numbers");
    assert_eq!(kept[shown.len()]["subtype"], "session_resumed");
    let texts: Vec<&Value> =
        of(kept, "assistant").into_iter().map(|message| &message["message"]["content"][0]["text"]).collect();
    assert_eq!(texts.last().unwrap().as_str().unwrap().trim(), "And these are the pears.");
    assert_eq!(
        world.transcripts(),
        std::slice::from_ref(&id),
        "the agent continues in the same conversation"
    );
    let recent = client.ask(json!({"type": "list_recent_sessions"})).await;
    assert_eq!(sessions(&recent), [(id.as_str(), "bridge")]);
    let exported = client.ask(json!({"type": "export_session", "sessionId": id, "format": "markdown"})).await;
    let text = exported["content"].as_str().unwrap();
    assert!(text.find("strawberries").unwrap() < text.find("pears").unwrap());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_of_a_folder_may_be_a_terminals() {
    let world = World::beside_a_terminal().await;
    world.terminal("@say Hello from the terminal.");
    let [id] = world.transcripts().try_into().unwrap();
    let client = world.client("phone").await;
    for start in [
        json!({"type": "start", "projectPath": world.project(), "continue": true}),
        json!({"type": "start", "projectPath": world.project(), "sessionId": id}),
    ] {
        let started = client.ask(start).await;
        assert_eq!((&started["type"], &started["sessionId"]), (&json!("ok"), &json!(id)));
    }
    let resumed = client.ask(json!({"type": "resume_session", "sessionId": id})).await;
    assert_eq!(resumed["type"], "ok", "{resumed}");
    let history = client.ask(json!({"type": "get_history", "sessionId": id, "sinceSeq": 0})).await;
    let notes = of(history["messages"].as_array().unwrap(), "system").len();
    assert_eq!(notes, 1, "it was taken over once");
    world.end().await;
}
