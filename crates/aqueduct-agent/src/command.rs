//! Slash commands that come with the agent.

mod prompts;

/// A command: one row of [`COMMANDS`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BuiltInCommand {
    /// Its name, without the slash.
    pub(crate) name: &'static str,
    /// What it does, for people.
    pub(crate) description: &'static str,
    /// What may follow it.
    pub(crate) argument_hint: &'static str,
    /// What it does.
    pub(crate) action: BuiltInAction,
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltInAction {
    /// Summarizes the conversation.
    Compact,
    /// Shows the cost.
    Cost,
    /// Shows how full the model's context window is.
    Context,
    /// Starts a new conversation.
    Clear,
    /// Shows or sets the model.
    Model,
    /// Lists the commands.
    Help,
    /// Enters plan mode, and sends the prompt to the model if there is one.
    Plan,
    /// Shows the state of the session.
    Status,
    /// Shows the settings and their sources.
    Config,
    /// Lists the permission rules.
    Permissions,
    /// Lists the memory files.
    Memory,
    /// Lists conversations that can be resumed.
    Resume,
    /// Sets the title of the conversation.
    Rename,
    /// Restores files to an earlier state.
    Rewind,
    /// Exports the conversation.
    Export,
    /// Diagnoses problems.
    Doctor,
    /// Adds a working directory.
    AddDir,
    /// Lists the MCP servers.
    Mcp,
    /// Sends this prompt to the model.
    Prompt(&'static str),
    /// Reports where this is available instead.
    Elsewhere(&'static str),
}

const fn command(
    name: &'static str,
    argument_hint: &'static str,
    description: &'static str,
    action: BuiltInAction,
) -> BuiltInCommand {
    BuiltInCommand { name, description, argument_hint, action }
}

/// Every command that comes with the agent.
pub(crate) const COMMANDS: &[BuiltInCommand] = &[
    command("add-dir", "<folder>", "Add a folder to work in", BuiltInAction::AddDir),
    command("agents", "", "Show where subagents are defined", BuiltInAction::Elsewhere(prompts::AGENTS)),
    command("clear", "", "Start a new conversation", BuiltInAction::Clear),
    command(
        "compact",
        "[what to keep]",
        "Summarize the conversation to free context",
        BuiltInAction::Compact,
    ),
    command("config", "", "Show the settings and their sources", BuiltInAction::Config),
    command("context", "", "Show how much of the context window is used", BuiltInAction::Context),
    command("cost", "", "Show the cost of the session", BuiltInAction::Cost),
    command("doctor", "", "Check the configuration for problems", BuiltInAction::Doctor),
    command(
        "exit",
        "",
        "End the program that shows the conversation",
        BuiltInAction::Elsewhere(prompts::EXIT),
    ),
    command("export", "[file]", "Export the conversation as text", BuiltInAction::Export),
    command("help", "", "List the commands", BuiltInAction::Help),
    command(
        "init",
        "[what matters]",
        "Write a CLAUDE.md for this project",
        BuiltInAction::Prompt(prompts::INIT),
    ),
    command("login", "", "Show how to set the API key", BuiltInAction::Elsewhere(prompts::LOGIN)),
    command("mcp", "", "List the MCP servers", BuiltInAction::Mcp),
    command("memory", "", "List the memory files", BuiltInAction::Memory),
    command("model", "[name]", "Show or set the model", BuiltInAction::Model),
    command("permissions", "", "List the permission rules", BuiltInAction::Permissions),
    command("plan", "[task]", "Plan before making changes", BuiltInAction::Plan),
    command(
        "pr-comments",
        "[pull request]",
        "Read the comments of a pull request",
        BuiltInAction::Prompt(prompts::PR_COMMENTS),
    ),
    command(
        "release-notes",
        "[since]",
        "Write release notes from the history",
        BuiltInAction::Prompt(prompts::RELEASE_NOTES),
    ),
    command("rename", "<title>", "Rename the conversation", BuiltInAction::Rename),
    command("resume", "", "List conversations to resume", BuiltInAction::Resume),
    command("review", "[what]", "Review a change", BuiltInAction::Prompt(prompts::REVIEW)),
    command("rewind", "[prompt]", "Restore files to their state before a prompt", BuiltInAction::Rewind),
    command(
        "security-review",
        "[what]",
        "Review a change for security vulnerabilities",
        BuiltInAction::Prompt(prompts::SECURITY_REVIEW),
    ),
    command("status", "", "Show the status of the session", BuiltInAction::Status),
    command("vim", "", "Show where key bindings are set", BuiltInAction::Elsewhere(prompts::VIM)),
];

/// The name and the arguments of a prompt that calls a command, whatever that is.
pub(crate) fn split(prompt: &str) -> Option<(&str, &str)> {
    let line = prompt.strip_prefix('/')?;
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!name.is_empty()).then_some((name, arguments.trim()))
}

/// Other names of commands.
const ALIASES: &[(&str, &str)] = &[("new", "clear"), ("reset", "clear"), ("usage", "cost")];

impl BuiltInCommand {
    /// The name under which hosts learn that it ran.
    pub(crate) fn run_name(&self) -> &'static str {
        if self.action == BuiltInAction::Cost { "usage" } else { self.name }
    }
}

/// The command that this is another name of.
pub(crate) fn find_alias(alias: &str) -> Option<&'static BuiltInCommand> {
    ALIASES.iter().find(|(other, _)| *other == alias).and_then(|(_, name)| find(name))
}

/// The command of this name.
pub(crate) fn find(name: &str) -> Option<&'static BuiltInCommand> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Whether a command of this name comes with the agent.
pub(crate) fn is_built_in(name: &str) -> bool {
    find(name).is_some()
}

/// What a command prints, as hosts and transcripts know it from anything else.
pub(crate) fn printed(text: &str) -> String {
    format!("<local-command-stdout>{text}</local-command-stdout>")
}

/// Why a command failed, as transcripts and frames name it.
pub(crate) fn failed(text: &str) -> String {
    format!("<local-command-stderr>{text}</local-command-stderr>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_unique() {
        assert!(COMMANDS.is_sorted_by(|one, next| one.name < next.name));
    }

    #[test]
    fn a_prompt_calls_a_command_by_its_first_word() {
        assert_eq!(split("/compact  keep  the plan\n"), Some(("compact", "keep  the plan")));
        assert_eq!(split("/cost"), Some(("cost", "")));
        assert_eq!(split("/ cost"), None);
        assert_eq!(split("what is /cost?"), None);
    }
}
