//! A client of a bridge, over a WebSocket.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::scripted_agent::Script;
use super::subject::{Dialect, Subject};

/// How long anything may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// So that a thousand clients are not mostly buffers.
const READ_BUFFER: usize = 8 * 1024;

/// The header of a message of a bridge.
#[derive(Debug, Deserialize)]
pub(super) struct ReceivedMessage {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) text: Option<String>,
    #[serde(rename = "sessionId")]
    pub(super) session: Option<String>,
    #[serde(rename = "requestId")]
    request: Option<String>,
}

pub(super) struct Client {
    socket: WebSocketStream<TcpStream>,
    dialect: Dialect,
    requests: u64,
}

impl Client {
    pub(super) async fn connect(subject: &Subject) -> Result<Self> {
        let stream = TcpStream::connect(&subject.address).await;
        let stream = stream.with_context(|| format!("no bridge answers at {}", subject.address))?;
        stream.set_nodelay(true).context("cannot set up a connection")?;
        let mut request = subject.url().into_client_request().context("the address is none")?;
        if let Some(token) = &subject.token {
            let value = format!("Bearer {token}").parse().context("the token can't be sent in a header")?;
            request.headers_mut().insert("Authorization", value);
        }
        // The bridge sends a frame of the agent whole.
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(None)
            .max_frame_size(None);
        let upgrade = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        let (socket, _) = timeout(PATIENCE, upgrade).await.context("the bridge does not answer")??;
        Ok(Self { socket, dialect: subject.dialect, requests: 0 })
    }

    pub(super) async fn say(&mut self, message: Value) -> Result<()> {
        self.socket.send(Message::text(message.to_string())).await.context("the bridge takes nothing")
    }

    /// The next message as it came.
    pub(super) async fn next_text(&mut self) -> Result<Utf8Bytes> {
        loop {
            let received = timeout(PATIENCE, self.socket.next()).await.context("the bridge is silent")?;
            match received.context("the bridge closed the connection")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(frame) => bail!("the bridge closed the connection: {frame:?}"),
                _ => {}
            }
        }
    }

    pub(super) async fn next(&mut self) -> Result<ReceivedMessage> {
        let text = self.next_text().await?;
        let incoming = serde_json::from_str::<ReceivedMessage>(&text)
            .with_context(|| format!("not understood: {text}"))?;
        ensure!(incoming.kind != "error", "the bridge reports {text}");
        Ok(incoming)
    }

    /// Waits for a message of a kind, of a session if one is named.
    pub(super) async fn wait(&mut self, kind: &str, session: Option<&str>) -> Result<ReceivedMessage> {
        loop {
            let incoming = self.next().await?;
            if incoming.kind == kind && (session.is_none() || incoming.session.as_deref() == session) {
                return Ok(incoming);
            }
        }
    }

    /// Asks for something, and waits for the answer.
    pub(super) async fn ask(&mut self, mut message: Value) -> Result<ReceivedMessage> {
        self.requests += 1;
        let id = self.requests.to_string();
        message["requestId"] = json!(id);
        self.say(message).await?;
        loop {
            let incoming = self.next().await?;
            if incoming.request.as_deref() == Some(&id) {
                return Ok(incoming);
            }
        }
    }

    /// Starts a session: its id.
    pub(super) async fn start(&mut self, subject: &Subject) -> Result<String> {
        let start = json!({ "type": "start", "projectPath": subject.project });
        let incoming = match self.dialect {
            Dialect::Ours => self.ask(start).await?,
            Dialect::Original => {
                self.say(start).await?;
                self.wait("system", None).await?
            }
        };
        incoming.session.context("the bridge names no session")
    }

    pub(super) async fn input(&mut self, session: &str, script: Script) -> Result<()> {
        self.say(json!({ "type": "input", "sessionId": session, "text": script.prompt() })).await
    }

    /// Subscribes to this session. In the original protocol all clients receive everything.
    pub(super) async fn attend(&mut self, session: &str) -> Result<()> {
        match self.dialect {
            Dialect::Ours => self.ask(json!({ "type": "subscribe", "sessionId": session })).await.map(drop),
            Dialect::Original => Ok(()),
        }
    }

    /// Stops a session, and forgets it where that is possible.
    pub(super) async fn remove(&mut self, session: &str) -> Result<()> {
        match self.dialect {
            Dialect::Ours => {
                self.ask(json!({ "type": "delete_session", "sessionId": session })).await.map(drop)
            }
            Dialect::Original => self.say(json!({ "type": "stop_session", "sessionId": session })).await,
        }
    }
}
