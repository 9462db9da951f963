//! Calls of tools by hooks.

use std::time::Duration;

use aqueduct_wire::json::Raw;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::error::CallError;
use crate::object::Object;
use crate::servers::Mcp;

/// A call of a tool by a hook.
pub struct HookToolCall<'c> {
    /// The server.
    pub server: &'c str,
    /// The tool, as the server names it.
    pub tool: &'c str,
    /// Its arguments.
    pub arguments: Value,
    /// How long it may take, with connecting.
    pub limit: Duration,
}

/// Why a result is missing.
#[derive(Debug)]
pub enum HookCallError {
    /// The user interrupted it.
    Interrupted,
    /// It took too long.
    TimedOut,
    /// The call failed, or the tool did.
    Failed {
        /// What the tool returned.
        text: String,
        /// Why.
        why: String,
    },
}

impl Mcp {
    /// Calls a tool, and gives the text of its result.
    pub async fn call_for_hook(
        &self,
        call: HookToolCall<'_>,
        cancel: &CancellationToken,
    ) -> Result<String, HookCallError> {
        let failed = |why: String| HookCallError::Failed { text: String::new(), why };
        if self.find(call.server).is_none() {
            return Err(failed(format!("MCP server '{}' not connected", call.server)));
        }
        let arguments = Raw::from(&call.arguments);
        let asked = self.ask(call.server, call.tool, &arguments, None, Some(call.limit), cancel);
        let result = match tokio::time::timeout(call.limit, asked).await {
            Err(_) | Ok(Err(CallError::TimedOut(_))) => return Err(HookCallError::TimedOut),
            Ok(Err(CallError::Interrupted)) => return Err(HookCallError::Interrupted),
            Ok(Err(CallError::Lost(why))) => {
                return Err(failed(format!("MCP server '{}' not connected: {why}", call.server)));
            }
            Ok(Err(error)) => return Err(failed(error.to_string())),
            Ok(Ok(result)) => result,
        };
        let seen = Object::of(&result);
        let parts: Vec<String> = seen.list("content").iter().map(text).collect();
        let text = parts.join("\n");
        if seen.flag("isError") == Some(true) {
            let why = if text.trim().is_empty() { "the tool failed".to_owned() } else { text.clone() };
            return Err(HookCallError::Failed { text, why });
        }
        Ok(text)
    }
}

/// The text of a part of a result; of another part its kind.
fn text(raw: &Raw<'_>) -> String {
    let part = Object::of(raw);
    let kind = part.text("type").unwrap_or_default();
    if kind == "text" { part.text("text").unwrap_or_default() } else { format!("[{kind}]") }
}
