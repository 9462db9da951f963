//! The process between a command and the agent.
