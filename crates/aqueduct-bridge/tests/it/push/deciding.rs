//! Who is told that a session waits, and that it no longer does.

use std::sync::Arc;

use aqueduct_bridge::log::Time;
use aqueduct_bridge::push::Occasion;
use tokio::sync::Notify;

use super::service::{Answer, Received};
use super::{Scene, Service, id, news, seen_by};

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
    for occasion in [Occasion::Waits, Occasion::Done, Occasion::Failed] {
        scene.push.announce(seen_by(2, news("s", occasion, "")));
        assert_eq!(service.next().await.path, "/phone", "{occasion:?}");
    }
    scene.push.announce(news("s", Occasion::Done, ""));
    assert_eq!(paths(&mut service, 2).await, ["/laptop", "/phone"]);
}

/// A phone in a pocket seems to look until its connection is found dead.
#[tokio::test]
async fn who_stops_looking_is_told_what_still_waits() {
    let mut service = Service::start().await;
    let scene = Scene::new();
    let phone = scene.device(1, &service.endpoint("phone"), false).await;
    scene.push.announce(seen_by(1, news("waits", Occasion::Waits, "")));
    scene.push.announce(seen_by(1, news("decided", Occasion::Waits, "")));
    scene.push.announce(seen_by(1, news("decided", Occasion::Settled, "")));
    scene.push.announce(seen_by(1, news("done", Occasion::Waits, "")));
    scene.push.announce(seen_by(1, news("done", Occasion::Done, "")));
    // News is taken in order, so this is behind all of it.
    scene.push.announce(news("last", Occasion::Done, ""));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
    scene.push.left("somebody else");
    scene.push.left(&id(1));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "waits");
    // Once is enough.
    scene.push.left(&id(1));
    scene.push.announce(news("last", Occasion::Done, ""));
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
}

#[tokio::test]
async fn a_decision_elsewhere_takes_the_notification_s_place() {
    let mut service = Service::start().await;
    let scene = Scene::new();
    let phone = scene.device(1, &service.endpoint("phone"), false).await;
    scene.device(2, &service.endpoint("laptop"), false).await;
    scene.push.announce(seen_by(2, news("s", Occasion::Waits, "")));
    let asked: Received = service.next().await;
    scene.push.announce(seen_by(2, news("s", Occasion::Settled, "")));
    let settled = service.next().await;
    assert_eq!((&*settled.path, &*asked.path), ("/phone", "/phone"));
    assert_eq!(phone.open(&settled.body)["kind"], "settled");
    assert_eq!(settled.headers["topic"], asked.headers["topic"], "one that was not fetched yet is replaced");
    // There is nothing to replace any more.
    scene.push.announce(news("s", Occasion::Settled, ""));
    scene.push.announce(seen_by(2, news("s", Occasion::Done, "")));
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
    scene.push.announce(seen_by(2, news("first", Occasion::Done, "")));
    service.next().await;
    scene.push.announce(seen_by(2, news("s", Occasion::Waits, "")));
    scene.push.announce(seen_by(2, news("s", Occasion::Settled, "")));
    scene.push.announce(seen_by(2, news("last", Occasion::Done, "")));
    // Another device shows that the desk has come so far.
    scene.push.announce(seen_by(1, news("any", Occasion::Done, "")));
    assert_eq!(service.next().await.path, "/laptop");
    release.notify_one();
    assert_eq!(phone.open(&service.next().await.body)["sessionId"], "last");
}

#[tokio::test]
async fn a_device_that_is_revoked_hears_nothing_more() {
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
    scene.push.announce(seen_by(2, news("one", Occasion::Done, "")));
    service.next().await;
    scene.push.announce(seen_by(2, news("two", Occasion::Waits, "")));
    scene.push.announce(seen_by(1, news("any", Occasion::Done, "")));
    assert_eq!(service.next().await.path, "/laptop");
    scene.log.revoke_device(&id(1), Time::now()).await.unwrap();
    release.notify_one();
    while scene.push.counts().sent.get() < 2 {
        tokio::task::yield_now().await;
    }
    scene.push.announce(news("any", Occasion::Done, ""));
    assert_eq!(service.next().await.path, "/laptop");
    assert!(service.is_quiet());
}
