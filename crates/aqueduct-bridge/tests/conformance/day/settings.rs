//! What can be changed and asked while a session lives.

use serde_json::json;

use crate::place::Place;
use crate::verdict::{Trouble, ensure};

/// The next answer comes from the other model.
pub(crate) async fn set_model(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say one").await?;
    client.ask(json!({"type": "set_model", "model": "claude-haiku-4-5"})).await?;
    let turn = client.talk("@say two").await?;
    ensure!(!turn.notes("model_changed").is_empty(), "no client was notified: {}", turn.kinds());
    let answers = turn.of("assistant");
    let model = answers.last().and_then(|answer| answer["message"]["model"].as_str()).unwrap_or_default();
    ensure!(model.contains("haiku"), "the answer came from {model:?}");
    // It is the session's, whatever becomes of the agent.
    client.ask(json!({"type": "stop_session"})).await?;
    client.status("stopped").await?;
    let turn = client.talk("@say three").await?;
    let answers = turn.of("assistant");
    let model = answers.last().and_then(|answer| answer["message"]["model"].as_str()).unwrap_or_default();
    ensure!(model.contains("haiku"), "after a stop the answer came from {model:?}");
    Ok(())
}

/// What was asked before is allowed in another mode.
pub(crate) async fn set_mode(place: Place) -> Result<(), Trouble> {
    let write = |name: &str| {
        format!("@tool Write {}\n@say ok", json!({"file_path": place.file(name), "content": "x"}))
    };
    let mut client = place.client().await?;
    client.start(&place, json!({"text": write("one.txt")})).await?;
    let asked = client.asked().await?;
    client.decide("reject", &asked, json!({})).await?;
    client.turn().await?;
    client.ask(json!({"type": "set_permission_mode", "mode": "acceptEdits"})).await?;
    let turn = client.talk(&write("two.txt")).await?;
    ensure!(!turn.notes("permission_mode_changed").is_empty(), "no client was notified: {}", turn.kinds());
    ensure!(turn.of("permission_request").is_empty(), "it was asked all the same");
    ensure!(
        place.file("two.txt").exists() && !place.file("one.txt").exists(),
        "the wrong files were written"
    );
    client.refused(json!({"type": "set_permission_mode", "mode": "bypassPermissions"}), "forbidden").await
}

/// What fills the context.
pub(crate) async fn context(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say hello").await?;
    let context = client.ask(json!({"type": "get_context"})).await?;
    ensure!(context["tokens"].as_u64().is_some_and(|tokens| tokens > 0), "the context is {context}");
    Ok(())
}

/// Commands and models to choose from.
pub(crate) async fn commands_and_models(place: Place) -> Result<(), Trouble> {
    let mut client = place.started("@say hello").await?;
    let commands = client.ask(json!({"type": "list_commands"})).await?;
    ensure!(commands["commands"].as_array().is_some_and(|all| !all.is_empty()), "no commands: {commands}");
    let models = client.ask(json!({"type": "list_models"})).await?;
    ensure!(models["models"].as_array().is_some_and(|all| !all.is_empty()), "no models: {models}");
    Ok(())
}
