//! Sessions that are deleted if they have ended.

use aqueduct_bridge::log::{RetentionPolicy, Time};
use serde_json::json;

use super::world::World;

const ENDED: &str = "0198c0de-7a11-7000-8000-000000000001";
const OPEN: &str = "0198c0de-7a11-7000-8000-000000000002";

fn path(id: &str) -> String {
    format!("/api/v1/sessions/{id}/expire")
}

#[tokio::test]
async fn a_session_that_has_ended_is_deleted_on_request() {
    let world = World::new().await;
    world.session(ENDED, &[json!({"type": "user_input", "text": "hello"})]).await;
    let updated = world.hub.log().session(ENDED).await.unwrap().updated.0;
    let newer = world.send("POST", &path(ENDED), &json!({"before": updated - 1})).await;
    newer.assert_error(409, "session_conflict");
    world.send("POST", &path(ENDED), &json!({})).await.assert_error(400, "invalid_message");
    let deleted = world.send("POST", &path(ENDED), &json!({"before": updated})).await;
    assert_eq!(deleted.json()["type"], "ok");
    let again = world.send("POST", &path(ENDED), &json!({"before": updated})).await;
    again.assert_error(404, "session_not_found");
    world.stop().await;
}

/// A client that has a session open is about to use it.
#[tokio::test]
async fn a_session_that_a_client_uses_stays() {
    let world = World::new().await;
    for id in [ENDED, OPEN] {
        world.session(id, &[json!({"type": "user_input", "text": "hello"})]).await;
    }
    assert_eq!(world.get(&format!("/api/v1/sessions/{OPEN}")).await.status, 200);
    let later = Time(Time::now().0 + 1000);
    let policy = RetentionPolicy { age: None, bytes: Some(0) };
    let deleted = world.hub.expire_sessions(policy, later).await.unwrap();
    assert_eq!(deleted.iter().map(|session| session.id.as_str()).collect::<Vec<_>>(), [ENDED]);
    world.send("POST", &path(OPEN), &json!({"before": later.0})).await.assert_error(409, "session_conflict");
    world.hub.log().session(OPEN).await.unwrap();
    world.stop().await;
}
