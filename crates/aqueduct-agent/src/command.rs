//! Slash commands that come with the agent.

mod prompts;

/// A command: one row of [`COMMANDS`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Its name, without the slash.
    pub(crate) name: &'static str,
    /// What it does, for people.
    pub(crate) description: &'static str,
    /// What may follow it.
    pub(crate) argument_hint: &'static str,
    /// What it does.
    pub(crate) action: Action,
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Sums the conversation up.
    Compact,
    /// Tells what was spent.
    Cost,
    /// Tells how full the model's window is.
    Context,
    /// Begins a new conversation.
    Clear,
    /// Tells or sets the model.
    Model,
    /// Lists the commands.
    Help,
    /// Begins to plan, and asks the model if there is something to ask.
    Plan,
    /// Tells how the session stands.
    Status,
    /// Tells the settings and where they come from.
    Config,
    /// Tells the permission rules.
    Permissions,
    /// Tells the memory files.
    Memory,
    /// Lists conversations that can be gone on with.
    Resume,
    /// Gives the conversation a title.
    Rename,
    /// Takes files back.
    Rewind,
    /// Writes the conversation down.
    Export,
    /// Looks for what is wrong.
    Doctor,
    /// Adds a folder to work in.
    AddDir,
    /// Tells the MCP servers.
    Mcp,
    /// Asks the model this.
    Prompt(&'static str),
    /// Says where it is done instead.
    Elsewhere(&'static str),
}

const fn command(
    name: &'static str,
    argument_hint: &'static str,
    description: &'static str,
    action: Action,
) -> Command {
    Command { name, description, argument_hint, action }
}

/// Every command that comes with the agent.
pub(crate) const COMMANDS: &[Command] = &[
    command("add-dir", "<folder>", "Add a folder to work in", Action::AddDir),
    command("agents", "", "Where subagents are defined", Action::Elsewhere(prompts::AGENTS)),
    command("clear", "", "Begin a new conversation", Action::Clear),
    command("compact", "[what to keep]", "Sum the conversation up, to make room", Action::Compact),
    command("config", "", "The settings, and where they come from", Action::Config),
    command("context", "", "How full the model's window is", Action::Context),
    command("cost", "", "What was spent so far", Action::Cost),
    command("doctor", "", "Look for what is wrong here", Action::Doctor),
    command("exit", "", "End the program that shows the conversation", Action::Elsewhere(prompts::EXIT)),
    command("export", "[file]", "Write the conversation down as text", Action::Export),
    command("help", "", "The commands there are", Action::Help),
    command("init", "[what matters]", "Write a CLAUDE.md for this project", Action::Prompt(prompts::INIT)),
    command("login", "", "Where keys come from", Action::Elsewhere(prompts::LOGIN)),
    command("mcp", "", "The MCP servers", Action::Mcp),
    command("memory", "", "The memory files", Action::Memory),
    command("model", "[name]", "Tell or set the model", Action::Model),
    command("permissions", "", "The permission rules", Action::Permissions),
    command("plan", "[task]", "Plan before anything is changed", Action::Plan),
    command(
        "pr-comments",
        "[pull request]",
        "Read the comments of a pull request",
        Action::Prompt(prompts::PR_COMMENTS),
    ),
    command(
        "release-notes",
        "[since]",
        "Write release notes from the history",
        Action::Prompt(prompts::RELEASE_NOTES),
    ),
    command("rename", "<title>", "Give the conversation a title", Action::Rename),
    command("resume", "", "Conversations to go on with", Action::Resume),
    command("review", "[what]", "Review a change", Action::Prompt(prompts::REVIEW)),
    command("rewind", "[prompt]", "Restore files to their state before a prompt", Action::Rewind),
    command(
        "security-review",
        "[what]",
        "Look for security holes in a change",
        Action::Prompt(prompts::SECURITY_REVIEW),
    ),
    command("status", "", "How the session stands", Action::Status),
    command("vim", "", "Where keys are set", Action::Elsewhere(prompts::VIM)),
];

/// The name and the arguments of a prompt that calls a command, whatever that is.
pub(crate) fn split(prompt: &str) -> Option<(&str, &str)> {
    let line = prompt.strip_prefix('/')?;
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!name.is_empty()).then_some((name, arguments.trim()))
}

/// Other names of commands.
const ALIASES: &[(&str, &str)] = &[("new", "clear"), ("reset", "clear"), ("usage", "cost")];

impl Command {
    /// The name under which hosts learn that it ran.
    pub(crate) fn run_name(&self) -> &'static str {
        if self.action == Action::Cost { "usage" } else { self.name }
    }
}

/// The command that this is another name of.
pub(crate) fn find_alias(alias: &str) -> Option<&'static Command> {
    ALIASES.iter().find(|(other, _)| *other == alias).and_then(|(_, name)| find(name))
}

/// The command of this name.
pub(crate) fn find(name: &str) -> Option<&'static Command> {
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
    fn commands_stand_in_order_and_once() {
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
