//! The suite `client`: one program on aqueduct-client takes every agent through the same battery.
//!
//! The program is in the crate's `tests/conformance/battery`, and reports a verdict a case. What an
//! agent can't do, and reports as such, is listed as that and is no failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};

use super::cases::{self, Reported};
use super::scripted_api::ScriptedApi;
use super::stage::QUIET;
use super::{Args, reference};
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
    args.print_progress("building the battery");
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
    for version in reference::wanted(&args.version)? {
        agents.push(Agent { name: format!("reference {version}"), program: reference::install(version)? });
    }
    agents.push(Agent { name: "aqueduct-agent".to_owned(), program: args.agent()? });
    let started = Instant::now();
    let reported = cases::side_by_side(&agents, |agent| take_through(&battery, agent, &args.scenario))?;
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
