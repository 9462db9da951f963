//! Notifications of sessions with a real agent.

use aqueduct_bridge::log::{Grant, NewDevice, Time};
use serde_json::json;

use super::service::{Browser, Service};
use super::world::World;

/// A bridge whose notifications stay on this machine.
async fn world() -> World {
    World::with(|settings| settings.push.loopback = true).await
}

/// A device that wants notifications, with the text of sessions.
async fn device(world: &World, service: &Service, name: &str, number: u8) -> Browser {
    let device = NewDevice {
        id: name.into(),
        kind: "device".into(),
        name: name.into(),
        token_hash: [number; 32],
        public_key: None,
        grant: Grant::full(),
    };
    world.hub.log().add_device(device, Time::now()).await.unwrap();
    let browser = Browser::new(number);
    // A client that receives everything watches no session.
    let client = world.client(name).await;
    let wanted = json!({
        "type": "subscribe_push", "endpoint": service.endpoint(name), "keys": browser.keys(), "content": true
    });
    let reply = client.ask(wanted).await;
    assert_eq!(reply["type"], "ok", "{reply}");
    browser
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_is_notified_when_a_session_waits_is_decided_and_is_done() {
    let mut service = Service::start().await;
    let world = world().await;
    let phone = device(&world, &service, "phone", 1).await;
    device(&world, &service, "laptop", 2).await;
    let laptop = world.client("laptop").await;
    let session = laptop.start(&world.project(), Some("@tool Bash {\"command\":\"touch made\"}")).await;
    let asked = laptop.until(|message| message["type"] == "permission_request").await.pop().unwrap();
    let waits = service.next().await;
    assert_eq!(waits.path, "/phone", "who has started it looks at it");
    assert_eq!(
        phone.open(&waits.body),
        json!({"title": "@tool Bash {\"command\":\"touch made\"}", "body": "Bash: touch made", "kind": "waits",
               "sessionId": session})
    );
    laptop.ask(json!({"type": "approve", "id": asked["id"]})).await;
    let mut kinds = Vec::new();
    while kinds.last().map(String::as_str) != Some("done") {
        let received = service.next().await;
        assert_eq!(received.path, "/phone");
        kinds.push(phone.open(&received.body)["kind"].as_str().unwrap().to_owned());
    }
    // What is out of date before it is sent is left out.
    assert!(kinds == ["settled", "done"] || kinds == ["done"], "{kinds:?}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_still_waits_is_pushed_when_the_last_viewer_leaves() {
    let mut service = Service::start().await;
    let mut world = world().await;
    let phone = device(&world, &service, "phone", 1).await;
    let client = world.client("phone").await;
    let script = json!({"questions": [{"question": "Which colour?", "header": "Colour", "multiSelect": false,
        "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]});
    client.start(&world.project(), Some(&format!("@tool AskUserQuestion {script}"))).await;
    client.until(|message| message["type"] == "permission_request").await;
    drop(client);
    assert_eq!(phone.open(&service.next().await.body)["body"], "Which colour?");

    // Whether it was delivered is not known after a restart.
    world.restart().await;
    let again = phone.open(&service.next().await.body);
    assert_eq!((&again["body"], &again["kind"]), (&json!("Which colour?"), &json!("waits")));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_whose_agent_dies_has_failed() {
    let mut service = Service::start().await;
    let world = World::with(|settings| {
        settings.push.loopback = true;
        settings.agents[0].program = "/bin/false".into();
    })
    .await;
    let phone = device(&world, &service, "phone", 1).await;
    let laptop = world.client("laptop").await;
    laptop.start(&world.project(), Some("Hello")).await;
    let notification = phone.open(&service.next().await.body);
    assert_eq!(
        (&notification["kind"], &notification["body"]),
        (&json!("failed"), &json!("the agent ended with code 1"))
    );
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_continues_with_the_next_input_is_not_done() {
    let mut service = Service::start().await;
    let world = world().await;
    let phone = device(&world, &service, "phone", 1).await;
    let laptop = world.client("laptop").await;
    let session = laptop.start(&world.project(), Some("@tool Bash {\"command\":\"touch made\"}")).await;
    let asked = laptop.until(|message| message["type"] == "permission_request").await.pop().unwrap();
    let queued = json!({"type": "input", "sessionId": session, "text": "@say second"});
    assert_eq!(laptop.ask(queued).await["type"], "input_ack");
    assert_eq!(phone.open(&service.next().await.body)["kind"], "waits");
    laptop.ask(json!({"type": "approve", "id": asked["id"]})).await;
    let mut done = Vec::new();
    while done.is_empty() {
        let notification = phone.open(&service.next().await.body);
        done.extend((notification["kind"] == "done").then_some(notification));
    }
    assert_eq!(done[0]["body"], "second", "the first turn's end is not reported");
    world.end().await;
}
