//! The suite `client`: one program on aqueduct-client takes every agent through the same battery.
//!
//! The program is an example of the crate (`examples/battery`), which tells a verdict a case. What an
//! agent can't do, and says so, is told as that and is no failure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::scripted_api::ScriptedApi;
use super::stage::QUIET;
use super::{Args, reference};
use crate::terminal;
use crate::workspace::Workspace;

/// The program under test and what it is called in the report.
struct Agent {
    name: String,
    program: PathBuf,
}

/// What the battery prints for a case.
#[derive(Debug, Clone, Deserialize)]
struct Told {
    case: String,
    verdict: String,
    note: String,
}

pub(super) fn prepare(args: &Args) -> Result<()> {
    for version in versions(args)? {
        reference::install(version)?;
    }
    let workspace = Workspace::find()?;
    args.tell("building the battery");
    let built = workspace.build_example("aqueduct-client", "battery")?;
    let battery = battery(&workspace);
    if let Some(folder) = battery.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(&built, &battery).with_context(|| format!("cannot copy {}", built.display())).map(drop)
}

/// Where the battery waits for the closed network, in which nothing is built.
fn battery(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/battery")
}

pub(super) fn play(workspace: &Workspace, args: &Args, _aqueduct: &Path) -> Result<bool> {
    let battery = battery(workspace);
    let mut agents = Vec::new();
    for version in versions(args)? {
        agents.push(Agent { name: format!("reference {version}"), program: reference::install(version)? });
    }
    agents.push(Agent { name: "aqueduct-agent".to_owned(), program: args.agent()? });
    let started = Instant::now();
    let told = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for (place, agent) in agents.iter().enumerate() {
            let (told, battery) = (&told, &battery);
            scope.spawn(move || {
                let outcome = take_through(battery, agent, &args.scenario);
                if let Ok(mut told) = told.lock() {
                    told.insert(place, outcome);
                }
            });
        }
    });
    let told = told.into_inner().ok().context("a battery was lost")?;
    report(&agents, told, started)
}

/// The versions that were asked for.
fn versions(args: &Args) -> Result<Vec<&'static str>> {
    let wanted = |version: &&str| args.version.is_empty() || args.version.iter().any(|name| name == version);
    let versions: Vec<_> = reference::VERSIONS.iter().copied().filter(wanted).collect();
    match versions.is_empty() {
        true => bail!("none of these versions is played: there are {}", reference::VERSIONS.join(", ")),
        false => Ok(versions),
    }
}

/// Runs the battery with one agent, against a model of its own.
fn take_through(battery: &Path, agent: &Agent, cases: &[String]) -> Result<Vec<Told>> {
    let api = ScriptedApi::start()?;
    let output = Command::new(battery)
        .arg(&agent.program)
        .args(cases)
        .env("ANTHROPIC_BASE_URL", api.url())
        .envs(QUIET.iter().copied())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {}", battery.display()))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let told: Vec<Told> = lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .context("the battery printed no verdict")?;
    match told.is_empty() {
        true => bail!("no case was played: the battery names its cases in examples/battery/main.rs"),
        false => Ok(told),
    }
}

/// Prints a table of cases and agents. Says whether all is well.
fn report(agents: &[Agent], told: BTreeMap<usize, Result<Vec<Told>>>, started: Instant) -> Result<bool> {
    let told: Vec<Vec<Told>> = told.into_values().collect::<Result<_>>()?;
    let cases: Vec<&str> = told.first().into_iter().flatten().map(|told| told.case.as_str()).collect();
    let paint = terminal::stdout();
    let mut notes = Vec::new();
    let mut failed = 0;
    let rows: Vec<Vec<String>> = cases
        .iter()
        .enumerate()
        .map(|(row, case)| {
            let cells = told.iter().zip(agents).map(|(told, agent)| match told.get(row) {
                Some(told) if told.verdict == "passed" => "yes".to_owned(),
                Some(told) => {
                    failed += usize::from(told.verdict == "failed");
                    let mark =
                        if told.verdict == "failed" { paint.red("failed") } else { paint.dim("can't") };
                    notes.push(format!("{mark} {case}, {}: {}", agent.name, told.note));
                    told.verdict.clone()
                }
                None => "lost".to_owned(),
            });
            std::iter::once((*case).to_owned()).chain(cells).collect()
        })
        .collect();
    let lost = rows.iter().flatten().filter(|cell| *cell == "lost").count();
    let header: Vec<&str> =
        std::iter::once("case").chain(agents.iter().map(|agent| agent.name.as_str())).collect();
    println!("{}\n", terminal::table(&header, &rows));
    for note in &notes {
        println!("  {note}");
    }
    println!(
        "\n  {} cases with {} agents: {failed} failed, {} can't, in {}",
        cases.len(),
        agents.len(),
        notes.len() - failed,
        terminal::seconds(started.elapsed())
    );
    Ok(failed == 0 && lost == 0)
}
