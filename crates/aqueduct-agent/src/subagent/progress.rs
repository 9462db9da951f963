use std::time::Duration;

/// What a subagent does now, and what it has done.
#[derive(Debug)]
pub(crate) struct SubagentProgress<'p> {
    /// The tool that it calls.
    pub(crate) tool: &'p str,
    /// What the call does, for people.
    pub(crate) description: String,
    /// About how many tokens its conversation has.
    pub(crate) tokens: u64,
    /// How many tools it has called.
    pub(crate) tool_uses: u64,
    /// How long it has been at work.
    pub(crate) took: Duration,
}
