//! An agent on the other end of a pipe in memory, played line by line.

use aqueduct_client::{Builder, Events, Session, Transport};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

/// How much the pipe holds.
const PIPE: usize = 64 << 10;

/// What a test plays.
pub(crate) struct Peer {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
    /// How often it has asked: an id counts once.
    asked: usize,
}

impl Peer {
    /// An agent that has not received anything yet, and a builder of a session with it.
    pub(crate) fn new(builder: Builder) -> (Self, Builder) {
        let (here, there) = tokio::io::duplex(PIPE);
        let (input, output) = tokio::io::split(here);
        let peer = Peer { lines: BufReader::new(input).lines(), output, asked: 0 };
        (peer, builder.transport(Transport::pipe(there)))
    }

    /// A session that has been opened.
    pub(crate) async fn start(builder: Builder) -> (Self, Session, Events) {
        let (mut peer, builder) = Peer::new(builder);
        let answer = async {
            peer.asked("initialize").await.answer(&mut peer, json!({})).await;
            peer
        };
        let (peer, started) = tokio::join!(answer, builder.start());
        let (session, events) = started.expect("the session starts");
        (peer, session, events)
    }

    /// The next line of the host; `None` if it has closed the pipe.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.expect("the pipe can be read")?;
        Some(serde_json::from_str(&line).expect("hosts send JSON"))
    }

    /// The next line of the host, which is a request.
    pub(crate) async fn asked(&mut self, subtype: &str) -> Asked {
        let line = self.receive().await.expect("the host is there");
        assert_eq!(
            (line["type"].as_str(), line["request"]["subtype"].as_str()),
            (Some("control_request"), Some(subtype))
        );
        Asked { id: line["request_id"].as_str().expect("an id").to_owned(), request: line["request"].clone() }
    }

    /// The next line of the host, which is a prompt. Returns its id.
    pub(crate) async fn prompted(&mut self) -> String {
        let line = self.receive().await.expect("the host is there");
        assert_eq!(line["type"], "user", "{line}");
        line["uuid"].as_str().expect("an id").to_owned()
    }

    /// The next line of the host, which answers a request. Returns all of the answer.
    pub(crate) async fn answered(&mut self, id: &str) -> Value {
        let line = self.receive().await.expect("the host is there");
        assert_eq!(
            (line["type"].as_str(), line["response"]["request_id"].as_str()),
            (Some("control_response"), Some(id))
        );
        line["response"].clone()
    }

    /// Sends a text.
    pub(crate) async fn say(&mut self, frame: Value) {
        self.output.write_all(format!("{frame}\n").as_bytes()).await.expect("the host reads");
    }

    /// Asks the host something.
    pub(crate) async fn ask(&mut self, id: &str, request: Value) {
        self.say(json!({"type": "control_request", "request_id": id, "request": request})).await;
    }

    /// Asks, and waits for the payload of the answer.
    pub(crate) async fn served(&mut self, request: Value) -> Value {
        self.asked += 1;
        let id = format!("r{}", self.asked);
        self.ask(&id, request).await;
        let answer = self.answered(&id).await;
        assert_eq!(answer["subtype"], "success", "{answer}");
        answer["response"].clone()
    }

    /// Ends a turn, without a word about whose it was.
    pub(crate) async fn result(&mut self, text: &str) {
        self.say(result(text)).await;
    }

    /// Ends a turn that served these prompts.
    pub(crate) async fn result_for(&mut self, text: &str, prompts: &[&str]) {
        let mut result = result(text);
        result["user_message_uuid"] = (*prompts.last().expect("a prompt")).into();
        result["user_message_uuids"] = prompts.into();
        self.say(result).await;
    }

    /// Reports its state.
    pub(crate) async fn state(&mut self, state: &str) {
        self.say(json!({"type": "system", "subtype": "session_state_changed", "state": state})).await;
    }

    /// Reports the state of a prompt.
    pub(crate) async fn lifecycle(&mut self, prompt: &str, state: &str) {
        self.say(json!({"type": "command_lifecycle", "command_uuid": prompt, "state": state})).await;
    }
}

pub(crate) fn result(text: &str) -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": text})
}

/// A request of the host.
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) request: Value,
}

impl Asked {
    pub(crate) async fn answer(&self, peer: &mut Peer, payload: Value) {
        let response = json!({"subtype": "success", "request_id": self.id, "response": payload});
        peer.say(json!({"type": "control_response", "response": response})).await;
    }
}
