//! What each credential may do: every message and every route, with every scope, from every origin, over real sockets.
//!
//! The snapshots are the expectations. A message or route that is new, or needs another scope, fails here
//! until a person has looked at its row.

mod confirming;
mod expiring;
mod messages;
mod origins;
mod roots;
mod routes;

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::log::Time;
use aqueduct_bridge::message::Scope;
use serde_json::{Value, json};

use super::websocket::Socket;
use super::world::{World, bearer};

/// The messages of clients, one a line.
const FIXTURES: &str = include_str!("../../../fixtures/client.jsonl");

/// A bridge in which the mode `bypassPermissions` may be chosen.
async fn world() -> World {
    World::set_up(|settings| settings.bypass = true, |_| {}).await
}

/// A token with this grant.
async fn token(world: &World, grant: Grant) -> String {
    let token = world.hub.auth().add_token_with("test", grant, Time::now()).await.unwrap();
    token.reveal().to_owned()
}

/// A WebSocket with this token, behind its greeting.
async fn socket(world: &World, token: &str) -> Socket {
    let mut socket = Socket::open(world, &bearer(token)).await;
    assert_eq!(socket.message().await["type"], "hello");
    socket
}

/// The reply to a message; what comes before it is skipped.
async fn ask(socket: &mut Socket, message: &Value) -> Value {
    let mut message = message.clone();
    message["requestId"] = json!("the one");
    socket.send(&message).await;
    loop {
        let reply = socket.message().await;
        if reply["requestId"] == "the one" {
            return reply;
        }
    }
}

/// What became of a request: refused for its scope, for want of a confirmation, or neither. One that could not be read
/// has no result for scopes.
fn outcome(reply: &Value) -> &'static str {
    let code = reply["code"].as_str().unwrap_or_default();
    let is_endpoint = reply["message"].as_str().is_some_and(|message| message.contains("subscription"));
    assert!(!code.starts_with("invalid_") || is_endpoint, "{reply}");
    assert!(
        code != "unknown_message"
            || reply["message"].as_str().is_some_and(|text| text.contains("/some/page")),
        "{reply}"
    );
    match (reply["code"].as_str(), reply["scope"].as_str()) {
        (Some("forbidden"), Some(_)) => "-",
        (Some("forbidden"), None) if reply["type"] == "input_rejected" => "-",
        (Some("confirmation_required"), _) => "confirm",
        _ => "yes",
    }
}

/// A line of a matrix.
fn line(name: &str, outcomes: &[String]) -> String {
    let cells: String = outcomes.iter().map(|outcome| format!("{outcome:<9}")).collect();
    format!("{name:<62}{}\n", cells.trim_end())
}

/// The names of the scopes.
fn scopes() -> Vec<String> {
    Scope::ALL.iter().map(|scope| scope.as_str().to_owned()).collect()
}
