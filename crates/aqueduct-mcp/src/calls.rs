//! Calls of tools.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::control::McpCallReply;
use aqueduct_wire::json::{Raw, Str};
use tokio_util::sync::CancellationToken;

use crate::answer::{McpToolResult, SpoolTarget, ToolAnswer};
use crate::connection::ServerConnection;
use crate::error::{CallError, LookupError, ToolError};
use crate::name::PREFIX;
use crate::served_tool::ServedTool;
use crate::server::ConfiguredServer;
use crate::servers::Mcp;
use crate::state::ServerStatus;

impl Mcp {
    /// The tool of a name.
    pub fn find_tool(&self, name: &str) -> Result<Arc<ServedTool>, LookupError> {
        if !name.starts_with(PREFIX) {
            return Err(LookupError::NotQualified(name.to_owned()));
        }
        let found = self.tools().into_iter().find(|tool| tool.name == name);
        found.ok_or_else(|| LookupError::Unknown(name.to_owned()))
    }

    /// Calls a tool for the model. `id` is that of the model's `tool_use` block; what does not go to the model is saved
    /// in `spool`.
    pub async fn call(
        &self,
        tool: &ServedTool,
        id: &str,
        input: &Raw<'_>,
        spool: &Path,
        cancel: &CancellationToken,
    ) -> Result<McpToolResult, ToolError> {
        let asked = self.ask(&tool.server, &tool.own_name, input, Some(id), None, cancel).await;
        let result = asked.map_err(|error| failure(tool, error))?;
        Ok(self.read(tool, result, spool).await?.into_result(&tool.name))
    }

    /// Calls a tool for the host.
    pub async fn call_for_host(
        &self,
        tool: &ServedTool,
        input: &Raw<'_>,
        limit: Option<Duration>,
        spool: &Path,
    ) -> Result<McpCallReply<'static>, ToolError> {
        let cancel = CancellationToken::new();
        let asked = self.ask(&tool.server, &tool.own_name, input, None, limit, &cancel).await;
        let result = asked.map_err(|error| failure(tool, error))?;
        Ok(self.read(tool, result, spool).await?.reply())
    }

    /// Reads a result. Images are looked at and files written, so it is done elsewhere.
    async fn read(
        &self,
        tool: &ServedTool,
        result: Raw<'static>,
        spool: &Path,
    ) -> Result<ToolAnswer, ToolError> {
        let (server, spool, limit) = (tool.server.clone(), spool.to_owned(), self.shared.limits.output);
        let read = tokio::task::spawn_blocking(move || {
            SpoolTarget { server: &server, spool: &spool, limit }.answer(&result)
        });
        read.await.unwrap_or_else(|error| Err(ToolError::Unread(error.to_string())))
    }

    /// Calls a tool of a server, once more where the server had forgotten us.
    pub(crate) async fn ask(
        &self,
        server: &str,
        tool: &str,
        arguments: &Raw<'_>,
        call_id: Option<&str>,
        limit: Option<Duration>,
        cancel: &CancellationToken,
    ) -> Result<Raw<'static>, CallError> {
        let gone = || CallError::Lost(format!("MCP server {server} is not connected any more"));
        let server = self.find(server).ok_or_else(gone)?;
        let limit = limit.or(server.config().timeout).unwrap_or(self.shared.limits.call);
        let mut tries = 0;
        loop {
            let connection = self.connection(&server, cancel).await?;
            let calling = connection.calling();
            let params = |id| Some(call_params(tool, arguments, call_id, id));
            let outcome = connection.client.request_until("tools/call", params, limit, cancel).await;
            drop(calling);
            tries += 1;
            match outcome {
                Err(CallError::Forgotten) if tries == 1 => revive(&server, &connection, cancel).await?,
                Err(CallError::Unauthorized(why)) => {
                    server.lock_out(&connection, &why).await;
                    return Err(CallError::Unauthorized(why));
                }
                outcome => return outcome,
            }
        }
    }

    /// The connection to a server. One that was lost is made again.
    pub(crate) async fn connection(
        &self,
        server: &Arc<ConfiguredServer>,
        cancel: &CancellationToken,
    ) -> Result<Arc<ServerConnection>, CallError> {
        if let ServerStatus::Lost(connection, _) = server.state() {
            revive(server, &connection, cancel).await?;
        }
        let state = tokio::select! {
            state = server.settled(self.shared.limits.connect) => state,
            () = cancel.cancelled() => return Err(CallError::Interrupted),
        };
        match state {
            ServerStatus::Connected(connection) => Ok(connection),
            ServerStatus::Pending => Err(CallError::TimedOut(self.shared.limits.connect)),
            state => Err(CallError::Lost(state.error().unwrap_or("the server is switched off").to_owned())),
        }
    }
}

/// Makes another connection in place of one that is unusable. It is completed, also if no caller
/// waits for it after an interrupt.
async fn revive(
    server: &Arc<ConfiguredServer>,
    useless: &Arc<ServerConnection>,
    cancel: &CancellationToken,
) -> Result<(), CallError> {
    let (server, useless) = (server.clone(), useless.clone());
    let revived = tokio::spawn(async move { server.revive_from(&useless).await });
    tokio::select! {
        _ = revived => Ok(()),
        () = cancel.cancelled() => Err(CallError::Interrupted),
    }
}

fn failure(tool: &ServedTool, error: CallError) -> ToolError {
    match error {
        CallError::Interrupted => ToolError::Interrupted,
        CallError::TimedOut(limit) => {
            ToolError::TimedOut { tool: tool.own_name.clone(), server: tool.server.clone(), limit }
        }
        error => ToolError::Call(error),
    }
}

fn call_params(tool: &str, arguments: &Raw<'_>, call_id: Option<&str>, id: u64) -> Raw<'static> {
    let quoted = |text: &str| Raw::written(&Str::from(text.to_owned()));
    let meta = call_id.map(|call| format!("\"claudecode/toolUseId\":{},", quoted(call)));
    let text = format!(
        "{{\"name\":{},\"arguments\":{arguments},\"_meta\":{{{}\"progressToken\":{id}}}}}",
        quoted(tool),
        meta.unwrap_or_default()
    );
    Raw::parse(&text).map_or(Raw::NULL, aqueduct_wire::IntoOwned::into_owned)
}
