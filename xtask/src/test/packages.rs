//! The packages `aqueduct-client` for npm and PyPI: their types, their tests, and both against a real bridge.

use anyhow::Result;

use super::outcome::Outcome;
use super::runner_output;
use super::web::NO_NPM;
use crate::workspace::Workspace;
use crate::{packages, program, python, web};

/// The checks of the package for npm. The last one runs what is compiled.
const NPM_CHECKS: &[&[&str]] = &[
    &["run", "--silent", "build"],
    &["run", "--silent", "typecheck"],
    &["run", "--silent", "test"],
    &["run", "--silent", "e2e"],
];

pub(super) fn npm(workspace: &Workspace) -> Result<Outcome> {
    if !web::has_npm() {
        return Ok(Outcome::skipped(NO_NPM));
    }
    let installed = packages::install_npm(workspace)?;
    if !installed.success {
        return Ok(Outcome::failed(installed.output));
    }
    let aqueduct = workspace.build("aqueduct", &[])?;
    let mut outcome = Outcome::default();
    for arguments in NPM_CHECKS {
        let ended = program::run(packages::npm(workspace, arguments).env("AQUEDUCT", &aqueduct))?;
        outcome.add(runner_output::vitest(ended.success, ended.output));
        if outcome.failed > 0 {
            break;
        }
    }
    Ok(outcome)
}

pub(super) fn python(workspace: &Workspace) -> Result<Outcome> {
    if let Some(problem) = python::problem() {
        return Ok(Outcome::skipped(&problem));
    }
    let interpreter = packages::python(workspace)?;
    let aqueduct = workspace.build("aqueduct", &[])?;
    let cache = workspace.scratch("mypy");
    let cache = format!("--cache-dir={}", cache.display());
    let ended = program::run(&mut packages::module(workspace, &interpreter, &["mypy", &cache]))?;
    let mut outcome = Outcome::single(ended.success, ended.output);
    let arguments = ["unittest", "discover", "-t", ".", "-s", "tests"];
    let mut tests = packages::module(workspace, &interpreter, &arguments);
    let ended = program::run(tests.env("AQUEDUCT", aqueduct))?;
    outcome.add(runner_output::unittest(ended.success, ended.output));
    Ok(outcome)
}
