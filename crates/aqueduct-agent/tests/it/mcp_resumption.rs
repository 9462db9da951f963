//! MCP servers on the network whose streams are cut, by the network or on purpose.

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::host::{Host, Place};
use crate::http_server::{Request, Server, respond};
use crate::mcp_network::{add, answer, respond_json, start};

const EVENTS: &str = "content-type: text/event-stream\r\n";

/// Answers everything but calls and streams.
fn introduce(request: &Request, stream: &mut TcpStream) {
    match answer(&request.body) {
        Some(reported) => respond_json(stream, "mcp-session-id: s1\r\n", &reported),
        None if request.method == "POST" => respond(stream, "202 Accepted", "", ""),
        None => respond(stream, "405 Method Not Allowed", "", ""),
    }
}

fn is_call(request: &Request) -> bool {
    request.body["method"] == "tools/call"
}

/// The requests that open a stream again, by the event after which they do.
fn resumed(server: &Server) -> Vec<String> {
    let requests = server.requests();
    requests.iter().filter_map(|request| Some(request.header("last-event-id")?.to_owned())).collect()
}

/// A server that cuts the answer to a call. The streams that follow are answered by `again`, which gets the id after which
/// the stream is opened and what a call is answered.
fn cut(first: &'static str, again: impl Fn(&str, &Value, &mut TcpStream) + Send + Sync + 'static) -> Server {
    let called = std::sync::Mutex::new(Value::Null);
    Server::start(move |request, stream| {
        if is_call(request) {
            *called.lock().unwrap() = answer(&request.body).unwrap();
            return respond(stream, "200 OK", EVENTS, first);
        }
        match request.header("last-event-id") {
            Some(last) => again(last, &called.lock().unwrap(), stream),
            None => introduce(request, stream),
        }
    })
}

fn started(server: &Server) -> (Place, Host) {
    let place = Place::new();
    let host = start(&place, "http", &server.url, json!({}));
    (place, host)
}

#[test]
fn a_server_may_have_us_poll_for_an_answer() {
    let server = cut("id: 1\nretry: 50\ndata: \n\n", |last, reported, stream| match last {
        "1" => respond(stream, "200 OK", EVENTS, "id: 2\ndata: \n\n"),
        // Nothing new yet.
        "2" => respond(stream, "200 OK", EVENTS, "id: 3\nretry: 60\ndata: \n\n"),
        _ => respond(stream, "200 OK", EVENTS, &format!("id: 4\ndata: {reported}\n\n")),
    });
    let (_place, mut host) = started(&server);
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    assert_eq!(resumed(&server), ["1", "2", "3"]);
    let requests = server.requests();
    assert_eq!(requests.iter().filter(|request| is_call(request)).count(), 1);
    let again = requests.iter().find(|request| request.header("last-event-id").is_some()).unwrap();
    assert_eq!((again.method.as_str(), again.header("mcp-session-id")), ("GET", Some("s1")));
    assert_eq!(again.header("mcp-protocol-version"), Some("2025-06-18"));
}

#[test]
fn a_stream_that_breaks_in_an_event_is_resumed_before_it() {
    let server = Server::start(|request, stream| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        if is_call(request) {
            // The connection ends in the middle of a chunk.
            let broken = "id: a\nretry: 50\ndata: \n\nid: b\ndata: {\"json";
            stream.write_all(format!("{head}ff\r\n{broken}").as_bytes()).unwrap();
        } else if request.header("last-event-id").is_some() {
            let reported = json!({ "jsonrpc": "2.0", "id": 2, "result": { "content": [{ "type": "text", "text": "late" }] } });
            respond(stream, "200 OK", EVENTS, &format!("id: b\ndata: {reported}\n\n"));
        } else {
            introduce(request, stream);
        }
    });
    let (_place, mut host) = started(&server);
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "late" }]));
    assert_eq!(resumed(&server), ["a"]);
}

#[test]
fn a_server_that_is_out_of_order_for_a_while_is_asked_again() {
    let tries = std::sync::atomic::AtomicU32::new(0);
    let server = cut("id: 1\nretry: 50\ndata: \n\n", move |_, reported, stream| {
        match tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 | 1 => respond(stream, "503 Service Unavailable", "", "soon"),
            _ => respond(stream, "200 OK", EVENTS, &format!("data: {reported}\n\n")),
        }
    });
    let (_place, mut host) = started(&server);
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    assert_eq!(resumed(&server), ["1", "1", "1"]);
}

#[test]
fn an_answer_that_is_cut_for_good_is_an_error() {
    let server = cut("id: 1\nretry: 50\ndata: \n\n", |_, _, stream| {
        respond(stream, "404 Not Found", "", "no such stream");
    });
    let (_place, mut host) = started(&server);
    assert_eq!(
        add(&mut host),
        "the server's answer ended without a result, and it can't be resumed: HTTP 404 Not Found: no such stream"
    );
    let server = cut("data: {}\n\n", |_, _, _| ());
    let (_place, mut host) = started(&server);
    assert_eq!(add(&mut host), "the server's answer ended without a result");
    assert!(resumed(&server).is_empty());
}
