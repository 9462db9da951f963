//! The definition of a subagent type.

use std::path::PathBuf;

use aqueduct_mcp::PREFIX;
use aqueduct_rules::{Mode, ModeError};
use aqueduct_tools::BuiltInTool;
use aqueduct_wire::hint::{Hint, HintedError};
use serde_json::Value;

use super::servers::AgentServer;
use crate::hook_config::ConfiguredHook;
use crate::provision::provided_server;
use crate::provision::{Provision, ProvisionDigest, ProvisionKind};

/// The model name by which a subagent inherits the model of its caller.
const INHERIT: &str = "inherit";

/// How a subagent can be kept apart from the session's folder.
pub(crate) const ISOLATIONS: &[&str] = &["worktree"];

/// A subagent type: its purpose, its prompt, and what it may use.
#[derive(Debug, Clone)]
pub(crate) struct SubagentDefinition {
    /// Its name.
    pub(crate) name: String,
    /// When the model should start one.
    pub(crate) description: String,
    /// Its system prompt.
    pub(crate) prompt: String,
    /// The tools that it may use; all tools if it lists none.
    pub(crate) tools: Option<Vec<String>>,
    /// The tools that it may not use.
    pub(crate) refused_tools: Vec<String>,
    /// Its model; the model of the caller if it names none.
    pub(crate) model: Option<String>,
    /// Its permission mode; the session's mode if it names none.
    pub(crate) mode: Option<Mode>,
    /// How often its model may be called.
    pub(crate) max_turns: Option<u32>,
    /// How hard its model thinks.
    pub(crate) effort: Option<String>,
    /// It always runs in the background.
    pub(crate) is_background: bool,
    /// It works in a worktree of its own.
    pub(crate) is_isolated: bool,
    /// It does not receive the memory files.
    pub(crate) is_without_memory: bool,
    /// The skills that it begins with.
    pub(crate) skills: Vec<String>,
    /// Hooks that are active while it runs.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// MCP servers that it uses whatever its tools are.
    pub(crate) servers: Vec<AgentServer>,
    /// Whose it is.
    pub(crate) whose: DefinitionOwner,
    /// Its file, and the digest of that file's text, if it has one.
    pub(crate) file: Option<(PathBuf, ProvisionDigest)>,
}

/// Whose a kind of subagent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefinitionOwner {
    /// It comes with the agent.
    BuiltIn,
    /// The user's, for all projects.
    User,
    /// The project's.
    Project,
    /// It came on the command line, or from the host.
    Host,
}

impl SubagentDefinition {
    /// One that has only what it must have.
    pub(crate) fn new(name: &str, description: &str, prompt: &str, whose: DefinitionOwner) -> Self {
        SubagentDefinition {
            name: name.to_owned(),
            description: description.to_owned(),
            prompt: prompt.to_owned(),
            tools: None,
            refused_tools: Vec::new(),
            model: None,
            mode: None,
            max_turns: None,
            effort: None,
            is_background: false,
            is_isolated: false,
            is_without_memory: false,
            skills: Vec::new(),
            hooks: Vec::new(),
            servers: Vec::new(),
            whose,
            file: None,
        }
    }

    /// What a project provides with it: its hooks, the MCP servers that it starts and the permission mode that waives
    /// prompts, with the whole text of its file. `None` if it has none of them, or if it is not the project's.
    pub(crate) fn provision(&self) -> Option<Provision> {
        let (path, digest) = self.file.as_ref().filter(|_| self.whose == DefinitionOwner::Project)?;
        let mode = self.mode.filter(|mode| !is_narrow(*mode));
        let starts: Vec<&str> = self.started_servers().map(|(name, _)| name).collect();
        if mode.is_none() && self.hooks.is_empty() && starts.is_empty() {
            return None;
        }
        let mut rights: Vec<String> =
            mode.iter().map(|mode| format!("permission mode {}", mode.name())).collect();
        if !self.hooks.is_empty() {
            rights.push("has hooks".to_owned());
        }
        if !starts.is_empty() {
            rights.push(format!("starts the MCP servers {}", starts.join(", ")));
        }
        let content = Value::String(digest.to_string());
        Some(Provision::new(ProvisionKind::Agent, path, &self.name, &content, rights.join("; ")))
    }

