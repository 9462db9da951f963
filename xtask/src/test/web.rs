//! The web UI in a whole test run: its types, its tests, what is embedded of it. `cargo xtask web` tries it in a browser.

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
