//! A WebSocket client of one session that reconnects, and everything that it received.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;

use crate::machine::{Machine, TOKEN};

/// How long a bridge may take to accept a connection before the client tries again.
const HANDSHAKE: Duration = Duration::from_millis(1500);

pub(crate) struct Client {
    name: &'static str,
    session: String,
    socket: Option<WebSocketStream<UnixStream>>,
    /// Stored messages as they came: message `seq` is at place `seq - 1`.
    stored: Vec<Value>,
    /// Stored messages count from here on: before, the client receives those of all sessions.
    is_subscribed: bool,
    /// What is to be decided, by id.
    pending: BTreeMap<String, Value>,
    /// What must not happen to a client.
    faults: Vec<String>,
    requests: u64,
}

impl Client {
    pub(crate) fn new(name: &'static str, session: &str) -> Client {
        Client {
            name,
            session: session.to_owned(),
            socket: None,
            stored: Vec::new(),
            is_subscribed: false,
            pending: BTreeMap::new(),
            faults: Vec::new(),
            requests: 0,
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.socket.is_some()
    }

    pub(crate) fn stored(&self) -> &[Value] {
        &self.stored
    }

    pub(crate) fn pending(&self) -> impl Iterator<Item = &Value> {
        self.pending.values()
    }

    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Connects and subscribes from the last message that it has. Returns whether that worked.
    pub(crate) async fn connect(&mut self, machine: &Machine) -> bool {
        let connecting = async {
            let stream = UnixStream::connect(machine.socket()).await.ok()?;
            let mut request = "ws://localhost/ws".into_client_request().ok()?;
            let token = HeaderValue::try_from(format!("Bearer {TOKEN}")).ok()?;
            request.headers_mut().insert("Authorization", token);
            tokio_tungstenite::client_async(request, stream).await.ok()
        };
        let Ok(Some((socket, _))) = tokio::time::timeout(HANDSHAKE, connecting).await else { return false };
        self.socket = Some(socket);
        self.is_subscribed = false;
        let last = self.stored.len();
        self.send(json!({"type": "subscribe", "sinceSeq": last})).await
    }

    /// Drops the connection without a word.
    pub(crate) fn hang_up(&mut self) {
        self.socket = None;
    }

    /// Sends a message about the session. Returns whether the connection took it.
    pub(crate) async fn send(&mut self, mut message: Value) -> bool {
        message["sessionId"] = json!(self.session);
        let Some(socket) = &mut self.socket else { return false };
        if socket.send(Message::text(message.to_string())).await.is_err() {
            self.socket = None;
        }
        self.socket.is_some()
    }

    /// Sends a request with an id that names this client and the request, and returns it.
    pub(crate) async fn request(&mut self, mut message: Value) -> Option<String> {
        self.requests += 1;
        let id = format!("{}-{}", self.name, self.requests);
        message["requestId"] = json!(id);
        self.send(message).await.then_some(id)
    }

    /// The next message; none if the connection is gone.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            match self.socket.as_mut()?.next().await {
                Some(Ok(Message::Text(text))) => match serde_json::from_str::<Value>(&text) {
                    Ok(message) => {
                        self.take(&message);
                        return Some(message);
                    }
                    Err(error) => self.faults.push(format!("received no JSON: {error}: {text}")),
                },
                Some(Ok(_)) => {}
                Some(Err(_)) | None => {
                    self.socket = None;
                    return None;
                }
            }
        }
    }

    fn take(&mut self, message: &Value) {
        if message["sessionId"] != self.session.as_str() {
            return;
        }
        match message["type"].as_str() {
            Some("history_delta") => {
                for missed in message["messages"].as_array().into_iter().flatten() {
                    self.take(missed);
                }
            }
            Some("subscribed") => {
                self.is_subscribed = true;
                self.pending.clear();
                let pending = message["snapshot"]["pending"].as_array().into_iter().flatten();
                for request in pending {
                    self.pending.insert(word(request, "id"), request.clone());
                }
            }
            _ if self.is_subscribed && is_stored(message) => self.store(message),
            _ => {}
        }
    }

    /// Stored messages come once each, in order and without gaps.
    fn store(&mut self, message: &Value) {
        let expected = self.stored.len() as u64 + 1;
        if message["seq"] != expected {
            let what = format!("expected message {expected} and received {message}");
            self.faults.push(what);
            return;
        }
        match message["type"].as_str() {
            Some("permission_request") => drop(self.pending.insert(word(message, "id"), message.clone())),
            Some("permission_resolved") => drop(self.pending.remove(&word(message, "id"))),
            _ => {}
        }
        self.stored.push(message.clone());
    }
}

/// Whether a message is part of the session's history.
fn is_stored(message: &Value) -> bool {
    message["seq"].is_u64() && message["time"].is_u64()
}

/// A member that is a string; empty if it is none.
pub(crate) fn word(message: &Value, member: &str) -> String {
    message[member].as_str().unwrap_or_default().to_owned()
}

/// Milliseconds since 1970, as the bridge counts them.
pub(crate) fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis())
}
