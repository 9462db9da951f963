//! For tests: a session without a host, whose MCP servers can't reach one.

use aqueduct_mcp::{Elicited, HostError, HostFuture, McpHost, SendResult, Verdict};
use aqueduct_wire::control::ElicitationRequest;
use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput};
use aqueduct_wire::mcp::McpMessage;
use tokio_util::sync::CancellationToken;

/// A host that is disconnected.
#[derive(Debug)]
pub(crate) struct NoHost;

impl McpHost for NoHost {
    fn send(&self, _: &str, _: McpMessage<'static>) -> HostFuture<'_, SendResult> {
        Box::pin(async { Err(HostError::Gone) })
    }

    fn elicit<'a>(
        &'a self,
        _: ElicitationRequest<'static>,
        _: &'a CancellationToken,
    ) -> HostFuture<'a, Elicited> {
        Box::pin(async { Elicited::Cancelled })
    }

    fn before_elicitation(&self, _: ElicitationInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(async { Verdict::Continue })
    }

    fn after_elicitation(&self, _: ElicitationResultInput<'static>) -> HostFuture<'_, Verdict> {
        Box::pin(async { Verdict::Continue })
    }

    fn elicitation_complete(&self, _: String, _: String) -> HostFuture<'_, ()> {
        Box::pin(async {})
    }
}
