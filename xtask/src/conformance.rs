//! `cargo xtask conformance`: the product beside the real thing.
//!
//! Suites are in one table. A suite installs what it needs, then plays its scenarios in a network
//! namespace with loopback only, in which this program has started itself again.

mod namespace;
mod reference;
mod scenarios;
mod scripted_api;
mod session;
mod stage;
mod verdict;
mod wire;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::program;
use crate::terminal;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which suites to run; none means all
    suites: Vec<String>,
    /// Only these versions of the reference CLI; may be given several times
    #[arg(long, value_name = "VERSION")]
    version: Vec<String>,
    /// Only scenarios whose name contains this; may be given several times
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// List suites, versions and scenarios, and end
    #[arg(long)]
    list: bool,
    /// The built binary: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "FILE")]
    inside_with: Option<PathBuf>,
}

struct Suite {
    name: &'static str,
    about: &'static str,
    /// Outside: fetches and installs what the suite runs.
    prepare: fn(&Args) -> Result<()>,
    /// Inside: plays and judges. Says whether all is well.
    play: fn(&Workspace, &Args, &std::path::Path) -> Result<bool>,
}

const SUITES: &[Suite] = &[Suite {
    name: "wire",
    about: "every frame the reference CLI says or hears is known, typed and written back unchanged",
    prepare: wire::prepare,
    play: wire::play,
}];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.list {
        list();
        return Ok(true);
    }
    if let Some(unknown) = args.suites.iter().find(|name| !SUITES.iter().any(|suite| suite.name == **name)) {
        bail!("there is no suite {unknown}: `cargo xtask conformance --list` names them all");
    }
    let wanted = |suite: &&Suite| args.suites.is_empty() || args.suites.iter().any(|name| name == suite.name);
    let suites = SUITES.iter().filter(wanted);
    let Some(aqueduct) = &args.inside_with else {
        for suite in suites {
            (suite.prepare)(args)?;
        }
        return go_inside(&build(workspace)?);
    };
    namespace::settle()?;
    let mut well = true;
    for suite in suites {
        println!("{} {}", terminal::stdout().bold(suite.name), suite.about);
        well &= (suite.play)(workspace, args, aqueduct)?;
    }
    Ok(well)
}

fn list() {
    let suites: Vec<_> =
        SUITES.iter().map(|suite| vec![suite.name.to_owned(), suite.about.to_owned()]).collect();
    println!("{}\n", terminal::table(&["suite", "what it holds"], &suites));
    println!("  reference CLI: {}\n", reference::VERSIONS.join(", "));
    let names: Vec<_> = scenarios::all().map(|scenario| scenario.name).collect();
    println!("  {} scenarios: {}", names.len(), names.join(", "));
}

/// The same command line again, plus the binary, where nothing can reach out.
fn go_inside(aqueduct: &std::path::Path) -> Result<bool> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    arguments.push("--inside-with".into());
    arguments.push(aqueduct.into());
    namespace::run_again(arguments)
}

/// Builds the product, and asks cargo where it put it.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    println!("building aqueduct");
    let arguments = ["build", "--package", "aqueduct", "--message-format", "json-render-diagnostics"];
    let ended = program::run(&mut workspace.cargo(arguments))?;
    if !ended.success {
        bail!("aqueduct does not build:\n{}", ended.output.trim_end());
    }
    let messages = ended.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let executables = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    let mut ours = executables.filter(|path| path.file_stem().is_some_and(|stem| stem == "aqueduct"));
    ours.next().context("cargo named no executable for aqueduct")
}
