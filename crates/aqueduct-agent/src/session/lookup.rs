//! The tools that the model looks up before it calls them, where its window is too small for all of them.

use std::collections::HashSet;

use aqueduct_model::price::{self, ModelCard};
use aqueduct_tools::{OfferedTool, TOOLS, ToolContext};

use super::AgentSession;
use crate::subagent::RunningSubagent;

/// The variable that sets the window of the model, in tokens. No table knows the windows of local models.
const WINDOW: &str = "CLAUDE_CODE_MAX_CONTEXT_TOKENS";

impl AgentSession {
    /// The window of a model, in tokens.
    pub(crate) fn window_of(&self, model: &str) -> u64 {
        let set = self.environment.variable(WINDOW).and_then(|tokens| tokens.parse().ok());
        let known = || u64::from(price::card(model).unwrap_or(ModelCard::UNKNOWN).context_window);
        set.filter(|tokens| *tokens > 0).unwrap_or_else(known)
    }

    /// The tools whose full definitions the model receives, the agent's or a subagent's. Of the others it knows the
    /// names.
    pub(crate) fn listed_tools(&self, by: Option<&RunningSubagent>) -> Vec<OfferedTool> {
        let hidden = self.hidden_tools(self.tool_context_of(by));
        self.tools_of(by).into_iter().filter(|tool| !hidden.contains(tool.name())).collect()
    }

    /// The names of the tools that the model has to look up before it knows what they do.
    pub(crate) fn deferred_tool_names(&self, by: Option<&RunningSubagent>) -> Vec<String> {
        let tool_context = self.tool_context_of(by);
        let hidden = self.hidden_tools(tool_context);
        let tools: Vec<OfferedTool> =
            self.tools_of(by).into_iter().filter(|tool| hidden.contains(tool.name())).collect();
        let own = tools.iter().filter_map(|tool| match tool {
            OfferedTool::Own(tool) => Some(tool.deferred()),
            OfferedTool::Served(_) | OfferedTool::Form(_) => None,
        });
        tool_context.deferred.set(own.collect());
        tools.iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// Whether there are tools to look up.
    pub(super) fn looks_up(&self, tool_context: &ToolContext) -> bool {
        tool_context.mcp.looks_up(self.window_of(&self.model())) || self.looks_up_own(tool_context)
    }

    /// Whether the built-in tools take too much of the model's window. If the command line names the tools, all of them
    /// are listed.
    fn looks_up_own(&self, tool_context: &ToolContext) -> bool {
        let size = TOOLS.iter().map(|tool| tool.size()).sum();
        self.options.tools.is_none() && tool_context.mcp.looks_up_own(self.window_of(&self.model()), size)
    }

    fn hidden_tools(&self, tool_context: &ToolContext) -> HashSet<String> {
        let mut hidden = match tool_context.mcp.looks_up(self.window_of(&self.model())) {
            true => tool_context.mcp.hidden(),
            false => HashSet::new(),
        };
        if self.looks_up_own(tool_context) {
            let rare =
                TOOLS.iter().filter(|tool| tool.facts.is_rare && !tool_context.mcp.is_loaded(tool.name));
            hidden.extend(rare.map(|tool| tool.name.to_owned()));
        }
        hidden
    }
}
