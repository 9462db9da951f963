use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::place::Place;
use crate::received::ReceivedMessages;
use crate::verdict::{Trouble, ensure};

/// How long one thing may take: an agent that starts on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a bridge may be away.
const AWAY: Duration = Duration::from_secs(20);

/// Requests that are about all sessions.
const ABOUT_ALL: &[&str] = &["list_sessions", "list_recent_sessions", "search"];

/// A connection to the bridge, and what it receives of one session.
///
/// Every stored message must have the number after the last: a gap, or something twice, fails the case.
#[derive(Debug)]
pub(crate) struct Client {
    socket: WebSocketStream<UnixStream>,
    /// The bridge's process.
    bridge: Option<Pid>,
    session: String,
    hello: Value,
    /// What came while a reply was waited for.
    waiting: VecDeque<Value>,
    /// The newest number of the session that was received.
    last: Option<u64>,
    requests: u64,
}

impl Client {
    /// Connects. Waits for a bridge that is unavailable for a short time.
    pub(crate) async fn connect(place: &Place, session: &str) -> Result<Client, Trouble> {
        let mut request = "ws://localhost/ws".into_client_request()?;
        let token = HeaderValue::try_from(format!("Bearer {}", place.token()))
            .map_err(|error| Trouble::failed(format!("the token can't be sent: {error}")))?;
        request.headers_mut().insert("Authorization", token);
        let knocking = async {
            loop {
                if let Ok(stream) = UnixStream::connect(place.socket()).await {
                    let bridge = stream.peer_cred()?.pid().and_then(Pid::from_raw);
                    match tokio_tungstenite::client_async(request.clone(), stream).await {
                        Ok((socket, _)) => return Ok((socket, bridge)),
                        // It was about to go.
                        Err(tungstenite::Error::Io(_) | tungstenite::Error::Protocol(_)) => {}
                        Err(error) => return Err(Trouble::from(error)),
                    }
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let (socket, bridge) = match tokio::time::timeout(AWAY, knocking).await {
            Ok(connected) => connected?,
            Err(_) => return Err(Trouble::failed("no bridge listens")),
        };
        let mut client = Client {
            socket,
            bridge,
            session: session.to_owned(),
            hello: Value::Null,
            waiting: VecDeque::new(),
            last: None,
            requests: 0,
        };
        let mut messages = client.until("hello", |message| message["type"] == "hello").await?;
        client.hello = messages.0.pop().unwrap_or_default();
        Ok(client)
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    pub(crate) fn hello(&self) -> &Value {
        &self.hello
    }

    /// The newest number that was received.
    pub(crate) fn last_seq(&self) -> u64 {
        self.last.unwrap_or_default()
    }

    /// Kills the bridge, without a warning.
    pub(crate) fn kill_bridge(self) -> Result<(), Trouble> {
        let Some(bridge) = self.bridge else { return Err(Trouble::failed("the bridge has no process")) };
        kill_process(bridge, Signal::KILL).map_err(|error| Trouble::failed(format!("can't kill it: {error}")))
    }

    /// Starts the session.
    pub(crate) async fn start(&mut self, place: &Place, more: Value) -> Result<Value, Trouble> {
        let mut message = json!({"type": "start", "projectPath": place.project(), "agent": place.agent()});
        for (name, value) in more.as_object().into_iter().flatten() {
            message[name] = value.clone();
        }
        self.ask(message).await
    }

    /// Sends an input to the agent.
    pub(crate) async fn input(&mut self, text: &str) -> Result<Value, Trouble> {
        self.ask(json!({"type": "input", "text": text})).await
    }

    /// Asks for something and returns the reply. An error is the end of the case.
    pub(crate) async fn ask(&mut self, message: Value) -> Result<Value, Trouble> {
        let kind = message["type"].clone();
        let reply = self.reply(message).await?;
        match reply["type"].as_str() {
            Some("error" | "input_rejected") if reply["code"] == "not_supported" => {
                Err(Trouble::can_not(reply["message"].as_str().unwrap_or_default()))
            }
            Some("error" | "input_rejected") => Err(Trouble::failed(format!("{kind} was refused: {reply}"))),
            _ => Ok(reply),
        }
    }

    /// Asks for something that must be refused with a code.
    pub(crate) async fn refused(&mut self, message: Value, code: &str) -> Result<(), Trouble> {
        let kind = message["type"].clone();
        let reply = self.reply(message).await?;
        ensure!(reply["code"] == code, "{kind} was answered with {reply}, not refused as {code}");
        Ok(())
    }

    /// Messages are about this client's session, if they name no other and could be about one.
    async fn reply(&mut self, mut message: Value) -> Result<Value, Trouble> {
        self.requests += 1;
        let id = self.requests.to_string();
        message["requestId"] = json!(id);
        let is_about_all = ABOUT_ALL.iter().any(|kind| message["type"] == *kind);
        if message["sessionId"].is_null() && !is_about_all {
            message["sessionId"] = json!(self.session);
        }
        let what = format!("the reply to {}", message["type"]);
        self.socket.send(Message::text(message.to_string())).await?;
        let mut before = Vec::new();
        let reply = loop {
            let message = self.receive(&what).await?;
            match message["requestId"] == id.as_str() && message["type"] != "history_delta" {
                true => break message,
                false => before.push(message),
            }
        };
        self.waiting.extend(before);
        Ok(reply)
    }

    /// Subscribes to the session from a number on, and returns its current state.
    pub(crate) async fn subscribe(&mut self, since: u64) -> Result<Value, Trouble> {
        self.requests += 1;
        let id = self.requests.to_string();
        let message =
            json!({"type": "subscribe", "sessionId": self.session, "sinceSeq": since, "requestId": id});
        self.socket.send(Message::text(message.to_string())).await?;
        loop {
            let message = self.receive("subscribed").await?;
            if message["requestId"] == id.as_str() {
                ensure!(message["type"] == "subscribed", "subscribe was answered with {message}");
                // Earlier messages belong to the subscription to all sessions.
                self.waiting.clear();
                self.last = Some(since);
                return Ok(message["snapshot"].clone());
            }
        }
    }

    /// The next message of the session, as it comes from the socket. What was missed counts message by message.
    async fn receive(&mut self, what: &str) -> Result<Value, Trouble> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let received = tokio::time::timeout_at(deadline, self.socket.next()).await;
            let text = match received {
                Ok(Some(Ok(Message::Text(text)))) => text,
                Ok(Some(Ok(_))) => continue,
                Ok(Some(Err(error))) => return Err(error.into()),
                Ok(None) => return Err(Trouble::failed(format!("the bridge hung up before {what}"))),
                Err(_) => return Err(Trouble::failed(format!("{what} never came"))),
            };
            let message: Value = serde_json::from_str(&text)
                .map_err(|error| Trouble::failed(format!("no JSON: {error}: {text}")))?;
            let about = message["sessionId"].as_str().unwrap_or(&self.session);
            if about == self.session || !message["requestId"].is_null() {
                return Ok(message);
            }
        }
    }

    /// The next message of the session.
    pub(crate) async fn next(&mut self, what: &str) -> Result<Value, Trouble> {
        loop {
            let message = match self.waiting.pop_front() {
                Some(message) => message,
                None => self.receive(what).await?,
            };
            if message["type"] == "history_delta" {
                for missed in message["messages"].as_array().into_iter().flatten().rev() {
                    self.waiting.push_front(missed.clone());
                }
                continue;
            }
            self.count(&message)?;
            return Ok(message);
        }
    }

    /// Stored messages have a number and a time.
    fn count(&mut self, message: &Value) -> Result<(), Trouble> {
        let (Some(seq), Some(_)) = (message["seq"].as_u64(), message["time"].as_u64()) else { return Ok(()) };
        if let Some(last) = self.last {
            ensure!(seq == last + 1, "after {last} came {seq}: {message}");
        }
        self.last = Some(seq);
        Ok(())
    }

    /// Everything up to the message that is looked for.
    pub(crate) async fn until(
        &mut self,
        what: &str,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<ReceivedMessages, Trouble> {
        let mut messages = ReceivedMessages::default();
        loop {
            let message = match self.next(what).await {
                Ok(message) => message,
                Err(Trouble::Failed(why)) => {
                    return Err(Trouble::failed(format!("{why}; received: {}", messages.kinds())));
                }
                Err(trouble) => return Err(trouble),
            };
            let found = fits(&message);
            messages.0.push(message);
            if found {
                return Ok(messages);
            }
        }
    }

    /// Everything up to a status.
    pub(crate) async fn status(&mut self, status: &str) -> Result<ReceivedMessages, Trouble> {
        self.until(status, |message| message["type"] == "status" && message["status"] == status).await
    }

    /// Everything up to the end of a turn, when the session is idle again.
    pub(crate) async fn turn(&mut self) -> Result<ReceivedMessages, Trouble> {
        let mut messages = self.until("a result", |message| message["type"] == "result").await?;
        messages.0.append(&mut self.status("idle").await?.0);
        Ok(messages)
    }

    /// Sends an input, and returns all messages of its turn.
    pub(crate) async fn talk(&mut self, text: &str) -> Result<ReceivedMessages, Trouble> {
        self.input(text).await?;
        self.turn().await
    }

    /// Waits until a decision is needed, and returns the request.
    pub(crate) async fn asked(&mut self) -> Result<Value, Trouble> {
        let messages = self
            .until("a permission_request", |message| {
                message["type"] == "permission_request" || message["type"] == "result"
            })
            .await?;
        let last = messages.last();
        ensure!(last["type"] == "permission_request", "no user was asked; the turn ended with {last}");
        Ok(last.clone())
    }

    /// Decides.
    pub(crate) async fn decide(&mut self, kind: &str, request: &Value, more: Value) -> Result<(), Trouble> {
        let mut message = json!({"type": kind, "id": request["id"]});
        for (name, value) in more.as_object().into_iter().flatten() {
            message[name] = value.clone();
        }
        self.ask(message).await.map(drop)
    }
}
