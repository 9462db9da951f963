//! The `aqueduct` program: one file a subcommand. The only crate that reads the environment, the home
//! directory and the working directory; what the libraries need of them is passed down.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod commands;
mod output;

/// The open stream-json stack for coding agents.
#[derive(Debug, Parser)]
#[command(name = "aqueduct", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(subcommand)]
    Rules(commands::rules::Command),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        Err(error) => output::failure(&error),
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Rules(command) => commands::rules::run(&command),
    }
}
