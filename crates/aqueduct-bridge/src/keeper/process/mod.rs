//! The keeper as a process: one thread, one loop, no async runtime.

mod agent;
mod attendance;
mod connection;
mod ending;
mod exec;
mod family;
mod frame_head;
mod inputs;
mod output;
mod ready;
mod removal;
mod service;
mod signals;
mod start;
mod tail;
mod watch;

pub use start::main;
