//! WebSockets, frame by frame.

use std::time::Duration;

use aqueduct_bridge::server::Pace;
use aqueduct_testing::yield_until;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::world::{Client, TOKEN, World, bearer, hasty};

/// A client of a WebSocket that sends arbitrary frames.
pub(super) struct Socket {
    client: Client<TcpStream>,
}

/// What came.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    Text(String),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(u16),
    /// The connection ended without a word.
    End,
}

impl Socket {
    /// What every handshake has.
    pub(super) const HANDSHAKE: &str = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
                                        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    pub(super) async fn open(world: &World, lines: &str) -> Self {
        let mut client = world.connect().await;
        client.send(world.request("GET", "/ws", &format!("{}{lines}", Socket::HANDSHAKE), "")).await;
        let head = client.head().await;
        assert_eq!(head.status, 101, "{head:?}");
        // From RFC 6455, for this very key.
        assert_eq!(head.header("sec-websocket-accept"), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        Socket { client }
    }

    /// A frame as a client sends it, with a mask that changes nothing.
    pub(super) async fn send_frame(&mut self, first: u8, payload: &[u8]) {
        self.client.send(frame(first, payload)).await;
    }

    pub(super) async fn send_text(&mut self, text: &str) {
        self.send_frame(0x81, text.as_bytes()).await;
    }

    pub(super) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub(super) async fn next(&mut self) -> Frame {
        if self.client.read.is_empty() && !self.client.more().await {
            return Frame::End;
        }
        let head = self.client.take(2).await;
        let length = match head[1] {
            126 => u64::from(u16::from_be_bytes(self.client.take(2).await.try_into().unwrap())),
            127 => u64::from_be_bytes(self.client.take(8).await.try_into().unwrap()),
            short => u64::from(short),
        };
        let payload = self.client.take(usize::try_from(length).unwrap()).await;
        match head[0] {
            0x81 => Frame::Text(String::from_utf8(payload).unwrap()),
            0x88 => Frame::Close(u16::from_be_bytes(payload[..2].try_into().unwrap())),
            0x89 => Frame::Ping(payload),
            0x8a => Frame::Pong(payload),
            other => panic!("a frame of kind {other:x}"),
        }
    }

    pub(super) async fn message(&mut self) -> Value {
        match self.next().await {
            Frame::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// The last frame that is not a message, whatever came before.
    pub(super) async fn last(&mut self) -> Frame {
        loop {
            match self.next().await {
                Frame::Text(_) => {}
                other => return other,
            }
        }
    }
}

fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..126 => frame.push(0x80 | u8::try_from(short).unwrap()),
        medium @ 126..65_536 => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(medium).unwrap().to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend((long as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

#[tokio::test]
async fn messages_go_both_ways() {
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    let hello = socket.message().await;
    assert_eq!((&hello["type"], &hello["device"]["kind"]), (&json!("hello"), &json!("token")));
    for number in 0..3 {
        socket.send(&json!({"type": "ping", "requestId": number.to_string()})).await;
    }
    let mut ids: Vec<String> = Vec::new();
    for _ in 0..3 {
        ids.push(socket.message().await["requestId"].as_str().unwrap().to_owned());
    }
    ids.sort();
    assert_eq!(ids, ["0", "1", "2"]);
    world.stop().await;
}

#[tokio::test]
async fn a_token_may_come_as_a_subprotocol() {
    let world = World::new().await;
    let mut client = world.connect().await;
    let lines = format!("{}Sec-WebSocket-Protocol: bearer.{TOKEN}, aqueduct\r\n", Socket::HANDSHAKE);
    client.send(world.request("GET", "/ws", &lines, "")).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("sec-websocket-protocol")), (101, Some("aqueduct")));
}

#[tokio::test]
async fn a_handshake_has_to_be_one() {
    let world = World::new().await;
    let lines = [
        "",
        "Connection: Upgrade\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n",
        "Connection: Upgrade\r\nUpgrade: h2c\r\n",
    ];
    for lines in lines {
        let reply = world.ask("GET", "/ws", &format!("{}{lines}", bearer(TOKEN)), "").await;
        reply.assert_error(426, "invalid_message");
        assert_eq!(reply.header("upgrade"), Some("websocket"));
    }
    let post = format!("{}{}", bearer(TOKEN), Socket::HANDSHAKE);
    world.ask("POST", "/ws", &post, "").await.assert_error(426, "invalid_message");
}

#[tokio::test]
async fn a_message_may_be_fragmented_and_pings_are_answered() {
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    let bytes = [frame(0x01, br#"{"type":"#), frame(0x89, b"there?"), frame(0x80, br#""ping"}"#)].concat();
    for byte in bytes {
        socket.client.send([byte]).await;
    }
    assert_eq!(socket.next().await, Frame::Pong(b"there?".to_vec()));
    assert_eq!(socket.message().await["type"], "pong");
}

#[tokio::test]
async fn a_frame_that_is_not_text_ends_it() {
    let world = World::new().await;
    for (first, code) in [(0x82, 1003), (0xc1, 1002), (0x83, 1002), (0x80, 1002)] {
        let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
        socket.send_frame(first, b"{}").await;
        assert_eq!(socket.last().await, Frame::Close(code), "{first:x}");
    }
    // Without a mask.
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.client.send([0x81, 2, b'{', b'}']).await;
    assert_eq!(socket.last().await, Frame::Close(1002));
}

#[tokio::test]
async fn a_client_that_closes_is_answered() {
    let world = World::new().await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.send_frame(0x88, &1000_u16.to_be_bytes()).await;
    assert_eq!(socket.last().await, Frame::Close(1000));
    assert_eq!(socket.next().await, Frame::End);
    assert_eq!(world.hub.clients(), 0);
}

#[tokio::test]
async fn a_client_that_is_gone_is_forgotten() {
    let world = World::new().await;
    let socket = Socket::open(&world, &bearer(TOKEN)).await;
    assert_eq!(world.hub.clients(), 1);
    drop(socket);
    yield_until("the client is forgotten", async || world.hub.clients() == 0).await;
}

#[tokio::test]
async fn a_client_is_asked_whether_it_is_there() {
    let pace = Pace { ping: Duration::from_millis(50), stall: Duration::from_millis(150), ..hasty() };
    let world = World::with(|options| options.pace = pace).await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    socket.message().await;
    for _ in 0..6 {
        assert_eq!(socket.next().await, Frame::Ping(Vec::new()));
        socket.send_frame(0x8a, b"").await;
    }
    // Once it answers no more, it is taken for one that does not read.
    let end = loop {
        match socket.next().await {
            Frame::Ping(_) => {}
            other => break other,
        }
    };
    assert_eq!(end, Frame::Close(4408));
}

/// A client that reads nothing costs a bounded amount, is closed, and does not affect others.
#[tokio::test]
async fn a_client_that_reads_nothing_is_let_go() {
    let world = World::with(|options| options.pace = hasty()).await;
    let mut lazy = Socket::open(&world, &bearer(TOKEN)).await;
    let mut other = Socket::open(&world, &bearer(TOKEN)).await;
    other.message().await;
    // It asks for more than the system keeps for it, and reads none of it.
    let text = json!({"type": "user_input", "text": "x".repeat(200_000)});
    world.session("long", &vec![text; 100]).await;
    for _ in 0..4 {
        lazy.send(&json!({"type": "get_history", "sessionId": "long"})).await;
    }
    while world.hub.clients() > 1 {
        other.send(&json!({"type": "ping"})).await;
        assert_eq!(other.message().await["type"], "pong");
    }
}

/// Someone who sends pings and never reads the answers does not make us keep them all.
#[tokio::test]
async fn a_flood_of_pings_is_not_kept() {
    let world = World::with(|options| options.pace = hasty()).await;
    let mut socket = Socket::open(&world, &bearer(TOKEN)).await;
    let pings = frame(0x89, &[b'x'; 125]).repeat(1000);
    // The server stops to read, so that at last nothing more can be sent.
    loop {
        let write = tokio::io::AsyncWriteExt::write_all(&mut socket.client.stream, &pings);
        match tokio::time::timeout(Duration::from_millis(200), write).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => break,
        }
    }
    yield_until("the client is forgotten", async || world.hub.clients() == 0).await;
}
