//! A row of the table of tools, with everything that the agent asks about a tool.

use std::time::SystemTime;

use aqueduct_mcp::DeferredTool;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::file_call::FileCall;
use super::{TOOLS, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// A tool: one row of [`TOOLS`].
pub struct BuiltInTool {
    /// The name by which the model and the rules know it.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// The JSON Schema of its input.
    pub schema: &'static str,
    /// Runs a call that has been allowed.
    pub run: for<'a> fn(&'a ToolContext, ToolInvocation<'a>) -> ToolFuture<'a>,
    /// Everything else that is asked about it.
    pub facts: ToolFacts,
}

/// What is asked about a tool. A row names what differs from [`ToolFacts::NONE`].
pub struct ToolFacts {
    /// Older names by which models, rules of subagents and hosts may mean it.
    pub(crate) older_names: &'static [&'static str],
    /// The name by which hosts look for it in `init`, where that is an older one.
    pub(crate) listed_as: Option<&'static str>,
    /// Whether it changes nothing, so that several calls may run side by side.
    pub(crate) reads_only: bool,
    /// Whether several calls may run side by side although they change something.
    pub(crate) is_concurrent: bool,
    /// Whether it runs commands of a shell.
    pub runs_commands: bool,
    /// Whether it starts subagents.
    pub starts_subagents: bool,
    /// Whether it continues subagents that have ended.
    pub continues_subagents: bool,
    /// What it does with files.
    pub files: Option<FileUse>,
    /// The member of its input that is a path.
    pub path: Option<&'static str>,
    /// What it can't do without.
    pub needs: ToolNeed,
    /// Which agents have it.
    pub audience: Audience,
    /// Whether most conversations do without it, so that a model with a small window looks it up.
    pub is_rare: bool,
    /// Whether the user's answer is the point of it.
    pub asks_user: bool,
    /// Whether it asks a model about the web.
    pub is_web: bool,
    /// Whether it enters or leaves a worktree.
    pub is_for_worktrees: bool,
    /// What a call of it does to the permission mode, when it succeeds.
    pub mode_change: Option<ModeChange>,
    /// A call in a line for people; without it, the line has the name of the tool.
    pub summary: Option<CallSummary>,
    /// Numbers of the input and the least that each may be. Smaller ones are left out.
    pub least: &'static [(&'static str, f64)],
    /// Lists of the input of which only one may have items.
    pub(crate) exclusive_lists: &'static [(&'static str, &'static str)],
    /// Rejects a call that can't work, before hooks run and before permission is requested.
    pub(super) check: Option<CallCheck>,
    /// The input with its path from the root and its defaults; `None` where it is so already.
    pub(crate) spell_out: Option<fn(&ToolContext, &Raw<'_>) -> Option<Raw<'static>>>,
    /// What follows the description in one tool context.
    pub briefing: Option<fn(&ToolContext) -> Option<String>>,
    /// Takes note of a call that succeeded in an earlier process.
    pub replay: Option<fn(&ToolContext, &ReplayedCall<'_>)>,
}

impl ToolFacts {
    /// A tool that changes something, and has no other facts.
    pub const NONE: ToolFacts = ToolFacts {
        older_names: &[],
        listed_as: None,
        reads_only: false,
        is_concurrent: false,
        runs_commands: false,
        starts_subagents: false,
        continues_subagents: false,
        files: None,
        path: None,
        needs: ToolNeed::Nothing,
        audience: Audience::All,
        is_rare: false,
        asks_user: false,
        is_web: false,
        is_for_worktrees: false,
        mode_change: None,
        summary: None,
        least: &[],
        exclusive_lists: &[],
        check: None,
        spell_out: None,
        briefing: None,
        replay: None,
    };
}

/// What a tool does with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// It reads one.
    Read,
    /// It changes one that may have to be read first.
    Change,
    /// It searches several.
    Search,
}

/// What a tool requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolNeed {
    /// Nothing.
    Nothing,
    /// A user who answers questions.
    User,
    /// An MCP server that has resources.
    Resources,
    /// Tools that have to be looked up.
    DeferredTools,
    /// Skills.
    Skills,
}

/// Which agents have a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// All of them.
    All,
    /// Those that verify something for a hook have it not.
    NotVerifiers,
    /// Neither have those that only look at things.
    NotReaders,
    /// Only the agent that talks to the user.
    MainAgent,
}

/// A change of the permission mode that a tool makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeChange {
    /// Enter plan mode.
    BeginPlanning,
    /// Leave it for the mode before.
    EndPlanning,
}

/// A call in a line for people.
#[derive(Debug, Clone, Copy)]
pub struct CallSummary {
    /// What the line begins with.
    pub verb: &'static str,
    /// The members of the input that can follow; the first that is there counts.
    pub members: &'static [&'static str],
}

