use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use aqueduct_model::sse::SseParser;
use aqueduct_os::mutex::lock;
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::{McpId, McpMessage};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinSet};

use super::position::StreamPosition;
use super::web::{MESSAGE_LIMIT, RemoteServer, body, is_events, unreachable};
use crate::error::CallError;
use crate::message;
use crate::peer::ServerPeer;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// What is wrong with an answer that ends too early.
const UNANSWERED: &str = "the server's answer ended without a result";

/// How long a server has to read that the session ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// The way to a server on the network: each message is a POST, and its answer a JSON text or a stream of events. A stream
/// that is cut before the answer, by the network or by a server that has us poll, is resumed after its last event.
#[derive(Debug)]
pub(crate) struct HttpLink {
    shared: Arc<HttpLinkState>,
    /// What is on its way.
    tasks: Mutex<JoinSet<()>>,
    /// Requests that can be given up.
    requests: Mutex<HashMap<u64, AbortHandle>>,
}

#[derive(Debug)]
struct HttpLinkState {
    web: RemoteServer,
    peer: Arc<ServerPeer>,
    session: Mutex<Option<HeaderValue>>,
    /// The version of MCP that was agreed on.
    version: OnceLock<HeaderValue>,
}

impl HttpLink {
    /// The way to the server there.
    pub(crate) fn new(web: RemoteServer, peer: Arc<ServerPeer>) -> Self {
        let shared =
            Arc::new(HttpLinkState { web, peer, session: Mutex::default(), version: OnceLock::new() });
        HttpLink { shared, tasks: Mutex::default(), requests: Mutex::default() }
    }

    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        let id = match (&message.method, &message.id) {
            (Some(_), Some(McpId::Number(id))) => id.as_u64(),
            _ => None,
        };
        let is_introduced = message.method.as_deref() == Some("notifications/initialized");
        let (sent, arrived) = oneshot::channel();
        let shared = self.shared.clone();
        let task = lock(&self.tasks).spawn(async move {
            let outcome = shared.post(Raw::written(&message).as_str().to_owned(), id).await;
            match (outcome, id) {
                (Err(error), Some(id)) => shared.peer.settle(id, Err(error)),
                (outcome, _) => drop(sent.send(outcome)),
            }
        });
        {
            let mut tasks = lock(&self.tasks);
            while tasks.try_join_next().is_some() {}
        }
        if let Some(id) = id {
            let mut requests = lock(&self.requests);
            requests.retain(|_, task| !task.is_finished());
            requests.insert(id, task);
            return Ok(());
        }
        // A notification has arrived before the next message is sent.
        let outcome = arrived.await.unwrap_or(Ok(()));
        if is_introduced && outcome.is_ok() {
            lock(&self.tasks).spawn(self.shared.clone().listen());
        }
        outcome
    }

    /// From now on this version of MCP is used.
    pub(super) fn set_version(&self, version: &str) {
        if let Ok(version) = HeaderValue::from_str(version) {
            // A server introduces itself once.
            let _ = self.shared.version.set(version);
        }
    }

    /// The answer to this request is not awaited.
    pub(super) fn forget(&self, id: u64) {
        if let Some(task) = lock(&self.requests).remove(&id) {
            task.abort();
        }
    }

    pub(super) async fn end(&self) {
        lock(&self.tasks).abort_all();
        self.shared.peer.lose("the server was switched off");
        if lock(&self.shared.session).is_some() {
            let farewell = self.shared.web.send(self.shared.request(Method::DELETE));
            // It ends by itself if it does not receive this.
            let _ = tokio::time::timeout(FAREWELL, farewell).await;
        }
    }
}

impl HttpLinkState {
    fn request(&self, method: Method) -> RequestBuilder {
        let mut headers = HeaderMap::new();
        if let Some(session) = lock(&self.session).clone() {
            headers.insert(SESSION, session);
        }
        if let Some(version) = self.version.get() {
            headers.insert(VERSION, version.clone());
        }
        self.web.request(method, &self.web.url).headers(headers)
    }

