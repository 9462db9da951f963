//! A Messages API that sends, byte for byte, what a test specifies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_model::retry::Backoff;
use aqueduct_model::{Endpoint, Error, ModelClient, ModelEvent, ModelMessage, Request, RequestRole, Stream};
use aqueduct_wire::json::Raw;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

/// How many requests a test does not look at.
const REQUESTS: usize = 64;

/// What happens to a connection after a request has been read.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// These bytes are sent, and reach the client before the next ones.
    Send(Vec<u8>),
    /// Nothing more comes until the client goes away.
    Hold,
    /// The connection is closed.
    Close,
}

/// A request as it came.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Which connection it came over, from 1.
    pub(crate) connection: usize,
    /// The request line and the headers.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: String,
}

impl Seen {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line =
            self.head.lines().skip(1).find(|line| {
                line.split_once(':').is_some_and(|(found, _)| found.eq_ignore_ascii_case(name))
            })?;
        line.split_once(':').map(|(_, value)| value.trim())
    }
}

/// The API.
pub(crate) struct Api {
    pub(crate) url: String,
    seen: mpsc::Receiver<Seen>,
    /// Reports when a connection that was held is closed by the client.
    gone: mpsc::Receiver<()>,
    task: JoinHandle<()>,
}

impl Drop for Api {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Api {
    /// An API that answers the requests with these acts, one after the other.
    pub(crate) async fn start(answers: impl IntoIterator<Item = Vec<Act>>) -> Api {
        Api::start_as(answers, true).await
    }

    /// An API that answers as soon as it has read the head of a request.
    pub(crate) async fn start_hasty(answers: impl IntoIterator<Item = Vec<Act>>) -> Api {
        Api::start_as(answers, false).await
    }

    /// A server that sends this to every client, whatever the request.
    pub(crate) async fn start_talking(words: &'static [u8]) -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let ((_, seen), (_, gone)) = (mpsc::channel(1), mpsc::channel(1));
        let task = tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let _ = socket.write_all(words).await;
                let _ = tokio::io::copy(&mut socket, &mut tokio::io::sink()).await;
            }
        });
        Api { url, seen, gone, task }
    }

    async fn start_as(answers: impl IntoIterator<Item = Vec<Act>>, patient: bool) -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers: Answers = Arc::new(Mutex::new(answers.into_iter().collect()));
        let (see, seen) = mpsc::channel(REQUESTS);
        let (leave, gone) = mpsc::channel(REQUESTS);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let number = connections.len() + 1;
                connections.spawn(serve(
                    socket,
                    number,
                    patient,
                    answers.clone(),
                    see.clone(),
                    leave.clone(),
                ));
            }
        });
        Api { url, seen, gone, task }
    }

    /// The next request.
    pub(crate) async fn seen(&mut self) -> Seen {
        self.seen.recv().await.expect("the API runs")
    }

    /// How many received requests were not inspected.
    pub(crate) fn requests(&self) -> usize {
        self.seen.len()
    }

    /// Waits until a client has left a connection that was held.
    pub(crate) async fn gone(&mut self) {
        self.gone.recv().await.expect("the API runs")
    }

    /// An endpoint for this API that does not wait long.
    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint {
            base_url: Some(self.url.clone()),
            api_key: Some("key".into()),
            backoff: Backoff { first: Duration::from_millis(1), longest: Duration::from_millis(2) },
            ..Endpoint::default()
        }
    }

    /// A client of this API.
    pub(crate) fn client(&self) -> ModelClient {
        ModelClient::new(self.endpoint())
    }
}

type Answers = Arc<Mutex<VecDeque<Vec<Act>>>>;

async fn serve(
    mut socket: TcpStream,
    connection: usize,
    patient: bool,
    answers: Answers,
    see: mpsc::Sender<Seen>,
    leave: mpsc::Sender<()>,
) {
    // Otherwise a small write waits until the client has acknowledged the one before.
    socket.set_nodelay(true).unwrap();
    let mut bytes = Vec::new();
    while let Some((head, body)) = read_request(&mut socket, &mut bytes, patient).await {
        let _ = see.send(Seen { connection, head, body }).await;
        let acts = answers.lock().unwrap().pop_front().unwrap_or_default();
        for act in acts {
            match act {
                Act::Send(bytes) => {
                    if socket.write_all(&bytes).await.is_err() || socket.flush().await.is_err() {
                        return;
                    }
                    // So that the pieces arrive as pieces.
                    tokio::task::yield_now().await;
                }
                Act::Hold => {
                    let _ = socket.read(&mut [0; 16]).await;
                    let _ = leave.send(()).await;
                    return;
                }
                Act::Close => return,
            }
        }
        if !patient {
            // The rest of the request, which is ignored.
            let _ = tokio::io::copy(&mut socket, &mut tokio::io::sink()).await;
            return;
        }
    }
}

