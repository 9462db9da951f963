//! The suite `python-sdk`: the official Python SDK drives the agent.
//!
//! A program of ours on the SDK takes the reference CLI and the agent through the same duties, and the examples that
//! the SDK's source package ships run with both, and so does a bot that is the same on every SDK. With `--e2e DIR` the SDK's own end-to-end tests run as well, from a
//! checkout of its repository, with the agent as `claude`; they are in no package and never in this tree. The scripted
//! model answers the prompts of examples and tests from scripts of ours.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::cases::{self, Reported};
use super::scripted_api::ScriptedApi;
use super::stage::QUIET;
use super::{Args, reference, review_bot, sdk};
use crate::program;
use crate::workspace::Workspace;

const DUTIES: &str = include_str!("python_sdk/duties.py");
const REVIEW_BOT: &str = include_str!("python_sdk/review_bot.py");
const SCRIPT: &str = include_str!("python_sdk/e2e.script");
const EXAMPLES: &str = include_str!("python_sdk/examples.py");
const EXAMPLES_SCRIPT: &str = include_str!("python_sdk/examples.script");

/// What the SDK's own tests need beside the SDK.
const TEST_PACKAGES: &[&str] = &["pytest"];

/// What its examples need.
const EXAMPLE_PACKAGES: &[&str] = &["ipython", "trio"];

pub(super) fn prepare(args: &Args) -> Result<()> {
    let python = sdk::python()?;
    if let Some(checkout) = &args.e2e {
        if !checkout.join("e2e-tests").is_dir() {
            bail!("{} has no folder e2e-tests: name a checkout of the SDK's repository", checkout.display());
        }
        sdk::add(&python, TEST_PACKAGES)?;
    }
    sdk::add(&python, EXAMPLE_PACKAGES)?;
    sdk::python_source()?;
    reference::install(reference::NEWEST).map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let python = sdk::python()?;
    let agents = [
        (format!("reference {}", reference::NEWEST), reference::install(reference::NEWEST)?),
        ("aqueduct-agent".to_owned(), args.agent()?),
    ];
    let scratch = workspace.scratch("conformance/python-sdk");
    fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let duties = written(&scratch, "duties.py", DUTIES)?;
    let started = Instant::now();
    let mut reported = cases::side_by_side(&agents, |(_, agent)| {
        take_through(Command::new(&python).arg(&duties), agent, &args.scenario)
    })?;
    let examples =
        run_examples(&python, aqueduct, &agents.each_ref().map(|(_, agent)| agent), args, &scratch)?;
    for pair in examples {
        reported.iter_mut().zip(pair).for_each(|(reported, example)| reported.push(example));
    }
    if review_bot::is_wanted(&args.scenario) {
        let bot = written(&scratch, "review_bot.py", REVIEW_BOT)?;
        let agents: Vec<_> = agents.iter().map(|(name, agent)| (name.as_str(), agent.as_path())).collect();
        let verdicts = review_bot::play(&agents, || {
            let mut program = Command::new(&python);
            program.arg(&bot);
            program
        });
        reported.iter_mut().zip(verdicts).for_each(|(reported, verdict)| reported.push(verdict));
    }
    let names: Vec<&str> = agents.iter().map(|(name, _)| name.as_str()).collect();
    let well = cases::report(&names, &reported, started);
    match &args.e2e {
        None => Ok(well),
        Some(checkout) => Ok(own_tests(&python, &args.agent()?, checkout, &scratch)? && well),
    }
}

/// Runs a program on an SDK with one agent, in an empty home, against a model of its own.
pub(super) fn take_through(program: &mut Command, agent: &Path, cases: &[String]) -> Result<Vec<Reported>> {
    let api = ScriptedApi::start()?;
    let home = tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
    cases::run(
        program
            .arg(agent)
            .args(cases)
            .env("ANTHROPIC_BASE_URL", api.url())
            .env("HOME", home.path())
            .envs(QUIET.iter().copied()),
    )
}

/// Runs the SDK's examples with the reference and the agent: for each a verdict about either.
fn run_examples(
    python: &Path,
    aqueduct: &Path,
    agents: &[&PathBuf; 2],
    args: &Args,
    scratch: &Path,
) -> Result<Vec<[Reported; 2]>> {
    cases::run(
        Command::new(python)
            .arg(written(scratch, "examples.py", EXAMPLES)?)
            .arg(sdk::python_source()?)
            .arg(written(scratch, "examples.script", EXAMPLES_SCRIPT)?)
            .arg(aqueduct)
            .args(agents)
            .args(&args.scenario)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .envs(QUIET.iter().copied()),
    )
}

/// A file with a text.
fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let file = folder.join(name);
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Runs the SDK's own tests, with the agent as `claude` on the PATH.
fn own_tests(python: &Path, agent: &Path, checkout: &Path, scratch: &Path) -> Result<bool> {
    let bin = fresh(&scratch.join("bin"))?;
    symlink(agent, bin.join("claude")).context("cannot link the agent")?;
    let script = written(scratch, "e2e.script", SCRIPT)?;
    let packages = without_its_own_cli(python, scratch)?;
    let home = tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path)))?;
    program::run_openly(
        Command::new(python)
            .args(["-m", "pytest", "e2e-tests", "-m", "e2e", "-q", "-p", "no:cacheprovider"])
            .current_dir(checkout)
            .env("PATH", path)
            .env("HOME", home.path())
            .env("PYTHONPATH", packages)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("AQUEDUCT_SCRIPT", script)
            .env_remove("ANTHROPIC_API_KEY")
            .env_remove("ANTHROPIC_BASE_URL"),
    )
}

/// The SDK as it is but for the CLI that its package brings, which it would start in place of ours.
fn without_its_own_cli(python: &Path, scratch: &Path) -> Result<PathBuf> {
    let place = "import claude_agent_sdk, pathlib; print(pathlib.Path(claude_agent_sdk.__file__).parent)";
    let found = program::run(Command::new(python).args(["-c", place]))?;
    let from = Path::new(found.output.trim());
    if !found.success || !from.is_dir() {
        bail!("the Python SDK is not where it was installed: {}", found.output.trim());
    }
    let packages = fresh(&scratch.join("packages"))?;
    copy(from, &packages.join("claude_agent_sdk"))?;
    Ok(packages)
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.to_owned())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|name| *name != "_bundled") else { continue };
        match path.is_dir() {
            true => copy(&path, &to.join(name))?,
            false => {
                fs::copy(&path, to.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
            }
        }
    }
    Ok(())
}
