//! `aqueduct sessions rm`: conversations to delete.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use aqueduct_client::transcript::StoredSession;

use super::place;
use super::row::short;
use crate::commands::confirm::is_confirmed;
use crate::explained::advice;
use crate::output;
use crate::terminal::{fit, plain};

/// How much of a title is shown before it is deleted.
const SHOWN: usize = 60;

/// Delete sessions
///
/// Deletes each session's file, and the folder beside it with its subagents' conversations. Nothing brings them
/// back. A session that a running agent has open is not deleted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions rm 550e84
  aqueduct sessions rm --yes 550e84 7c498d

On a terminal you are asked first. Elsewhere --yes is needed.

Exit code: 0 if all are deleted, 1 if you declined, 2 if something could not be deleted.")]
pub(crate) struct Args {
    /// The sessions' ids, or as much of their beginnings as is needed
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Look among the sessions of this folder only
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let find = |id: &String| place::find(id, args.project.as_deref());
    let sessions: Vec<StoredSession> = args.ids.iter().map(find).collect::<anyhow::Result<_>>()?;
    if !args.yes {
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            bail!(advice(
                "deleting asks for confirmation, and there is no terminal",
                "pass --yes to delete without confirmation",
            ));
        }
        for session in &sessions {
            let title = session.summary().map(|summary| plain(summary.title())).unwrap_or_default();
            output::remark(&format!("{}  {}", short(session.id()), fit(&title, SHOWN)));
        }
        let what = match sessions.len() {
            1 => "this session".to_owned(),
            count => format!("these {count} sessions"),
        };
        if !is_confirmed(&format!("Delete {what} for good?"))? {
            return Ok(ExitCode::from(1));
        }
    }
    for session in sessions {
        let id = short(session.id()).to_owned();
        session.delete()?;
        output::text(&format!("{id} is deleted\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
