//! Devices over HTTP.

use serde_json::json;

use super::world::World;

#[tokio::test]
async fn a_pairing_link_is_a_picture_too() {
    let world = World::new().await;
    let pairing = world.confirmed("POST", "/api/v1/pairings", &json!({"name": "Kitchen"})).await.json();
    let picture = pairing["qr"].as_str().unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"), "{picture:.200}");
    // What is drawn is the link, whose code is another each time.
    let other = world.confirmed("POST", "/api/v1/pairings", &json!({})).await.json();
    assert!(other["link"] != pairing["link"] && other["qr"] != pairing["qr"]);
}

#[tokio::test]
async fn a_device_gets_another_name() {
    let world = World::new().await;
    let (device, _) = world.device().await;
    let path = format!("/api/v1/devices/{device}/name");
    let long = format!(" Kitchen\n{} ", "x".repeat(100));
    for (given, kept) in [("Kitchen", "Kitchen".to_owned()), (&long, format!("Kitchen{}", "x".repeat(72)))] {
        assert_eq!(world.send("PUT", &path, &json!({"name": given})).await.json()["type"], "ok");
        assert_eq!(world.get("/api/v1/devices").await.json()["devices"][0]["name"], kept);
    }
    world.send("PUT", &path, &json!({"name": " "})).await.assert_error(400, "invalid_message");
    let unknown = world.send("PUT", "/api/v1/devices/unknown/name", &json!({"name": "Kitchen"})).await;
    unknown.assert_error(404, "device_not_found");
    world.send("DELETE", &format!("/api/v1/devices/{device}"), &json!({})).await;
    world.send("PUT", &path, &json!({"name": "Ghost"})).await.assert_error(404, "device_not_found");
}
