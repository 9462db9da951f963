//! The web UI in a whole test run: its types, its tests, what is embedded of it, and a browser that uses it.

use anyhow::Result;

use super::outcome::Outcome;
use crate::web;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    if !web::has_npm() {
        return Ok(Outcome::skipped("npm is missing: install Node.js 20 or newer"));
    }
    let mut outcome = Outcome::default();
    for (_, arguments) in web::CHECKS {
        let ended = web::npm(workspace, arguments)?;
        outcome.add(Outcome::single(ended.success, ended.output));
        if outcome.failed > 0 {
            return Ok(outcome);
        }
    }
    Ok(outcome)
}

pub(super) fn browse(workspace: &Workspace) -> Result<Outcome> {
    if !web::has_npm() {
        return Ok(Outcome::skipped("npm is missing: install Node.js 20 or newer"));
    }
    if !web::has_browser() {
        return Ok(Outcome::skipped("no Chromium: install it, or name it with CHROMIUM"));
    }
    let ended = web::browser(workspace, "e2e")?;
    Ok(Outcome::single(ended.success, ended.output))
}
