//! The suite `shared-session`: two processes have one session open, take turns in any order, at the same time
//! too, and are killed. No line may be lost, and both programs must be able to resume.
//!
//! Pairs are two agents, and an agent beside the reference. What happens comes from the seed and the number of the
//! interleaving, so that one can be repeated.

mod file;
mod interleaving;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use self::interleaving::{Interleaving, Outcome};
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

/// How many interleavings there are if no number is asked for.
const INTERLEAVINGS: usize = 200;

/// What all interleavings have in common.
struct Plan {
    aqueduct: PathBuf,
    agent: PathBuf,
    reference: PathBuf,
    recordings: PathBuf,
    seed: u64,
}

pub(super) fn prepare(_args: &Args) -> Result<()> {
    reference::install(reference::NEWEST).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let started = Instant::now();
    let plan = Plan {
        aqueduct: aqueduct.to_owned(),
        agent: args.agent()?,
        reference: reference::install(reference::NEWEST)?,
        recordings: workspace.scratch("conformance/shared-session"),
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000)),
    };
    std::fs::create_dir_all(&plan.recordings)?;
    let count = args.kills.unwrap_or(INTERLEAVINGS);
    println!("  {count} interleavings, seed {}", plan.seed);
    let outcomes = play_all(&plan, count);
    let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
    println!(
        "  {} interleavings: {} turns, {} kills, {} acknowledged messages found again, {failed} failed, in {} (seed {})",
        outcomes.len(),
        outcomes.iter().map(|outcome| outcome.turns).sum::<usize>(),
        outcomes.iter().map(|outcome| outcome.kills).sum::<usize>(),
        outcomes.iter().map(|outcome| outcome.messages).sum::<usize>(),
        terminal::seconds(started.elapsed()),
        plan.seed,
    );
    Ok(failed == 0 && !outcomes.is_empty())
}

/// As many interleavings at once as there are cores.
fn play_all(plan: &Plan, count: usize) -> Vec<Outcome> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(count.max(1));
    let waiting = Mutex::new(1..=count);
    let next = || waiting.lock().ok().and_then(|mut numbers| numbers.next());
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(number) = next() {
            let outcome = Interleaving::play(plan, number);
            print_progress(&outcome);
            outcomes.push(outcome);
        }
        outcomes
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    })
}

fn print_progress(outcome: &Outcome) {
    let paint = terminal::stdout();
    match &outcome.failure {
        None => println!("  {} {:<4} {}", paint.green("ok    "), outcome.number, outcome.steps.join(", ")),
        Some(failure) => {
            println!(
                "  {} {:<4} {}: {failure:#}",
                paint.red("FAILED"),
                outcome.number,
                outcome.steps.join(", ")
            );
        }
    }
}
