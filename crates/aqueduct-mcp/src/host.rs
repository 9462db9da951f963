//! What servers need of the program that uses them.

use std::fmt;
use std::pin::Pin;

use aqueduct_wire::control::ElicitationRequest;
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpMessage;
use tokio_util::sync::CancellationToken;

/// A future of a [`McpHost`].
pub type HostFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The program that uses servers, and through it the host: some servers live there, and users are asked there.
pub trait McpHost: fmt::Debug + Send + Sync {
    /// Sends a message to a server that lives in the host. Resolves when the message is sent; what it resolves to
    /// resolves to the payload of the host's answer.
    fn send(&self, server: &str, message: McpMessage<'static>) -> HostFuture<'_, SendResult>;

    /// Asks the user in the name of a server, until `cancel` takes the question back.
    fn elicit<'a>(
        &'a self,
        request: ElicitationRequest<'static>,
        cancel: &'a CancellationToken,
    ) -> HostFuture<'a, Elicited>;

    /// Decides about a question before the user is asked.
    fn before_elicitation(&self, question: ElicitationInput<'static>) -> HostFuture<'_, Verdict>;

    /// Decides about an answer before the server receives it.
    fn after_elicitation(&self, answer: ElicitationResultInput<'static>) -> HostFuture<'_, Verdict>;

    /// What a server sent the user to a page for is done.
    fn elicitation_complete(&self, server: String, elicitation_id: String) -> HostFuture<'_, ()>;
}

/// The outcome of [`McpHost::send`]: the answer that is on its way, or why the message could not be sent.
pub type SendResult = Result<HostFuture<'static, Result<Raw<'static>, HostError>>, HostError>;

/// Why the host did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// It answered with an error.
    #[error("{0}")]
    Refused(String),
    /// The request was taken back.
    #[error("the request was taken back")]
    Withdrawn,
    /// It closed the connection.
    #[error("the host is gone, and the server with it")]
    Gone,
    /// It took too long.
    #[error("the host took too long")]
    Late,
}

/// The user's answer to a question of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Elicited {
    /// The payload of the host's answer.
    Answered(Raw<'static>),
    /// The user does not answer.
    Declined,
    /// The question was cancelled, or no user can be asked.
    Cancelled,
}

/// A decision about a question or an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// None: it continues as it would.
    Continue,
    /// The server gets no answer.
    Decline,
    /// The server gets this answer.
    Answer(Raw<'static>),
}
