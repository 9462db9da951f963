//! The suite `agent`: every scenario is played with the reference CLI and with the agent, and the
//! two recordings are compared frame by frame.

mod docs;
mod report;
mod traces;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};

use super::compare::{self, Comparison, Recording, Side};
use super::scenarios::{self, Scenario};
use super::stage::Stage;
use super::{Args, reference};
use crate::workspace::Workspace;

pub(crate) use self::docs::{PAGE, check, write};

/// The version that the agent is compared with: the newest.
const VERSION: &str = reference::NEWEST;

/// The programs that are compared, and where their recordings go.
struct Players<'a> {
    aqueduct: &'a Path,
    reference: PathBuf,
    agent: PathBuf,
    recordings: PathBuf,
}

/// A scenario that was played with both.
struct Played {
    scenario: &'static Scenario,
    /// Why the conversation with the agent, or with the reference, did not come to its end.
    broken: Vec<String>,
    comparison: Comparison,
}

impl Played {
    fn is_well(&self) -> bool {
        self.broken.is_empty() && self.comparison.is_well()
    }
}

pub(super) fn prepare(args: &Args) -> Result<()> {
    scenarios_of(args)?;
    reference::install(VERSION).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let scenarios = scenarios_of(args)?;
    let players = Players {
        aqueduct,
        reference: reference::install(VERSION)?,
        agent: args.agent()?,
        recordings: workspace.scratch("conformance/agent"),
    };
    if args.scenario.is_empty() {
        // What an earlier run left would look like part of this one.
        let _ = fs::remove_dir_all(&players.recordings);
    }
    let started = Instant::now();
    let played = play_all(scenarios, &players, args.json);
    report::save(&players.recordings, &played)?;
    match args.json {
        true => println!("{}", report::json(&played)),
        false => report::print(&players.recordings, &played, args.scenario.is_empty(), started.elapsed()),
    }
    Ok(played.iter().all(Played::is_well))
}

/// What was asked for.
fn scenarios_of(args: &Args) -> Result<Vec<&'static Scenario>> {
    let wanted = |scenario: &&'static Scenario| {
        args.scenario.is_empty() || args.scenario.iter().any(|part| scenario.name.contains(part.as_str()))
    };
    let scenarios: Vec<&'static Scenario> = scenarios::all().filter(wanted).collect();
    if scenarios.is_empty() {
        bail!("no scenario has such a name: `cargo xtask conformance --list` names them all");
    }
    Ok(scenarios)
}

/// As many scenarios at once as there are cores, and both programs of a scenario at the same time:
/// most of a conversation is waiting.
fn play_all(scenarios: Vec<&'static Scenario>, players: &Players<'_>, is_quiet: bool) -> Vec<Played> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(scenarios.len());
    let waiting = Mutex::new(scenarios.into_iter());
    let next = || waiting.lock().ok().and_then(|mut scenarios| scenarios.next());
    let work = || {
        let mut played = Vec::new();
        while let Some(scenario) = next() {
            let started = Instant::now();
            let done = perform(scenario, players);
            if !is_quiet {
                report::print_progress(&done, started.elapsed());
            }
            played.push(done);
        }
        played
    };
    let mut played: Vec<Played> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    played.sort_by_key(|played| scenarios::all().position(|scenario| scenario.name == played.scenario.name));
    played
}

fn perform(scenario: &'static Scenario, players: &Players<'_>) -> Played {
    let (theirs, ours) = thread::scope(|scope| {
        let theirs = scope.spawn(|| record(scenario, players, "reference", &players.reference));
        let ours = record(scenario, players, "agent", &players.agent);
        (theirs.join(), ours)
    });
    let mut broken = Vec::new();
    let mut side = |name: &str, recorded: Result<(Side, Result<()>)>| match recorded {
        Ok((side, played)) => {
            broken.extend(played.err().map(|error| format!("{name} broke off: {error:#}")));
            side
        }
        Err(error) => {
            broken.push(format!("{name}: {error:#}"));
            Side::default()
        }
    };
    let theirs = side("reference", theirs.unwrap_or_else(|_| Err(anyhow!("the scenario panicked"))));
    let ours = side("agent", ours);
    Played { scenario, broken, comparison: compare::compare(scenario.name, theirs, ours) }
}

/// Plays a scenario with one program. What was recorded counts even if the conversation broke off.
fn record(
    scenario: &Scenario,
    players: &Players<'_>,
    name: &str,
    program: &Path,
) -> Result<(Side, Result<()>)> {
    let directory = players.recordings.join(name);
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let mut stage = Stage::set(players.aqueduct, program, directory.join(scenario.name))?;
    let played = (scenario.play)(&mut stage);
    let places = stage.places();
    let traces = if scenario.is_deep { traces::of(&stage)? } else { Vec::new() };
    let recordings: Result<Vec<_>> = stage.recordings().iter().map(|path| Recording::read(path)).collect();
    Ok((Side { recordings: recordings?, traces, places }, played))
}