    /// The same, followed by each of its hooks and servers, for people to see.
    pub(crate) fn provisions(&self) -> Vec<Provision> {
        let (Some(provision), Some((path, _))) = (self.provision(), &self.file) else { return Vec::new() };
        let owner = format!("the subagent {}", self.name);
        let hook = |(position, hook): (usize, &ConfiguredHook)| hook.provision(path, position, Some(&owner));
        let servers = self.started_servers().map(|(name, entry)| provided_server(path, name, entry));
        std::iter::once(provision).chain(self.hooks.iter().enumerate().map(hook)).chain(servers).collect()
    }

    /// The MCP servers that it starts itself, and how each is reached.
    pub(crate) fn started_servers(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.servers.iter().filter_map(|server| Some((server.name.as_str(), server.entry.as_ref()?)))
    }

    /// Whether it has a tool of an MCP server.
    pub(crate) fn has_served(&self, tool: &str, server: &str) -> bool {
        let is_its_own = self.servers.iter().any(|known| known.name == server);
        self.has(tool) || (is_its_own && !self.refused_tools.iter().any(|name| is(name, tool)))
    }

    /// Whether it has a tool.
    pub(crate) fn has(&self, tool: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|name| is(name, tool));
        self.tools.as_deref().is_none_or(is_named) && !is_named(&self.refused_tools)
    }
}

/// The permission mode that a text names. Without one the agent must be left out: the
/// session's mode may allow more than its author meant. `auto` allows more by itself than the default mode, which
/// takes its place.
pub(super) fn mode(text: &str) -> Result<Mode, AgentModeError> {
    text.parse().map_err(|error| match error {
        ModeError::Auto => AgentModeError::Auto,
        other => AgentModeError::Unknown(other),
    })
}

/// Why a subagent can't have the mode that it asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum AgentModeError {
    #[error("`auto` is not supported")]
    Auto,
    #[error(transparent)]
    Unknown(ModeError),
}

impl HintedError for AgentModeError {
    fn hint(&self) -> Option<Hint> {
        match self {
            AgentModeError::Auto => Some(Hint::clause("the agent works in the default mode, which asks")),
            AgentModeError::Unknown(error) => error.hint(),
        }
    }
}

impl AgentModeError {
    /// The mode that the subagent works in instead, if there is one that allows no more.
    pub(super) fn fallback(&self) -> Option<Mode> {
        match self {
            AgentModeError::Auto => Some(Mode::Default),
            AgentModeError::Unknown(_) => None,
        }
    }
}

/// Whether a mode allows no more than the default one.
pub(crate) fn is_narrow(mode: Mode) -> bool {
    matches!(mode, Mode::Plan | Mode::DontAsk | Mode::Default)
}

/// The tools of a list; `None` if the list has `*`, which means all tools.
pub(super) fn tools(names: Vec<String>) -> Option<Vec<String>> {
    (!names.iter().any(|name| name == "*")).then_some(names)
}

/// Whether a name in a list of tools can mean something. Tools of MCP servers may come later.
pub(super) fn is_known(name: &str) -> bool {
    let name = name.split('(').next().unwrap_or(name).trim();
    name == "*" || name.starts_with(PREFIX) || BuiltInTool::called(name).is_some()
}

/// The model of a name; `None` if the subagent inherits the model of its caller.
pub(super) fn model(name: String) -> Option<String> {
    Some(name).filter(|name| name != INHERIT && !name.is_empty())
}

/// Whether a name in a list matches a tool: the tool itself, every tool, all tools of a server, or the tool by its
/// older name. The part in parentheses is for permission rules and is ignored.
fn is(named: &str, tool: &str) -> bool {
    let named = named.split('(').next().unwrap_or(named).trim();
    let named = BuiltInTool::called(named).map_or(named, |tool| tool.name);
    named == tool
        || named == "*"
        || (named.starts_with(PREFIX)
            && tool.strip_prefix(named.trim_end_matches("__*")).is_some_and(|rest| rest.starts_with("__")))
}
