//! The tools that the model may call.

use super::AgentSession;
use aqueduct_tools::{OfferedTool, TOOLS, ToolContext, ToolNeed};

impl AgentSession {
    /// The tools that the model may call: built-in tools, then those of MCP servers.
    pub(crate) fn tools(&self) -> Vec<OfferedTool> {
        self.tools_in(&self.tool_context)
    }

    /// The same for a subagent, which may have MCP servers of its own.
    pub(crate) fn tools_in(&self, tool_context: &ToolContext) -> Vec<OfferedTool> {
        let asks = self.asks_host();
        let denied = self.permissions.denied_tools();
        let has_resources = tool_context.mcp.has_resources();
        let has_skills = !self.command_catalog.for_model().is_empty();
        let looks_up = self.looks_up(tool_context);
        let role = self.role();
        let own = TOOLS.iter().copied().filter(|tool| {
            let is_useful = match tool.facts.needs {
                ToolNeed::Nothing => true,
                ToolNeed::User => asks,
                ToolNeed::Resources => has_resources,
                ToolNeed::DeferredTools => looks_up,
                ToolNeed::Skills => has_skills,
            };
            is_useful
                && role.as_ref().is_none_or(|role| role.has(tool.name))
                && self.options.tools.as_ref().is_none_or(|named| named.iter().any(|name| name == tool.name))
                && !denied.iter().any(|name| name == tool.name)
        });
        let own = own.map(OfferedTool::Own);
        let is_checked = denied.iter().any(|name| name.starts_with(aqueduct_mcp::PREFIX));
        let served = tool_context.mcp.tools().into_iter();
        let served = served.filter(|tool| !is_checked || !self.permissions.forbids(&tool.name));
        let served = served.filter(|tool| role.as_ref().is_none_or(|role| role.has(&tool.name)));
        let form = self.host_options.form().map(OfferedTool::Form);
        own.chain(form).chain(served.map(OfferedTool::Served)).collect()
    }
}
