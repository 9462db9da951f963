use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_model::sse::SseParser;
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpMessage;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, Url};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::web::{MESSAGE_LIMIT, RemoteServer, is_events, unreachable};
use crate::error::CallError;
use crate::message;
use crate::peer::ServerPeer;

/// The transport of older servers: one event stream for everything that the server sends, which begins with the
/// address for everything that it receives.
#[derive(Debug)]
pub(crate) struct SseLink {
    web: RemoteServer,
    peer: Arc<ServerPeer>,
    endpoint: watch::Receiver<Option<Url>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SseLink {
    /// Opens the stream of the server there.
    pub(crate) fn open(web: RemoteServer, peer: Arc<ServerPeer>) -> Self {
        let (found, endpoint) = watch::channel(None);
        let task = tokio::spawn(receive_events(web.clone(), peer.clone(), found));
        SseLink { web, peer, endpoint, task: Mutex::new(Some(task)) }
    }

    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        let mut endpoint = self.endpoint.clone();
        let url = match endpoint.wait_for(Option::is_some).await {
            Ok(url) => url.clone(),
            Err(_) => None,
        };
        let Some(url) = url else { return Err(CallError::Lost(self.peer.lost().await)) };
        let text = Raw::written(&message).as_str().to_owned();
        let request =
            self.web.request(Method::POST, &url).header(CONTENT_TYPE, "application/json").body(text);
        let response = self.web.send(request).await?;
        if response.status().is_success() { Ok(()) } else { Err(self.web.refusal(response).await) }
    }

    pub(super) fn end(&self) {
        if let Some(task) = self.lock().take() {
            task.abort();
        }
        self.peer.lose("the server was switched off");
    }

    fn lock(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SseLink {
    fn drop(&mut self) {
        if let Some(task) = self.lock().take() {
            task.abort();
        }
    }
}

/// Reads from the server until its stream ends.
async fn receive_events(web: RemoteServer, peer: Arc<ServerPeer>, found: watch::Sender<Option<Url>>) {
    let why = match stream(&web, &peer, &found).await {
        Ok(()) => "Connection closed: the server has ended its stream".to_owned(),
        Err(error) => error.to_string(),
    };
    peer.lose(&why);
}

async fn stream(
    web: &RemoteServer,
    peer: &ServerPeer,
    found: &watch::Sender<Option<Url>>,
) -> Result<(), CallError> {
    let request = web.request(Method::GET, &web.url).header(ACCEPT, "text/event-stream");
    let mut response = web.send(request).await?;
    if !response.status().is_success() {
        return Err(web.refusal(response).await);
    }
    if !is_events(&response) {
        let what = "the server does not answer with events: is its type \"http\"?";
        return Err(CallError::Lost(what.to_owned()));
    }
    let mut parser = SseParser::new(MESSAGE_LIMIT);
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&error))? {
        let mut piece: &[u8] = &chunk;
        loop {
            let event = parser.next(&mut piece).map_err(|error| CallError::Lost(error.to_string()))?;
            let Some(event) = event else { break };
            if event.name == "endpoint" {
                found.send_replace(Some(endpoint(&web.url, &event.data)?));
                continue;
            }
            for incoming in message::read(&event.data).into_iter().flatten() {
                peer.receive(incoming).await;
            }
        }
    }
    Ok(())
}

/// Where messages go. Headers may be keys, so it must be the same server.
fn endpoint(url: &Url, given: &str) -> Result<Url, CallError> {
    let lost = |why: &str| CallError::Lost(format!("the server's endpoint {given:?} {why}"));
    let endpoint = url.join(given.trim()).map_err(|_| lost("is not an address"))?;
    if endpoint.origin() != url.origin() {
        return Err(lost("is another server"));
    }
    Ok(endpoint)
}
