//! What is stored of a session: replayed, read, searched, counted, named, deleted.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::place::Place;
use crate::received::ReceivedMessages;
use crate::verdict::{Trouble, ensure};

/// How often a word is looked for before it counts as not found.
const INDEXING: usize = 100;

/// A client that connects in the middle of an answer gets what was before, the answer so far, and the rest.
pub(crate) async fn subscribe(place: Place) -> Result<(), Trouble> {
    let mut first = place.started("@say before").await?;
    first.input("@slow 30 0.05").await?;
    first.until("a delta", |message| message["type"] == "stream_delta").await?;
    let mut late = Client::connect(&place, first.session()).await?;
    let state = late.subscribe(0).await?;
    ensure!(state["session"]["status"] == "running", "the session is {}", state["session"]);
    let mut all = late.until("the second result", is_second_result()).await?;
    all.0.append(&mut late.status("idle").await?.0);
    first.turn().await?;
    ensure!(all.results().len() == 2, "the late client received {}", all.kinds());
    let partials: Vec<&Value> =
        all.of("partial").into_iter().filter(|partial| partial["blocks"] != json!([])).collect();
    let begun: String = partials
        .iter()
        .flat_map(|partial| partial["blocks"].as_array().into_iter().flatten())
        .filter_map(|block| block["text"].as_str())
        .collect();
    let deltas: String = all.of("stream_delta").iter().filter_map(|delta| delta["text"].as_str()).collect();
    let answer: String = (0..30).map(|word| format!("w{word} ")).collect();
    ensure!(format!("{begun}{deltas}") == answer, "so far {begun:?}, then {deltas:?}");
    let whole = first.ask(json!({"type": "get_history"})).await?;
    let whole = whole["messages"].as_array().cloned().unwrap_or_default();
    let received: Vec<&Value> =
        all.0.iter().filter(|message| message["time"].is_u64() && message["seq"].is_u64()).collect();
    ensure!(
        received.len() == whole.len()
            && received.iter().zip(&whole).all(|(received, kept)| *received == kept),
        "the late client received otherwise than the history: {}",
        all.kinds()
    );
    Ok(())
}

/// Answers yes to the second result that it sees.
fn is_second_result() -> impl Fn(&Value) -> bool {
    let seen = std::cell::Cell::new(0);
    move |message| {
        seen.set(seen.get() + usize::from(message["type"] == "result"));
        seen.get() == 2
    }
}

/// The history pages back to the beginning, without a gap.
pub(crate) async fn history(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say one").await?;
    client.talk("@say two").await?;
    client.talk("@say three").await?;
    let mut numbers: Vec<u64> = Vec::new();
    let mut before: Option<u64> = None;
    loop {
        let mut page = json!({"type": "get_history", "limit": 3});
        if let Some(before) = before {
            page["beforeSeq"] = json!(before);
        }
        let page = client.ask(page).await?;
        let messages = page["messages"].as_array().cloned().unwrap_or_default();
        ensure!(messages.len() <= 3, "a page has {} messages", messages.len());
        let seqs: Vec<u64> = messages.iter().filter_map(|message| message["seq"].as_u64()).collect();
        before = seqs.first().copied();
        numbers.splice(0..0, seqs);
        if page["more"] != true {
            break;
        }
        ensure!(before.is_some(), "an empty page reports that there is more");
    }
    ensure!(numbers == (1..=client.last_seq()).collect::<Vec<_>>(), "the pages have {numbers:?}");
    Ok(())
}

/// Messages are found: of the user, of the model and of a tool.
pub(crate) async fn search(place: Place) -> Result<(), Trouble> {
    place.write("tree.txt", "a sycamore\n")?;
    let read = json!({"file_path": place.file("tree.txt")});
    let mut client =
        place.started(&format!("Look for kingfishers\n@tool Read {read}\n@say Only cormorants.")).await?;
    for (word, kind) in
        [("kingfishers", "user_input"), ("cormorants", "assistant"), ("sycamore", "tool_result")]
    {
        let hit = found(&mut client, word, kind).await?;
        let excerpt = hit["excerpt"].as_str().unwrap_or_default();
        ensure!(excerpt.contains(&format!("\u{e000}{word}\u{e001}")), "the excerpt is {excerpt:?}");
    }
    Ok(())
}

