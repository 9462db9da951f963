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

use crate::output::Screen;

/// List, show, search, export, rename, tag, fork and delete sessions on disk
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Show(show::Args),
    Search(search::Args),
    Export(export::Args),
    Rename(change::RenameArgs),
    Tag(change::TagArgs),
    Fork(change::ForkArgs),
    Rm(remove::Args),
}

pub(crate) fn run(command: &Command, screen: &Screen) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(args) => list::run(args, screen),
        Command::Show(args) => show::run(args, screen),
        Command::Search(args) => search::run(args, screen),
        Command::Export(args) => export::run(args),
        Command::Rename(args) => change::rename(args),
        Command::Tag(args) => change::tag(args),
        Command::Fork(args) => change::fork(args),
        Command::Rm(args) => remove::run(args),
    }
}
