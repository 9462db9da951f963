//! The keeper as a process: one thread, one loop, no async runtime.
//!
//! | file | contents |
//! |---|---|
//! | `start.rs`, `watch.rs`, `ready.rs`, `signals.rs` | the start of the process; its loop, what it polls, its signals |
//! | `exec.rs`, `agent.rs`, `tail.rs` | starting the agent; the running agent; the end of its stderr |
//! | `output.rs`, `inputs.rs` | the agent's pipes |
//! | `service.rs`, `connection.rs` | the bridge's socket |
//! | `ending.rs` | ending the agent and all of its processes |
//! | `attendance.rs`, `frame_head.rs` | what happens while no bridge is connected |

mod agent;
mod attendance;
mod connection;
mod ending;
mod exec;
mod frame_head;
mod inputs;
mod output;
mod ready;
mod service;
mod signals;
mod start;
mod tail;
mod watch;

pub use start::main;
