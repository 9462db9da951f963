//! The suite `kill`: an agent is killed with SIGKILL at random times of a conversation and resumed,
//! again and again. Its output must still be known, and no process that it started may be left.
//!
//! Kills are spread over lives. A life is one session in a home of its own, killed and resumed a few
//! times; its times come from the seed and the number of the life, so that one life can be repeated.

mod acknowledged;
mod leftovers;
mod life;
mod script;
mod transcript;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

pub(super) use self::acknowledged::Acknowledged;
pub(super) use self::life::uuid;

use self::life::{Failure, Life};
use super::Args;
use crate::terminal;
use crate::workspace::Workspace;

/// Long enough that a transcript has seen many ends, short enough that a request stays small.
const KILLS_IN_A_LIFE: usize = 10;

/// How many kills there are if none are asked for.
const KILLS: usize = 200;

/// What all lives have in common.
struct Plan {
    aqueduct: PathBuf,
    agent: PathBuf,
    recordings: PathBuf,
    seed: u64,
    /// How long the conversation takes if nothing is killed: the kill times are within it.
    span: Duration,
}

/// What became of a life.
struct Lived {
    number: usize,
    kills: usize,
    /// Messages that were acknowledged before a kill and found again after it.
    messages: usize,
    /// Processes that ran when their agent was killed, and then ended.
    orphans: usize,
    failure: Option<Failure>,
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let started = Instant::now();
    let kills = args.kills.unwrap_or(KILLS);
    let mut plan = Plan {
        aqueduct: aqueduct.to_owned(),
        agent: args.agent()?,
        recordings: workspace.scratch("conformance/kill"),
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000)),
        span: Duration::ZERO,
    };
    std::fs::create_dir_all(&plan.recordings)?;
    plan.span = Life::begin(&plan, 0)?.whole_conversation()?;
    println!("  {} kills within {}, seed {}", kills, terminal::seconds(plan.span), plan.seed);
    let lives: Vec<(usize, usize)> = (0..kills.div_ceil(KILLS_IN_A_LIFE))
        .map(|life| (life + 1, KILLS_IN_A_LIFE.min(kills - life * KILLS_IN_A_LIFE)))
        .collect();
    let lived = live_all(&plan, lives);
    let failed = lived.iter().filter(|lived| lived.failure.is_some()).count();
    let messages: usize = lived.iter().map(|lived| lived.messages).sum();
    let orphans: usize = lived.iter().map(|lived| lived.orphans).sum();
    println!("  recordings: {}", plan.recordings.display());
    println!(
        "  {} kills, {messages} acknowledged messages found again, {orphans} processes without their agent \
         ended, {failed} of {} lives failed, in {} (seed {})",
        lived.iter().map(|lived| lived.kills).sum::<usize>(),
        lived.len(),
        terminal::seconds(started.elapsed()),
        plan.seed,
    );
    if messages == 0 {
        println!("  every kill came before the first message: this run proves nothing");
    }
    Ok(failed == 0 && messages > 0)
}

/// As many lives at once as there are cores.
fn live_all(plan: &Plan, lives: Vec<(usize, usize)>) -> Vec<Lived> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(lives.len());
    let waiting = Mutex::new(lives.into_iter());
    let next = || waiting.lock().ok().and_then(|mut lives| lives.next());
    let work = || {
        let mut lived = Vec::new();
        while let Some((number, kills)) = next() {
            let life = live(plan, number, kills);
            print_progress(&life);
            lived.push(life);
        }
        lived
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    })
}

/// A life ends with its first failure: what comes after would only repeat it.
fn live(plan: &Plan, number: usize, kills: usize) -> Lived {
    let mut lived = Lived { number, kills: 0, messages: 0, orphans: 0, failure: None };
    let outcome = Life::begin(plan, number).map_err(Failure::before_the_first).and_then(|mut life| {
        for _ in 0..kills {
            life.round()?;
            lived.kills += 1;
            lived.messages = life.messages();
            lived.orphans = life.orphans();
        }
        Ok(())
    });
    lived.failure = outcome.err();
    lived
}

fn print_progress(lived: &Lived) {
    let paint = terminal::stdout();
    match &lived.failure {
        None => println!(
            "  {} life {:<3} {} kills, {} messages",
            paint.green("ok    "),
            lived.number,
            lived.kills,
            lived.messages
        ),
        Some(failure) => println!("  {} life {:<3} {failure}", paint.red("FAILED"), lived.number),
    }
}
