//! `aqueduct sessions list`: the conversations there are, newest first.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use aqueduct_client::transcript::{ListQuery, Listing};
use serde_json::json;

use super::{json as as_json, place, row};
use crate::output::{self, TerminalInfo};
use crate::terminal::Ink;

/// List sessions, newest first
///
/// Shows the conversations of all projects, or of one. Only the beginning and the end of each file are read, so
/// thousands of sessions list at once. The title is yours, else the model's, else your prompt.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions list
  aqueduct sessions list --project . --limit 100
  aqueduct sessions list --json | jq -r '.sessions[].sessionId'

--json prints one object: sessions (a list; sessionId, title, customTitle, aiTitle, summary, firstPrompt,
lastPrompt, tag, cwd, gitBranch, created, modified, size, messages, program, version, entrypoint, path) and hasMore.
Members are only ever added.

Exit code: 0, also if there are none; 2 if they can't be read.")]
pub(crate) struct Args {
    /// Only the sessions of this folder
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Only the sessions with this tag
    #[arg(long)]
    tag: Option<String>,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// How many of the newest to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let query = ListQuery {
        project: place::project_path(args.project.as_deref())?,
        tag: args.tag.clone(),
        offset: args.offset,
        limit: Some(args.limit),
    };
    let store = place::store()?;
    let listing = store.list(&query)?;
    if args.json {
        let sessions: Vec<_> = listing.sessions.iter().map(as_json::summary).collect();
        let listed = json!({ "sessions": sessions, "hasMore": listing.has_more });
        output::text(&format!("{}\n", serde_json::to_string_pretty(&listed)?))?;
    } else if listing.sessions.is_empty() {
        let place = query.project.map(|folder| format!(" of {}", folder.display())).unwrap_or_default();
        output::remark(&format!("no sessions{place} in {}", store.config().display()));
    } else {
        output::text(&readable(&listing, args, screen))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn readable(listing: &Listing, args: &Args, screen: &TerminalInfo) -> String {
    let mut text = row::table(&listing.sessions, args.project.is_none(), SystemTime::now(), screen);
    if listing.has_more {
        let next = args.offset + listing.sessions.len();
        let more =
            format!("There are more: --offset {next} shows the next page, --limit shows more per page.");
        text.push_str(&format!("\n{}\n", Ink::new(screen.colour).dim(&more)));
    }
    text
}
