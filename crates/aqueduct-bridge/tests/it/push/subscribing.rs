//! Devices switch notifications on and off.

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::push::{Push, PushSettings, PushWords};
use aqueduct_wire::hint::HintedError as _;
use serde_json::json;

use super::service::{Answer, Browser};
use super::{Scene, Service, id, settings};

#[tokio::test]
async fn a_test_reports_whether_it_worked() {
    let mut service = Service::answering(|path, _| match path {
        "/over" => Answer::Status(410, ""),
        "/refuses" => Answer::Status(403, ""),
        _ => Answer::Status(201, ""),
    })
    .await;
    let scene = Scene::new();
    let failure = scene.push.test(&id(1)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::NotSubscribed);

    let browser = scene.device(1, &service.endpoint("phone"), true).await;
    scene.push.test(&id(1)).await.unwrap();
    let received = service.next().await;
    assert_eq!(
        browser.open(&received.body),
        json!({"title": "Aqueduct", "body": "Notifications reach this device.", "kind": "test"})
    );
    assert!(!received.headers.contains_key("topic"));

    scene.device(2, &service.endpoint("refuses"), false).await;
    let failure = scene.push.test(&id(2)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::Unavailable);
    assert!(failure.message.contains("403") && !failure.message.contains("refuses"), "{failure}");

    scene.device(3, &service.endpoint("over"), false).await;
    let failure = scene.push.test(&id(3)).await.unwrap_err();
    assert!(failure.advised().contains("switch notifications on again"), "{failure}");
    assert_eq!(scene.endpoints().await.len(), 2);
}

#[tokio::test]
async fn a_device_switches_off_what_is_its_own() {
    let service = Service::start().await;
    let scene = Scene::new();
    let (phone, laptop) = (service.endpoint("phone"), service.endpoint("laptop"));
    scene.device(1, &phone, false).await;
    scene.device(2, &laptop, false).await;
    scene.push.unsubscribe(&id(1), &laptop).await.unwrap();
    assert_eq!(scene.endpoints().await.len(), 2, "no device switches off another's");
    scene.push.unsubscribe(&id(1), &phone).await.unwrap();
    scene.push.unsubscribe(&id(1), &phone).await.unwrap();
    assert_eq!(scene.endpoints().await, [laptop]);
}

#[tokio::test]
async fn keys_that_can_t_be_used_are_refused() {
    let scene = Scene::new();
    let good = Browser::new(1).keys();
    for keys in [
        json!({"p256dh": good["p256dh"], "auth": ""}),
        json!({"p256dh": "", "auth": good["auth"]}),
        json!({"p256dh": good["auth"], "auth": good["auth"]}),
        json!({"p256dh": "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ",
               "auth": good["auth"]}),
    ] {
        let text = json!({"type": "subscribe_push", "endpoint": "https://push.example.org/x", "keys": keys});
        let text = text.to_string();
        let Ok(aqueduct_bridge::message::ClientMessage::SubscribePush(message)) =
            aqueduct_bridge::message::ClientMessage::parse(&text)
        else {
            panic!("{text}")
        };
        let failure = scene.push.subscribe(&id(1), &message).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidMessage, "{keys}");
    }
}

/// A browser that lost its subscription makes another, and does not report it.
#[tokio::test]
async fn a_device_has_few_subscriptions() {
    let scene = Scene::new();
    scene.device(2, "https://push.example.org/other", false).await;
    let browser = scene.device(1, "https://push.example.org/0", false).await;
    for number in 1..6 {
        let endpoint = format!("https://push.example.org/{number}");
        scene.subscribe(1, &endpoint, &browser, false).await.unwrap();
    }
    let endpoints = scene.endpoints().await;
    assert_eq!(endpoints.len(), 5, "{endpoints:?}");
    assert!(endpoints.iter().any(|endpoint| endpoint.ends_with("/5")));
    assert!(endpoints.iter().any(|endpoint| endpoint.ends_with("/other")));
}

#[tokio::test]
async fn a_bridge_without_notifications_has_no_key() {
    let scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    let off = PushSettings { words: PushWords::Off, ..settings() };
    assert!(Push::open(&off, folder.path(), scene.log.clone(), Default::default()).unwrap().is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
