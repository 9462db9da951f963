//! `aqueduct wire`: streams and recordings, checked and shown.

mod aligned;
mod check;
mod findings;
mod kind;
mod report;
mod report_json;
mod same;
mod survey;
pub(crate) mod view;

use std::process::ExitCode;

use crate::output::Screen;

/// Check a stream, or show it as a conversation
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    View(view::Args),
}

pub(crate) fn run(command: &Command, screen: &Screen) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(args) => check::run(args, screen),
        Command::View(args) => view::run(args, screen),
    }
}
