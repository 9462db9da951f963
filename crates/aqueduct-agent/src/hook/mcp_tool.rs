//! Hooks that call a tool of an MCP server: the text of its result is the answer.

use aqueduct_mcp::{HookCallError, HookToolCall};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::frames::HookEnding;
use super::reply::{self, HookReply, NO_VERDICT};
use super::run::HookRun;
use super::substitute;
use crate::hook_config::ConfiguredHook;
use crate::hook_config::McpToolAction;

/// Events that come before servers are connected.
const BEFORE_SERVERS: &[&str] = &["SessionStart", "Setup"];

impl HookRun {
    /// Calls the tool, and reads its result.
    pub(super) async fn call_tool(
        &self,
        hook: &ConfiguredHook,
        action: &McpToolAction,
        input: &str,
        cancel: &CancellationToken,
    ) -> HookReply {
        self.send_started().await;
        let failed = |why: &str| HookReply::Failed {
            why: format!("[{}]: {why}", hook.action.content()),
            blocks: false,
            tag: Some(NO_VERDICT),
        };
        if BEFORE_SERVERS.contains(&hook.event.name) {
            let why = format!(
                "mcp_tool hooks are not available for {}: no server is connected yet",
                hook.event.name
            );
            self.send_failed(&why, Some(1)).await;
            return failed(&why);
        }
        let input = serde_json::from_str(input).unwrap_or(Value::Null);
        let call = HookToolCall {
            server: &action.server,
            tool: &action.tool,
            arguments: substitute::members(&action.input, &input),
            limit: self.patience(hook),
        };
        let text = match self.hook_context.mcp.call_for_hook(call, cancel).await {
            Ok(text) => text,
            Err(HookCallError::Interrupted) => {
                self.send_cancelled().await;
                return HookReply::Nothing;
            }
            Err(HookCallError::TimedOut) => return self.timed_out(hook).await,
            Err(HookCallError::Failed { text, why }) => {
                match text.is_empty() {
                    true => self.send_failed(&why, Some(1)).await,
                    false => self.send_ended(HookEnding::unusable(&text, &why, 1)).await,
                }
                return failed(&why);
            }
        };
        match reply::read(hook.event, &text) {
            HookReply::Failed { why, blocks, .. } => {
                self.send_ended(HookEnding::unusable(&text, &why, 1)).await;
                let why = format!("[{}]: {why}", hook.action.content());
                HookReply::Failed { why, blocks, tag: Some(NO_VERDICT) }
            }
            reply => {
                self.send_ended(HookEnding::answered(&text, 0)).await;
                // Plain text of a server is not context for the model; only structured output can add context.
                if matches!(reply, HookReply::Printed(_)) { HookReply::Nothing } else { reply }
            }
        }
    }
}
