//! `cargo xtask test`: everything, in steps, with what each needs set up first.
//!
//! A step that fails does not stop the others: one run reports everything that fails. The last line is
//! `N passed, N failed, N skipped`, for programs that read logs.

mod cargo;
mod outcome;
mod packages;
mod portable;
mod requirements;
mod runner_output;
mod steps;
mod types;
mod web;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use self::outcome::Outcome;
pub(crate) use self::portable::become_compiler;
use self::steps::{ON_REQUEST, STEPS, Step};
use crate::terminal;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the slow steps
    #[arg(long)]
    fast: bool,
    /// Run only this step; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// List the steps and end
    #[arg(long)]
    list: bool,
}

/// A step that has run.
struct Done {
    step: &'static Step,
    outcome: Outcome,
    took: Duration,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.list {
        let rows: Vec<_> = all().map(|step| vec![step.name.to_owned(), step.about.to_owned()]).collect();
        println!("{}", terminal::table(&["step", "what it does"], &rows));
        return Ok(true);
    }
    if let Some(unknown) = args.only.iter().find(|name| !all().any(|step| step.name == **name)) {
        bail!("unknown step {unknown}: `cargo xtask test --list` names them all");
    }
    let wanted = |step: &&Step| {
        if args.only.is_empty() {
            let is_on_request = ON_REQUEST.iter().any(|asked| asked.name == step.name);
            !(is_on_request || args.fast && step.slow)
        } else {
            args.only.iter().any(|name| name == step.name)
        }
    };
    let started = Instant::now();
    let done: Vec<Done> = all().filter(wanted).map(|step| perform(workspace, step)).collect();
    Ok(summary(&done, started.elapsed()))
}

fn all() -> impl Iterator<Item = &'static Step> {
    STEPS.iter().chain(ON_REQUEST)
}

fn perform(workspace: &Workspace, step: &'static Step) -> Done {
    let paint = terminal::stdout();
    println!("{} {}", paint.bold(step.name), paint.dim(&format!("({})", step.about)));
    let started = Instant::now();
    let outcome = (step.run)(workspace).unwrap_or_else(|error| Outcome::failed(format!("{error:#}")));
    let took = started.elapsed();
    if outcome.failed > 0 || !outcome.flaky.is_empty() {
        println!("{}", outcome.text.trim_end());
    }
    println!("  {} in {}", outcome.verdict(paint), terminal::seconds(took));
    Done { step, outcome, took }
}

fn summary(done: &[Done], took: Duration) -> bool {
    let row = |done: &Done| {
        let Outcome { passed, failed, skipped, .. } = &done.outcome;
        let verdict = done.outcome.word().to_owned();
        let mut row = vec![done.step.name.to_owned(), verdict];
        row.extend([passed, failed, skipped].map(ToString::to_string));
        row.push(terminal::seconds(done.took));
        row.push(done.outcome.remark.clone());
        row
    };
    let rows: Vec<_> = done.iter().map(row).collect();
    println!("\n{}", terminal::table(&["step", "", "passed", "failed", "skipped", "time", ""], &rows));
    let sum = |count: fn(&Outcome) -> usize| done.iter().map(|done| count(&done.outcome)).sum::<usize>();
    let (passed, failed) = (sum(|outcome| outcome.passed), sum(|outcome| outcome.failed));
    let skipped = sum(|outcome| outcome.skipped);
    let bad: Vec<&str> =
        done.iter().filter(|done| done.outcome.failed > 0).map(|done| done.step.name).collect();
    println!("\ntook {}", terminal::seconds(took));
    for name in &bad {
        println!("to see {name} again: cargo xtask test --only {name}");
    }
    for name in done.iter().flat_map(|done| &done.outcome.flaky) {
        println!("flaky: {name}");
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    failed == 0 && passed > 0
}
