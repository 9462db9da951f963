//! The subagent types of a session, as the Agent tool uses them.

/// What the Agent tool needs to know about a subagent type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentType {
    /// Its name.
    pub name: String,
    /// The model never waits for its report.
    pub is_background: bool,
    /// It works in a worktree of its own.
    pub is_isolated: bool,
}

/// The subagent types of a session. The agent has the definitions; tools name a type.
pub trait SubagentTypes: Send + Sync {
    /// The type with this name.
    fn find_type(&self, name: &str) -> Option<SubagentType>;

    /// Reads the files of types again if they have changed; whether they have.
    fn reread(&self) -> bool;

    /// The names of all types.
    fn type_names(&self) -> Vec<String>;
}
