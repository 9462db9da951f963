//! `aqueduct agent`: the agent, which is also a program of its own.

use std::ffi::OsString;
use std::process::ExitCode;

/// The name of the subcommand.
const NAME: &str = "agent";

/// Runs the agent, or a guard of one of its commands, where the command line asks for it. What follows the
/// subcommand's name is the agent's: it reads its own flags.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1);
    let is_meant = arguments.next().is_some_and(|first| first == NAME);
    is_meant.then(|| aqueduct_agent::program::main(arguments.collect(), &[NAME]))
}

/// The subcommand for those who look for it in the help.
pub(crate) fn listed() -> clap::Command {
    clap::Command::new(NAME)
        .about("Run the coding agent; aqueduct-agent is the same as a program of its own")
        .after_help("The agent reads its own command line: `aqueduct agent --help` lists its flags.")
        .disable_help_flag(true)
        .override_usage("aqueduct agent [OPTIONS] [PROMPT]")
}
