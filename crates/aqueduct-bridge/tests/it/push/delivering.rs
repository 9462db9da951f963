//! What is sent, and what becomes of it.

use std::sync::Arc;

use aqueduct_bridge::log::Time;
use aqueduct_bridge::push::{NotificationKind, PushSettings, PushWords};
use aqueduct_testing::yield_until;
use serde_json::json;
use tokio::sync::Notify;

use super::service::Answer;
use super::{Scene, Service, notification, settings};

#[tokio::test]
async fn a_notification_is_sealed_for_the_device_and_signed_by_the_bridge() {
    let mut service = Service::start().await;
    let scene = Scene::with(&PushSettings { contact: Some("mailto:ada@example.org".into()), ..settings() });
    let browser = scene.device(1, &service.endpoint("phone"), false).await;
    scene.push.announce(notification("0198c0de", NotificationKind::Waits, "Bash: rm -rf build"));
    let received = service.next().await;
    assert_eq!(received.path, "/phone");
    let header = |name: &str| received.headers[name].as_str();
    assert_eq!(
        (header("content-encoding"), header("urgency"), header("ttl")),
        ("aes128gcm", "high", "86400")
    );
    assert_eq!(header("topic").len(), 32);
    assert!(!header("topic").contains("0198"), "a push service does not learn the session");
    assert_eq!(
        browser.open(&received.body),
        json!({"title": "Aqueduct", "body": "A session waits for you.", "kind": "waits", "sessionId": "0198c0de"})
    );
    let claims = received.claims(scene.push.key());
    assert_eq!(claims["aud"], format!("http://{}", service.address));
    assert_eq!(claims["sub"], "mailto:ada@example.org");
    let left = claims["exp"].as_i64().unwrap() - Time::now().0 / 1000;
    assert!((60 * 60..24 * 60 * 60).contains(&left), "{left}");

    // The same words are good for hours; what is sealed is never the same.
    scene.push.announce(notification("0198c0de", NotificationKind::Done, ""));
    let again = service.next().await;
    assert_eq!(again.headers["authorization"], received.headers["authorization"]);
    assert_eq!(again.headers["topic"], received.headers["topic"]);
    assert_ne!(again.body[..16], received.body[..16]);
    assert_eq!(browser.open(&again.body)["kind"], "done");
}

#[tokio::test]
async fn words_of_a_session_are_for_devices_that_ask_and_bridges_that_allow_it() {
    for (words, content, body) in [
        (PushWords::Content, true, "Bash: npm test"),
        (PushWords::Content, false, "A session waits for you."),
        (PushWords::Events, true, "A session waits for you."),
    ] {
        let mut service = Service::start().await;
        let scene = Scene::with(&PushSettings { words, ..settings() });
        let browser = scene.device(1, &service.endpoint("phone"), content).await;
        scene.push.announce(notification("s", NotificationKind::Waits, "Bash: npm test"));
        let payload = browser.open(&service.next().await.body);
        assert_eq!(payload["body"], body, "{words:?}");
        assert_eq!(payload["title"] == "Fix the build", body.contains("npm"));
    }
}

#[tokio::test]
async fn a_subscription_that_is_over_is_forgotten() {
    for status in [404, 410] {
        let mut service = Service::answering(move |path, _| match path {
            "/old" => Answer::Status(status, ""),
            _ => Answer::Status(201, ""),
        })
        .await;
        let scene = Scene::new();
        scene.device(1, &service.endpoint("old"), false).await;
        scene.push.announce(notification("s", NotificationKind::Done, ""));
        service.next().await;
        yield_until("the subscription is deleted", async || scene.endpoints().await.is_empty()).await;
        scene.device(2, &service.endpoint("new"), false).await;
        scene.push.announce(notification("s", NotificationKind::Done, ""));
        assert_eq!(service.next().await.path, "/new");
        assert!(service.is_quiet() && scene.lines().is_empty());
    }
}

