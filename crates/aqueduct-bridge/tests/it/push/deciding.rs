//! Which devices are notified that a session waits, and that it no longer does.

use std::sync::Arc;

use aqueduct_bridge::log::Time;
use aqueduct_bridge::push::NotificationKind;
use aqueduct_testing::yield_until;
use tokio::sync::Notify;

use super::service::{Answer, Received};
use super::{Scene, Service, id, notification, seen_by};

/// Where notifications went, in no order.
async fn paths(service: &mut Service, count: usize) -> Vec<String> {
    let mut paths = Vec::new();
    for _ in 0..count {
        paths.push(service.next().await.path);
    }
    paths.sort();
    paths
}

#[tokio::test]
async fn who_looks_at_a_session_is_not_notified() {
    let mut service = Service::start().await;
    let scene = Scene::new();
    scene.device(1, &service.endpoint("phone"), false).await;
    scene.device(2, &service.endpoint("laptop"), false).await;
    for occasion in [NotificationKind::Waits, NotificationKind::Done, NotificationKind::Failed] {
        scene.push.announce(seen_by(2, notification("s", occasion, "")));
        assert_eq!(service.next().await.path, "/phone", "{occasion:?}");
    }
    scene.push.announce(notification("s", NotificationKind::Done, ""));
    assert_eq!(paths(&mut service, 2).await, ["/laptop", "/phone"]);
}

/// A phone in a pocket seems to look until its connection is found dead.
#[tokio::test]
async fn what_still_waits_is_pushed_to_a_device_that_stops_viewing() {
    let mut service = Service::start().await;
    let scene = Scene::new();
    let phone = scene.device(1, &service.endpoint("phone"), false).await;
    scene.push.announce(seen_by(1, notification("waits", NotificationKind::Waits, "")));
    scene.push.announce(seen_by(1, notification("decided", NotificationKind::Waits, "")));
    scene.push.announce(seen_by(1, notification("decided", NotificationKind::Settled, "")));
    scene.push.announce(seen_by(1, notification("done", NotificationKind::Waits, "")));
    scene.push.announce(seen_by(1, notification("done", NotificationKind::Done, "")));
    // Notifications are taken in order, so this one is behind all of them.
    scene.push.announce(notification("last", NotificationKind::Done, ""));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
    scene.push.left("another device");
    scene.push.left(&id(1));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "waits");
    // Once is enough.
    scene.push.left(&id(1));
    scene.push.announce(notification("last", NotificationKind::Done, ""));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
}

#[tokio::test]
async fn a_decision_elsewhere_takes_the_notification_s_place() {
    let mut service = Service::start().await;
    let scene = Scene::new();
    let phone = scene.device(1, &service.endpoint("phone"), false).await;
    scene.device(2, &service.endpoint("laptop"), false).await;
    scene.push.announce(seen_by(2, notification("s", NotificationKind::Waits, "")));
    let asked: Received = service.next().await;
    scene.push.announce(seen_by(2, notification("s", NotificationKind::Settled, "")));
    let settled = service.next().await;
    assert_eq!((&*settled.path, &*asked.path), ("/phone", "/phone"));
    assert_eq!(phone.open(&settled.body)["kind"], "settled");
    assert_eq!(settled.headers["topic"], asked.headers["topic"], "one that was not fetched yet is replaced");
    // There is nothing to replace any more.
    scene.push.announce(notification("s", NotificationKind::Settled, ""));
    scene.push.announce(seen_by(2, notification("s", NotificationKind::Done, "")));
    assert_eq!(phone.open(&service.next().await.body)["kind"], "done");
}

#[tokio::test]
async fn what_is_decided_before_it_is_sent_is_not_sent() {
    let release = Arc::new(Notify::new());
    let held = release.clone();
    let mut service = Service::answering(move |_, place| match place {
        0 => Answer::Hold(held.clone()),
        _ => Answer::Status(201, ""),
    })
    .await;
    let scene = Scene::new();
    let phone = scene.device(1, &service.endpoint("phone"), false).await;
    scene.device(2, &service.endpoint("laptop"), false).await;
    scene.push.announce(seen_by(2, notification("first", NotificationKind::Done, "")));
    service.next().await;
    scene.push.announce(seen_by(2, notification("s", NotificationKind::Waits, "")));
    scene.push.announce(seen_by(2, notification("s", NotificationKind::Settled, "")));
    scene.push.announce(seen_by(2, notification("last", NotificationKind::Done, "")));
    // Another device shows that the dispatcher got this far.
    scene.push.announce(seen_by(1, notification("any", NotificationKind::Done, "")));
    assert_eq!(service.next().await.path, "/laptop");
    release.notify_one();
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
}

#[tokio::test]
async fn a_device_that_is_revoked_receives_nothing_more() {
    let release = Arc::new(Notify::new());
    let held = release.clone();
    let mut service = Service::answering(move |path, _| match path {
        "/phone" => Answer::Hold(held.clone()),
        _ => Answer::Status(201, ""),
    })
    .await;
    let scene = Scene::new();
    scene.device(1, &service.endpoint("phone"), false).await;
    scene.device(2, &service.endpoint("laptop"), false).await;
    scene.push.announce(seen_by(2, notification("one", NotificationKind::Done, "")));
    service.next().await;
    scene.push.announce(seen_by(2, notification("two", NotificationKind::Waits, "")));
    scene.push.announce(seen_by(1, notification("any", NotificationKind::Done, "")));
    assert_eq!(service.next().await.path, "/laptop");
    scene.log.revoke_device(&id(1), Time::now()).await.unwrap();
    release.notify_one();
    yield_until("two are sent", async || scene.push.counts().sent.get() >= 2).await;
    scene.push.announce(notification("any", NotificationKind::Done, ""));
    assert_eq!(service.next().await.path, "/laptop");
    assert!(service.is_quiet());
}
