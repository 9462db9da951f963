//! An MCP tool that answers permission requests in the user's place: `--permission-prompt-tool mcp__SERVER__TOOL`.

use aqueduct_mcp::ToolError;
use aqueduct_tools::Offer;
use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::block::{Content, ToolUseBlock};
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::Gate;
use crate::session::STDIO;

impl Gate<'_> {
    /// Asks the tool that the command line names; `None` where it names none. Its text is an answer as hosts give it.
    pub(super) async fn ask_prompt_tool(
        &self,
        tool: &Offer,
        call: &ToolUseBlock<'static>,
    ) -> Option<Result<Raw<'static>, String>> {
        let named = self.session.options.permission_prompt_tool.as_deref().filter(|name| *name != STDIO)?;
        Some(self.answer_of(named, tool, call).await)
    }

    async fn answer_of(
        &self,
        named: &str,
        tool: &Offer,
        call: &ToolUseBlock<'static>,
    ) -> Result<Raw<'static>, String> {
        let mcp = &self.session.tool_context.mcp;
        mcp.settled(self.cancel).await;
        let served = mcp.find_tool(named).map_err(|error| error.to_string())?;
        let input = json!({
            "tool_name": tool.name(), "input": call.input.to::<Value>().unwrap_or_default(),
            "tool_use_id": call.id.as_str()
        });
        let spool = &self.session.tool_context.commands.spool;
        let output = mcp.call(&served, &call.id, &Raw::from(&input), spool, self.cancel).await;
        let output = output.map_err(|error| match error {
            ToolError::Interrupted => String::new(),
            error => error.to_string(),
        })?;
        let text = match &output.content {
            Content::Text(text) => text.to_string(),
            content => content.text(),
        };
        Raw::parse(&text)
            .map(|raw| raw.into_owned())
            .map_err(|error| format!("{named} gave no answer: {error}"))
    }
}
