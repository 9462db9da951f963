//! What a hook of a settings file does.

use serde_json::{Map, Value};

/// What a hook of a settings file does.
#[derive(Debug, Clone)]
pub(crate) enum HookAction {
    /// Runs a shell command.
    Command(CommandAction),
    /// Posts the input of the event to an address.
    Http(HttpAction),
    /// Asks a model for a verdict.
    Prompt(PromptAction),
    /// Lets a model with tools find a verdict.
    Agent(AgentAction),
    /// Calls a tool of an MCP server.
    McpTool(McpToolAction),
}

/// A shell command.
#[derive(Debug, Clone)]
pub(crate) struct CommandAction {
    /// The command.
    pub(crate) command: String,
    /// The event does not wait for it.
    pub(crate) is_async: bool,
}

/// A request to an HTTP server.
#[derive(Debug, Clone)]
pub(crate) struct HttpAction {
    /// The address as it was written.
    pub(crate) url: String,
    /// Further headers, with references to variables.
    pub(crate) headers: Vec<(String, String)>,
    /// The variables that headers may refer to.
    pub(crate) variables: Vec<String>,
    /// A request that fails counts as a refusal.
    pub(crate) blocks_on_failure: bool,
}

/// A question to a model.
#[derive(Debug, Clone)]
pub(crate) struct PromptAction {
    /// What to judge. `$ARGUMENTS` is replaced by the input of the event.
    pub(crate) prompt: String,
    /// Another model than the one for small tasks.
    pub(crate) model: Option<String>,
    /// A refusal does not end the turn.
    pub(crate) continues_on_block: bool,
}

/// A task for a model with tools.
#[derive(Debug, Clone)]
pub(crate) struct AgentAction {
    /// What to verify. `$ARGUMENTS` is replaced by the input of the event.
    pub(crate) prompt: String,
    /// Another model than the one for small tasks.
    pub(crate) model: Option<String>,
}

/// A call of a tool of an MCP server.
#[derive(Debug, Clone)]
pub(crate) struct McpToolAction {
    /// The server.
    pub(crate) server: String,
    /// The tool, as the server names it.
    pub(crate) tool: String,
    /// Its arguments, with references to the input of the event.
    pub(crate) input: Map<String, Value>,
}

impl HookAction {
    /// Its `type` in settings.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            HookAction::Command(_) => "command",
            HookAction::Http(_) => "http",
            HookAction::Prompt(_) => "prompt",
            HookAction::Agent(_) => "agent",
            HookAction::McpTool(_) => "mcp_tool",
        }
    }

    /// What `content` is called in a listing.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            HookAction::Command(_) => "Command",
            HookAction::Http(_) => "URL",
            HookAction::Prompt(_) | HookAction::Agent(_) => "Prompt",
            HookAction::McpTool(_) => "MCP tool",
        }
    }

    /// The command, address, prompt or tool.
    pub(crate) fn content(&self) -> String {
        match self {
            HookAction::Command(action) => action.command.clone(),
            HookAction::Http(action) => action.url.clone(),
            HookAction::Prompt(PromptAction { prompt, .. })
            | HookAction::Agent(AgentAction { prompt, .. }) => prompt.clone(),
            HookAction::McpTool(action) => format!("{}/{}", action.server, action.tool),
        }
    }

    /// What it does, for people.
    pub(crate) fn described(&self) -> String {
        match self {
            HookAction::Command(action) => action.command.clone(),
            HookAction::Http(action) => {
                let headers = action.headers.iter().map(|(name, value)| format!("{name}: {value}"));
                let headers: Vec<String> = headers.collect();
                let with = if headers.is_empty() { "" } else { " with " };
                format!("POST {}{with}{}", action.url, headers.join(", "))
            }
            HookAction::Prompt(action) => format!("ask a model: {}", action.prompt),
            HookAction::Agent(action) => format!("run a verifying agent: {}", action.prompt),
            HookAction::McpTool(action) => format!("call the MCP tool {}/{}", action.server, action.tool),
        }
    }

    /// Whether two hooks do the same, so that one of them is enough.
    pub(crate) fn is_same(&self, other: &HookAction) -> bool {
        match (self, other) {
            (HookAction::McpTool(one), HookAction::McpTool(other)) => {
                one.server == other.server && one.tool == other.tool && one.input == other.input
            }
            _ => self.kind() == other.kind() && self.content() == other.content(),
        }
    }
}
