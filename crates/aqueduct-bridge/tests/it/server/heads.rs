//! Heads of requests that others might read differently, and heads that never end.

use std::time::{Duration, Instant};

use aqueduct_bridge::server::{HeadFault, HeadWatch, Phase};
use proptest::prelude::*;

use super::world::{TOKEN, World, bearer, hasty};

const GET: &str = "GET / HTTP/1.1\r\nHost: a\r\n";

/// Every known form of request smuggling, and what is wrong with it.
fn shapes() -> Vec<(String, HeadFault)> {
    let post = |lines: &str| format!("POST /api/v1/pair HTTP/1.1\r\nHost: HOST\r\n{lines}\r\n");
    vec![
        (post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), HeadFault::LengthAndCoding),
        (post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), HeadFault::LengthAndCoding),
        (post("Content-Length: 5\r\nContent-Length: 5\r\n"), HeadFault::TwoLengths),
        (post("Content-Length: 5\r\nContent-Length: 6\r\n"), HeadFault::TwoLengths),
        (post("Content-Length: 5, 5\r\n"), HeadFault::Length),
        (post("Content-Length: +5\r\n"), HeadFault::Length),
        (post("Content-Length: -1\r\n"), HeadFault::Length),
        (post("Content-Length: 0x5\r\n"), HeadFault::Length),
        (post("Content-Length:\r\n"), HeadFault::Length),
        (post("Content-Length: 99999999999999999999\r\n"), HeadFault::Length),
        (post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"), HeadFault::Coding),
        (post("Transfer-Encoding: gzip, chunked\r\n"), HeadFault::Coding),
        (post("Transfer-Encoding: xchunked\r\n"), HeadFault::Coding),
        (post("Transfer-Encoding: chunked, identity\r\n"), HeadFault::Coding),
        (post("Transfer-Encoding: \u{b}chunked\r\n"), HeadFault::Field),
        (post("Transfer-Encoding : chunked\r\n"), HeadFault::Field),
        (post("Transfer\u{b}-Encoding: chunked\r\n"), HeadFault::Field),
        (post(" Transfer-Encoding: chunked\r\n"), HeadFault::Folded),
        (post("X: a\r\n Transfer-Encoding: chunked\r\n"), HeadFault::Folded),
        (post("X: a\r\n\tb\r\n"), HeadFault::Folded),
        (post("X: a\nTransfer-Encoding: chunked\r\n"), HeadFault::LineEnd),
        (post("X: a\rTransfer-Encoding: chunked\r\n"), HeadFault::LineEnd),
        (post("X: a\0b\r\n"), HeadFault::LineEnd),
        (post("X\r\n"), HeadFault::Field),
        (post(": x\r\n"), HeadFault::Field),
        ("POST / HTTP/1.0\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n".into(), HeadFault::Coding),
        ("GET / HTTP/1.1\nHost: HOST\n\n".into(), HeadFault::LineEnd),
        ("GET /\r\nHost: HOST\r\n\r\n".into(), HeadFault::RequestLine),
        ("GET  / HTTP/1.1\r\n\r\n".into(), HeadFault::RequestLine),
        ("GET / HTTP/1.1 \r\n\r\n".into(), HeadFault::RequestLine),
        ("GET / x HTTP/1.1\r\n\r\n".into(), HeadFault::RequestLine),
        ("GET / HTTP/1.2\r\n\r\n".into(), HeadFault::RequestLine),
        ("PRI * HTTP/2.0\r\n\r\n".into(), HeadFault::RequestLine),
        ("G{T / HTTP/1.1\r\n\r\n".into(), HeadFault::RequestLine),
        ("GET /\u{7f} HTTP/1.1\r\n\r\n".into(), HeadFault::RequestLine),
        (format!("{GET}X: {}\r\n\r\n", "a".repeat(40_000)), HeadFault::TooLarge),
        (format!("{GET}{}\r\n", "X: a\r\n".repeat(101)), HeadFault::TooLarge),
    ]
}

#[tokio::test]
async fn request_smuggling_shapes() {
    let world = World::new().await;
    let smuggled = format!("GET /api/v1/sessions HTTP/1.1\r\nHost: HOST\r\n{}\r\n", bearer(TOKEN));
    for (shape, fault) in shapes() {
        let address = world.address.to_string();
        let request = format!("{shape}{smuggled}").replace("HOST", &address);
        let mut client = world.connect().await;
        client.send(request).await;
        let reply = client.reply().await;
        let status = if fault == HeadFault::TooLarge { 431 } else { 400 };
        reply.assert_error(status, "invalid_message");
        assert_eq!(reply.json()["message"], fault.to_string(), "{shape:?}");
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(client.is_over().await, "{shape:?}: what follows is not a request");
    }
    assert_eq!(world.get("/api/v1/sessions").await.status, 200);
}

