//! Something has to be decided: a permission, a question, a plan, a budget.

use serde_json::json;

use crate::client::Client;
use crate::place::Place;
use crate::verdict::{Trouble, ensure};

/// A command that has to be asked for.
pub(crate) const TOUCH: &str = r#"@tool Bash {"command":"touch made.txt","description":"make a file"}"#;

/// A command of the project that has to be asked for, and that a rule can allow: about files that a command writes,
/// older agents ask whatever the rules are.
const MAKE: &str = r#"@tool Bash {"command":"./make.sh","description":"make a file"}"#;

/// Allowed once, by the hash of what was shown; the second decision is refused.
pub(crate) async fn approve(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    let mut other = Client::connect(&place, client.session()).await?;
    client.start(&place, json!({"text": format!("{TOUCH}\n@say made")})).await?;
    let asked = client.asked().await?;
    ensure!(asked["kind"] == "permission" && asked["toolName"] == "Bash", "asked {asked}");
    ensure!(asked["input"]["command"] == "touch made.txt", "asked for {}", asked["input"]);
    client.status("waiting_approval").await?;
    other.asked().await?;
    let wrong = json!({"type": "approve", "id": asked["id"], "inputHash": "0".repeat(64)});
    other.refused(wrong, "input_changed").await?;
    client.decide("approve", &asked, json!({"inputHash": asked["inputHash"]})).await?;
    other.refused(json!({"type": "reject", "id": asked["id"]}), "already_resolved").await?;
    let turn = client.turn().await?;
    ensure!(turn.text() == "made", "the answer was {:?}", turn.text());
    let resolved = turn.of("permission_resolved");
    ensure!(resolved.len() == 1 && resolved[0]["decision"] == "allowed", "it was resolved as {resolved:?}");
    ensure!(place.file("made.txt").exists(), "the tool did not run");
    Ok(())
}

/// The changed input runs, not the model's.
pub(crate) async fn approve_changed(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("{TOUCH}\n@say made")})).await?;
    let asked = client.asked().await?;
    let changed = json!({"command": "touch other.txt", "description": "another file"});
    client.decide("approve", &asked, json!({"updatedInput": changed})).await?;
    client.turn().await?;
    ensure!(place.file("other.txt").exists(), "the changed input did not run");
    ensure!(!place.file("made.txt").exists(), "the model's input ran");
    Ok(())
}

/// After "always" the same call is not asked again, and another one is.
pub(crate) async fn approve_always(place: Place) -> Result<(), Trouble> {
    place.program("make.sh", "touch made.txt")?;
    let mut client = place.client().await?;
    client.start(&place, json!({"text": format!("{MAKE}\n@say once")})).await?;
    let asked = client.asked().await?;
    client.decide("approve_always", &asked, json!({})).await?;
    let first = client.turn().await?;
    let added = first.of("permission_resolved").first().map(|resolved| resolved["updates"].clone());
    ensure!(added.as_ref().is_some_and(|added| added.is_array()), "nothing was added: {added:?}");
    let second = client.talk(&format!("{MAKE}\n@say twice")).await?;
    ensure!(second.of("permission_request").is_empty(), "it was asked again after {added:?}");
    ensure!(second.text() == "twice", "the answer was {:?}", second.text());
    client.input("@tool Bash {\"command\":\"rm made.txt\",\"description\":\"another\"}\n@say no").await?;
    let other = client.asked().await?;
    client.decide("reject", &other, json!({})).await?;
    client.turn().await?;
    ensure!(place.file("made.txt").exists(), "{added:?} let another command through");
    Ok(())
}

/// The model receives the reason, and the turn continues.
pub(crate) async fn reject(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": TOUCH})).await?;
    let asked = client.asked().await?;
    client.decide("reject", &asked, json!({"message": "not on a Monday"})).await?;
    let turn = client.turn().await?;
    ensure!(turn.text().contains("not on a Monday"), "the model received {:?}", turn.text());
    let denials = turn.result()["permissionDenials"].as_array().map_or(0, Vec::len);
    ensure!(denials == 1, "{denials} denials in the result");
    ensure!(!place.file("made.txt").exists(), "the tool ran");
    Ok(())
}

/// A question of the model with two options.
const QUESTION: &str = r#"@tool AskUserQuestion {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}],"multiSelect":false}]}"#;

