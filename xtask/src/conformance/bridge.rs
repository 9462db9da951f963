//! The suite `bridge`: every agent behind a bridge, through the same day.
//!
//! The day is in the bridge's `tests/conformance/day`, a program that reports a verdict a case. It is a client like any
//! other, and it kills the bridge in the middle; [`Served`] starts it again, as a service manager would. Every agent
//! has a bridge of its own, so that the days can pass side by side.

pub(super) mod served;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::json;

use self::served::{Served, TOKEN};
use super::cases::{self, Reported};
use super::scripted_api::ScriptedApi;
use super::stage::QUIET;
use super::{Args, reference};
use crate::workspace::Workspace;

/// An agent that the bridges can start, and what they call it.
struct Agent {
    name: String,
    program: PathBuf,
}

pub(super) fn prepare(args: &Args) -> Result<()> {
    for version in reference::wanted(&args.version)? {
        reference::install(version)?;
    }
    let workspace = Workspace::find()?;
    args.print_progress("building the day");
    let built = workspace.build_example("aqueduct-bridge", "day")?;
    let day = day(&workspace);
    if let Some(folder) = day.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(&built, &day).with_context(|| format!("cannot copy {}", built.display())).map(drop)
}

/// Where the day waits for the closed network, in which nothing is built.
fn day(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/day")
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let day = day(workspace);
    let mut agents = Vec::new();
    for version in reference::wanted(&args.version)? {
        agents.push(Agent { name: format!("reference-{version}"), program: reference::install(version)? });
    }
    agents.push(Agent { name: "aqueduct-agent".to_owned(), program: args.agent()? });
    let api = ScriptedApi::start()?;
    let config = config(&agents, &api.url());
    let started = Instant::now();
    let reported = cases::side_by_side(&agents, |agent| {
        spend(&day, agent, &args.scenario, &api, Served::start(aqueduct, &config)?)
    })?;
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    Ok(cases::report(&names, &reported, started))
}

/// The bridges' settings: every agent, each also as one that can't ask.
fn config(agents: &[Agent], api: &str) -> String {
    let variables = QUIET.iter().copied().chain([("ANTHROPIC_BASE_URL", api)]);
    // A string in JSON is one in TOML.
    let pairs: Vec<String> = variables.map(|(name, value)| format!("{name} = {}", json!(value))).collect();
    let environment = pairs.join(", ");
    let table = |agent: &Agent| {
        let (name, program) = (json!(agent.name), json!(agent.program));
        let silent = json!(format!("{}-silent", agent.name));
        format!(
            "[agents.{name}]\nprogram = {program}\nenvironment = {{ {environment} }}\n\n\
             [agents.{silent}]\nprogram = {program}\nenvironment = {{ {environment} }}\nprompt_tool = false\n\n"
        )
    };
    agents.iter().map(table).collect()
}

/// Takes one agent through the day, with a bridge of its own.
fn spend(
    day: &Path,
    agent: &Agent,
    cases: &[String],
    api: &ScriptedApi,
    bridge: Served,
) -> Result<Vec<Reported>> {
    let output = Command::new(day)
        .arg(bridge.folder())
        .arg(&agent.name)
        .args(cases)
        .env("AQUEDUCT_TOKEN", TOKEN)
        // One session is started without the bridge, as in a terminal.
        .env("HOME", bridge.home())
        .env("ANTHROPIC_BASE_URL", api.url())
        .envs(QUIET.iter().copied())
        .env_remove("CLAUDE_CONFIG_DIR")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {}", day.display()))?;
    cases::read(&output.stdout).context("the day names its cases in tests/conformance/day/main.rs")
}
