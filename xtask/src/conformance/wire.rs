//! The suite `wire`: conversations with the reference CLI are recorded, and every recording has to
//! pass `aqueduct wire check`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::scenarios::{self, Scenario};
use super::stage::Stage;
use super::verdict::{Verdict, judge};
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

/// One scenario with one version.
struct Job {
    version: &'static str,
    program: PathBuf,
    scenario: &'static Scenario,
}

/// A job that is done: what its recordings are worth, or why there are none.
struct Played {
    job: Job,
    verdict: Result<Verdict>,
}

pub(super) fn prepare(args: &Args) -> Result<()> {
    jobs(args).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let jobs = jobs(args)?;
    let recordings = workspace.scratch("conformance/wire");
    if args.scenario.is_empty() && args.version.is_empty() {
        // What an earlier run left would look like part of this one.
        let _ = fs::remove_dir_all(&recordings);
    }
    let (started, count) = (Instant::now(), jobs.len());
    println!("  {count} conversations");
    let played = play_all(jobs, &recordings, aqueduct);
    let well = report(&played);
    println!("  recordings: {}", recordings.display());
    let passed = played.iter().filter(|played| is_well(&played.verdict)).count();
    println!("  {passed} of {count} conversations pass, in {}", terminal::seconds(started.elapsed()));
    Ok(well)
}

/// Everything that was asked for. Installs the versions that are not there yet.
fn jobs(args: &Args) -> Result<Vec<Job>> {
    if let Some(unknown) =
        args.version.iter().find(|version| !reference::VERSIONS.contains(&version.as_str()))
    {
        bail!("{unknown} is not a supported version: known are {}", reference::VERSIONS.join(", "));
    }
    let wanted =
        |name: &str, asked: &[String]| asked.is_empty() || asked.iter().any(|part| name.contains(part));
    let mut jobs = Vec::new();
    for version in reference::VERSIONS.iter().filter(|version| wanted(version, &args.version)) {
        let program = reference::install(version)?;
        let scenarios = scenarios::of(version).filter(|scenario| wanted(scenario.name, &args.scenario));
        jobs.extend(scenarios.map(|scenario| Job { version, program: program.clone(), scenario }));
    }
    if jobs.is_empty() {
        bail!("no scenario has such a name: `cargo xtask conformance --list` names them all");
    }
    Ok(jobs)
}

/// As many at once as there are cores: most of a conversation is waiting.
fn play_all(jobs: Vec<Job>, recordings: &Path, aqueduct: &Path) -> Vec<Played> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let waiting = Mutex::new(jobs.into_iter());
    let next = || waiting.lock().ok().and_then(|mut jobs| jobs.next());
    let work = || {
        let mut played = Vec::new();
        while let Some(job) = next() {
            let started = Instant::now();
            let verdict = perform(&job, recordings, aqueduct);
            print_progress(&job, &verdict, started);
            played.push(Played { job, verdict });
        }
        played
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    })
}

fn perform(job: &Job, recordings: &Path, aqueduct: &Path) -> Result<Verdict> {
    let directory = recordings.join(job.version);
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let mut stage = Stage::set(aqueduct, &job.program, directory.join(job.scenario.name))?;
    (job.scenario.play)(&mut stage)?;
    let mut verdict = Verdict::default();
    for recording in stage.recordings() {
        verdict.add(judge(aqueduct, &recording, job.scenario)?);
    }
    Ok(verdict)
}

fn is_well(verdict: &Result<Verdict>) -> bool {
    verdict.as_ref().is_ok_and(Verdict::is_well)
}

fn print_progress(job: &Job, verdict: &Result<Verdict>, started: Instant) {
    let paint = terminal::stdout();
    let mark = if is_well(verdict) { paint.green("ok    ") } else { paint.red("FAILED") };
    let words = match verdict {
        Ok(verdict) => verdict.in_short(),
        Err(error) => format!("{error:#}"),
    };
    let took = terminal::seconds(started.elapsed());
    println!("  {mark} {:<8} {:<30} {words} {}", job.version, job.scenario.name, paint.dim(&took));
}

fn report(played: &[Played]) -> bool {
    let mut rows = Vec::new();
    for version in reference::VERSIONS {
        let of_version: Vec<_> = played.iter().filter(|played| played.job.version == *version).collect();
        if of_version.is_empty() {
            continue;
        }
        let mut total = Verdict::default();
        let broken = of_version.iter().filter(|played| played.verdict.is_err()).count();
        for verdict in of_version.iter().filter_map(|played| played.verdict.as_ref().ok()) {
            total.add(verdict.clone());
        }
        let mut row = vec![(*version).to_owned(), of_version.len().to_string(), broken.to_string()];
        row.extend(total.row());
        rows.push(row);
        for line in total.details() {
            println!("  {version}: {line}");
        }
    }
    let header = ["version", "conversations", "broken off", "frames", "kinds", "faults", "drift"];
    println!("\n{}\n", terminal::table(&header, &rows));
    played.iter().all(|played| is_well(&played.verdict))
}