/// A question is shown with its options, and the model receives the answer.
pub(crate) async fn question(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": QUESTION})).await?;
    let asked = client.asked().await?;
    ensure!(asked["kind"] == "question", "asked {asked}");
    let labels = &asked["input"]["questions"][0]["options"];
    ensure!(labels[1]["label"] == "Blue", "the options are {labels}");
    client.refused(json!({"type": "approve", "id": asked["id"]}), "wrong_decision").await?;
    let answers = json!({"Which colour?": "Blue"});
    client.ask(json!({"type": "answer", "toolUseId": asked["toolUseId"], "answers": answers})).await?;
    let turn = client.turn().await?;
    ensure!(turn.text().contains("Blue"), "the model received {:?}", turn.text());
    Ok(())
}

/// A plan is shown, sent back with a wish, and approved into a mode that counts from then on.
pub(crate) async fn plan(place: Place) -> Result<(), Trouble> {
    let exit = |plan: &str| format!("@tool ExitPlanMode {}", json!({"plan": plan}));
    let write = json!({"file_path": place.file("built.txt"), "content": "built\n"});
    let script = format!("{}\n{}\n@tool Write {write}\n@say built", exit("1. Dig"), exit("1. Dig\n2. Build"));
    let mut client = place.client().await?;
    client.start(&place, json!({"text": script, "permissionMode": "plan"})).await?;
    let asked = client.asked().await?;
    ensure!(asked["kind"] == "plan", "asked {asked}");
    // The newest reference takes plans from a file that the model knows, and none from the call.
    let plan = &asked["input"]["plan"];
    ensure!(plan.is_null() || plan == "1. Dig", "the plan is {plan}");
    client.decide("reject", &asked, json!({"message": "then build it"})).await?;
    let asked = client.asked().await?;
    ensure!(asked["kind"] == "plan", "asked {asked}");
    let modes = asked["modes"].as_array().cloned().unwrap_or_default();
    ensure!(modes.contains(&json!("acceptEdits")), "the modes are {modes:?}");
    client.decide("approve", &asked, json!({"mode": "acceptEdits"})).await?;
    let turn = client.turn().await?;
    ensure!(turn.of("permission_request").is_empty(), "the mode does not count: {}", turn.kinds());
    ensure!(place.file("built.txt").exists(), "nothing was built: {}", turn.text());
    let state = client.ask(json!({"type": "get_session"})).await?;
    let mode = &state["snapshot"]["session"]["permissionMode"];
    ensure!(mode == "acceptEdits", "the session's mode is {mode}");
    Ok(())
}

/// An agent that can't ask is denied; what was denied can be approved afterwards, and is tried again.
pub(crate) async fn no_user_to_ask(place: Place) -> Result<(), Trouble> {
    place.program("make.sh", "touch made.txt")?;
    let mut client = place.client().await?;
    let silent = format!("{}-silent", place.agent());
    client.start(&place, json!({"agent": silent, "text": format!("{MAKE}\n@say on")})).await?;
    let received =
        client.until("a permission_request", |message| message["type"] == "permission_request").await?;
    let asked = received.last();
    ensure!(asked["kind"] == "retry" && asked["toolName"] == "Bash", "asked {asked}");
    ensure!(!place.file("made.txt").exists(), "the tool ran without a yes");
    client.decide("approve", asked, json!({})).await?;
    // The model receives a request to try again, and its script has nothing for that: what counts is that it may.
    client.turn().await?;
    let again = client.talk(&format!("{MAKE}\n@say again")).await?;
    ensure!(place.file("made.txt").exists(), "it may still not: {}", again.result());
    Ok(())
}

/// A session whose budget is spent pauses and asks.
pub(crate) async fn budget(place: Place) -> Result<(), Trouble> {
    let mut client = place.client().await?;
    client.start(&place, json!({"text": "@say dear", "budgetUsd": 0.000_001})).await?;
    let received =
        client.until("a permission_request", |message| message["type"] == "permission_request").await?;
    let asked = received.last().clone();
    ensure!(asked["kind"] == "budget", "asked {asked}");
    let spent = asked["input"]["spentUsd"].as_f64().unwrap_or_default();
    ensure!(spent > 0.0, "{spent} was spent");
    let ack = client.input("@say more").await?;
    ensure!(ack["state"] == "queued", "the input was acknowledged as {ack}");
    client.decide("approve", &asked, json!({"budgetUsd": 100.0})).await?;
    let turn =
        client.until("the next result", |message| message["type"] == "result" && message["result"] == "more");
    turn.await.map(drop)
}
