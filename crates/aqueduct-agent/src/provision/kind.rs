//! The kinds of provisions.

/// What a provision is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProvisionKind {
    /// A hook: something that runs on an event.
    Hook,
    /// An MCP server.
    Server,
    /// A command in a settings file that another agent runs.
    Helper,
    /// A rule that allows tool calls.
    AllowRule,
    /// A directory to work in beside the folder.
    Directory,
    /// A permission mode to start in.
    Mode,
    /// An environment variable.
    Variable,
    /// A setting that loosens the sandbox.
    Sandbox,
    /// Switches off or limits the user's hooks.
    HooksOff,
    /// Approves MCP servers of the folder.
    ServerApproval,
    /// A skill that allows tool calls or has hooks.
    Skill,
    /// A custom command that allows tool calls or has hooks.
    Command,
    /// A subagent that has hooks or a permission mode.
    Agent,
}

/// Every kind with its name in files and its heading for people.
const KINDS: [(ProvisionKind, &str, &str); 13] = [
    (ProvisionKind::Hook, "hook", "Hooks: commands, requests and model calls that run by themselves"),
    (
        ProvisionKind::Server,
        "server",
        "MCP servers: programs that are started, and addresses that are connected to",
    ),
    (ProvisionKind::Helper, "helper", "Commands and plugins in settings, which the reference CLI uses"),
    (ProvisionKind::AllowRule, "allow-rule", "Allow rules: tool calls that are not asked about"),
    (ProvisionKind::Directory, "directory", "Further directories to work in"),
    (ProvisionKind::Mode, "mode", "Permission mode"),
    (ProvisionKind::Variable, "variable", "Environment variables"),
    (ProvisionKind::Sandbox, "sandbox", "Exceptions from the sandbox"),
    (ProvisionKind::HooksOff, "hooks-off", "Switches that turn off or limit your own hooks"),
    (ProvisionKind::ServerApproval, "server-approval", "Approvals of its own MCP servers"),
    (ProvisionKind::Skill, "skill", "Skills with permissions or hooks"),
    (ProvisionKind::Command, "command", "Custom commands with permissions or hooks"),
    (ProvisionKind::Agent, "agent", "Subagents with hooks or a permission mode"),
];

impl ProvisionKind {
    /// Every kind, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = ProvisionKind> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    /// Its name in files and in JSON.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Its heading for people.
    pub fn heading(self) -> &'static str {
        self.row().2
    }

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<ProvisionKind> {
        ProvisionKind::all().find(|kind| kind.name() == name)
    }

    fn row(self) -> &'static (ProvisionKind, &'static str, &'static str) {
        // The order of the table is that of the enum, which a test checks.
        &KINDS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{KINDS, ProvisionKind};

    #[test]
    fn every_kind_has_its_row() {
        for (index, (kind, name, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, index, "{name}");
            assert_eq!(ProvisionKind::from_name(name), Some(*kind));
        }
        assert_eq!(ProvisionKind::Agent as usize + 1, KINDS.len());
    }
}
