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

use crate::output::TerminalInfo;

/// Check a stream, or show it as a conversation
#[derive(Debug, clap::Subcommand)]
pub(crate) enum WireCommand {
    Check(check::Args),
    View(view::Args),
}

pub(crate) fn run(command: &WireCommand, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    match command {
        WireCommand::Check(args) => check::run(args, screen),
        WireCommand::View(args) => view::run(args, screen),
    }
}
