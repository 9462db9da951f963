//! Credentials that end by themselves.

use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::log::Time;

use super::super::websocket::Frame;
use super::super::world::bearer;
use super::{socket, token, world};

/// How long a credential lasts here: long enough to connect with, short enough to wait for.
const SHORT: i64 = 1500;

#[tokio::test]
async fn open_connections_end_with_their_credential() {
    let world = world().await;
    let soon = Grant { expires: Some(Time(Time::now().0 + SHORT)), ..Grant::full() };
    let token = token(&world, soon).await;
    let mut socket = socket(&world, &token).await;
    let mut stream = world.connect().await;
    stream.send(world.request("GET", "/api/v1/events", &bearer(&token), "")).await;
    assert_eq!(stream.head().await.status, 200);

    assert_eq!(socket.last().await, Frame::Close(4401));
    stream.until("0\r\n\r\n").await;
    let refused = world.ask("GET", "/api/v1/sessions", &bearer(&token), "").await;
    refused.assert_error(401, "unauthorized");
    assert!(refused.json()["message"].as_str().unwrap().contains("expired"), "{}", refused.text());
}

/// Who has an expired credential is not guessing one.
#[tokio::test]
async fn an_expired_credential_is_called_one_each_time() {
    let world = world().await;
    let token = token(&world, Grant { expires: Some(Time(1)), ..Grant::full() }).await;
    for _ in 0..20 {
        let refused = world.ask("GET", "/api/v1/sessions", &bearer(&token), "").await;
        refused.assert_error(401, "unauthorized");
    }
    let devices = world.hub.auth().devices("").await.unwrap();
    assert_eq!(devices[0].expires_at, Some(1), "the owner still sees it");
}