async fn read_request(
    socket: &mut TcpStream,
    bytes: &mut Vec<u8>,
    patient: bool,
) -> Option<(String, String)> {
    loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
            });
            let end = at + 4 + length.filter(|_| patient).unwrap_or(0);
            if bytes.len() >= end {
                let body = String::from_utf8(bytes[at + 4..end].to_vec()).unwrap();
                bytes.drain(..end);
                return Some((head, body));
            }
        }
        if socket.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// An answer with a body of known length.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Vec<Act> {
    let length = body.len();
    let text = format!("HTTP/1.1 {status} Odd\r\n{headers}content-length: {length}\r\n\r\n{body}");
    vec![Act::Send(text.into_bytes())]
}

/// An API error.
pub(crate) fn refusal(status: u16, name: &str, message: &str) -> Vec<Act> {
    answer(status, "request-id: req_1\r\n", &error_json(name, message))
}

/// The JSON of an API error.
pub(crate) fn error_json(name: &str, message: &str) -> String {
    format!(r#"{{"type":"error","error":{{"type":"{name}","message":"{message}"}}}}"#)
}

/// The head of a stream whose end is marked.
pub(crate) const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nrequest-id: req_7\r\n\
     anthropic-ratelimit-requests-remaining: 41\r\ntransfer-encoding: chunked\r\n\r\n";

/// A chunk of a stream.
pub(crate) fn chunk(text: &str) -> Act {
    Act::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

/// An event of a stream.
pub(crate) fn event(json: &str) -> Act {
    chunk(&format!("event: x\ndata: {json}\n\n"))
}

pub(crate) const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","content":[]}}"#;
pub(crate) const BLOCK: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
pub(crate) const DELTA: &str =
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}"#;
pub(crate) const BLOCK_STOP: &str = r#"{"type":"content_block_stop","index":0}"#;
pub(crate) const STOP: &str = r#"{"type":"message_stop"}"#;

/// A stream of these events, and its end.
pub(crate) fn stream(events: &[&str]) -> Vec<Act> {
    let mut acts = open_stream(events);
    acts.push(Act::Send(b"0\r\n\r\n".to_vec()));
    acts
}

/// A stream of these events that stays open.
pub(crate) fn open_stream(events: &[&str]) -> Vec<Act> {
    let mut acts = vec![Act::Send(STREAM.as_bytes().to_vec())];
    acts.extend(events.iter().map(|json| event(json)));
    acts
}

/// A stream with these events, after which this happens.
pub(crate) fn stream_then(events: &[&str], act: Act) -> Vec<Act> {
    let mut acts = open_stream(events);
    acts.push(act);
    acts
}

/// A complete answer.
pub(crate) fn hi() -> Vec<Act> {
    stream(&[START, BLOCK, DELTA, STOP])
}

/// A small request.
pub(crate) fn ask() -> Request {
    Request {
        model: "claude-opus-5-5".into(),
        max_tokens: 100,
        messages: vec![ModelMessage { role: RequestRole::User, content: Raw::parse(r#""hello""#).unwrap() }],
        ..Request::default()
    }
}

/// Everything that comes of a call.
pub(crate) async fn all(mut stream: Stream) -> (Vec<ModelEvent>, Option<Error>) {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "an error is the last thing that comes");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// The model's events among all events.
pub(crate) fn lines(events: &[ModelEvent]) -> Vec<&str> {
    let lines = events.iter().filter_map(|event| match event {
        ModelEvent::Stream(line) => Some(line.as_str()),
        _ => None,
    });
    lines.collect()
}

/// The error of a call that fails at once.
pub(crate) async fn fails(answer: Vec<Act>) -> Error {
    let api = Api::start([answer]).await;
    let client = ModelClient::new(Endpoint { max_retries: 0, ..api.endpoint() });
    all(client.stream(ask())).await.1.expect("an error")
}
