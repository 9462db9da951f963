//! The table of tools: what each touches and how its rules are matched.

use serde_json::Value;

/// What a tool does, as far as permission is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Runs shell commands.
    Shell,
    /// Reads the file or folder in this field of its input; without it, the working directory.
    Read(&'static str),
    /// Changes the file in this field of its input.
    Edit(&'static str),
    /// Fetches the address in its `url` field.
    Fetch,
    /// Starts a subagent, whose own calls are checked one by one.
    Subagent,
    /// Runs a skill.
    Skill,
    /// Talks to the person, so the person always sees it.
    Interactive,
    /// Keeps notes or looks at the agent's own state.
    Harmless,
    /// Anything else: asked unless a rule names it.
    Other,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct ToolRow {
    /// The name on the wire.
    pub name: &'static str,
    /// An older or newer name of the same tool.
    pub alias: Option<&'static str>,
    /// What it does.
    pub kind: ToolKind,
}

const fn tool(name: &'static str, kind: ToolKind) -> ToolRow {
    ToolRow { name, alias: None, kind }
}

const fn renamed(name: &'static str, alias: &'static str, kind: ToolKind) -> ToolRow {
    ToolRow { name, alias: Some(alias), kind }
}

/// Every tool that is not simply asked. A tool that is missing here is `ToolKind::Other`.
pub const TOOLS: [ToolRow; 31] = [
    tool("Bash", ToolKind::Shell),
    tool("Read", ToolKind::Read("file_path")),
    tool("NotebookRead", ToolKind::Read("notebook_path")),
    tool("Glob", ToolKind::Read("path")),
    tool("Grep", ToolKind::Read("path")),
    tool("LS", ToolKind::Read("path")),
    tool("Edit", ToolKind::Edit("file_path")),
    tool("MultiEdit", ToolKind::Edit("file_path")),
    tool("Write", ToolKind::Edit("file_path")),
    tool("NotebookEdit", ToolKind::Edit("notebook_path")),
    tool("WebFetch", ToolKind::Fetch),
    renamed("Task", "Agent", ToolKind::Subagent),
    tool("Skill", ToolKind::Skill),
    tool("AskUserQuestion", ToolKind::Interactive),
    tool("ExitPlanMode", ToolKind::Interactive),
    tool("EnterPlanMode", ToolKind::Harmless),
    tool("EnterWorktree", ToolKind::Harmless),
    tool("ExitWorktree", ToolKind::Harmless),
    tool("TodoRead", ToolKind::Harmless),
    tool("TodoWrite", ToolKind::Harmless),
    tool("TaskCreate", ToolKind::Harmless),
    tool("TaskGet", ToolKind::Harmless),
    tool("TaskList", ToolKind::Harmless),
    tool("TaskUpdate", ToolKind::Harmless),
    renamed("TaskOutput", "BashOutput", ToolKind::Harmless),
    renamed("TaskStop", "KillShell", ToolKind::Harmless),
    tool("SendMessage", ToolKind::Harmless),
    tool("ToolSearch", ToolKind::Harmless),
    tool("CronList", ToolKind::Harmless),
    tool("ListMcpResourcesTool", ToolKind::Harmless),
    tool("ReadMcpResourceTool", ToolKind::Harmless),
];

/// What the named tool does.
pub fn kind(name: &str) -> ToolKind {
    row(name).map_or(ToolKind::Other, |tool| tool.kind)
}

/// The one name under which a tool and its alias are compared.
pub(crate) fn canonical(name: &str) -> &str {
    row(name).map_or(name, |tool| tool.name)
}

fn row(name: &str) -> Option<&'static ToolRow> {
    TOOLS.iter().find(|tool| tool.name == name || tool.alias == Some(name))
}

/// The tool that a name means which differs from its name only by case.
pub(crate) fn miscased(name: &str) -> Option<&'static str> {
    let names = TOOLS.iter().flat_map(|tool| std::iter::once(tool.name).chain(tool.alias));
    names.into_iter().find(|known| known.eq_ignore_ascii_case(name)).filter(|_| row(name).is_none())
}

/// Why a rule for this tool can't have this content, if it can't.
pub(crate) fn content_problem(name: &str, content: &str) -> Option<&'static str> {
    match kind(name) {
        ToolKind::Shell
            if content.trim().strip_suffix(":*").is_some_and(|before| before.trim().is_empty()) =>
        {
            Some("has no command before its `:*`")
        }
        ToolKind::Fetch if !content.starts_with("domain:") || content.len() == "domain:".len() => {
            Some("needs a host: write WebFetch(domain:example.com)")
        }
        ToolKind::Read(_) | ToolKind::Edit(_) if content.starts_with('!') => {
            Some("has a negated pattern, which a permission rule can't have")
        }
        ToolKind::Read(_) | ToolKind::Edit(_) if content.contains('\0') => {
            Some("has a NUL character in its pattern")
        }
        ToolKind::Interactive | ToolKind::Harmless => Some("has content, but this tool is named whole"),
        _ => None,
    }
}

/// The text of a field of a tool's input.
pub(crate) fn text<'a>(input: &'a Value, field: &str) -> Option<&'a str> {
    input.get(field).and_then(Value::as_str)
}
