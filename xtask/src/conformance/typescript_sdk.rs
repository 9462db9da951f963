//! The suite `ts-sdk`: a program of ours on the official TypeScript SDK drives the reference CLI and the agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::cases;
use super::python_sdk::take_through;
use super::{Args, reference, sdk};
use crate::workspace::Workspace;
use crate::{npm, program};

const DUTIES: &str = include_str!("typescript_sdk/duties.ts");

/// What makes JavaScript of TypeScript.
const COMPILER: (&str, &str) = ("esbuild", "0.28.2");

pub(super) fn prepare(_: &Args) -> Result<()> {
    let folder = sdk::typescript()?;
    let compiler = reference::lab()?.join(format!("{}-{}", COMPILER.0, COMPILER.1));
    npm::install(&compiler, COMPILER.0, COMPILER.1)?;
    let source = folder.join("duties.ts");
    fs::write(&source, DUTIES).with_context(|| format!("cannot write {}", source.display()))?;
    let made = program::run(
        Command::new(compiler.join("node_modules/.bin/esbuild"))
            .arg(&source)
            .args(["--format=esm", "--log-level=warning"])
            .arg(format!("--outfile={}", duties(&folder).display())),
    )?;
    if !made.success {
        bail!("duties.ts is wrong:\n{}", made.output.trim_end());
    }
    reference::install(reference::NEWEST).map(drop)
}

/// The program, beside the SDK: Node looks for packages next to a program.
fn duties(folder: &Path) -> PathBuf {
    folder.join("duties.mjs")
}

pub(super) fn play(_: &Workspace, args: &Args, _aqueduct: &Path) -> Result<bool> {
    let duties = duties(&sdk::typescript()?);
    let agents = [
        (format!("reference {}", reference::NEWEST), reference::install(reference::NEWEST)?),
        ("aqueduct-agent".to_owned(), args.agent()?),
    ];
    let started = Instant::now();
    let reported = cases::side_by_side(&agents, |(_, agent)| {
        take_through(Command::new("node").arg(&duties), agent, &args.scenario)
    })?;
    let names: Vec<&str> = agents.iter().map(|(name, _)| name.as_str()).collect();
    Ok(cases::report(&names, &reported, started))
}
