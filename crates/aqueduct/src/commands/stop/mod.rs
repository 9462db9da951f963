//! `aqueduct stop`: ends bridges and their agents.

mod ending;
mod processes;
mod report;
mod search;
mod target;

use std::process::ExitCode;
use std::time::Duration;

use self::ending::StopOutcome;
use self::processes::Processes;
use self::search::{ProcessSearch, StopScope};
use self::target::TargetKind;
use crate::config::{BridgeLocation, UserEnvironment};
use crate::output;

/// Stop the bridge, its agents, or everything of this user
///
/// Without flags it stops the bridge of the data folder, as Ctrl-C does: its agents continue, and the next aqueduct serve
/// attaches to them. --agents ends them too. --all ends every bridge and every agent of this user on this machine, whatever
/// data folder they use, also those whose data folder was removed, and processes that agents left behind when their keeper
/// was killed (they have the variable AQUEDUCT_KEEPER in their environment). Processes of other users are never ended, not
/// even by root.
///
/// Each process is asked to end (SIGTERM, and SIGCONT if it is stopped) and is killed if it has not ended in time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct stop
  aqueduct stop --agents --data-dir ~/bridges/work
  aqueduct stop --all --dry-run
  aqueduct stop --all --timeout 30

It reads /proc and needs Linux 5.3 or newer.

Exit code: 0 when nothing is left to end; 1 if something could not be ended; 2 if it could not be tried.")]
pub(crate) struct Args {
    /// End the agents of the bridge too
    #[arg(long)]
    agents: bool,
    /// End every bridge and agent of this user on this machine
    #[arg(long, conflicts_with_all = ["agents", "data_dir", "config"])]
    all: bool,
    /// Kill a process that has not ended after this time; an agent needs up to 7 s
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u32,
    /// List what would be ended, without ending it
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let environment = UserEnvironment::of_this_process()?;
    let scope = match args.all {
        true => StopScope::User,
        false => StopScope::Folder(args.place.load()?.data_dir),
    };
    let kinds = if args.all || args.agents { &TargetKind::ALL[..] } else { &[TargetKind::Bridge] };
    let timeout = Duration::from_secs(args.timeout.into());
    let mut search = ProcessSearch::new(Processes::open()?, scope);
    let mut found = search.look()?;
    found.retain(|target| kinds.contains(&target.kind));
    let outcomes = match args.dry_run {
        true => found.into_iter().map(|target| (target, StopOutcome::Running)).collect(),
        false => {
            if let Some(target) = search.ancestor(&found) {
                anyhow::bail!(
                    "this command runs inside the agent session that it would end (process {}): run it in another terminal",
                    target.pid
                );
            }
            ending::end(&mut search, kinds, timeout)?
        }
    };
    if args.json {
        output::text(&format!("{}\n", report::json(&outcomes, args.dry_run)))?;
    } else {
        output::text(&report::table(&outcomes, timeout, &environment))?;
        let is_over = |(_, outcome): &&(_, StopOutcome)| !matches!(outcome, StopOutcome::Failed(_));
        let counted = report::summary(outcomes.iter().filter(is_over).map(|(target, _)| target));
        match (outcomes.is_empty(), args.dry_run) {
            (true, _) => output::remark("nothing is running"),
            (false, true) => output::remark(&format!("{counted} would be ended")),
            (false, false) => output::remark(&format!("ended {counted}")),
        }
        if kinds == [TargetKind::Bridge] {
            let agents = search.look()?.into_iter().filter(|target| target.kind == TargetKind::Agent);
            let agents: Vec<_> = agents.collect();
            if !agents.is_empty() {
                let counted = report::summary(agents.iter());
                output::remark(&format!("still running: {counted}; aqueduct stop --agents ends them"));
            }
        }
    }
    Ok(match report::failures(&outcomes, &environment) {
        Some(message) => {
            output::trouble(&message);
            ExitCode::from(1)
        }
        None => ExitCode::SUCCESS,
    })
}
