//! The end of the server.

use std::time::{Duration, Instant};

use aqueduct_testing::yield_until;
use tokio::net::TcpStream;

use super::websocket::{Frame, Socket};
use super::world::{JSON, PATIENCE, TOKEN, World, bearer};

#[tokio::test]
async fn everybody_is_notified_and_requests_are_finished() {
    // Longer than any test: waiting in vain exceeds the limit below.
    let world = World::with(|options| options.pace.shutdown = Duration::from_secs(3600)).await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    let mut stream = world.connect().await;
    stream.send(world.request("GET", "/api/v1/events", &bearer(TOKEN), "")).await;
    stream.until("retry: 1000\n\n").await;
    let mut silent = world.connect().await;
    let mut idle = world.connect().await;
    idle.send(world.request("GET", "/healthz", "", "")).await;
    assert_eq!(idle.reply().await.status, 200);
    // A request whose body is still on its way.
    let mut busy = world.connect().await;
    let lines = format!("{}{JSON}Content-Length: 2\r\nExpect: 100-continue\r\n", bearer(TOKEN));
    busy.send(world.request("POST", "/api/v1/sessions", &lines, "")).await;
    assert_eq!(busy.head().await.status, 100);

    let address = world.address;
    let started = Instant::now();
    let clients = async {
        assert_eq!(socket.next().await, Frame::Close(1001));
        socket.send_frame(0x88, &1001_u16.to_be_bytes()).await;
        assert_eq!(socket.next().await, Frame::End);
        stream.until("0\r\n\r\n").await;
        assert!(idle.is_over().await);
        assert!(silent.is_over().await);
        busy.send("{}").await;
        busy.reply().await.assert_error(400, "invalid_message");
        assert!(busy.is_over().await);
        drop((stream, silent, idle, busy));
    };
    tokio::join!(world.stop(), clients);
    assert!(started.elapsed() < PATIENCE, "the shutdown waited for a client that was gone");
    TcpStream::connect(address).await.unwrap_err();
}

#[tokio::test]
async fn a_client_that_stays_is_disconnected() {
    let world = World::with(|options| options.pace.shutdown = Duration::from_millis(100)).await;
    let mut busy = world.connect().await;
    let lines = format!("{}{JSON}Content-Length: 2\r\nExpect: 100-continue\r\n", bearer(TOKEN));
    busy.send(world.request("POST", "/api/v1/sessions", &lines, "")).await;
    assert_eq!(busy.head().await.status, 100);
    world.stop().await;
    assert!(busy.is_over().await);
}

/// A server that is dropped takes everything with it.
#[tokio::test]
async fn nothing_outlives_it() {
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    drop(world.server);
    assert_eq!(socket.last().await, Frame::End);
    yield_until("the client is forgotten", async || world.hub.clients() == 0).await;
    TcpStream::connect(world.address).await.unwrap_err();
}
