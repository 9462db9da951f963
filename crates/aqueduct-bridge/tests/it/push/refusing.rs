//! Where nothing is sent.

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::push::{NotificationKind, PushSettings};
use aqueduct_testing::yield_until;

use super::service::{Answer, Browser};
use super::{Scene, Service, id, notification, settings};

/// A client's endpoint can't lead into the network around the bridge.
#[tokio::test]
async fn private_addresses_are_refused_when_they_are_named() {
    let scene = Scene::with(&PushSettings { loopback: false, ..settings() });
    scene.device(1, "https://push.example.org/x", false).await;
    for endpoint in [
        "http://push.example.org/x",
        "http://127.0.0.1:8765/api/v1/sessions",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://ada:secret@push.example.org/x",
        "file:///etc/passwd",
    ] {
        let failure = scene.subscribe(1, endpoint, &Browser::new(1), false).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidMessage, "{endpoint}");
        assert!(failure.message.contains("`endpoint`"), "{failure}");
    }
    assert_eq!(scene.endpoints().await, ["https://push.example.org/x"]);
}

#[tokio::test]
async fn names_of_private_addresses_are_refused_when_they_are_used() {
    let mut service = Service::start().await;
    let scene = Scene::with(&PushSettings { loopback: false, ..settings() });
    let endpoint = format!("https://localhost:{}/x", service.address.port());
    scene.device(1, &endpoint, false).await;
    let failure = scene.push.test(&id(1)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::Unavailable);
    assert!(failure.message.contains("private address"), "{failure}");
    scene.push.announce(notification("s", NotificationKind::Waits, ""));
    yield_until("it is given up", async || scene.push.counts().lost.get() > 0).await;
    assert!(service.is_quiet());
    assert!(scene.lines()[0].contains("private address"), "{:?}", scene.lines());
}

#[tokio::test]
async fn a_service_can_t_send_the_bridge_elsewhere() {
    let mut elsewhere = Service::start().await;
    let location: &'static str = format!("Location: {}\r\n", elsewhere.endpoint("inside")).leak();
    let mut service = Service::answering(move |_, _| Answer::Status(307, location)).await;
    let scene = Scene::new();
    scene.device(1, &service.endpoint("phone"), false).await;
    let failure = scene.push.test(&id(1)).await.unwrap_err();
    assert!(failure.message.contains("307"), "{failure}");
    service.next().await;
    assert!(service.is_quiet() && elsewhere.is_quiet());
}