/// How a call is checked before permission is requested.
#[derive(Clone, Copy)]
pub(super) enum CallCheck {
    /// On a thread that may block.
    File(fn(&FileCall) -> Result<(), ToolFailure>),
    /// At once.
    Call(fn(&ToolContext, &ToolInvocation<'_>) -> Result<(), ToolFailure>),
}

/// A call that succeeded in an earlier process.
pub struct ReplayedCall<'r> {
    /// Its input.
    pub input: &'r Raw<'r>,
    /// Its result for hosts.
    pub result: &'r Raw<'r>,
    /// When it was.
    pub at: SystemTime,
}

impl BuiltInTool {
    /// The tool that a name means; models and files know some tools by older names, too.
    pub fn called(name: &str) -> Option<&'static BuiltInTool> {
        TOOLS.iter().copied().find(|tool| tool.answers_to(name))
    }

    /// Whether a name means it.
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.facts.older_names.contains(&name)
    }

    /// The names of the tools that are for these audiences.
    pub fn names_for(audiences: &[Audience]) -> Vec<String> {
        let tools = TOOLS.iter().filter(|tool| audiences.contains(&tool.facts.audience));
        tools.map(|tool| tool.name.to_owned()).collect()
    }

    /// How many characters the model is sent for it.
    pub fn size(&self) -> u64 {
        (self.name.len() + self.description.len() + self.schema.len()) as u64
    }

    /// The same for a search.
    pub fn deferred(&self) -> DeferredTool {
        DeferredTool {
            name: self.name.to_owned(),
            short_name: self.name.to_owned(),
            hint: String::new(),
            description: self.description.to_owned(),
            schema: Raw::parse(self.schema).unwrap_or(Raw::NULL),
        }
    }

    /// Whether several calls may run side by side.
    pub fn runs_beside(&self) -> bool {
        self.facts.reads_only || self.facts.is_concurrent
    }

    /// Whether it works on one file.
    pub fn is_for_files(&self) -> bool {
        matches!(self.facts.files, Some(FileUse::Read | FileUse::Change))
    }

    /// Whether it changes a file that may have to be read first.
    pub fn changes_files(&self) -> bool {
        self.facts.files == Some(FileUse::Change)
    }

    /// The path in an input.
    pub fn path<'i>(&self, input: &'i Value) -> Option<&'i str> {
        input.get(self.facts.path?)?.as_str()
    }

    /// A call in a line for people, with so many characters of its input.
    pub fn summary(&self, input: &Value, length: usize) -> String {
        let Some(summary) = self.facts.summary else { return format!("Using {}", self.name) };
        let text = summary.members.iter().find_map(|name| input.get(name)?.as_str());
        let line = text.unwrap_or_default().lines().next().unwrap_or_default();
        let short: String = line.chars().take(length).collect();
        format!("{}{short}", summary.verb)
    }

    /// Rejects a call that can't work, even if it is allowed.
    pub async fn check(
        &self,
        tool_context: &ToolContext,
        call: ToolInvocation<'_>,
    ) -> Result<(), ToolFailure> {
        match self.facts.check {
            Some(CallCheck::File(check)) => FileCall::to_check(tool_context, call).work(check).await,
            Some(CallCheck::Call(check)) => check(tool_context, &call),
            None => Ok(()),
        }
    }

    /// The input of a call with its path from the root, without `~`, `.` and `..`, and with what an edit does where the
    /// model does not say. Hooks and the host get this one and the call runs with it: a decision about a path is one
    /// about the file that the tool means.
    pub fn spelled_out(&self, tool_context: &ToolContext, input: Raw<'static>) -> Raw<'static> {
        self.facts.spell_out.and_then(|spell_out| spell_out(tool_context, &input)).unwrap_or(input)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value, json};

    use super::{BuiltInTool, TOOLS};

    #[test]
    fn a_name_means_one_tool() {
        let names: Vec<&str> = TOOLS
            .iter()
            .flat_map(|tool| std::iter::once(tool.name).chain(tool.facts.older_names.iter().copied()))
            .collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
        assert_eq!(BuiltInTool::called("KillShell").map(|tool| tool.name), Some("TaskStop"));
        assert!(BuiltInTool::called("mcp__a__b").is_none());
    }

    #[test]
    fn members_that_a_row_names_are_in_the_schema() {
        for tool in TOOLS {
            let schema: Value = serde_json::from_str(tool.schema).unwrap();
            let summary = tool.facts.summary.map(|summary| summary.members).unwrap_or_default();
            let least = tool.facts.least.iter().map(|(name, _)| name);
            for name in tool.facts.path.iter().chain(summary).chain(least) {
                assert!(schema["properties"].get(name).is_some(), "{}: {name}", tool.name);
            }
            assert!(tool.facts.files.is_none() || tool.facts.path.is_some(), "{} works on a path", tool.name);
        }
    }

    #[test]
    fn a_call_is_a_line_for_people() {
        let line = |name: &str, input: Value| BuiltInTool::called(name).unwrap().summary(&input, 5);
        assert_eq!(line("Bash", json!({ "command": "ls -la" })), "Running ls -l");
        assert_eq!(line("Bash", json!({ "command": "ls", "description": "List\nall" })), "Running List");
        assert_eq!(line("NotebookEdit", json!({ "notebook_path": "/a" })), "Editing /a");
        assert_eq!(line("Task", json!({ "description": "Look" })), "Look");
        assert_eq!(line("TodoWrite", json!({})), "Using TodoWrite");
    }
}
