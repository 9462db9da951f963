//! `cargo xtask web`: the web UI, from TypeScript to the files that are embedded, and a browser that tries them.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

use crate::workspace::Workspace;
use crate::{program, system};

const UI: &str = "crates/aqueduct-web/ui";

/// Where browsers are that the tests can use; `CHROMIUM` names another.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare what is committed with what the sources give, and write nothing
    #[arg(long)]
    check: bool,
    /// Leave the browser out
    #[arg(long)]
    no_browser: bool,
    /// Measure what the page costs in time and memory too
    #[arg(long)]
    budget: bool,
    /// Make the pictures in docs/web too
    #[arg(long)]
    pictures: bool,
}

/// One of the steps: its name, and the arguments of npm.
pub(crate) type Step = (&'static str, &'static [&'static str]);

/// What all others need. Not `ci`, which removes all packages and installs them again in every run.
pub(crate) const PACKAGES: Step = ("packages", &["install", "--no-save", "--no-audit", "--no-fund"]);

/// Everything but the browser. What is built comes last, so that it is only ever built from sources that work.
pub(crate) const CHECKS: &[Step] = &[
    PACKAGES,
    ("types", &["run", "--silent", "typecheck"]),
    ("tests", &["run", "--silent", "test"]),
    ("dist", &["run", "--silent", "check"]),
];

const BUILD: Step = ("build", &["run", "--silent", "build"]);

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if !has_npm() {
        bail!("npm is missing: install Node.js 20 or newer");
    }
    for &step in CHECKS {
        let (name, arguments) = if step.0 == "dist" && !args.check { BUILD } else { step };
        println!("{name}");
        let ended = npm(workspace, arguments)?;
        if !ended.success {
            bail!("npm {} failed in {UI}:\n{}", arguments.join(" "), ended.output.trim_end());
        }
    }
    let wanted = [("e2e", !args.no_browser), ("budget", args.budget), ("pictures", args.pictures)];
    for (script, _) in wanted.into_iter().filter(|(_, wanted)| *wanted) {
        println!("{script}");
        let ended = browser(workspace, script, &[])?;
        if !ended.success {
            bail!("npm run {script} failed in {UI}:\n{}", ended.output.trim_end());
        }
        if script == "budget" {
            print!("{}", ended.output);
        }
    }
    Ok(true)
}

/// Whether there is an npm.
pub(crate) fn has_npm() -> bool {
    program::exists("npm", "--version")
}

/// Makes sure that there is a browser.
fn need_browser() -> Result<()> {
    if env::var_os("CHROMIUM").is_some() || BROWSERS.iter().any(|path| Path::new(path).is_file()) {
        return Ok(());
    }
    system::need("chromium", "--version", "chromium")
}

/// One of npm's commands, in the UI's folder.
pub(crate) fn npm(workspace: &Workspace, arguments: &[&str]) -> Result<program::Ended> {
    let mut npm = workspace.command("npm");
    program::run(npm.current_dir(workspace.path(UI)).args(arguments).env("NO_COLOR", "1"))
}

/// One of the UI's scripts that need a browser and a bridge: that is built first, with the UI in it.
pub(crate) fn browser(workspace: &Workspace, script: &str, arguments: &[&str]) -> Result<program::Ended> {
    need_browser()?;
    let aqueduct = workspace.build("aqueduct", &[])?;
    let mut npm = workspace.command("npm");
    npm.current_dir(workspace.path(UI)).args(["run", "--silent", script, "--"]).args(arguments);
    npm.env("AQUEDUCT", aqueduct).env("NO_COLOR", "1");
    program::run(&mut npm)
}
