//! Agents and bridges that come and go under a session.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::client::Client;
use crate::decisions::TOUCH;
use crate::place::Place;
use crate::verdict::{Trouble, ensure};

/// The model sends the first line, and the second one only if the conversation still has the first.
const SECRET: &str = "@say I shall remember.\n@say It was the heron.";

/// Asks about the earlier conversation: without lines of its own this is answered from the newest script in
/// the history.
async fn remembers(client: &mut Client) -> Result<(), Trouble> {
    let turn = client.talk("What was it?").await?;
    ensure!(turn.text() == "It was the heron.", "it remembers {:?}", turn.text());
    Ok(())
}

/// The session reports that its agent died at work, and continues with the next input under the same id.
pub(crate) async fn agent_killed_at_work(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say before").await?;
    client.input(&format!("{TOUCH}\n@say never")).await?;
    let asked = client.asked().await?;
    place.kill_agent()?;
    let received = client.status("failed").await?;
    let ends = received.notes("agent_exited");
    ensure!(ends.len() == 1 && ends[0]["signal"] == "SIGKILL", "its end was reported as {ends:?}");
    ensure!(ends[0]["expected"] == false, "its end was expected: {}", ends[0]);
    let resolved = received.of("permission_resolved");
    ensure!(
        resolved.len() == 1 && resolved[0]["id"] == asked["id"] && resolved[0]["decision"] == "cancelled",
        "what was open came to {resolved:?}"
    );
    let turn = client.talk("@say after").await?;
    ensure!(turn.text() == "after", "the answer was {:?}", turn.text());
    ensure!(!place.file("made.txt").exists(), "that was not allowed");
    let others: Vec<&Value> =
        turn.notes("init").into_iter().filter(|note| note["agentSessionId"].is_string()).collect();
    ensure!(others.is_empty(), "the agent calls it another conversation: {others:?}");
    Ok(())
}

/// An agent that died is resumed, and knows the conversation.
pub(crate) async fn agent_killed_when_idle(place: Place) -> Result<(), Trouble> {
    let mut client = place.started(SECRET).await?;
    // The script of the prompt has it before it was sent.
    place.wait_for_transcript(client.session(), "\"text\":\"I shall remember.\"").await?;
    place.kill_agent()?;
    client.status("failed").await?;
    remembers(&mut client).await
}

/// A session that was stopped continues with the next input.
pub(crate) async fn stop_and_resume(place: Place) -> Result<(), Trouble> {
    let mut client = place.started(SECRET).await?;
    client.ask(json!({"type": "stop_session"})).await?;
    let received = client.status("stopped").await?;
    let ends = received.notes("agent_exited");
    ensure!(ends.len() == 1 && ends[0]["expected"] == true, "its end was reported as {ends:?}");
    remembers(&mut client).await
}

/// An unwatched agent is stopped after a time, and resumed on demand.
pub(crate) async fn idle(place: Place) -> Result<(), Trouble> {
    let client = place.started(SECRET).await?;
    let session = client.session().to_owned();
    drop(client);
    let mut client = Client::connect(&place, &session).await?;
    let stopped = |message: &Value| {
        let row = &message["session"];
        (message["type"] == "session_update"
            && row["sessionId"] == session.as_str()
            && row["status"] == "stopped")
            || (message["type"] == "status" && message["status"] == "stopped")
    };
    client.until("the idle stop", stopped).await?;
    remembers(&mut client).await
}

/// A bridge that is killed in the middle comes back with everything: open decisions, queued inputs, messages.
pub(crate) async fn bridge_killed_at_work(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("{TOUCH}\n@say still here")})).await?;
    let asked = client.asked().await?;
    client.ask(json!({"type": "input", "text": "@say next", "clientMessageId": "next"})).await?;
    let (session, last) = (client.session().to_owned(), client.last_seq());
    client.kill_bridge()?;
    let mut client = Client::connect(&place, &session).await?;
    let state = client.subscribe(last).await?;
    let pending = state["pending"].as_array().cloned().unwrap_or_default();
    ensure!(pending.len() == 1 && pending[0]["id"] == asked["id"], "{pending:?} is to be decided");
    ensure!(pending[0]["inputHash"] == asked["inputHash"], "the input is another: {}", pending[0]);
    let waiting = state["queue"].as_array().map_or(0, Vec::len);
    ensure!(waiting == 1, "{waiting} inputs wait");
    client.decide("approve", &asked, json!({"inputHash": asked["inputHash"]})).await?;
    let rest =
        client.until("the last result", |message| message["type"] == "result" && message["result"] == "next");
    let rest = rest.await?;
    ensure!(rest.results() == ["still here", "next"], "the turns came to {:?}", rest.results());
    ensure!(rest.notes("agent_exited").is_empty(), "the agent did not live through it");
    ensure!(place.file("made.txt").exists(), "the tool did not run");
    Ok(())
}

/// A session that was started in a terminal is found, shown, resumed here, and remembers.
pub(crate) async fn adopt(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let agents = client.hello()["agents"].as_array().cloned().unwrap_or_default();
    let program = agents
        .iter()
        .find(|agent| agent["name"] == place.agent())
        .and_then(|agent| agent["program"].as_str());
    let Some(program) = program else {
        return Err(Trouble::failed("hello does not name the agent's program"));
    };
    let output = Command::new(program)
        .args(["-p", SECRET])
        .current_dir(place.project())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(printed.trim() == "I shall remember.", "the terminal printed {printed:?}");
    let recent = json!({"type": "list_recent_sessions", "projectPath": place.project()});
    let recent = client.ask(recent).await?;
    let sessions = recent["sessions"].as_array().cloned().unwrap_or_default();
    let [found] = sessions.as_slice() else {
        return Err(Trouble::failed(format!("{} sessions were found there: {sessions:?}", sessions.len())));
    };
    ensure!(found["source"] == "terminal", "it was found as {found}");
    let first = found["firstPrompt"].as_str().unwrap_or_default();
    ensure!(first.contains("I shall remember"), "its first prompt is {first:?}");
    let id = found["sessionId"].as_str().unwrap_or_default();
    let mut client = Client::connect(&place, id).await?;
    let history = client.ask(json!({"type": "get_history"})).await?;
    let shown = history["messages"].as_array().cloned().unwrap_or_default();
    ensure!(shown.iter().any(|message| message["type"] == "assistant"), "the history is {history}");
    client.ask(json!({"type": "resume_session", "agent": place.agent()})).await?;
    remembers(&mut client).await?;
    let history = client.ask(json!({"type": "get_history"})).await?;
    let after = history["messages"].as_array().cloned().unwrap_or_default();
    ensure!(after.len() > shown.len(), "{} messages before and {} after", shown.len(), after.len());
    let kept = shown
        .iter()
        .zip(&after)
        .all(|(shown, after)| shown["seq"] == after["seq"] && shown["type"] == after["type"]);
    ensure!(kept, "the messages of the terminal have other numbers now");
    Ok(())
}
