use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_wire::control::McpReply;
use aqueduct_wire::json::Json;
use aqueduct_wire::mcp::{McpId, McpMessage};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::rpc::{self, REQUEST_CANCELLED, RpcFailure};
use crate::callback::Answering;

/// A server and the requests of one agent that it is answering.
#[derive(Debug)]
pub(crate) struct ConnectedServer {
    server: Arc<McpServer>,
    running: Arc<RunningRequests>,
}

/// A clone serves another agent: the server is the same, the requests are not.
impl Clone for ConnectedServer {
    fn clone(&self) -> Self {
        ConnectedServer { server: self.server.clone(), running: Arc::default() }
    }
}

/// What is being answered, by the request's id as it is written.
#[derive(Debug, Default)]
struct RunningRequests {
    requests: Mutex<HashMap<String, CancellationToken>>,
}

impl RunningRequests {
    fn requests(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being answered until this is dropped.
struct RunningRequest {
    key: String,
    cancelled: CancellationToken,
    running: Arc<RunningRequests>,
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        let mut requests = self.running.requests();
        // Cancelled means that the entry is gone, and the key may be another request's by now.
        if !self.cancelled.is_cancelled() {
            requests.remove(&self.key);
        }
    }
}

impl ConnectedServer {
    pub(crate) fn new(server: McpServer) -> Self {
        ConnectedServer { server: Arc::new(server), running: Arc::default() }
    }

    /// Answers one message. A notification gets an empty result, because the wire wants an answer to everything.
    ///
    /// What a message does to other messages it does now, not with the future: messages have an order, and
    /// futures have none.
    pub(crate) fn serve(&self, message: McpMessage<'static>) -> Answering<McpReply<'static>> {
        let params = message.params.as_ref().and_then(|params| params.to().ok()).unwrap_or(Value::Null);
        match (message.method, message.id) {
            (Some(method), Some(id)) => {
                let entry = self.enter(key(&id));
                let server = self.server.clone();
                Box::pin(async move {
                    let outcome = tokio::select! {
                        biased;
                        () = entry.cancelled.cancelled() => {
                            let message = "The request was taken back".to_owned();
                            Err(RpcFailure { code: REQUEST_CANCELLED, message })
                        }
                        outcome = server.request(method.as_str(), params) => outcome,
                    };
                    reply(Some(id), outcome)
                })
            }
            (method, id) => {
                if method.as_deref() == Some("notifications/cancelled") {
                    self.cancel(&params["requestId"]);
                }
                Box::pin(std::future::ready(reply(id, Ok(json!({})))))
            }
        }
    }

    fn enter(&self, key: String) -> RunningRequest {
        let cancelled = CancellationToken::new();
        let mut requests = self.running.requests();
        // A second request with the same id takes the place of the first, which can't be addressed any more.
        if let Some(before) = requests.insert(key.clone(), cancelled.clone()) {
            before.cancel();
        }
        drop(requests);
        RunningRequest { key, cancelled, running: self.running.clone() }
    }

    fn cancel(&self, id: &Value) {
        let mut requests = self.running.requests();
        if let Some(cancelled) = requests.remove(&id.to_string()) {
            cancelled.cancel();
        }
    }
}

/// An id as JSON, in the one form that both a request and its cancellation come to.
fn key(id: &McpId<'_>) -> String {
    let mut text = String::new();
    id.write(&mut text);
    serde_json::from_str::<Value>(&text).map_or(text, |id| id.to_string())
}

fn reply(id: Option<McpId<'static>>, outcome: Result<Value, RpcFailure>) -> McpReply<'static> {
    let mut reply = McpReply::new();
    reply.mcp_response = Some(rpc::answer(id, outcome));
    reply
}
