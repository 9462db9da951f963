//! What MCP servers need of the session: the host's requests, and hooks.

use std::sync::Arc;

use aqueduct_mcp::{Elicited, HostError, HostFuture, McpHost, SendResult, Verdict};
use aqueduct_tools::{Consultation, ConsultationSubject, Notice};
use aqueduct_wire::control::{AgentRequest, ElicitationRequest, McpMessageRequest};
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use aqueduct_wire::mcp::McpMessage;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::host::{HostChannel, HostRequestError};

/// The session, as MCP servers see it.
#[derive(Debug)]
pub(crate) struct McpSessionHost {
    host: Arc<HostChannel>,
    notices: mpsc::Sender<Notice>,
}

impl McpSessionHost {
    /// Servers in this host, and hooks of the session that receives these notices.
    pub(crate) fn new(host: Arc<HostChannel>, notices: mpsc::Sender<Notice>) -> Self {
        McpSessionHost { host, notices }
    }
}

impl McpHost for McpSessionHost {
    fn send(&self, server: &str, message: McpMessage<'static>) -> HostFuture<'_, SendResult> {
        let request = McpMessageRequest::new(server.to_owned(), message);
        Box::pin(async move {
            let mut posted = self.host.post(AgentRequest::McpMessage(Box::new(request))).await?;
            let answer: HostFuture<'static, _> =
                Box::pin(async move { posted.answer().await.map_err(HostError::from) });
            Ok(answer)
        })
    }

    fn elicit<'a>(
        &'a self,
        request: ElicitationRequest<'static>,
        cancel: &'a CancellationToken,
    ) -> HostFuture<'a, Elicited> {
        Box::pin(async move {
            let Ok(mut posted) = self.host.post(AgentRequest::Elicitation(Box::new(request))).await else {
                return Elicited::Cancelled;
            };
            let answer = tokio::select! {
                answer = posted.answer() => Some(answer),
                () = cancel.cancelled() => None,
            };
            match answer {
                None => {
                    self.host.take_back(posted).await;
                    Elicited::Cancelled
                }
                Some(Ok(payload)) => Elicited::Answered(payload),
                Some(Err(HostRequestError::Refused(_))) => Elicited::Declined,
                Some(Err(HostRequestError::Withdrawn | HostRequestError::Gone | HostRequestError::Late)) => {
                    Elicited::Cancelled
                }
            }
        })
    }

    fn before_elicitation(&self, question: ElicitationInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(Consultation::hold(&self.notices, ConsultationSubject::Question(Box::new(question))))
    }

    fn after_elicitation(&self, answer: ElicitationResultInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(Consultation::hold(&self.notices, ConsultationSubject::Answer(Box::new(answer))))
    }

    fn elicitation_complete(&self, server: String, elicitation_id: String) -> HostFuture<'_, ()> {
        Box::pin(async move {
            // Only a session that ends does not listen.
            let _ = self.notices.send(Notice::ElicitationComplete { server, elicitation_id }).await;
        })
    }
}

impl From<HostRequestError> for HostError {
    fn from(why: HostRequestError) -> Self {
        match why {
            HostRequestError::Refused(error) => HostError::Refused(error),
            HostRequestError::Withdrawn => HostError::Withdrawn,
            HostRequestError::Gone => HostError::Gone,
            HostRequestError::Late => HostError::Late,
        }
    }
}
