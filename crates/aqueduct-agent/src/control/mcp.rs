//! Requests about MCP servers.

use std::time::Duration;

use aqueduct_tools::OfferedTool;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::control::{
    McpAuthenticateReply, McpAuthenticateRequest, McpCallRequest, McpClearAuthRequest, McpMessageRequest,
    McpOauthCallbackUrlRequest, McpReadResourceReply, McpReadResourceRequest, McpReconnectRequest,
    McpResource, McpSetServersReply, McpSetServersRequest, McpStatusReply, McpToggleRequest,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{ControlAnswer, done, reply};
use crate::hook::HookedCall;
use crate::mcp_config::read_one;
use crate::permission::{Gate, Permit};
use crate::session::AgentSession;

/// The states of servers.
pub(super) fn status(session: &AgentSession) -> ControlAnswer {
    let mut answer = McpStatusReply::new();
    answer.mcp_servers = Some(session.tool_context.mcp.status());
    reply(&answer)
}

/// Handles a message of an MCP server in the host.
pub(super) fn message(session: &AgentSession, request: &McpMessageRequest<'_>) -> ControlAnswer {
    let delivered = session.tool_context.mcp.deliver(&request.server_name, &request.message);
    delivered.map_err(|error| ControlError::new(INVALID_REQUEST, error.advised()))?;
    done()
}

/// Puts servers in place of those that the host or the command line named before.
pub(super) async fn set_servers(session: &AgentSession, request: &McpSetServersRequest<'_>) -> ControlAnswer {
    let configs = request.servers.iter().map(|(name, config)| {
        let entry = Raw::written(config).to::<Value>().unwrap_or(Value::Null);
        read_one(&session.environment, name, &entry)
    });
    let change = session.tool_context.mcp.set(configs.collect()).await;
    let names = |names: Vec<String>| names.into_iter().map(Str::from).collect();
    let mut answer = McpSetServersReply::new();
    answer.added = Some(names(change.added));
    answer.removed = Some(names(change.removed));
    answer.errors =
        Some(change.errors.into_iter().map(|(name, error)| (name, Str::from(error))).collect::<Map<'_, _>>());
    reply(&answer)
}

/// Connects again.
pub(super) async fn reconnect(session: &AgentSession, request: &McpReconnectRequest<'_>) -> ControlAnswer {
    session.tool_context.mcp.reconnect(&request.server_name).await.map_err(|error| plain(error.advised()))?;
    done()
}

/// Switches a server on or off.
pub(super) async fn toggle(session: &AgentSession, request: &McpToggleRequest<'_>) -> ControlAnswer {
    session
        .tool_context
        .mcp
        .toggle(&request.server_name, request.enabled)
        .await
        .map_err(|error| plain(error.advised()))?;
    done()
}

/// Begins a sign-in to a server; answers with the link for the user.
pub(super) async fn authenticate(
    session: &AgentSession,
    request: &McpAuthenticateRequest<'_>,
) -> ControlAnswer {
    let mcp = &session.tool_context.mcp;
    let begun = mcp.begin_sign_in(&request.server_name, request.redirect_uri.as_deref()).await;
    let mut answer = McpAuthenticateReply::new();
    answer.auth_url = Some(begun.map_err(|error| plain(error.advised()))?.into());
    answer.requires_user_action = Some(true);
    reply(&answer)
}

/// Takes the address that the user's browser ended on, and connects to the server.
pub(super) async fn finish_sign_in(
    session: &AgentSession,
    request: &McpOauthCallbackUrlRequest<'_>,
) -> ControlAnswer {
    let mcp = &session.tool_context.mcp;
    let finished = mcp.finish_sign_in(&request.server_name, &request.callback_url).await;
    finished.map_err(|error| plain(error.advised()))?;
    done()
}

/// Signs out of a server.
pub(super) async fn sign_out(session: &AgentSession, request: &McpClearAuthRequest<'_>) -> ControlAnswer {
    let out = session.tool_context.mcp.sign_out(&request.server_name).await;
    out.map_err(|error| plain(error.advised()))?;
    done()
}

/// Calls a tool for the host. Permission rules apply only if the request asks for them.
pub(super) async fn call(session: &AgentSession, request: &McpCallRequest<'_>) -> ControlAnswer {
    let mcp = &session.tool_context.mcp;
    let arguments =
        request.arguments.clone().unwrap_or_else(|| Raw::from(&serde_json::json!({}))).into_owned();
    let limit = request.timeout_ms.as_ref().and_then(|time| time.as_u64()).map(Duration::from_millis);
    let cancel = CancellationToken::new();
    mcp.settled(&cancel).await;
    let tool = mcp.find_tool(&request.tool).map_err(plain)?;
    let mut input = arguments.clone();
    if request.check_permissions == Some(true) {
        let id = format!("toolu_mcp_call_{}", uuid::Uuid::new_v4().simple());
        let mut block = ToolUseBlock::new(id, tool.name.clone(), arguments);
        let advice = session.before_tool(HookedCall::of(&block, None), &cancel).await;
        block.input = advice.updated_input.clone().unwrap_or(block.input);
        let gate = Gate { session, by: None, cancel: &cancel, is_settled: None };
        match gate.permit(&OfferedTool::Served(tool.clone()), &block, &advice).await {
            Permit::Allowed { input: allowed, .. } => input = allowed,
            Permit::Denied { message, .. } => return Err(plain(format!("The tool did not run: {message}"))),
            Permit::Withdrawn | Permit::Deferred => {
                return Err(plain("The tool did not run: interrupted"));
            }
        }
    }
    let answer =
        mcp.call_for_host(&tool, &input, limit, &session.tool_context.commands.spool).await.map_err(plain)?;
    reply(&answer)
}

/// Reads a resource for the host.
pub(super) async fn read_resource(
    session: &AgentSession,
    request: &McpReadResourceRequest<'_>,
) -> ControlAnswer {
    let mcp = &session.tool_context.mcp;
    let result = mcp.read_resource(&request.server_name, &request.uri, &CancellationToken::new()).await;
    let contents = result.map_err(plain)?;
    let mut answer = McpReadResourceReply::new();
    let part = |raw: &Raw<'_>| raw.view::<McpResource<'_>>().map(|part| part.into_owned());
    answer.contents = Some(contents.iter().filter_map(part).collect());
    reply(&answer)
}

fn plain(error: impl ToString) -> ControlError {
    ControlError { message: error.to_string(), code: None }
}