#[tokio::test]
async fn a_service_that_is_busy_is_asked_again() {
    let mut service = Service::answering(|_, place| match place {
        0 => Answer::Status(503, ""),
        1 => Answer::Status(429, "Retry-After: 0\r\n"),
        _ => Answer::Status(201, ""),
    })
    .await;
    let scene = Scene::new();
    let browser = scene.device(1, &service.endpoint("phone"), false).await;
    scene.push.announce(notification("s", NotificationKind::Failed, ""));
    for _ in 0..3 {
        assert_eq!(browser.open(&service.next().await.body)["kind"], "failed");
    }
    yield_until("it is sent", async || scene.push.counts().sent.get() > 0).await;
    assert!(service.is_quiet() && scene.lines().is_empty());
}

#[tokio::test]
async fn what_a_service_never_takes_is_given_up() {
    for (status, lines, tries) in
        [(500, "", 5), (429, "Retry-After: 86400\r\n", 1), (400, "", 1), (403, "", 1), (413, "", 1)]
    {
        let mut service = Service::answering(move |_, _| Answer::Status(status, lines)).await;
        let scene = Scene::new();
        scene.device(1, &service.endpoint("secret"), false).await;
        scene.push.announce(notification("s", NotificationKind::Waits, ""));
        for _ in 0..tries {
            service.next().await;
        }
        yield_until("it is given up", async || scene.push.counts().lost.get() > 0).await;
        assert!(service.is_quiet(), "{status} is tried {tries} times");
        let [line] = &scene.lines()[..] else { panic!("{:?}", scene.lines()) };
        assert!(line.contains(&format!("http://{}", service.address)), "{line}");
        assert!(line.contains(&status.to_string()) && !line.contains("secret"), "{line}");
        assert_eq!(scene.endpoints().await.len(), 1, "the subscription is still good");
    }
}

#[tokio::test]
async fn a_service_that_hangs_blocks_no_other() {
    let release = Arc::new(Notify::new());
    let held = release.clone();
    let mut service = Service::answering(move |path, place| match (path, place) {
        ("/slow", 0) => Answer::Hold(held.clone()),
        _ => Answer::Status(201, ""),
    })
    .await;
    let scene = Scene::new();
    let slow = scene.device(1, &service.endpoint("slow"), true).await;
    scene.push.announce(notification("s", NotificationKind::Waits, "first"));
    assert_eq!(slow.open(&service.next().await.body)["body"], "first");

    let fast = scene.device(2, &service.endpoint("fast"), true).await;
    for text in ["second", "third", "fourth"] {
        scene.push.announce(notification("s", NotificationKind::Waits, text));
        let received = service.next().await;
        assert_eq!((&*received.path, &fast.open(&received.body)["body"]), ("/fast", &json!(text)));
    }
    // What is out of date by then is never sent.
    release.notify_one();
    let received = service.next().await;
    assert_eq!((&*received.path, &slow.open(&received.body)["body"]), ("/slow", &json!("fourth")));
    yield_until("all are sent", async || scene.push.counts().sent.get() >= 5).await;
    assert!(service.is_quiet());
}

/// A try that gets no answer is over after its time, and what waited behind it comes.
#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let never = Arc::new(Notify::new());
    let mut service = Service::answering(move |_, place| match place {
        0 | 1 => Answer::Hold(never.clone()),
        _ => Answer::Status(201, ""),
    })
    .await;
    let mut settings = settings();
    settings.pace.attempt = std::time::Duration::from_millis(50);
    settings.pace.tries = 2;
    let scene = Scene::with(&settings);
    let browser = scene.device(1, &service.endpoint("phone"), true).await;
    scene.push.announce(notification("one", NotificationKind::Done, "lost"));
    assert_eq!(browser.open(&service.next().await.body)["body"], "lost");
    scene.push.announce(notification("two", NotificationKind::Done, "comes"));
    assert_eq!(browser.open(&service.next().await.body)["body"], "lost");
    assert_eq!(browser.open(&service.next().await.body)["body"], "comes");
    assert!(scene.lines()[0].contains("it did not answer in time"), "{:?}", scene.lines());
}
