//! Running subagents: tasks that run beside the session's loop, verifiers of hooks, and frames about them.

mod frames;
mod run;
mod verifier;
mod wait;
