//! More connections than there is room for.

use std::time::{Duration, Instant};

use aqueduct_testing::yield_until;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::net::TcpStream;

use super::websocket::Socket;
use super::world::{Client, PATIENCE, TOKEN, World, bearer, hasty};

const ALL: usize = 10_000;
const WAVE: usize = 500;
const LIMIT: usize = 200;

/// Lets this process have as many open files as the system allows it.
fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).unwrap();
}

/// Ten thousand connections arrive in waves and send nothing. Existing clients are served all the time, new
/// ones are served too, and connections over the limit are refused.
#[tokio::test]
async fn ten_thousand_connections() {
    raise_limit();
    let world = World::with(|options| {
        options.connections = LIMIT;
        // Longer than any test: no client is served because a silent connection is given up.
        options.pace.head = Duration::from_secs(3600);
    })
    .await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    let mut kept = world.connect().await;
    let mut crowd: Vec<Client<TcpStream>> = Vec::new();
    for wave in 0..ALL / WAVE {
        let mut newcomers = Vec::new();
        for _ in 0..WAVE {
            newcomers.push(world.connect().await);
        }
        socket.send(&json!({"type": "ping", "requestId": wave.to_string()})).await;
        assert_eq!(socket.message().await["requestId"], wave.to_string());
        if wave == 0 {
            // The oldest unauthenticated connections are closed, with the reason.
            for stranger in &mut newcomers[..WAVE - LIMIT] {
                stranger.reply().await.assert_error(503, "unavailable");
                assert!(stranger.is_over().await);
            }
            kept.send(world.request("GET", "/healthz", "", "")).await;
            assert!(!kept.more().await || kept.reply().await.status == 503, "it was the oldest of all");
        }
        let asked = Instant::now();
        assert_eq!(world.get("/api/v1/ping").await.status, 200, "a newcomer with a token");
        assert!(asked.elapsed() < PATIENCE);
        crowd.extend(newcomers);
        // Those of two waves before are closed, so that the test does not run out of files.
        if crowd.len() > 2 * WAVE {
            crowd.drain(..WAVE);
        }
    }
    let metrics = world.get("/metrics").await.text();
    let line = metrics.lines().find(|line| line.starts_with("aqueduct_connections_refused_total")).unwrap();
    let refused: usize = line.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(refused > ALL - WAVE - LIMIT, "{line}");
}

/// When all who are here are known, new connections are refused at once.
#[tokio::test]
async fn the_known_are_not_sent_away() {
    let world = World::with(|options| options.connections = 2).await;
    let mut one = Socket::open(&world, &bearer(TOKEN)).await;
    let mut other = world.connect().await;
    other.send(world.request("GET", "/api/v1/hello", &bearer(TOKEN), "")).await;
    assert_eq!(other.reply().await.status, 200);
    let mut newcomer = world.connect().await;
    newcomer.reply().await.assert_error(503, "unavailable");
    assert!(newcomer.is_over().await);
    one.message().await;
    one.send(&json!({"type": "ping"})).await;
    assert_eq!(one.message().await["type"], "pong");
    // The owner still has access.
    let path = world.folder.path().join("admin.sock");
    let mut owner = Client::new(tokio::net::UnixStream::connect(&path).await.unwrap());
    owner.send("GET /api/v1/hello HTTP/1.1\r\n\r\n").await;
    assert_eq!(owner.reply().await.status, 200);
    // When one leaves there is room.
    drop(one);
    yield_until("the client is forgotten", async || world.hub.clients() == 0).await;
    assert_eq!(world.ask("GET", "/healthz", "", "").await.status, 200);
}

/// Someone who asks for much and takes none of it does not keep the connection.
#[tokio::test]
async fn an_unread_answer_ends() {
    let world = World::with(|options| options.pace = hasty()).await;
    let text = json!({"type": "user_input", "text": "x".repeat(200_000)});
    world.session("long", &vec![text; 100]).await;
    let mut lazy = world.connect().await;
    lazy.send(world.request("GET", "/api/v1/sessions/long/messages", &bearer(TOKEN), "")).await;
    yield_until("the connection is closed", async || {
        let metrics = world.get("/metrics").await.text();
        metrics.lines().any(|line| line == "aqueduct_open_connections 1")
    })
    .await;
}
