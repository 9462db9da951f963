//! The portable implementation of aqueduct-os and aqueduct-sandbox, built and tested on Linux.
//!
//! `RUSTFLAGS="--cfg aqueduct_portable"` selects it too, and builds every dependency again. Here the flag goes to our own
//! crates alone: cargo starts this program in place of the compiler for them, and it adds the flag.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use super::outcome::Outcome;
use super::{cargo as cargo_tests, requirements, runner_output};
use crate::program;
use crate::workspace::Workspace;

/// Set for this program when cargo starts it in place of the compiler.
const VARIABLE: &str = "AQUEDUCT_XTASK_PORTABLE";

/// Becomes the compiler, if this program was started in its place.
pub(crate) fn become_compiler() -> Option<ExitCode> {
    env::var_os(VARIABLE)?;
    let mut arguments = env::args_os().skip(1);
    let compiler = arguments.next().unwrap_or_else(|| OsString::from("rustc"));
    let error = Command::new(compiler).args(arguments).args(["--cfg", "aqueduct_portable"]).exec();
    eprintln!("cannot start the compiler: {error}");
    Some(ExitCode::FAILURE)
}

/// Everything compiles, and the tests of the crates pass that differ most.
pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    let checked = program::run(&mut cargo(workspace, &["check", "--workspace"])?)?;
    let mut outcome = Outcome::single(checked.success, runner_output::failures(&checked.output));
    outcome.add(tests(workspace, &["aqueduct-os", "aqueduct-client"])?);
    Ok(outcome)
}

/// The tests of all crates that call it.
pub(super) fn all(workspace: &Workspace) -> Result<Outcome> {
    tests(
        workspace,
        &[
            "aqueduct-os",
            "aqueduct-client",
            "aqueduct-sandbox",
            "aqueduct-tools",
            "aqueduct-agent",
            "aqueduct-bridge",
        ],
    )
}

fn tests(workspace: &Workspace, packages: &[&str]) -> Result<Outcome> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let arguments: Vec<&str> = ["test", "--no-fail-fast"].into_iter().chain(packages).collect();
    cargo_tests::tests(workspace, cargo(workspace, &arguments)?, &requirements::portable()?)
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Result<Command> {
    let own = env::current_exe().context("cannot determine the path of this program")?;
    let mut cargo = workspace.cargo(arguments.iter().copied());
    cargo.env("RUSTC_WORKSPACE_WRAPPER", own).env(VARIABLE, "1");
    Ok(cargo)
}
