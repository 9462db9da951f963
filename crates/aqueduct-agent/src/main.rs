//! The agent as a program of its own, for hosts that want one.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct_agent::program::main(std::env::args_os().skip(1).collect(), &[])
}
