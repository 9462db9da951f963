//! The `aqueduct` program: one module a subcommand. The only crate that reads the environment, the home
//! directory and the working directory; what the libraries need of them is passed down.
//!
//! | module | contents |
//! |---|---|
//! | `commands` | the subcommands |
//! | `agents` | which agent to start: the reference CLI on PATH, the one in this program, another |
//! | `config` | the configuration of `serve`: one table for flags, variables, keys, help and docs/operations.md |
//! | `bridge` | the bridge of a data folder, for commands: over its socket if it runs, in its log otherwise |
//! | `input`, `json_text` | lines from a file or stdin; places in JSON text |
//! | `explained` | errors with their causes and hints, as text |
//! | `redact` | secrets in recordings and output |
//! | `terminal`, `output` | safe text, colors, calls in one line; the only module that prints for people |

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

mod agents;
mod bridge;
mod commands;
mod config;
mod explained;
mod input;
mod json_text;
mod output;
mod redact;
mod terminal;

#[cfg(feature = "man-pages")]
use commands::man_pages;
use commands::{
    agent, backup, completions, devices, doctor, keeper, logs, pair, prune, record, replay, restore, rules,
    run, scripted_api, serve, sessions, status, stop, systemd_unit, token, trust, wire,
};
use output::TerminalInfo;

/// The open stream-json stack for coding agents.
#[derive(Debug, Parser)]
#[command(name = "aqueduct", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<serve::Args>),
    Status(status::Args),
    Logs(logs::Args),
    Stop(stop::Args),
    Pair(pair::Args),
    Devices(devices::Args),
    #[command(subcommand)]
    Token(token::TokenCommand),
    Backup(backup::Args),
    Restore(restore::Args),
    Prune(prune::Args),
    Run(Box<run::Args>),
    Trust(trust::Args),
    Doctor(doctor::Args),
    #[command(subcommand)]
    Wire(wire::WireCommand),
    Record(record::Args),
    Replay(replay::Args),
    #[command(subcommand)]
    Rules(rules::RulesCommand),
    #[command(subcommand)]
    Sessions(sessions::SessionsCommand),
    ScriptedApi(scripted_api::Args),
    Completions(completions::Args),
    SystemdUnit(systemd_unit::Args),
}

fn main() -> ExitCode {
    // Hosts wait for the agent, and it reads its own command line: nothing comes before it.
    if let Some(code) = agent::run(std::env::args_os()) {
        return code;
    }
    if let Some(code) = keeper::run(std::env::args_os()) {
        return code;
    }
    #[cfg(feature = "man-pages")]
    if let Some(code) = man_pages::run(std::env::args_os(), described) {
        return code;
    }
    let matches = Cli::command().subcommand(agent::listed_mcp()).subcommand(agent::listed()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let screen = TerminalInfo::new(|name| std::env::var_os(name));
    match dispatch(cli.command, &screen) {
        Ok(code) => code,
        Err(error) => output::failure(&error),
    }
}

/// The whole command line, for what is generated from it.
fn described() -> clap::Command {
    Cli::command().subcommand(agent::described_mcp()).subcommand(agent::described("agent"))
}

fn dispatch(command: Command, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(args) => serve::run(&args, screen),
        Command::Status(args) => status::run(&args, screen),
        Command::Logs(args) => logs::run(&args, screen),
        Command::Stop(args) => stop::run(&args),
        Command::Pair(args) => pair::run(&args, screen),
        Command::Devices(args) => devices::run(&args, screen),
        Command::Token(command) => token::run(&command, screen),
        Command::Backup(args) => backup::run(&args, screen),
        Command::Restore(args) => restore::run(&args, screen),
        Command::Prune(args) => prune::run(&args, screen),
        Command::Run(args) => run::run(&args, screen),
        Command::Trust(args) => trust::run(&args, screen),
        Command::Doctor(args) => doctor::run(&args, screen),
        Command::Wire(command) => wire::run(&command, screen),
        Command::Record(args) => record::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Rules(command) => rules::run(&command),
        Command::Sessions(command) => sessions::run(&command, screen),
        Command::ScriptedApi(args) => scripted_api::run(&args),
        Command::Completions(args) => completions::run(&args, described()),
        Command::SystemdUnit(args) => systemd_unit::run(&args),
    }
}
