//! The tools that the model may call.

use super::Session;
use aqueduct_tools::{Need, Offer, TOOLS, ToolContext};

impl Session {
    /// The tools that the model may call: built-in tools, then those of MCP servers.
    pub(crate) fn tools(&self) -> Vec<Offer> {
        self.tools_in(&self.tool_context)
    }

    /// The same for a subagent, which may have MCP servers of its own.
    pub(crate) fn tools_in(&self, tool_context: &ToolContext) -> Vec<Offer> {
        let asks = self.asks_host();
        let denied = self.permissions.denied_tools();
        let has_resources = tool_context.mcp.has_resources();
        let has_skills = !self.command_catalog.for_model().is_empty();
        let looks_up = self.looks_up(tool_context);
        let role = self.role();
        let own = TOOLS.iter().copied().filter(|tool| {
            let is_useful = match tool.facts.needs {
                Need::Nothing => true,
                Need::User => asks,
                Need::Resources => has_resources,
                Need::DeferredTools => looks_up,
                Need::Skills => has_skills,
            };
            is_useful
                && role.as_ref().is_none_or(|role| role.has(tool.name))
                && self.options.tools.as_ref().is_none_or(|named| named.iter().any(|name| name == tool.name))
                && !denied.iter().any(|name| name == tool.name)
        });
        let own = own.map(Offer::Own);
        let is_checked = denied.iter().any(|name| name.starts_with(aqueduct_mcp::PREFIX));
        let served = tool_context.mcp.tools().into_iter();
        let served = served.filter(|tool| !is_checked || !self.permissions.forbids(&tool.name));
        let served = served.filter(|tool| role.as_ref().is_none_or(|role| role.has(&tool.name)));
        let form = self.host_options.form().map(Offer::Form);
        own.chain(form).chain(served.map(Offer::Served)).collect()
    }
}
