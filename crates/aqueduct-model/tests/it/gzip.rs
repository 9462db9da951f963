//! Answers that a server or a gateway packs with gzip.

use std::io::Write as _;

use aqueduct_model::{Endpoint, ErrorKind, ModelClient, ModelEvent};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::api::*;

const PACKED: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n\
     transfer-encoding: chunked\r\n\r\n";

fn bytes(packed: &[u8]) -> Act {
    Act::Send([format!("{:x}\r\n", packed.len()).as_bytes(), packed, b"\r\n"].concat())
}

/// Each event packed and flushed by itself, as servers do that stream.
fn packed(events: &[&str]) -> (Vec<Act>, GzEncoder<Vec<u8>>) {
    let mut acts = vec![Act::Send(PACKED.as_bytes().to_vec())];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for json in events {
        encoder.write_all(format!("data: {json}\n\n").as_bytes()).unwrap();
        encoder.flush().unwrap();
        acts.push(bytes(&std::mem::take(encoder.get_mut())));
    }
    (acts, encoder)
}

#[tokio::test]
async fn a_packed_stream_is_read() {
    let (mut acts, encoder) = packed(&[START, BLOCK, DELTA, STOP]);
    acts.push(bytes(&encoder.finish().unwrap()));
    acts.push(Act::Send(b"0\r\n\r\n".to_vec()));
    let mut api = Api::start([acts]).await;
    let (events, error) = all(api.client().stream(ask())).await;
    assert_eq!(error, None);
    assert_eq!(lines(&events), [START, BLOCK, DELTA, STOP]);
    assert_eq!(api.seen().await.header("accept-encoding"), Some("gzip"));
}

#[tokio::test]
async fn events_of_a_packed_stream_arrive_before_its_end() {
    let (mut acts, _) = packed(&[START, BLOCK, DELTA]);
    acts.push(Act::Hold);
    let api = Api::start([acts]).await;
    let mut stream = api.client().stream(ask());
    loop {
        match stream.next().await.expect("the stream is open").unwrap() {
            ModelEvent::Stream(line) if line == DELTA => break,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_packed_error_is_read() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(error_json("invalid_request_error", "packed words").as_bytes()).unwrap();
    let body = encoder.finish().unwrap();
    let head =
        format!("HTTP/1.1 400 Bad\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n", body.len());
    let error = fails(vec![Act::Send([head.into_bytes(), body].concat())]).await;
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert_eq!(error.said.as_deref(), Some("packed words"));
}

#[tokio::test]
async fn a_packed_stream_that_is_damaged_fails() {
    let mut acts = vec![Act::Send(PACKED.as_bytes().to_vec()), bytes(b"this is not gzip")];
    acts.push(Act::Send(b"0\r\n\r\n".to_vec()));
    let error = fails(acts).await;
    assert_eq!(error.kind, ErrorKind::Connection);
}

/// One event of 64 MiB is a packed body of 64 KiB.
#[tokio::test]
async fn what_unpacks_to_more_than_an_event_may_have_is_given_up() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"data: ").unwrap();
    for _ in 0..64 {
        encoder.write_all(&vec![b'x'; 1 << 20]).unwrap();
    }
    let body = encoder.finish().unwrap();
    let acts = vec![Act::Send(PACKED.as_bytes().to_vec()), bytes(&body), Act::Hold];
    let api = Api::start([acts]).await;
    let client = ModelClient::new(Endpoint { max_retries: 0, ..api.endpoint() });
    let error = all(client.stream(ask())).await.1.expect("an error");
    assert!(error.message.contains("larger than"), "{}", error.message);
}
