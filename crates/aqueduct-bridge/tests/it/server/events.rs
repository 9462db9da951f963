//! Server-sent events.

use std::time::Duration;

use aqueduct_bridge::log::{Append, NewEvent, NewSession, Time};
use aqueduct_testing::yield_until;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::world::{Client, TOKEN, World, bearer};

/// A stream of events. Its pieces are chunks of HTTP, whose sizes are skipped.
struct Events {
    client: Client<TcpStream>,
}

impl Events {
    async fn open(world: &World, path: &str, lines: &str) -> Self {
        let mut client = world.connect().await;
        client.send(world.request("GET", path, &format!("{}{lines}", bearer(TOKEN)), "")).await;
        let head = client.head().await;
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")), "{head:?}");
        assert_eq!(head.header("cache-control"), Some("no-store"));
        let mut events = Events { client };
        assert_eq!(events.next().await, "retry: 1000");
        events
    }

    /// The next event, with its lines.
    async fn next(&mut self) -> String {
        let mut event = String::new();
        loop {
            let line = self.client.until("\n").await;
            let is_size = line.ends_with("\r\n");
            match line.trim_end_matches(['\r', '\n']) {
                _ if is_size => {}
                "" if event.is_empty() => {}
                "" => return event.trim_end().to_owned(),
                line => event.extend([line, "\n"]),
            }
        }
    }

    /// The next stored message: its number and what it is.
    async fn stored(&mut self) -> (u64, Value) {
        loop {
            let event = self.next().await;
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let (Some(id), Some(data)) = (field("id: "), field("data: ")) else { continue };
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(field("event: "), data["type"].as_str());
            return (id.parse().unwrap(), data);
        }
    }
}

#[tokio::test]
async fn a_client_comes_back_and_misses_nothing() {
    let world = World::new().await;
    let input = |text: &str| json!({"type": "user_input", "text": text});
    for (id, query, lines, first) in [
        ("a", "", "Last-Event-ID: 1\r\n", 2),
        ("b", "?sinceSeq=2", "", 3),
        ("c", "?sinceSeq=0", "", 1),
        // What the browser knows is newer than the address that it was opened with.
        ("d", "?sinceSeq=0", "Last-Event-ID: 2\r\n", 3),
    ] {
        world.session(id, &[input("1"), input("2"), input("3")]).await;
        let path = format!("/api/v1/sessions/{id}/events");
        let mut events = Events::open(&world, &format!("{path}{query}"), lines).await;
        for seq in first..=3 {
            let (number, message) = events.stored().await;
            assert_eq!((number, &message["seq"], &message["sessionId"]), (seq, &json!(seq), &json!(id)));
            assert_eq!(message["text"], seq.to_string());
        }
        // And then as it happens.
        world.send("PUT", &format!("/api/v1/sessions/{id}/title"), &json!({"title": "Tests"})).await;
        let (number, changed) = events.stored().await;
        assert_eq!(
            (number, &changed["subtype"], &changed["title"]),
            (4, &json!("title_changed"), &json!("Tests"))
        );
        let mut late = Events::open(&world, &format!("{path}?sinceSeq=3"), "").await;
        assert_eq!(late.stored().await, (4, changed));
    }
    world.stop().await;
}

/// Agents may write JSON with line ends in it, which would end an event too early.
#[tokio::test]
async fn a_message_is_one_line() {
    let world = World::new().await;
    let append = Append::new(Time::now())
        .event(NewEvent::new("user_input", "{\"type\":\"user_input\",\r\n\"text\":\r\"a\\rb\"}"));
    world
        .hub
        .log()
        .create_session(NewSession::new("s", "/proj", "builtin", "stopped"), append)
        .await
        .unwrap();
    let mut events = Events::open(&world, "/api/v1/sessions/s/events?sinceSeq=0", "").await;
    assert_eq!(events.stored().await.1["text"], "a\rb");
}

#[tokio::test]
async fn all_sessions_are_received_without_numbers() {
    let world = World::new().await;
    world.session("s", &[]).await;
    let mut events = Events::open(&world, "/api/v1/events", "Last-Event-ID: 7\r\n").await;
    world.send("PUT", "/api/v1/sessions/s/title", &json!({"title": "Tests"})).await;
    loop {
        let event = events.next().await;
        assert!(!event.contains("id: "), "numbers of several sessions mean nothing: {event}");
        if event.contains("title_changed") {
            break;
        }
    }
    world.stop().await;
}

#[tokio::test]
async fn a_comment_keeps_it_open() {
    let world = World::with(|options| options.pace.keep_alive = Duration::from_millis(50)).await;
    let mut events = Events::open(&world, "/api/v1/events", "").await;
    assert_eq!(events.next().await, ":");
    assert_eq!(events.next().await, ":");
    assert_eq!(world.hub.clients(), 1);
    drop(events);
    yield_until("the client is forgotten", async || world.hub.clients() == 0).await;
}

#[tokio::test]
async fn errors_are_reported_before_it_begins() {
    let world = World::new().await;
    world.session("s", &[]).await;
    world.get("/api/v1/sessions/none/events").await.assert_error(404, "session_not_found");
    world.get("/api/v1/sessions/s/events?sinceSeq=x").await.assert_error(400, "invalid_message");
    let lines = format!("{}Last-Event-ID: \u{e9}\r\n", bearer(TOKEN));
    world.ask("GET", "/api/v1/sessions/s/events", &lines, "").await.assert_error(400, "invalid_message");
}

#[tokio::test]
async fn a_revoked_device_receives_no_more() {
    let world = World::new().await;
    let (device, token) = world.device().await;
    let mut client = world.connect().await;
    client.send(world.request("GET", "/api/v1/events", &bearer(&token), "")).await;
    assert_eq!(client.head().await.status, 200);
    world.ask("DELETE", &format!("/api/v1/devices/{device}"), &bearer(TOKEN), "").await;
    // The last chunk, and the end.
    client.until("\r\n0\r\n\r\n").await;
    assert_eq!(world.hub.clients(), 0);
}
