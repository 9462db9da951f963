//! MCP servers on the network: streamable HTTP, and the older kind.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::host::{Host, Place, tool_results};
use crate::http_server::{Request, Server, respond};

pub(crate) fn respond_json(stream: &mut TcpStream, headers: &str, body: &Value) {
    respond(stream, "200 OK", &format!("content-type: application/json\r\n{headers}"), &body.to_string());
}

/// What a server with the tools `add` and `slow` answers to a message; nothing to what is no request.
pub(crate) fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "net", "version": "1" },
        }),
        "tools/list" => json!({ "tools": [{ "name": "add", "inputSchema": { "type": "object" } }] }),
        "tools/call" => {
            let number = |name: &str| message["params"]["arguments"][name].as_i64().unwrap_or_default();
            json!({ "content": [{ "type": "text", "text": (number("a") + number("b")).to_string() }] })
        }
        _ => {
            return Some(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no" } }));
        }
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

pub(crate) fn start(place: &Place, kind: &str, url: &str, headers: Value) -> Host {
    let config = json!({ "mcpServers": { "net": { "type": kind, "url": url, "headers": headers } } });
    place.start(&["--allowed-tools", "mcp__net", "--mcp-config", &config.to_string()])
}

pub(crate) fn add(host: &mut Host) -> Value {
    host.say("@tool mcp__net__add {\"a\":2,\"b\":3}\n@say done");
    let frames = host.turn();
    tool_results(&frames)[0]["content"].clone()
}

fn status(host: &mut Host) -> Value {
    host.say("@say hi");
    host.turn();
    host.ask(&json!({ "subtype": "mcp_status" }))["response"]["mcpServers"][0].clone()
}

#[test]
fn answers_come_as_json() {
    let server = Server::start(|request, stream| match answer(&request.body) {
        Some(reported) => respond_json(stream, "mcp-session-id: s1\r\n", &reported),
        None if request.method == "POST" => respond(stream, "202 Accepted", "", ""),
        None if request.method == "DELETE" => respond(stream, "200 OK", "", ""),
        None => respond(stream, "405 Method Not Allowed", "", ""),
    });
    let place = Place::new();
    let mut host = start(&place, "http", &format!("{}/mcp?x=1", server.url), json!({ "X-Key": "secret" }));
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    let reported = status(&mut host);
    assert_eq!((&reported["status"], &reported["transport"]), (&json!("connected"), &json!("http")));
    assert!(!reported.to_string().contains("secret"), "{reported}");
    host.end();
    let requests = server.requests();
    let posts: Vec<&Request> = requests.iter().filter(|request| request.method == "POST").collect();
    let methods: Vec<&str> = posts.iter().filter_map(|post| post.body["method"].as_str()).collect();
    assert_eq!(methods, ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    for request in &requests {
        assert_eq!((request.path.as_str(), request.header("x-key")), ("/mcp?x=1", Some("secret")));
    }
    assert_eq!(posts[0].header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(posts[0].header("mcp-session-id"), None);
    assert_eq!(posts[1].header("mcp-session-id"), Some("s1"));
    assert_eq!(posts[3].header("mcp-protocol-version"), Some("2025-06-18"));
    assert_eq!(requests.last().unwrap().method, "DELETE");
}

#[test]
fn answers_come_as_events() {
    let server = Server::start(|request, stream| {
        let Some(reported) = answer(&request.body) else { return respond(stream, "202 Accepted", "", "") };
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": "é" } });
        let events =
            format!(": hello\n\nevent: message\ndata: {note}\n\nid: 7\nevent: message\ndata: {reported}\n\n");
        respond(stream, "200 OK", "content-type: text/event-stream\r\n", &events);
    });
    let place = Place::new();
    let mut host = start(&place, "http", &server.url, json!({}));
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
}

#[test]
fn a_server_that_has_forgotten_the_session_is_asked_anew() {
    let sessions = Mutex::new(0);
    let server = Server::start(move |request, stream| {
        let mut sessions = sessions.lock().unwrap();
        let is_call = request.body["method"] == "tools/call";
        if is_call && *sessions == 1 {
            return respond(stream, "404 Not Found", "", "no such session");
        }
        if request.body["method"] == "initialize" {
            *sessions += 1;
        }
        match answer(&request.body) {
            Some(reported) => respond_json(stream, &format!("mcp-session-id: s{}\r\n", *sessions), &reported),
            None => respond(stream, "202 Accepted", "", ""),
        }
    });
    let place = Place::new();
    let mut host = start(&place, "http", &server.url, json!({}));
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    let calls: Vec<Request> =
        server.requests().into_iter().filter(|request| request.body["method"] == "tools/call").collect();
    let sessions: Vec<Option<&str>> = calls.iter().map(|call| call.header("mcp-session-id")).collect();
    assert_eq!(sessions, [Some("s1"), Some("s2")]);
}

#[test]
fn a_server_that_requires_authentication_is_reported() {
    let server = Server::start(|_, stream| respond(stream, "401 Unauthorized", "", "who are you?"));
    let place = Place::new();
    let mut host = start(&place, "http", &server.url, json!({}));
    let reported = status(&mut host);
    assert_eq!(reported["status"], "needs-auth");
    assert!(reported["error"].as_str().unwrap().contains("Authorization"), "{reported}");
}

#[test]
fn keys_are_not_carried_elsewhere() {
    let elsewhere = Server::start(|_, stream| respond(stream, "200 OK", "", ""));
    let place = format!("{}/mcp", elsewhere.url);
    let server = Server::start(move |_, stream| {
        respond(stream, "307 Temporary Redirect", &format!("location: {place}\r\n"), "");
    });
    let place = Place::new();
    let mut host = start(&place, "http", &server.url, json!({ "Authorization": "Bearer secret" }));
    let reported = status(&mut host);
    assert_eq!(reported["status"], "failed");
    assert!(reported["error"].as_str().unwrap().contains(&elsewhere.url), "{reported}");
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_failure_of_the_server_is_reported() {
    let server = Server::start(|request, stream| match answer(&request.body) {
        Some(_) if request.body["method"] == "tools/call" => {
            respond(stream, "503 Service Unavailable", "", "come  back\nlater");
        }
        Some(reported) => respond_json(stream, "", &reported),
        None => respond(stream, "202 Accepted", "", ""),
    });
    let place = Place::new();
    let mut host = start(&place, "http", &server.url, json!({}));
    assert_eq!(add(&mut host), "HTTP 503 Service Unavailable: come back later");
}

/// The stream that a server of the older kind has open.
type OpenStream = Arc<Mutex<Option<TcpStream>>>;

#[test]
fn servers_of_the_older_kind_are_spoken_to() {
    let open: OpenStream = Arc::default();
    let server = Server::start(move |request, stream| match request.method.as_str() {
        "GET" => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: /say?id=1\n\n";
            stream.write_all(head.as_bytes()).unwrap();
            *open.lock().unwrap() = Some(stream.try_clone().unwrap());
        }
        _ => {
            respond(stream, "202 Accepted", "", "");
            if let (Some(reported), Some(stream)) = (answer(&request.body), open.lock().unwrap().as_mut()) {
                stream.write_all(format!("event: message\ndata: {reported}\n\n").as_bytes()).unwrap();
            }
        }
    });
    let place = Place::new();
    let mut host = start(&place, "sse", &format!("{}/sse", server.url), json!({ "X-Key": "secret" }));
    assert_eq!(add(&mut host), json!([{ "type": "text", "text": "5" }]));
    assert_eq!(status(&mut host)["transport"], "sse");
    for request in server.requests() {
        let path = if request.method == "GET" { "/sse" } else { "/say?id=1" };
        assert_eq!((request.path.as_str(), request.header("x-key")), (path, Some("secret")));
    }
}

#[test]
fn the_older_kind_may_not_send_us_elsewhere() {
    let server = Server::start(|_, stream| {
        let events = "event: endpoint\ndata: http://elsewhere.example/say\n\n";
        respond(stream, "200 OK", "content-type: text/event-stream\r\n", events);
    });
    let place = Place::new();
    let mut host = start(&place, "sse", &server.url, json!({}));
    let reported = status(&mut host);
    assert!(reported["error"].as_str().unwrap().contains("is another server"), "{reported}");
}
