use serde::{Deserialize, Serialize};

/// A keeper's first message to every bridge that connects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeeperHello {
    /// The protocol's version.
    pub version: u32,
    /// The keeper's process.
    pub keeper: u32,
    /// The agent's process.
    pub agent: u32,
    /// Where the agent is in its life.
    pub state: AgentState,
    /// The first offset that is still available.
    pub oldest: u64,
    /// The end of all output so far: the offset of the next line.
    pub next: u64,
    /// Whether it takes instructions for the time while no bridge is attached.
    #[serde(default)]
    pub unattended: bool,
}

/// Where an agent is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// It runs.
    Running,
    /// It has been asked to end, or has ended and left something running.
    Ending,
    /// It has ended, with all that it started; its exit comes after its output.
    Exited,
}
