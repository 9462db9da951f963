//! `aqueduct man-pages DIR`: only in builds for `cargo xtask dist`, and no part of the command line that it describes.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;

use crate::output;

/// The name of the subcommand.
const NAME: &str = "man-pages";

/// Writes a page for each command into a folder, where the command line asks for it. `whole` makes the command line of this
/// program, with everything that it has. The page of `aqueduct agent` is also that of the program `aqueduct-agent`.
pub(crate) fn run(
    arguments: impl Iterator<Item = OsString>,
    whole: impl FnOnce() -> Command,
) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1);
    let is_meant = arguments.next().is_some_and(|first| first == NAME);
    is_meant.then(|| match write(arguments.next(), whole()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::failure(&error),
    })
}

fn write(folder: Option<OsString>, whole: Command) -> anyhow::Result<()> {
    let folder = folder.context("name the folder for the man pages")?;
    clap_mangen::generate_to(whole, &folder)
        .with_context(|| format!("can't write man pages into {}", folder.display()))
}
