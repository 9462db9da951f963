//! The `aqueduct` program.

fn main() {}