    /// Posts a message, and takes in what is answered.
    async fn post(&self, text: String, id: Option<u64>) -> Result<(), CallError> {
        let request = self
            .request(Method::POST)
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(text);
        let response = self.web.send(request).await?;
        let had_session = lock(&self.session).is_some();
        if response.status() == StatusCode::NOT_FOUND && had_session {
            return Err(CallError::Forgotten);
        }
        if !response.status().is_success() {
            return Err(self.web.refusal(response).await);
        }
        if let Some(session) = response.headers().get(SESSION) {
            *lock(&self.session) = Some(session.clone());
        }
        if is_events(&response) {
            let mut position = StreamPosition::default();
            let cut = self.events(response, &mut position).await?;
            return match id {
                Some(id) => self.resume(id, position, cut).await,
                None => Ok(()),
            };
        }
        if let Some(text) = body(response).await? {
            for incoming in message::read(&text).into_iter().flatten() {
                self.peer.receive(incoming).await;
            }
        }
        // An answer has settled it by now.
        match id {
            Some(_) => Err(CallError::Lost(UNANSWERED.to_owned())),
            None => Ok(()),
        }
    }

    /// Opens the stream of a request again until its answer has arrived. The request itself is not repeated: the server may
    /// be at work on it.
    async fn resume(
        &self,
        id: u64,
        mut position: StreamPosition,
        mut cut: Option<CallError>,
    ) -> Result<(), CallError> {
        while self.peer.awaits(id) {
            let Some(last) = position.last().cloned().filter(|_| position.may_retry()) else {
                return Err(cut.unwrap_or_else(|| CallError::Lost(UNANSWERED.to_owned())));
            };
            tokio::time::sleep(position.pause()).await;
            cut = match self.open_stream(Some(last), &mut position).await {
                Opened::Stream(response) => self.events(response, &mut position).await?,
                Opened::Failed(error) => Some(error),
                Opened::Refused(error) => {
                    return Err(CallError::Lost(format!("{UNANSWERED}, and it can't be resumed: {error}")));
                }
            };
        }
        Ok(())
    }

    /// Opens a stream of events, after an event or from now on.
    async fn open_stream(&self, last: Option<HeaderValue>, position: &mut StreamPosition) -> Opened {
        let mut request = self.request(Method::GET).header(ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header(LAST_EVENT, last);
        }
        match self.web.send(request).await {
            Ok(response) if response.status().is_success() && is_events(&response) => {
                position.open();
                Opened::Stream(response)
            }
            Ok(response) if response.status().is_server_error() => {
                position.fail();
                Opened::Failed(self.web.refusal(response).await)
            }
            Ok(response) => Opened::Refused(self.web.refusal(response).await),
            Err(error @ CallError::Unauthorized(_)) => Opened::Refused(error),
            Err(error) => {
                position.fail();
                Opened::Failed(error)
            }
        }
    }

    /// Takes in events until the stream ends; what broke it, if it did not end by itself. An error is a stream that can't be
    /// read.
    async fn events(
        &self,
        mut response: Response,
        position: &mut StreamPosition,
    ) -> Result<Option<CallError>, CallError> {
        let mut parser = SseParser::new(MESSAGE_LIMIT);
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(None),
                Err(error) => return Ok(Some(unreachable(&error))),
            };
            let mut piece: &[u8] = &chunk;
            loop {
                let event = parser.next(&mut piece).map_err(|error| CallError::Lost(error.to_string()))?;
                position.set_retry(parser.retry());
                let Some(event) = event else { break };
                position.pass(event.id.as_deref());
                for incoming in message::read(&event.data).into_iter().flatten() {
                    self.peer.receive(incoming).await;
                }
            }
        }
    }

    /// Reads the server's own messages, if it offers them.
    async fn listen(self: Arc<Self>) {
        let mut position = StreamPosition::default();
        loop {
            let last = position.last().cloned();
            let is_readable = match self.open_stream(last, &mut position).await {
                // A stream that breaks is opened again where it broke.
                Opened::Stream(response) => self.events(response, &mut position).await.is_ok(),
                Opened::Failed(_) => position.may_retry(),
                Opened::Refused(_) => false,
            };
            if !is_readable {
                return;
            }
            tokio::time::sleep(position.pause()).await;
        }
    }
}

/// What became of a request for a stream of events.
enum Opened {
    /// It is open.
    Stream(Response),
    /// The server is out of reach or has a fault: it may work later.
    Failed(CallError),
    /// The server refuses it.
    Refused(CallError),
}
