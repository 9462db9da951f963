//! JSON-RPC, as far as a server of tools needs it.

use aqueduct_wire::json::{Number, Raw};
use aqueduct_wire::mcp::{McpError, McpId, McpMessage};
use serde_json::Value;

/// The code for a method that there is not.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// The code for parameters that don't fit.
pub(super) const INVALID_PARAMS: i64 = -32602;

/// The code for a request that was taken back.
pub(super) const REQUEST_CANCELLED: i64 = -32800;

/// Why a request failed.
#[derive(Debug)]
pub(super) struct RpcFailure {
    pub(super) code: i64,
    pub(super) message: String,
}

/// The answer to a request.
pub(super) fn answer(id: Option<McpId<'static>>, outcome: Result<Value, RpcFailure>) -> McpMessage<'static> {
    let mut message = McpMessage::new();
    message.jsonrpc = Some("2.0".into());
    message.id = id;
    match outcome {
        Ok(result) => message.result = Raw::from_serialize(&result).ok(),
        Err(failure) => {
            let mut error = McpError::new(Number::from(failure.code));
            error.message = Some(failure.message.into());
            message.error = Some(error);
        }
    }
    message
}
