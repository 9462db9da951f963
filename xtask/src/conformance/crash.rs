//! The suite `crash`: bridge, keepers and agents are killed and frozen at random times, under load.
//!
//! What happens in a round is in the bridge's `tests/conformance/crash`, a program that is a client like any other.
//! It runs with three agents: our own, the reference CLI, and one that ignores message ids.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::scripted_api::ScriptedApi;
use super::{Args, reference};
use crate::program::{self, Ended};
use crate::workspace::Workspace;

/// How many kills there are if none are asked for.
const KILLS: usize = 1000;

/// The agents, by the names that `--agent` takes.
const AGENTS: &[&str] = &["own", "plain", REFERENCE];

const REFERENCE: &str = "reference";

/// The run that is part of every test run: few kills, always the same ones, without the reference CLI.
const SHORT: &[&str] = &["--agent", "own", "--agent", "plain", "--kills", "40", "--seed", "7"];

pub(super) fn prepare(args: &Args) -> Result<()> {
    if agents(args)?.contains(&REFERENCE) {
        reference::install(reference::NEWEST)?;
    }
    let workspace = Workspace::find()?;
    args.print_progress("building the rounds");
    let built = workspace.build_example("aqueduct-bridge", "crash")?;
    let rounds = rounds(&workspace);
    if let Some(folder) = rounds.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(&built, &rounds).with_context(|| format!("cannot copy {}", built.display())).map(drop)
}

/// Where the rounds wait for the closed network, in which nothing is built.
fn rounds(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/crash")
}

/// The requested agents. A program that other suites run is irrelevant to this one.
fn agents(args: &Args) -> Result<Vec<&'static str>> {
    let named = args.agent.as_deref().and_then(Path::to_str).unwrap_or("all");
    if let Some(agent) = AGENTS.iter().find(|agent| **agent == named) {
        return Ok(vec![*agent]);
    }
    let is_alone = args.suites.iter().all(|suite| suite == "crash") && !args.suites.is_empty();
    match named == "all" || !is_alone {
        true => Ok(AGENTS.to_vec()),
        false => bail!("the suite crash has no agent {named}: use {} or all", AGENTS.join(", ")),
    }
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let mut command = Command::new(rounds(workspace));
    let agents = agents(args)?;
    for agent in &agents {
        command.args(["--agent", agent]);
    }
    // The model of the reference CLI lives as long as this.
    let mut api = None;
    if agents.contains(&REFERENCE) {
        let url = api.insert(ScriptedApi::start()?).url();
        command.arg("--reference").arg(reference::install(reference::NEWEST)?).args(["--api", &url]);
    }
    command.arg("--kills").arg(args.kills.unwrap_or(KILLS).to_string());
    if let Some(seed) = args.seed {
        command.arg("--seed").arg(seed.to_string());
    }
    if args.json {
        command.arg("--json");
    }
    in_folder(aqueduct, &mut command, program::run_openly, |is_well| *is_well)
}

/// A short run on this machine's own network: nothing in it reaches out.
pub(crate) fn short(workspace: &Workspace) -> Result<Ended> {
    let aqueduct = workspace.build("aqueduct", &[])?;
    let mut command = Command::new(workspace.build_example("aqueduct-bridge", "crash")?);
    in_folder(&aqueduct, command.args(SHORT), program::run, |ended| ended.success)
}

/// Runs the rounds in a folder of their own, which is kept if something was found. Its path is short: it has sockets.
fn in_folder<T>(
    aqueduct: &Path,
    command: &mut Command,
    run: fn(&mut Command) -> Result<T>,
    is_well: fn(&T) -> bool,
) -> Result<T> {
    let folder = tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
    let ran = run(command.arg("--aqueduct").arg(aqueduct).arg("--folder").arg(folder.path()))?;
    if !is_well(&ran) {
        let _ = folder.keep();
    }
    Ok(ran)
}
