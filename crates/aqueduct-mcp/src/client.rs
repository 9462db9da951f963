use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::error::CallError;
use crate::link::ServerLink;
use crate::message::{self, JsonRpcError};
use crate::peer::{PendingReply, ServerPeer};

/// Our side of a connection to a server.
#[derive(Debug)]
pub(crate) struct McpClient {
    /// What waits for answers.
    pub(crate) peer: Arc<ServerPeer>,
    /// What carries the messages.
    pub(crate) link: ServerLink,
}

impl McpClient {
    /// Sends a request; returns when it is on its way.
    pub(crate) async fn begin(
        &self,
        method: &str,
        params: Option<Raw<'static>>,
    ) -> Result<PendingReply, CallError> {
        let reply = self.peer.expect()?;
        self.link.send(message::request(reply.id, method, params)).await?;
        Ok(reply)
    }

    /// Sends a request and waits for its answer, so long and no longer.
    pub(crate) async fn request(
        &self,
        method: &str,
        params: Option<Raw<'static>>,
        limit: Duration,
    ) -> Result<Raw<'static>, CallError> {
        self.request_until(method, |_| params, limit, &CancellationToken::new()).await
    }

    /// The same for a request that can be interrupted. What it is sent with may contain its number.
    pub(crate) async fn request_until(
        &self,
        method: &str,
        params: impl FnOnce(u64) -> Option<Raw<'static>>,
        limit: Duration,
        cancel: &CancellationToken,
    ) -> Result<Raw<'static>, CallError> {
        let mut reply = self.peer.expect()?;
        let id = reply.id;
        let message = message::request(id, method, params(id));
        let answered = async {
            self.link.send(message).await?;
            reply.wait().await
        };
        let outcome = tokio::select! {
            outcome = answered => return outcome,
            () = cancel.cancelled() => CallError::Interrupted,
            () = tokio::time::sleep(limit) => CallError::TimedOut(limit),
        };
        self.take_back(id, &outcome).await;
        self.link.forget(id);
        Err(outcome)
    }

    /// Notifies the server that the request is cancelled.
    async fn take_back(&self, id: u64, why: &CallError) {
        let params = json!({ "requestId": id, "reason": why.to_string() });
        let reported = self.notify("notifications/cancelled", Some(Raw::from(&params)));
        // A server that does not even read must not hold up the one who gave up on it.
        let _ = tokio::time::timeout(Duration::from_millis(100), reported).await;
    }

    /// Sends the server a notification.
    pub(crate) async fn notify(&self, method: &str, params: Option<Raw<'static>>) -> Result<(), CallError> {
        self.link.send(message::notification(method, params)).await
    }

    /// Answers a request of the server.
    pub(crate) async fn answer(
        &self,
        id: McpId<'static>,
        outcome: Result<Raw<'static>, JsonRpcError>,
    ) -> Result<(), CallError> {
        self.link.send(message::answer(id, outcome)).await
    }
}
