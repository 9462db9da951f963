//! `aqueduct logs`: what happened in a session of the bridge, and what its agent writes to stderr.

mod entry;
mod reader;
mod since;

use std::collections::VecDeque;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;

use self::entry::LogItem;
use self::reader::LogReader;
use self::since::Since;
use crate::bridge::Bridge;
use crate::config::BridgeLocation;
use crate::explained::{advice, explained};
use crate::output::{self, TerminalInfo};

/// How often new lines are looked for.
const PAUSE: Duration = Duration::from_millis(500);

/// Show a session's events and its agent's stderr
///
/// Each line has a time, what it is, and its beginning. Lines that the agent wrote to stderr are shown while it runs, and
/// the end of them with its exit. It asks the running bridge; where none runs it reads the data folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct logs 3f2a91c0
  aqueduct logs 3f2a91c0 --follow
  aqueduct logs 3f2a91c0 --since 10m --json | jq -r 'select(.type == \"stderr\") | .text'

Exit code: 0 when it is shown; 2 if it could not be.")]
pub(crate) struct Args {
    /// The session's id, or a unique prefix of it
    #[arg(value_name = "SESSION")]
    session: String,
    /// Show new lines as they come, until Ctrl-C
    #[arg(long, short)]
    follow: bool,
    /// Show only what happened since then: a time ago such as 10m or 2h, or a date such as 2026-11-19T14:00
    #[arg(long, value_name = "TIME", value_parser = since::parse)]
    since: Option<Since>,
    /// Show only the newest lines
    #[arg(long, short = 'n', value_name = "COUNT")]
    lines: Option<usize>,
    /// Print a JSON object for each event and each line of stderr
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let config = args.place.load()?;
    ensure!(
        config.data_dir.exists(),
        advice(
            format!("no bridge has run with the data folder {}", config.data_dir.display()),
            "name another one with --data-dir"
        )
    );
    let bridge = Bridge::reach(&config)?;
    ensure!(
        bridge.is_running() || !args.follow,
        advice(
            "no bridge runs, so nothing can be followed",
            "start it with aqueduct serve, or leave --follow out"
        )
    );
    let mut reader = LogReader::new(bridge.session_id(&args.session)?, args.since.map(Since::milliseconds));
    let show = |item: &LogItem| output::text(&item.line(args.json, screen)?);
    match args.lines {
        None => reader.read(&bridge, &mut |item| show(&item))?,
        Some(count) => {
            let mut newest = VecDeque::new();
            reader.read(&bridge, &mut |item| {
                newest.push_back(item);
                if newest.len() > count {
                    newest.pop_front();
                }
                Ok(())
            })?;
            newest.iter().try_for_each(show)?;
        }
    }
    match args.follow {
        true => follow(&bridge, &mut reader, &show),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// Shows what is new until the program is ended, or its reader has closed its end.
fn follow(
    bridge: &Bridge<'_>,
    reader: &mut LogReader,
    show: &dyn Fn(&LogItem) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let mut is_away = false;
    loop {
        std::thread::sleep(PAUSE);
        let mut is_closed = false;
        let read = reader.read(bridge, &mut |item| show(&item).inspect_err(|_| is_closed = true));
        if is_closed {
            return read.map(|()| ExitCode::SUCCESS);
        }
        // A bridge that is restarted is back soon; its agents work on meanwhile.
        if let Err(error) = &read
            && !is_away
        {
            output::remark(&format!("{}; waiting for the bridge", explained(error)));
        }
        is_away = read.is_err();
    }
}
