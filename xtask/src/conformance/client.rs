//! The suite `client`: one program on aqueduct-client takes every agent through the same battery.
//!
//! The program is in the crate's `tests/conformance/battery`, and reports a verdict a case. What an
//! agent can't do, and reports as such, is listed as that and is no failure. The example `review_bot` runs as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};

use super::cases::{self, Reported};
use super::scripted_api::ScriptedApi;
use super::stage::QUIET;
use super::{Args, reference, review_bot};
use crate::workspace::Workspace;

/// The program under test and what it is called in the report.
struct Agent {
    name: String,
    program: PathBuf,
}

pub(super) fn prepare(args: &Args) -> Result<()> {
    for version in reference::wanted(&args.version)? {
        reference::install(version)?;
    }
    let workspace = Workspace::find()?;
    for example in ["battery", review_bot::CASE] {
        args.print_progress(&format!("building {example}"));
        let built = workspace.build_example("aqueduct-client", example)?;
        let program = program(&workspace, example);
        if let Some(folder) = program.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    }
    Ok(())
}

/// Where a program waits for the closed network, in which nothing is built.
fn program(workspace: &Workspace, example: &str) -> PathBuf {
    workspace.scratch(&format!("conformance/{example}"))
}

pub(super) fn play(workspace: &Workspace, args: &Args, _aqueduct: &Path) -> Result<bool> {
    let mut agents = Vec::new();
    for version in reference::wanted(&args.version)? {
        agents.push(Agent { name: format!("reference {version}"), program: reference::install(version)? });
    }
    agents.push(Agent { name: "aqueduct-agent".to_owned(), program: args.agent()? });
    let started = Instant::now();
    let battery = program(workspace, "battery");
    // The bot is a program of its own.
    let cases: Vec<String> = args.scenario.iter().filter(|case| *case != review_bot::CASE).cloned().collect();
    let mut reported = match cases.is_empty() && !args.scenario.is_empty() {
        true => vec![Vec::new(); agents.len()],
        false => cases::side_by_side(&agents, |agent| take_through(&battery, agent, &cases))?,
    };
    if review_bot::is_wanted(&args.scenario) {
        let bot = program(workspace, review_bot::CASE);
        let agents: Vec<_> =
            agents.iter().map(|agent| (agent.name.as_str(), agent.program.as_path())).collect();
        let verdicts = review_bot::play(&agents, || Command::new(&bot));
        reported.iter_mut().zip(verdicts).for_each(|(reported, verdict)| reported.push(verdict));
    }
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    Ok(cases::report(&names, &reported, started))
}

/// Runs the battery with one agent, against a model of its own.
fn take_through(battery: &Path, agent: &Agent, cases: &[String]) -> Result<Vec<Reported>> {
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
    cases::read(&output.stdout).context("the battery names its cases in tests/conformance/battery/main.rs")
}
