//! The scripted model on a socket, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use aqueduct_model::Scripted;
use aqueduct_model::server::ScriptedServer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server and what it has noted.
struct Served {
    address: SocketAddr,
    lines: Arc<Mutex<Vec<String>>>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Served {
    async fn start(scripted: Scripted) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = lines.clone();
        let server =
            ScriptedServer::new(scripted).with_log(move |line| noted.lock().unwrap().push(line.to_owned()));
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.serve(listener, async move {
            let _ = stopped.await;
        }));
        Served { address, lines, stop, task }
    }

    /// Sends a request and returns all bytes of the answer.
    async fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: x\r\nx-api-key: secret\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // A connection that is cut in the middle may end with an error.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    }

    async fn ask(&self, prompt: &str, is_stream: bool) -> String {
        let body =
            json!({ "model": "m", "stream": is_stream, "messages": [{ "role": "user", "content": prompt }] });
        self.send("POST /v1/messages?beta=true", &body.to_string()).await
    }
}

/// Status and body of an answer in one piece.
fn parts(answer: &str) -> (u16, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

#[tokio::test]
async fn a_message_comes_as_a_stream() {
    let served = Served::start(Scripted::default()).await;
    let answer = served.ask("@say hello", true).await;
    for wanted in [
        "HTTP/1.1 200 OK\r\n",
        "content-type: text/event-stream\r\n",
        "request-id: req_0001\r\n",
        "event: message_start\ndata: {\"type\":\"message_start\",",
        "\"text_delta\",\"text\":\"hello\"}}\n\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    ] {
        assert!(answer.contains(wanted), "{wanted} is missing in {answer}");
    }
    assert!(answer.ends_with("\r\n0\r\n\r\n"));
    assert!(!answer.contains("anthropic-ratelimit"), "{answer}");
}

#[tokio::test]
async fn limits_are_reported_in_headers() {
    let served = Served::start(Scripted::default()).await;
    let script = "@limits rejected five_hour 1893456000\n";
    for (line, is_stream) in [("@say x", true), ("@say x", false), ("@fail 429 9 x", true)] {
        let answer = served.ask(&format!("{script}{line}"), is_stream).await;
        for wanted in [
            "anthropic-ratelimit-unified-status: rejected\r\n",
            "anthropic-ratelimit-unified-reset: 1893456000\r\n",
            "anthropic-ratelimit-unified-representative-claim: five_hour\r\n",
        ] {
            assert!(answer.contains(wanted), "{wanted} is missing in {answer}");
        }
    }
}

#[tokio::test]
async fn a_message_is_sent_in_one_piece() {
    let served = Served::start(Scripted::default()).await;
    let (status, message) = parts(&served.ask("@think a | b", false).await);
    assert_eq!(status, 200);
    assert_eq!(
        message,
        json!({
            "id": "msg_0001", "type": "message", "role": "assistant", "model": "m",
            "content": [
                { "type": "thinking", "thinking": "a ", "signature": "c2ln" },
                { "type": "text", "text": "b" },
            ],
            "stop_reason": "end_turn", "stop_sequence": null,
            "usage": { "input_tokens": 10, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 50,
                       "output_tokens": 12, "service_tier": "standard" },
        })
    );
}

#[tokio::test]
async fn failures_have_the_shape_of_the_api() {
    let served = Served::start(Scripted::default()).await;
    let answer = served.ask("@retry-after 1.5\n@fail 529 1 ok", true).await;
    assert!(answer.contains("retry-after: 2\r\n"));
    assert_eq!(
        parts(&answer),
        (529, json!({ "type": "error", "error": { "type": "overloaded_error", "message": "scripted 529" } }))
    );
    assert!(served.ask("@retry-after 1.5\n@fail 529 1 ok", true).await.contains("\"text\":\"ok\""));
    let (status, body) = parts(&served.ask("@toolong 300 200", true).await);
    assert_eq!((status, &body["error"]["type"]), (400, &json!("invalid_request_error")));
    assert_eq!(body["error"]["message"], "prompt is too long: 300 tokens > 200 maximum");
}

#[tokio::test]
async fn bad_requests_are_refused() {
    let served = Served::start(Scripted::default()).await;
    for (head, body, status, message) in [
        (
            "POST /v1/messages",
            "{",
            400,
            "the body is not JSON: not JSON: expected a member name in quotes at byte 1",
        ),
        ("POST /v1/messages", "[]", 400, "the body must be a JSON object"),
        ("POST /v1/messages", "{}", 400, "model: Field required"),
        ("POST /v1/messages", r#"{"model":"m"}"#, 400, "messages: Field required"),
        ("POST /v1/messages", r#"{"model":"m","messages":7}"#, 400, "messages: must be a list"),
        ("POST /v1/messages", r#"{"model":"m","messages":[7]}"#, 400, "messages.0: must be an object"),
        (
            "POST /v1/messages",
            r#"{"model":"m","messages":[{"role":"king","content":""}]}"#,
            400,
            "messages.0.role: must be user or assistant",
        ),
        (
            "POST /v1/messages",
            r#"{"model":"m","messages":[{"role":"user"}]}"#,
            400,
            "messages.0.content: Field required",
        ),
        ("GET /v1/weather", "", 404, "there is no GET /v1/weather"),
    ] {
        let (got, answer) = parts(&served.send(head, body).await);
        assert_eq!((got, answer["error"]["message"].as_str().unwrap()), (status, message));
        assert_eq!(answer["type"], "error");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let served = Served::start(Scripted::default()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let head = format!("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", (64 << 20) + 1);
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 413");
}

#[tokio::test]
async fn the_rest_of_the_api_is_there() {
    let served = Served::start(Scripted::default()).await;
    assert!(served.send("HEAD /", "").await.starts_with("HTTP/1.1 200 OK\r\n"));
    assert_eq!(parts(&served.send("GET /v1/models", "").await).1["data"][0]["id"], "scripted");
    let counted = served.send("POST /v1/messages/count_tokens", r#"{"model":"m","messages":[]}"#).await;
    assert_eq!(parts(&counted), (200, json!({ "input_tokens": 100 })));
}

#[tokio::test]
async fn a_stream_breaks_where_it_should() {
    let served = Served::start(Scripted::default()).await;
    let cut = served.ask("@drop 1\n@say hello world", true).await;
    assert!(cut.contains("\"text\":\"hello wo\"") && !cut.ends_with("0\r\n\r\n"), "{cut}");
    let failed = served.ask("@error 1 overloaded_error\n@say hello world", true).await;
    assert!(
        failed.contains("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"")
    );
    assert!(!failed.contains("message_stop"));
    // A response in one piece has no middle: the answer itself fails.
    assert_eq!(parts(&served.ask("@error 1 overloaded_error\n@say hello", false).await).0, 529);
    assert!(!served.ask("@drop 1\n@say hello", false).await.contains("hello"));
}

#[tokio::test]
async fn everything_ends_with_the_server() {
    let served = Served::start(Scripted::default()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let body = json!({ "model": "m", "stream": true, "messages": [{ "role": "user", "content": "@stall 1\n@say hello world" }] }).to_string();
    let request =
        format!("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut seen = String::new();
    while !seen.contains("hello wo") {
        let mut piece = [0; 1024];
        let count = stream.read(&mut piece).await.unwrap();
        seen.push_str(std::str::from_utf8(&piece[..count]).unwrap());
    }
    served.stop.send(()).unwrap();
    served.task.await.unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(TcpStream::connect(served.address).await.is_err());
}

#[tokio::test]
async fn requests_are_noted_without_their_keys() {
    let served = Served::start(Scripted::default()).await;
    served.ask("@say hi", false).await;
    served.send("POST /v1/messages", "no JSON").await;
    let lines = served.lines.lock().unwrap().clone();
    let first: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!((&first["method"], &first["path"]), (&json!("POST"), &json!("/v1/messages?beta=true")));
    assert_eq!(first["headers"]["x-api-key"], "[redacted]");
    assert_eq!(first["body"]["messages"][0]["content"], "@say hi");
    assert_eq!(serde_json::from_str::<Value>(&lines[1]).unwrap()["body"], "no JSON");
}

#[tokio::test]
async fn rules_see_system_and_tools_of_the_request() {
    let served = Served::start(
        Scripted::from_script("when system is \"a\\nb\" and model like \"claude-*\"\n@say rule\n").unwrap(),
    )
    .await;
    let body = json!({
        "model": "claude-x",
        "system": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }],
        "messages": [{ "role": "system", "content": "@say not this" }, { "role": "user", "content": "hi" }],
        "tools": [{ "name": "Bash", "description": "d", "input_schema": {} }, { "type": "web_search_20250305", "name": "web_search" }],
    });
    let (_, message) = parts(&served.send("POST /v1/messages", &body.to_string()).await);
    assert_eq!(message["content"][0]["text"], "rule");
    // The demo calls only what may be called.
    let body =
        json!({ "model": "m", "messages": [{ "role": "user", "content": "demo" }], "tools": body["tools"] });
    let (_, message) = parts(&served.send("POST /v1/messages", &body.to_string()).await);
    assert_eq!(
        (&message["content"][2]["name"], &message["stop_reason"]),
        (&json!("Bash"), &json!("tool_use"))
    );
}
