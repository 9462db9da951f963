//! Notifications over HTTP.

use aqueduct_bridge::server::Tls;
use serde_json::{Value, json};

use super::world::{JSON, World, bearer};
use crate::push::{Browser, Service};

async fn world() -> World {
    World::set_up(|settings| settings.push.loopback = true, |_| {}).await
}

/// Asks as a device.
async fn ask(world: &World, token: &str, method: &str, path: &str, body: &Value) -> super::world::Reply {
    world.ask(method, path, &format!("{}{JSON}", bearer(token)), &body.to_string()).await
}

#[tokio::test]
async fn a_device_switches_notifications_on_tries_them_and_goes() {
    let mut service = Service::start().await;
    let world = world().await;
    let (device, token) = world.device().await;
    let hello = world.get("/api/v1/hello").await.json();
    let key = hello["pushKey"].as_str().unwrap();
    assert!(hello["features"].as_array().unwrap().contains(&json!("push")));

    let browser = Browser::new(1);
    let wanted = json!({"endpoint": service.endpoint("phone"), "keys": browser.keys()});
    assert_eq!(ask(&world, &token, "POST", "/api/v1/push", &wanted).await.json()["type"], "ok");
    let listed = world.get("/api/v1/devices").await.json();
    assert_eq!(
        (&listed["devices"][0]["deviceId"], &listed["devices"][0]["push"]),
        (&json!(device), &json!(true))
    );

    assert_eq!(ask(&world, &token, "POST", "/api/v1/push/test", &json!({})).await.json()["type"], "ok");
    let received = service.next().await;
    assert_eq!(received.claims(key)["aud"], format!("http://{}", service.address));
    assert_eq!(browser.open(&received.body)["kind"], "test");
    let metrics = world.get("/metrics").await.text();
    assert!(metrics.contains("\naqueduct_notifications_total 1\n"), "{metrics}");

    let path = format!("/api/v1/push?endpoint={}", service.endpoint("phone"));
    assert_eq!(world.ask("DELETE", &path, &bearer(&token), "").await.json()["type"], "ok");
    ask(&world, &token, "POST", "/api/v1/push/test", &json!({})).await.assert_error(409, "not_subscribed");

    assert_eq!(ask(&world, &token, "POST", "/api/v1/push", &wanted).await.status, 200);
    world.ask("DELETE", &format!("/api/v1/devices/{device}"), &bearer(&token), "").await;
    assert_eq!(world.hub.log().pushes().await.unwrap(), [], "a device that is revoked gets none");
}

#[tokio::test]
async fn what_can_t_be_notified_is_refused() {
    let world = world().await;
    let (_, token) = world.device().await;
    let keys = Browser::new(1).keys();
    let private = json!({"endpoint": "https://192.168.1.1/x", "keys": keys});
    ask(&world, &token, "POST", "/api/v1/push", &private).await.assert_error(400, "invalid_message");
    // A token for automation is not a device.
    let good = json!({"endpoint": "https://push.example.org/x", "keys": keys});
    world.send("POST", "/api/v1/push", &good).await.assert_error(404, "device_not_found");
    assert_eq!(world.hub.log().pushes().await.unwrap(), []);
}

/// A man in the middle can't impersonate the service.
#[tokio::test]
async fn a_service_shows_a_certificate_that_is_known() {
    let fixture = |name: &str| format!("{}/tests/fixtures/tls/{name}", env!("CARGO_MANIFEST_DIR"));
    let tls = Tls::load(fixture("certificate.pem"), fixture("key.pem")).unwrap();
    let service = World::with(|options| options.tls = Some(tls)).await;
    let world = world().await;
    let (_, token) = world.device().await;
    let endpoint = format!("https://localhost:{}/", service.address.port());
    let wanted = json!({"endpoint": endpoint, "keys": Browser::new(1).keys()});
    assert_eq!(ask(&world, &token, "POST", "/api/v1/push", &wanted).await.status, 200);
    let failed = ask(&world, &token, "POST", "/api/v1/push/test", &json!({})).await;
    failed.assert_error(503, "unavailable");
    assert!(failed.text().contains("certificate"), "{}", failed.text());
}

#[tokio::test]
async fn a_bridge_may_send_none() {
    let off = |settings: &mut aqueduct_bridge::BridgeSettings| {
        settings.push.words = aqueduct_bridge::push::PushWords::Off;
    };
    let world = World::set_up(off, |_| {}).await;
    let hello = world.get("/api/v1/hello").await.json();
    assert_eq!((&hello["pushKey"], hello["features"].to_string().contains("push")), (&Value::Null, false));
    let wanted = json!({"endpoint": "https://push.example.org/x", "keys": Browser::new(1).keys()});
    world.send("POST", "/api/v1/push", &wanted).await.assert_error(501, "not_supported");
    assert!(!world.folder.path().join("push.key").exists());
}
