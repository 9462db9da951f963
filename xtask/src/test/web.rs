//! The web UI in a whole test run: its types, its tests, what is embedded of it, and all of it in a browser.

use anyhow::Result;

use super::outcome::Outcome;
use super::runner_output;
use crate::web;
use crate::workspace::Workspace;

/// The message of a step that can do nothing.
pub(super) const NO_NPM: &str = "npm is missing: install Node.js 20 or newer";

pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    if !web::has_npm() {
        return Ok(Outcome::skipped(NO_NPM));
    }
    let mut outcome = Outcome::default();
    for (_, arguments) in web::CHECKS {
        let ended = web::npm(workspace, arguments)?;
        outcome.add(runner_output::vitest(ended.success, ended.output));
        if outcome.failed > 0 {
            return Ok(outcome);
        }
    }
    Ok(outcome)
}

pub(super) fn browser(workspace: &Workspace) -> Result<Outcome> {
    if !web::has_npm() {
        return Ok(Outcome::skipped(NO_NPM));
    }
    let ended = web::npm(workspace, web::PACKAGES.1)?;
    if !ended.success {
        return Ok(Outcome::failed(ended.output));
    }
    let ended = web::browser(workspace, "e2e", &[])?;
    let (files, names) = runner_output::failed_vitest(&ended.output);
    let mut outcome = runner_output::vitest(ended.success, ended.output);
    if outcome.failed > 0 && !files.is_empty() {
        println!("  running {} files with failed tests again, one at a time", files.len());
        let mut arguments: Vec<&str> = files.iter().map(String::as_str).collect();
        arguments.push("--no-file-parallelism");
        let again = web::browser(workspace, "e2e", &arguments)?;
        if runner_output::vitest(again.success, again.output).failed == 0 {
            outcome.passes_again(names);
        }
    }
    Ok(outcome)
}
