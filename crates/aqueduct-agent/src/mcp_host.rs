//! What MCP servers need of the session: the host's requests, and hooks.

use std::sync::Arc;

use aqueduct_mcp::{Elicited, Host as McpHost, HostError, HostFuture, Sent, Verdict};
use aqueduct_tools::{Consultation, Consulted, Notice};
use aqueduct_wire::control::{AgentRequest, ElicitationRequest, McpMessageRequest};
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use aqueduct_wire::mcp::McpMessage;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::host::{Host, Unanswered};

/// The session, as MCP servers see it.
#[derive(Debug)]
pub(crate) struct SessionHost {
    host: Arc<Host>,
    notices: mpsc::Sender<Notice>,
}

impl SessionHost {
    /// Servers in this host, and hooks of the session that hears these notices.
    pub(crate) fn new(host: Arc<Host>, notices: mpsc::Sender<Notice>) -> Self {
        SessionHost { host, notices }
    }
}

impl McpHost for SessionHost {
    fn send(&self, server: &str, message: McpMessage<'static>) -> HostFuture<'_, Sent> {
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
                Some(Err(Unanswered::Refused(_))) => Elicited::Declined,
                Some(Err(Unanswered::Withdrawn | Unanswered::Gone | Unanswered::Late)) => Elicited::Cancelled,
            }
        })
    }

    fn before_elicitation(&self, question: ElicitationInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(Consultation::hold(&self.notices, Consulted::Question(Box::new(question))))
    }

    fn after_elicitation(&self, answer: ElicitationResultInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(Consultation::hold(&self.notices, Consulted::Answer(Box::new(answer))))
    }

    fn elicitation_complete(&self, server: String, elicitation_id: String) -> HostFuture<'_, ()> {
        Box::pin(async move {
            // Only a session that ends does not listen.
            let _ = self.notices.send(Notice::ElicitationComplete { server, elicitation_id }).await;
        })
    }
}

impl From<Unanswered> for HostError {
    fn from(why: Unanswered) -> Self {
        match why {
            Unanswered::Refused(error) => HostError::Refused(error),
            Unanswered::Withdrawn => HostError::Withdrawn,
            Unanswered::Gone => HostError::Gone,
            Unanswered::Late => HostError::Late,
        }
    }
}
