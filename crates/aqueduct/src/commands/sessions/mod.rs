//! `aqueduct sessions`: the conversations on disk, of the reference CLI and of our agent alike.

mod age;
mod change;
mod export;
mod json;
mod list;
mod place;
mod remove;
mod row;
mod search;
mod show;

pub(crate) use age::ago;

use std::process::ExitCode;

use crate::output::TerminalInfo;

/// List, show, search, export, rename, tag, fork and delete sessions on disk
#[derive(Debug, clap::Subcommand)]
pub(crate) enum SessionsCommand {
    List(list::Args),
    Show(show::Args),
    Search(search::Args),
    Export(export::Args),
    Rename(change::RenameArgs),
    Tag(change::TagArgs),
    Fork(change::ForkArgs),
    Rm(remove::Args),
}

pub(crate) fn run(command: &SessionsCommand, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    match command {
        SessionsCommand::List(args) => list::run(args, screen),
        SessionsCommand::Show(args) => show::run(args, screen),
        SessionsCommand::Search(args) => search::run(args, screen),
        SessionsCommand::Export(args) => export::run(args),
        SessionsCommand::Rename(args) => change::rename(args),
        SessionsCommand::Tag(args) => change::tag(args),
        SessionsCommand::Fork(args) => change::fork(args),
        SessionsCommand::Rm(args) => remove::run(args),
    }
}