/// What is not watched may not be followed by anything.
#[tokio::test]
async fn a_connection_ends_with_a_body_of_unknown_length() {
    let world = World::new().await;
    let next = world.request("GET", "/healthz", "", "");
    for lines in ["Transfer-Encoding: chunked\r\n\r\n0\r\n", "Connection: Upgrade\r\nUpgrade: h2c\r\n"] {
        let mut client = world.connect().await;
        client.send(format!("{}{next}", world.request("GET", "/healthz", lines, ""))).await;
        let reply = client.reply().await;
        assert_eq!((reply.status, reply.header("connection")), (200, Some("close")));
        assert!(client.is_over().await);
    }
}

#[tokio::test]
async fn requests_may_follow_each_other() {
    let world = World::new().await;
    let mut client = world.connect().await;
    let request = world.request("GET", "/healthz", "", "");
    client.send(format!("\r\n{request}{request}")).await;
    for _ in 0..2 {
        assert_eq!(client.reply().await.text(), "ok\n");
    }
    // A wrong one ends it.
    client.send("garbage\r\n\r\n").await;
    client.reply().await.assert_error(400, "invalid_message");
    assert!(client.is_over().await);
}

#[tokio::test]
async fn slow_headers() {
    let world = World::with(|options| options.pace = hasty()).await;
    let started = Instant::now();
    // One sends nothing at all, one begins, one sends slowly, one has a connection and begins the next
    // request.
    let mut silent = world.connect().await;
    let mut begun = world.connect().await;
    begun.send("GET / HT").await;
    let mut dripping = world.connect().await;
    let mut used = world.connect().await;
    used.send(world.request("GET", "/healthz", "", "")).await;
    assert_eq!(used.reply().await.status, 200);
    used.send("GET").await;
    dripping.send("GET / HTTP/1.1\r\n").await;
    let drip = async {
        use tokio::io::AsyncWriteExt;
        while dripping.stream.write_all(b"X: a\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let refused = async {
        for client in [&mut silent, &mut begun, &mut used] {
            client.reply().await.assert_error(408, "invalid_message");
            assert!(client.is_over().await);
        }
    };
    tokio::join!(drip, refused);
    assert!(started.elapsed() < Duration::from_secs(10));
    // Another client was served all the time.
    assert_eq!(world.get("/api/v1/sessions").await.status, 200);
}

#[tokio::test]
async fn slow_body() {
    let mut pace = hasty();
    pace.body = Duration::from_millis(100);
    let world = World::with(|options| options.pace = pace).await;
    let mut client = world.connect().await;
    let lines = format!("{}Content-Type: application/json\r\nContent-Length: 10\r\n", bearer(TOKEN));
    client.send(world.request("POST", "/api/v1/sessions", &lines, "")).await;
    client.reply().await.assert_error(400, "invalid_message");
    assert!(client.is_over().await);
}

fn watch(bytes: &[u8], cuts: &[usize]) -> (Result<(), HeadFault>, Phase) {
    let mut watch = HeadWatch::default();
    let mut from = 0;
    let mut result = Ok(());
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        let cut = cut.clamp(from, bytes.len());
        result = result.and_then(|()| watch.feed(&bytes[from..cut]));
        from = cut;
    }
    (result, watch.phase())
}

#[test]
fn heads_and_bodies_are_distinguished() {
    let request = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nGET ";
    assert_eq!(watch(request.as_bytes(), &[]), (Ok(()), Phase::Idle));
    assert_eq!(watch(&request.as_bytes()[..request.len() - 1], &[]), (Ok(()), Phase::Body));
    assert_eq!(watch(GET.as_bytes(), &[]), (Ok(()), Phase::Head));
    let upgrade = format!("{GET}Upgrade: websocket\r\n\r\n\u{1}\u{2}\n\n");
    assert_eq!(watch(upgrade.as_bytes(), &[]), (Ok(()), Phase::Body));
}

proptest! {
    /// However the bytes are cut, the same is found.
    #[test]
    fn cuts_do_not_matter(
        which in 0..37_usize,
        body in proptest::collection::vec(any::<u8>(), 0..50),
        mut cuts in proptest::collection::vec(0..400_usize, 0..6),
    ) {
        cuts.sort_unstable();
        let shapes = shapes();
        let (shape, fault) = &shapes[which % shapes.len()];
        let mut bytes = format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend(&body);
        let whole = watch(&bytes, &cuts);
        prop_assert_eq!(whole, (Ok(()), Phase::Idle));
        bytes.extend(shape.as_bytes());
        prop_assert_eq!(watch(&bytes, &cuts).0, Err(*fault));
    }

    /// No bytes make it panic, and what it takes has no line that others would end elsewhere.
    #[test]
    fn any_bytes_are_watched(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\r'), Just(b'\n'), Just(b':')], 0..200)) {
        let mut all = GET.as_bytes().to_vec();
        all.extend(&bytes);
        let (result, phase) = watch(&all, &[]);
        if result.is_ok() && phase == Phase::Head {
            let lines = all.split(|byte| *byte == b'\n').rev().skip(1);
            for line in lines {
                prop_assert_eq!(line.iter().position(|byte| *byte == b'\r'), line.len().checked_sub(1));
            }
        }
    }
}
