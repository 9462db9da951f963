//! `aqueduct trust`: let what a project folder's files run or widen take effect.

mod json;
mod page;

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use aqueduct_agent::trust::{self, FolderReport, FolderTrust, TrustPlaces, TrustSource};

pub(crate) use self::page::{page, shown_folder};

use crate::config::UserEnvironment;
use crate::explained::advice;
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, plain};

/// Show what a project folder provides, and trust it
///
/// Files of a project can run commands and allow more than you do: hooks, MCP servers, allow rules, environment
/// variables, skills and subagents with permissions. Nothing of it takes effect before you trust the folder. This shows
/// all of it and asks. The answer holds for what was shown: when it changes, the difference is shown and asked again.
/// The text of a command is part of the answer, the files that it runs are not.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  aqueduct trust
  aqueduct trust ~/src/project
  aqueduct trust --json | jq -r .digest
  aqueduct trust --digest 5e88…
  aqueduct trust list
  aqueduct trust remove ~/src/project

Without a terminal nothing is trusted unless --digest names exactly what is there. On machines without a person, such as
CI, `aqueduct run --trust-workspace` and AQUEDUCT_TRUST_WORKSPACE=1 trust a folder for one run.

Exit code: 0 if the folder is trusted or provides nothing; 1 if it is not trusted: you declined, there was no terminal, or
--digest does not match; 2 if it could not be done. With --json nothing is asked."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<TrustCommand>,
    /// The folder [default: the current folder]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Trust without confirmation, if the folder's contents still have this digest
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,
    /// Confirm in advance; needs --digest, so that nothing unseen is trusted
    #[arg(long, requires = "digest")]
    yes: bool,
    /// Print JSON, and ask nothing
    #[arg(long)]
    json: bool,
}

/// What to do with folders that are trusted.
#[derive(Debug, clap::Subcommand)]
enum TrustCommand {
    /// List the folders that you trust
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop trusting a folder
    ///
    /// Exit code: 0 if it was trusted, 1 if it was not.
    Remove {
        /// The folder [default: the current folder]
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Where this user's trust is kept.
pub(crate) fn places(known: &UserEnvironment) -> anyhow::Result<TrustPlaces> {
    let home = known.home.as_deref().context(advice("no home folder to store trust in", "set HOME"))?;
    let config = known.variable("CLAUDE_CONFIG_DIR").map(|folder| known.cwd.join(folder));
    Ok(TrustPlaces::new(home, config.as_deref(), known.variable("XDG_DATA_HOME").map(Path::new)))
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let known = UserEnvironment::of_this_process()?;
    let places = places(&known)?;
    let folder = |folder: &Option<PathBuf>| folder.clone().unwrap_or_else(|| known.cwd.clone());
    match &args.command {
        Some(TrustCommand::List { json }) => list(*json, &known, &places),
        Some(TrustCommand::Remove { folder: named, json }) => remove(&folder(named), *json, &known, &places),
        None => trust_folder(args, &folder(&args.folder), screen, &known, &places),
    }
}

fn trust_folder(
    args: &Args,
    folder: &Path,
    screen: &TerminalInfo,
    known: &UserEnvironment,
    places: &TrustPlaces,
) -> anyhow::Result<ExitCode> {
    let mut report = trust::inspect(folder, places)?;
    let shown = shown_folder(&report, known);
    let is_settled =
        |report: &FolderReport| matches!(report.state, FolderTrust::Nothing | FolderTrust::Trusted);
    let is_right = args.digest.as_deref().map(|digest| digest.eq_ignore_ascii_case(&report.digest));
    if is_right == Some(true) && !is_settled(&report) {
        trust::trust(&report.folder, &report.digest, TrustSource::Cli, places)?;
        report = trust::inspect(folder, places)?;
    }
    if args.json {
        output::text(&json::report(&report)?)?;
        return Ok(ExitCode::from(u8::from(!is_settled(&report) || is_right == Some(false))));
    }
    if is_right == Some(false) {
        output::trouble(&format!(
            "{shown} was not trusted: what it provides has the digest {}, not the one that was given. Look at it \
             again with aqueduct trust",
            report.digest
        ));
        return Ok(ExitCode::from(1));
    }
    if report.state == FolderTrust::Nothing {
        output::text(&format!("{shown} provides nothing that needs trust.\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.digest.is_none() {
        output::text(&page(&report, known, Ink::new(screen.colour)))?;
    }
    if is_settled(&report) {
        let with = if args.digest.is_none() { " with this" } else { "" };
        output::text(&format!("{shown} is trusted{with}.\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        output::trouble(&format!(
            "{shown} was not trusted: there is no terminal to ask for confirmation. To trust exactly this, pass --digest {}",
            report.digest
        ));
        return Ok(ExitCode::from(1));
    }
    if !is_confirmed(&shown)? {
        output::text(&format!("{shown} is not trusted.\n"))?;
        return Ok(ExitCode::from(1));
    }
    trust::trust(&report.folder, &report.digest, TrustSource::Cli, places)?;
    output::text(&format!("{shown} is trusted.\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Asks; anything but a yes is a no.
fn is_confirmed(shown: &str) -> anyhow::Result<bool> {
    output::question(&format!("Trust {shown} with this? [y/N] "));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn list(json: bool, known: &UserEnvironment, places: &TrustPlaces) -> anyhow::Result<ExitCode> {
    let folders = trust::list(places)?;
    if json {
        output::text(&json::list(&folders)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if folders.is_empty() {
        output::remark("no folder is trusted; aqueduct trust DIR shows what a folder provides, and asks");
    }
    for trusted in folders {
        let things = if trusted.provisions == 1 { "thing" } else { "things" };
        let by = match trusted.by.as_str() {
            "reference" => "the reference CLI's record".to_owned(),
            by => plain(by),
        };
        output::text(&format!(
            "{}  {} {things}, since {} by {by}\n",
            plain(&known.shown(&trusted.folder)),
            trusted.provisions,
            plain(&trusted.at),
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn remove(
    folder: &Path,
    json: bool,
    known: &UserEnvironment,
    places: &TrustPlaces,
) -> anyhow::Result<ExitCode> {
    let folder = known.cwd.join(folder);
    let was_trusted = trust::remove(&folder, places)?;
    let shown = plain(&known.shown(&folder.canonicalize().unwrap_or(folder)));
    if json {
        output::text(&json::removed(was_trusted)?)?;
    } else if was_trusted {
        output::text(&format!("{shown} is no longer trusted.\n"))?;
    } else {
        output::remark(&format!("{shown} was not trusted"));
    }
    Ok(ExitCode::from(u8::from(!was_trusted)))
}
