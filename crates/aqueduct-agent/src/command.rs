//! Slash commands that are answered here, without a turn of the model.

/// A command: one row of [`COMMANDS`].
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
}

/// Every command there is.
pub(crate) const COMMANDS: &[Command] = &[
    Command {
        name: "compact",
        description: "Sum the conversation up, to make room",
        argument_hint: "[what to keep]",
        action: Action::Compact,
    },
    Command { name: "cost", description: "What was spent so far", argument_hint: "", action: Action::Cost },
    Command {
        name: "context",
        description: "How full the model's window is",
        argument_hint: "",
        action: Action::Context,
    },
    Command {
        name: "clear",
        description: "Begin a new conversation",
        argument_hint: "",
        action: Action::Clear,
    },
    Command {
        name: "model",
        description: "Tell or set the model",
        argument_hint: "[name]",
        action: Action::Model,
    },
];

/// The command that a prompt is, and what follows its name.
pub(crate) fn find(prompt: &str) -> Option<(&'static Command, &str)> {
    let line = prompt.strip_prefix('/')?;
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    Some((command, arguments.trim()))
}
