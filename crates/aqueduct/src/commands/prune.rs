//! `aqueduct prune`: sessions that are deleted for their age, or because the log is too large.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use aqueduct_bridge::log::{ExpiredSession, LogSnapshot, RetentionPlan, Time};
use aqueduct_os::privacy::check_folder;
use serde_json::{Value, json};

use super::confirm::is_confirmed;
use super::sessions::ago;
use super::transfer::counted;
use crate::bridge::Bridge;
use crate::config::{BridgeLocation, Config, UserEnvironment};
use crate::explained::advice;
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, bytes, fit, fit_end, plain, width};

/// How much of a session's id is shown.
const ID: usize = 8;
/// How many columns a title has at least.
const SHORTEST_TITLE: usize = 20;

/// Delete sessions that are older than you keep them
///
/// aqueduct serve does this by itself, at the start and every hour, if retain_age or retain_size is set; this command shows
/// what would go, and does it now. A session goes only if it has ended: no agent runs, no input waits, nothing is to be
/// decided. It goes with its messages for good; what it cost stays in the usage, and the agent's own transcript stays too.
///
/// The space is used again for new messages: the log grows no more, and its file does not become smaller.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct prune --retain-age 90d --dry-run
  aqueduct prune --retain-size 2GiB
  aqueduct prune --yes --json

The limits are those of the configuration, unless a flag gives another one. On a terminal you are asked first. Elsewhere
--yes is needed.

Exit code: 0 when all of them are deleted, or listed; 1 if you declined; 2 if something could not be deleted.")]
pub(crate) struct Args {
    /// List what would be deleted and why, without deleting it
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// How long sessions are kept that have ended, such as 90d
    #[arg(long, value_name = "TIME")]
    retain_age: Option<OsString>,
    /// How large the log may become, such as 2GiB; the oldest sessions go first
    #[arg(long, value_name = "SIZE")]
    retain_size: Option<OsString>,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let limits = [("retain_age", &args.retain_age), ("retain_size", &args.retain_size)];
    let config = args.place.load_with(&limits)?;
    let environment = UserEnvironment::of_this_process()?;
    if !config.retention.is_limited() {
        bail!(advice(
            "sessions are kept for ever",
            "pass --retain-age 90d or --retain-size 2GiB, or set retain_age or retain_size in the configuration"
        ));
    }
    let plan = plan(&config)?;
    if plan.expired.is_empty() || args.dry_run {
        report(&plan, &plan.expired, args, screen, &environment)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.yes {
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            bail!(advice(
                "deleting asks for confirmation, and there is no terminal",
                "pass --yes to delete without confirmation, or --dry-run to look"
            ));
        }
        output::text(&table(&plan.expired, screen, &environment))?;
        let what = counted(plan.expired.len() as u64, "session", "sessions");
        if !is_confirmed(&format!("Delete {what} for good?"))? {
            return Ok(ExitCode::from(1));
        }
    }
    let bridge = Bridge::reach(&config)?;
    let mut deleted = Vec::new();
    for session in &plan.expired {
        // One that is used again meanwhile stays.
        if bridge.expire_session(&session.id, session.updated)? {
            deleted.push(session.clone());
        }
    }
    bridge.settle()?;
    report(&plan, &deleted, args, screen, &environment)?;
    Ok(ExitCode::SUCCESS)
}

/// What the limits of a configuration remove from its log. A bridge may use it.
fn plan(config: &Config) -> anyhow::Result<RetentionPlan> {
    if config.data_dir.exists() {
        check_folder(&config.data_dir)?;
    }
    Ok(match LogSnapshot::open(&config.data_dir)? {
        Some(snapshot) => snapshot.retention(&config.retention, Time::now())?,
        None => RetentionPlan::default(),
    })
}

/// Prints what was deleted, or would be.
fn report(
    plan: &RetentionPlan,
    sessions: &[ExpiredSession],
    args: &Args,
    screen: &TerminalInfo,
    environment: &UserEnvironment,
) -> anyhow::Result<()> {
    if args.json {
        return output::text(&format!("{}\n", json(plan, sessions, args.dry_run)));
    }
    // The question had it already.
    if args.dry_run || args.yes {
        output::text(&table(sessions, screen, environment))?;
    }
    let (done, size) = match args.dry_run {
        true => ("would be deleted", "frees about"),
        false => ("deleted", "freed about"),
    };
    let freed: u64 = sessions.iter().map(|session| session.bytes).sum();
    let what = counted(sessions.len() as u64, "session", "sessions");
    let stay = format!(
        "{} that ended and {} in use stay",
        counted(plan.kept, "session", "sessions"),
        counted(plan.in_use, "session", "sessions")
    );
    output::remark(&match sessions.is_empty() {
        true => format!("nothing to delete of {}: {stay}", bytes(plan.log_bytes)),
        false => format!("{what} {done}, which {size} {} of {}; {stay}", bytes(freed), bytes(plan.log_bytes)),
    });
    Ok(())
}

fn table(sessions: &[ExpiredSession], screen: &TerminalInfo, environment: &UserEnvironment) -> String {
    let ink = Ink::new(screen.colour);
    let rows: Vec<[String; 5]> = sessions
        .iter()
        .map(|session| {
            [
                session.id.chars().take(ID).collect(),
                session.reason.as_str().to_owned(),
                age(session.updated),
                bytes(session.bytes),
                plain(&environment.shown(session.project.as_ref())),
            ]
        })
        .collect();
    let head = ["id", "why", "newest", "size", "project"].map(str::to_owned);
    let mut widths = head.clone().map(|cell| width(&cell));
    for row in &rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(width(cell));
        }
    }
    widths[4] = widths[4].min(screen.width / 3);
    let room = screen.width.saturating_sub(widths.iter().map(|column| column + 2).sum()).max(SHORTEST_TITLE);
    let line = |cells: &[String; 5], title: &str| {
        let mut text = String::new();
        for (index, (cell, column)) in cells.iter().zip(widths).enumerate() {
            let cell = if index == 4 { fit_end(cell, column) } else { cell.clone() };
            let _ = write!(text, "{cell}{:1$}", "", column.saturating_sub(width(&cell)) + 2);
        }
        text.push_str(&fit(title, room));
        text.trim_end().to_owned()
    };
    let mut text = String::new();
    if !rows.is_empty() {
        let _ = writeln!(text, "{}", ink.bold(&line(&head, "title")));
    }
    for (row, session) in rows.iter().zip(sessions) {
        let _ = writeln!(text, "{}", line(row, &plain(session.title.as_deref().unwrap_or_default())));
    }
    text
}

fn age(time: Time) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(time.0).unwrap_or_default());
    ago(time, SystemTime::now())
}

fn json(plan: &RetentionPlan, sessions: &[ExpiredSession], is_dry_run: bool) -> Value {
    let row = |session: &ExpiredSession| {
        json!({
            "sessionId": session.id,
            "projectPath": session.project,
            "title": session.title,
            "updatedAt": session.updated.0,
            "messages": session.messages,
            "bytes": session.bytes,
            "reason": session.reason.as_str(),
        })
    };
    json!({
        "dryRun": is_dry_run,
        "sessions": sessions.iter().map(row).collect::<Vec<_>>(),
        "logBytes": plan.log_bytes,
        "kept": plan.kept,
        "inUse": plan.in_use,
    })
}
