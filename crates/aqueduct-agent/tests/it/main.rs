//! Tests of the agent as a program, driven as a host drives it.

mod host;
mod turns;
