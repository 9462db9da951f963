//! What a kind of subagent is.

use aqueduct_rules::Mode;
use aqueduct_wire::agent_definition::{AgentDefinition, AgentEffort};
use aqueduct_wire::json::{Number, Str};

use crate::hook::CommandHook;

/// The name that stands for the model of whoever sends the subagent.
const INHERIT: &str = "inherit";

/// A kind of subagent: what it is for, what it is told, and what it may use.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    /// What it is called by.
    pub(crate) name: String,
    /// When the model should send one.
    pub(crate) description: String,
    /// Its system prompt.
    pub(crate) prompt: String,
    /// The tools it has; all, where it names none.
    pub(crate) tools: Option<Vec<String>>,
    /// The tools it has not.
    pub(crate) refused_tools: Vec<String>,
    /// Its model; that of whoever sends it, where it names none.
    pub(crate) model: Option<String>,
    /// The permission mode that it works in; the session's, where it names none.
    pub(crate) mode: Option<Mode>,
    /// How often its model may be called.
    pub(crate) max_turns: Option<u32>,
    /// How hard its model thinks.
    pub(crate) effort: Option<String>,
    /// Nobody ever waits for it.
    pub(crate) is_background: bool,
    /// The memory files are not for it.
    pub(crate) is_without_memory: bool,
    /// The skills that it begins with.
    pub(crate) skills: Vec<String>,
    /// Hooks that hold while it is at work.
    pub(crate) hooks: Vec<CommandHook>,
    /// Whose it is.
    pub(crate) whose: Whose,
}

/// Whose a kind of subagent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// It comes with the agent.
    BuiltIn,
    /// The user's, for all projects.
    User,
    /// The project's.
    Project,
    /// It came on the command line, or from the host.
    Host,
}

impl Definition {
    /// One that has only what it must have.
    pub(super) fn new(name: &str, description: &str, prompt: &str, whose: Whose) -> Self {
        Definition {
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
            is_without_memory: false,
            skills: Vec::new(),
            hooks: Vec::new(),
            whose,
        }
    }

    /// One as the host tells it. Gives what is wrong with it, too.
    pub(super) fn told(name: &str, told: &AgentDefinition<'_>) -> (Option<Self>, Vec<String>) {
        let text = |text: &Option<Str<'_>>| text.as_ref().map(|text| text.to_string()).unwrap_or_default();
        let list = |list: &Option<Vec<Str<'_>>>| {
            list.as_ref().map(|list| list.iter().map(|item| item.to_string()).collect::<Vec<_>>())
        };
        let mut mistakes = Vec::new();
        let (description, prompt) = (text(&told.description), text(&told.prompt));
        if description.is_empty() || prompt.is_empty() {
            mistakes.push(format!("the agent {name:?} needs a description and a prompt; it is left out"));
            return (None, mistakes);
        }
        let mut definition = Definition::new(name, &description, &prompt, Whose::Host);
        definition.tools = list(&told.tools).and_then(tools);
        definition.refused_tools = list(&told.disallowed_tools).unwrap_or_default();
        definition.model = told.model.as_ref().map(|model| model.to_string()).and_then(model);
        definition.mode = told.permission_mode.as_ref().and_then(|mode| {
            let parsed = mode.as_str().parse::<Mode>();
            parsed.map_err(|error| mistakes.push(format!("the agent {name:?}: {error}"))).ok()
        });
        let max_turns = told.max_turns.as_ref().and_then(Number::as_u64);
        definition.max_turns = max_turns.and_then(|max| u32::try_from(max).ok());
        definition.effort = match &told.effort {
            Some(AgentEffort::Level(level)) => Some(level.as_str().to_owned()),
            _ => None,
        };
        definition.is_background = told.background == Some(true);
        definition.is_without_memory = told.omit_claude_md == Some(true);
        definition.skills = list(&told.skills).unwrap_or_default();
        if told.mcp_servers.is_some() {
            mistakes.push(format!(
                "the agent {name:?}: it has the session's MCP servers; its own are not connected"
            ));
        }
        (Some(definition), mistakes)
    }

    /// Whether it has a tool.
    pub(crate) fn has(&self, tool: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|name| is(name, tool));
        self.tools.as_deref().is_none_or(is_named) && !is_named(&self.refused_tools)
    }
}

/// The tools of a list; all, where it says so.
pub(super) fn tools(names: Vec<String>) -> Option<Vec<String>> {
    (!names.iter().any(|name| name == "*")).then_some(names)
}

/// The model of a name; none, where it is that of whoever sends the subagent.
pub(super) fn model(name: String) -> Option<String> {
    Some(name).filter(|name| name != INHERIT && !name.is_empty())
}

/// Whether a name in a list means a tool: the tool itself, all tools of a server, or the tool by its older
/// name. What stands in parentheses is for rules.
fn is(named: &str, tool: &str) -> bool {
    let named = named.split('(').next().unwrap_or(named).trim();
    let named = if named == "Task" { "Agent" } else { named };
    named == tool
        || (named.starts_with("mcp__")
            && tool.strip_prefix(named.trim_end_matches("__*")).is_some_and(|rest| rest.starts_with("__")))
}