/// The hit for a word in this session. The index is updated beside the conversation, and may lag behind.
async fn found(client: &mut Client, word: &str, kind: &str) -> Result<Value, Trouble> {
    let mut hits = Vec::new();
    for _ in 0..INDEXING {
        let results = client.ask(json!({"type": "search", "query": word})).await?;
        hits = results["hits"].as_array().cloned().unwrap_or_default();
        let is_ours = |hit: &&Value| hit["sessionId"] == client.session() && hit["kind"] == kind;
        if let Some(hit) = hits.iter().find(is_ours) {
            return Ok(hit.clone());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(Trouble::failed(format!("{word} was found as {hits:?}")))
}

/// Tokens and money are counted by turn, session and day.
pub(crate) async fn usage(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": "@say one"})).await?;
    let first = client.turn().await?;
    let second = client.talk("@say two").await?;
    let number = |turn: &ReceivedMessages, name: &str| turn.result()[name].as_f64().unwrap_or_default();
    let (one, two, total) = (number(&first, "cost"), number(&second, "cost"), number(&second, "totalCost"));
    ensure!(one > 0.0 && two > 0.0, "the turns cost {one} and {two}");
    ensure!((one + two - total).abs() < 1e-9, "{one} and {two} make {total}");
    let usage = client.ask(json!({"type": "get_usage"})).await?;
    let all = usage["costUsd"].as_f64().unwrap_or_default();
    ensure!((all - total).abs() < 1e-9, "the session cost {total}, and the day's account has {all}: {usage}");
    let rows = usage["rows"].as_array().cloned().unwrap_or_default();
    let tokens: u64 = rows.iter().filter_map(|row| row["outputTokens"].as_u64()).sum();
    ensure!(tokens > 0, "no tokens are counted: {rows:?}");
    Ok(())
}

/// A name, and a place out of the way.
pub(crate) async fn rename(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say one").await?;
    client.ask(json!({"type": "rename_session", "title": "Herons at dawn"})).await?;
    let reported = client.until("the new title", |message| {
        message["type"] == "system" && message["subtype"] == "title_changed"
    });
    ensure!(reported.await?.last()["title"] == "Herons at dawn", "another title was reported");
    let recent = json!({"type": "list_recent_sessions", "query": "herons at"});
    let found = client.ask(recent.clone()).await?;
    ensure!(found["sessions"][0]["title"] == "Herons at dawn", "the list has {found}");
    client.ask(json!({"type": "archive_session", "archived": true})).await?;
    let found = client.ask(recent).await?;
    ensure!(found["sessions"] == json!([]), "the archived session is listed: {found}");
    Ok(())
}

/// A session as a document.
pub(crate) async fn export(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say The heron waits quietly.").await?;
    for format in ["markdown", "html", "jsonl"] {
        let document = client.ask(json!({"type": "export_session", "format": format})).await?;
        let content = document["content"].as_str().unwrap_or_default();
        ensure!(content.contains("The heron waits quietly."), "{format} has {content:?}");
    }
    Ok(())
}

/// The project's files and what the agent changed in them.
pub(crate) async fn files_and_changes(place: Place) -> Result<(), Trouble> {
    place.write("song.txt", "one\ntwo\n")?;
    place.write(".gitignore", "secret.txt\n")?;
    place.write("secret.txt", "hush\n")?;
    for arguments in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "."],
        &["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "First"],
    ] {
        let status = tokio::process::Command::new("git")
            .args(arguments)
            .current_dir(place.project())
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .status();
        ensure!(status.await?.success(), "git {} failed", arguments.join(" "));
    }
    let write = json!({"file_path": place.file("new.txt"), "content": "three\n"});
    let edit = json!({"command": "sed -i s/two/TWO/ song.txt", "description": "shout"});
    let mut client = place.client().await?;
    client
        .start(&place, json!({"text": format!("@tool Write {write}\n@tool Bash {edit}\n@say done")}))
        .await?;
    for _ in 0..2 {
        let asked = client.asked().await?;
        client.decide("approve", &asked, json!({})).await?;
    }
    client.turn().await?;
    let files = client.ask(json!({"type": "list_files", "query": "sng"})).await?;
    ensure!(files["files"][0]["path"] == "song.txt", "the files are {files}");
    let all = client.ask(json!({"type": "list_files"})).await?;
    let names: Vec<&str> =
        all["files"].as_array().into_iter().flatten().filter_map(|file| file["path"].as_str()).collect();
    ensure!(names.contains(&"new.txt") && !names.contains(&"secret.txt"), "the files are {names:?}");
    let file = client.ask(json!({"type": "read_file", "path": "song.txt", "line": 2, "limit": 1})).await?;
    ensure!(file["content"].as_str().is_some_and(|text| text.trim() == "TWO"), "the line is {file}");
    let diff = client.ask(json!({"type": "get_diff"})).await?;
    let changed: Vec<&Value> = diff["files"].as_array().into_iter().flatten().collect();
    let song = changed.iter().find(|file| file["path"] == "song.txt");
    let lines = song.map(|song| song["hunks"][0]["lines"].clone()).unwrap_or_default();
    ensure!(lines == json!([" one", "-two", "+TWO"]), "the change is {diff}");
    let status = client.ask(json!({"type": "get_git_status"})).await?;
    ensure!(status["branch"] == "main", "the status is {status}");
    let changes = status["changes"].as_array().cloned().unwrap_or_default();
    let is_new = |change: &Value| change["path"] == "new.txt" && change["unstaged"] == "untracked";
    ensure!(changes.len() == 2 && changes.iter().any(is_new), "the changes are {changes:?}");
    client.refused(json!({"type": "read_file", "path": "/etc/passwd"}), "path_not_allowed").await
}

/// A session that is deleted is gone, and its agent with it.
pub(crate) async fn delete(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say a word about pelicans").await?;
    client.ask(json!({"type": "delete_session"})).await?;
    client.until("the notice", |message| message["type"] == "session_deleted").await?;
    client.refused(json!({"type": "get_session"}), "session_not_found").await?;
    let found = client.ask(json!({"type": "search", "query": "pelicans"})).await?;
    let ours: Vec<&Value> = found["hits"]
        .as_array()
        .into_iter()
        .flatten()
        // The agent's own transcript stays, and is a terminal's then.
        .filter(|hit| hit["sessionId"] == client.session() && !hit["seq"].is_null())
        .collect();
    ensure!(ours.is_empty(), "it is still found: {ours:?}");
    match place.kill_agent() {
        Err(_) => Ok(()),
        Ok(()) => Err(Trouble::failed("its agent lived on")),
    }
}
