//! The suite `ts-sdk`: a program of ours on the official TypeScript SDK drives the reference CLI and the agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::cases;
use super::python_sdk::take_through;
use super::{Args, reference, review_bot, sdk};
use crate::workspace::Workspace;
use crate::{npm, program};

/// The programs, without the endings of their names.
const PROGRAMS: &[(&str, &str)] = &[
    ("duties", include_str!("typescript_sdk/duties.ts")),
    (review_bot::CASE, include_str!("typescript_sdk/review_bot.ts")),
];

/// What makes JavaScript of TypeScript.
const COMPILER: (&str, &str) = ("esbuild", "0.28.2");

pub(super) fn prepare(_: &Args) -> Result<()> {
    let folder = sdk::typescript()?;
    let compiler = reference::lab()?.join(format!("{}-{}", COMPILER.0, COMPILER.1));
    npm::install(&compiler, COMPILER.0, COMPILER.1)?;
    for (name, text) in PROGRAMS {
        let source = folder.join(format!("{name}.ts"));
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        let made = program::run(
            Command::new(compiler.join("node_modules/.bin/esbuild"))
                .arg(&source)
                .args(["--format=esm", "--log-level=warning"])
                .arg(format!("--outfile={}", compiled(&folder, name).display())),
        )?;
        if !made.success {
            bail!("{name}.ts is wrong:\n{}", made.output.trim_end());
        }
    }
    reference::install(reference::NEWEST).map(drop)
}

/// A program, beside the SDK: Node looks for packages next to a program.
fn compiled(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.mjs"))
}

pub(super) fn play(_: &Workspace, args: &Args, _aqueduct: &Path) -> Result<bool> {
    let folder = sdk::typescript()?;
    let duties = compiled(&folder, "duties");
    let agents = [
        (format!("reference {}", reference::NEWEST), reference::install(reference::NEWEST)?),
        ("aqueduct-agent".to_owned(), args.agent()?),
    ];
    let started = Instant::now();
    let mut reported = cases::side_by_side(&agents, |(_, agent)| {
        take_through(Command::new("node").arg(&duties), agent, &args.scenario)
    })?;
    if review_bot::is_wanted(&args.scenario) {
        let bot = compiled(&folder, review_bot::CASE);
        let agents: Vec<_> = agents.iter().map(|(name, agent)| (name.as_str(), agent.as_path())).collect();
        let verdicts = review_bot::play(&agents, || {
            let mut program = Command::new("node");
            program.arg(&bot);
            program
        });
        reported.iter_mut().zip(verdicts).for_each(|(reported, verdict)| reported.push(verdict));
    }
    let names: Vec<&str> = agents.iter().map(|(name, _)| name.as_str()).collect();
    Ok(cases::report(&names, &reported, started))
}
