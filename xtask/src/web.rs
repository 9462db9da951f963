//! `cargo xtask web`: the web UI, from TypeScript to the files that are embedded.

use anyhow::{Result, bail};

use crate::program;
use crate::workspace::Workspace;

const UI: &str = "crates/aqueduct-web/ui";

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<bool> {
    let ui = workspace.path(UI);
    if !ui.is_dir() {
        println!("no web UI in this tree: {UI} is missing");
        return Ok(false);
    }
    for arguments in [["ci", "--no-audit"], ["run", "build"]] {
        println!("npm {}", arguments.join(" "));
        let mut npm = workspace.command("npm");
        let ended = program::run(npm.current_dir(&ui).args(arguments))?;
        if !ended.success {
            bail!("npm {} failed in {UI}:\n{}", arguments.join(" "), ended.output.trim_end());
        }
    }
    println!("built {UI}");
    Ok(true)
}
