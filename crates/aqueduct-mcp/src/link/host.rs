use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_wire::control::McpReply;
use aqueduct_wire::mcp::{McpId, McpMessage};
use tokio::task::JoinSet;

use crate::error::CallError;
use crate::host::{HostError, McpHost};
use crate::message::{INTERNAL_ERROR, outcome};
use crate::peer::ServerPeer;

/// The way to a server that lives in the host: each message is a control request, and the answer to a request
/// is in the host's answer.
#[derive(Debug)]
pub(crate) struct HostLink {
    host: Arc<dyn McpHost>,
    server: String,
    peer: Arc<ServerPeer>,
    /// Who waits for the host's answers.
    waits: Mutex<JoinSet<()>>,
}

impl HostLink {
    /// The way to the server of this name.
    pub(crate) fn new(host: Arc<dyn McpHost>, server: String, peer: Arc<ServerPeer>) -> Self {
        HostLink { host, server, peer, waits: Mutex::default() }
    }

    /// What came from the server by itself goes here.
    pub(crate) fn peer(&self) -> &Arc<ServerPeer> {
        &self.peer
    }

    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        let id = match (&message.method, &message.id) {
            (Some(_), Some(McpId::Number(id))) => id.as_u64(),
            _ => None,
        };
        let sent = self.host.send(&self.server, message).await;
        let answer = sent.map_err(|error| CallError::Lost(error.to_string()))?;
        let peer = self.peer.clone();
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        while waits.try_join_next().is_some() {}
        waits.spawn(async move {
            let answer = answer.await;
            let Some(id) = id else { return };
            match answer {
                Ok(payload) => match payload.view::<McpReply<'_>>().and_then(|reply| reply.mcp_response) {
                    Some(message) => peer.settle(id, outcome(message).map_err(CallError::Refused)),
                    None => {
                        let what = "the host's answer has no mcp_response".to_owned();
                        peer.refuse(id, INTERNAL_ERROR, what);
                    }
                },
                Err(HostError::Refused(error)) => peer.refuse(id, INTERNAL_ERROR, error),
                Err(error) => peer.settle(id, Err(CallError::Lost(error.to_string()))),
            }
        });
        Ok(())
    }

    pub(super) fn end(&self) {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        self.peer.lose("the server was switched off");
    }
}
