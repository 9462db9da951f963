//! `aqueduct rules`: what the permission rules make of a call, and which rules there are.

mod explain;
mod list;
mod sources;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aqueduct_rules::{Mode, ModeError};
use aqueduct_wire::hint::HintedError;

pub(crate) use sources::Folders;

/// Explain permission decisions and list the rules in effect
#[derive(Debug, clap::Subcommand)]
pub(crate) enum RulesCommand {
    /// Show the decision about a tool call, and its reasons
    Explain(explain::Args),
    /// List the rules in effect, each with its source
    List(list::Args),
}

/// Where rules come from; the same for every subcommand.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct RulesLocation {
    /// The project folder [default: the current folder]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The permission mode [default: from the settings]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<Mode>,
    /// A settings file to read as well; can be repeated
    #[arg(long, value_name = "FILE")]
    settings: Vec<PathBuf>,
    /// Leave out the settings of the user and of the project
    #[arg(long)]
    no_found_settings: bool,
    /// Let the allow rules of the project count, as in a folder you have trusted
    #[arg(long)]
    trust: bool,
    /// A rule that allows; can be repeated
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// A rule that asks; can be repeated
    #[arg(long, value_name = "RULE")]
    ask: Vec<String>,
    /// A rule that denies; can be repeated
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// An additional working directory; can be repeated
    #[arg(long, value_name = "DIR")]
    add_dir: Vec<PathBuf>,
}

/// What is wrong in the settings files that count in a folder, a line each. A file that can't be read is an error.
pub(crate) fn settings_errors(cwd: &Path) -> anyhow::Result<Vec<String>> {
    let place = RulesLocation { cwd: Some(cwd.to_owned()), ..RulesLocation::default() };
    Ok(sources::find(&place, &Folders::of_this_process())?.errors.iter().map(HintedError::advised).collect())
}

/// Where the paths of a call really lead.
pub(crate) fn resolve(paths: Vec<String>) -> Vec<(String, String)> {
    aqueduct_agent::resolve_paths(paths)
}

/// What git would use in these directories, for a session in a folder.
pub(crate) fn repositories(
    cwd: &Path,
    directories: Vec<String>,
) -> Vec<(String, aqueduct_rules::Repository)> {
    sources::repositories(cwd, directories)
}

pub(crate) fn run(command: &RulesCommand) -> anyhow::Result<ExitCode> {
    match command {
        RulesCommand::Explain(args) => explain::run(args),
        RulesCommand::List(args) => list::run(args),
    }
}

/// Reads a permission mode.
fn mode(text: &str) -> anyhow::Result<Mode> {
    text.parse().map_err(|error: ModeError| anyhow::Error::msg(error.advised()))
}
