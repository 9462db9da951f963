//! An MCP tool that answers permission requests in the user's place: `--permission-prompt-tool mcp__SERVER__TOOL`.

use aqueduct_mcp::{LookupError, ToolError};
use aqueduct_tools::OfferedTool;
use aqueduct_wire::ParseError;
use aqueduct_wire::block::{Content, ToolUseBlock};
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::Gate;
use crate::session::STDIO;

/// Why the tool gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum PromptToolError {
    /// No server has the tool.
    #[error(transparent)]
    Unknown(#[from] LookupError),
    /// The user interrupted the turn.
    #[error("")]
    Interrupted,
    /// The call failed.
    #[error(transparent)]
    Call(ToolError),
    /// Its result is no JSON.
    #[error("{tool} gave no answer: {error}")]
    NoAnswer {
        /// The tool.
        tool: String,
        /// Why.
        error: ParseError,
    },
}

impl Gate<'_> {
    /// Asks the tool that the command line names; `None` where it names none. Its text is an answer as hosts give it.
    pub(super) async fn ask_prompt_tool(
        &self,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
    ) -> Option<Result<Raw<'static>, PromptToolError>> {
        let named = self.session.options.permission_prompt_tool.as_deref().filter(|name| *name != STDIO)?;
        Some(self.answer_of(named, tool, call).await)
    }

    async fn answer_of(
        &self,
        named: &str,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
    ) -> Result<Raw<'static>, PromptToolError> {
        let mcp = &self.session.tool_context.mcp;
        mcp.settled(self.cancel).await;
        let served = mcp.find_tool(named)?;
        let input = json!({
            "tool_name": tool.name(), "input": call.input.to::<Value>().unwrap_or_default(),
            "tool_use_id": call.id.as_str()
        });
        let spool = &self.session.tool_context.commands.spool;
        let output = mcp.call(&served, &call.id, &Raw::from(&input), spool, self.cancel).await;
        let output = output.map_err(|error| match error {
            ToolError::Interrupted => PromptToolError::Interrupted,
            error => PromptToolError::Call(error),
        })?;
        let text = match &output.content {
            Content::Text(text) => text.to_string(),
            content => content.text(),
        };
        Raw::parse(&text)
            .map(|raw| raw.into_owned())
            .map_err(|error| PromptToolError::NoAnswer { tool: named.to_owned(), error })
    }
}
