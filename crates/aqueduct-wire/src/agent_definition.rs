//! Agents that a host defines for the model to call.

use crate::json::{Map, Number, Raw, Str};
use crate::mcp::McpServerConfig;
use crate::permission::PermissionMode;
use crate::table::{either, names, record};

record! {
    /// A subagent: its purpose, its prompt, and what it may use.
    AgentDefinition<'a>(description: Str<'a>, prompt: Str<'a>) {
        "2.1.37" {
            /// When the model should call it.
            always description: Str<'a>,
            /// Its system prompt.
            always prompt: Str<'a>,
            /// The tools it has; all if absent.
            optional tools: Vec<Str<'a>>,
            /// A model's name or alias, or `inherit`.
            optional model: Str<'a>,
        }
        "2.1.50" {
            optional disallowed_tools = "disallowedTools": Vec<Str<'a>>,
            optional mcp_servers = "mcpServers": Vec<AgentMcpServer<'a>>,
            optional critical_system_reminder = "criticalSystemReminder_EXPERIMENTAL": Str<'a>,
            optional skills: Vec<Str<'a>>,
            optional max_turns = "maxTurns": Number<'a>,
        }
        "2.1.325" {
            /// Sent as the first user message when the agent runs the main conversation.
            optional initial_prompt = "initialPrompt": Str<'a>,
            optional auto_compact_window = "autoCompactWindow": Number<'a>,
            /// How it is kept apart from the session's folder: `worktree`.
            optional isolation: Str<'a>,
            /// Whether it always runs in the background.
            optional background: bool,
            /// Whether the project's instruction files are kept from it.
            optional omit_claude_md = "omitClaudeMd": bool,
            /// Where its memory lives.
            optional memory: AgentMemory<'a>,
            optional effort: AgentEffort<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            optional observer: Raw<'a>,
            optional observer_message = "observerMessage": Str<'a>,
        }
    }
}

impl<'a> AgentDefinition<'a> {
    /// The same agent with these tools only, by their names.
    ///
    /// ```
    /// use aqueduct_wire::agent_definition::AgentDefinition;
    ///
    /// let reviewer = AgentDefinition::new("Reviews changes", "You review changes.")
    ///     .with_tools(["Read", "Grep"])
    ///     .with_model("haiku");
    /// assert_eq!(reviewer.tools.map(|tools| tools.len()), Some(2));
    /// ```
    pub fn with_tools<T: Into<Str<'a>>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// The same agent with another model: a name, an alias, or `inherit`.
    ///
    /// ```
    /// use aqueduct_wire::agent_definition::AgentDefinition;
    ///
    /// let writer = AgentDefinition::new("Writes tests", "You write tests.").with_model("inherit");
    /// assert_eq!(writer.model.as_deref(), Some("inherit"));
    /// ```
    pub fn with_model(mut self, model: impl Into<Str<'a>>) -> Self {
        self.model = Some(model.into());
        self
    }
}

either! {
    /// An MCP server of an agent.
    AgentMcpServer<'a> {
        /// One that is configured elsewhere, by name.
        Name(Str<'a>),
        /// New ones, by name.
        Configs(Map<'a, McpServerConfig<'a>>),
    }
}

names! {
    /// Where an agent's memory lives.
    AgentMemory<'a> {
        "user" => User,
        "project" => Project,
        "local" => Local,
    }
}

either! {
    /// How hard an agent thinks.
    AgentEffort<'a> {
        /// A named level.
        Level(EffortLevel<'a>),
        /// A number.
        Number(Number<'a>),
    }
}

names! {
    /// How hard a model thinks.
    EffortLevel<'a> {
        "low" => Low,
        "medium" => Medium,
        "high" => High,
        "xhigh" => ExtraHigh,
        "max" => Max,
    }
}
