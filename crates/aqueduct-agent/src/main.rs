//! The agent as a program.

fn main() {}
