use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_wire::control::{AgentRequest, McpMessageRequest, McpReply};
use aqueduct_wire::mcp::{McpId, McpMessage};
use tokio::task::JoinSet;

use super::super::error::CallError;
use super::super::message::{INTERNAL_ERROR, outcome};
use super::super::peer::Peer;
use crate::host::{Host, Unanswered};

/// The way to a server that lives in the host: each message is a control request, and the answer to a request
/// comes in the host's answer.
#[derive(Debug)]
pub(in crate::mcp) struct HostLink {
    host: Arc<Host>,
    server: String,
    peer: Arc<Peer>,
    /// Who waits for the host's answers.
    waits: Mutex<JoinSet<()>>,
}

impl HostLink {
    /// The way to the server of this name.
    pub(in crate::mcp) fn new(host: Arc<Host>, server: String, peer: Arc<Peer>) -> Self {
        HostLink { host, server, peer, waits: Mutex::default() }
    }

    /// What came from the server by itself goes here.
    pub(in crate::mcp) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        let id = match (&message.method, &message.id) {
            (Some(_), Some(McpId::Number(id))) => id.as_u64(),
            _ => None,
        };
        let request = McpMessageRequest::new(self.server.clone(), message);
        let posted = self.host.post(AgentRequest::McpMessage(Box::new(request))).await;
        let mut posted = posted.map_err(|why| CallError::Lost(said(&why)))?;
        let peer = self.peer.clone();
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        while waits.try_join_next().is_some() {}
        waits.spawn(async move {
            let answer = posted.answer().await;
            let Some(id) = id else { return };
            match answer {
                Ok(payload) => match payload.view::<McpReply<'_>>().and_then(|reply| reply.mcp_response) {
                    Some(message) => peer.settle(id, outcome(message).map_err(CallError::Refused)),
                    None => {
                        let what = "the host's answer has no mcp_response".to_owned();
                        peer.refuse(id, INTERNAL_ERROR, what);
                    }
                },
                Err(Unanswered::Refused(error)) => peer.refuse(id, INTERNAL_ERROR, error),
                Err(why) => peer.settle(id, Err(CallError::Lost(said(&why)))),
            }
        });
        Ok(())
    }

    pub(super) fn end(&self) {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        self.peer.lose("the server was switched off");
    }
}

fn said(why: &Unanswered) -> String {
    match why {
        Unanswered::Refused(error) => error.clone(),
        Unanswered::Withdrawn => "the request was taken back".to_owned(),
        Unanswered::Gone => "the host is gone, and the server with it".to_owned(),
        Unanswered::Late => "the host took too long".to_owned(),
    }
}
