//! The suite `crash`: a bridge is killed at 200 random moments of scripted turns and started again.
//!
//! It is a test of the program, too long for every run. What it checks stands there:
//! `crates/aqueduct/tests/it/bridge/crash.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::Args;
use crate::program;
use crate::workspace::Workspace;

/// The test, by its name.
const TEST: &str = "bridge::crash::two_hundred_kills";

pub(super) fn prepare(args: &Args) -> Result<()> {
    let workspace = Workspace::find()?;
    args.tell("building the tests");
    let built = workspace.build_tests("aqueduct", "it")?;
    let tests = tests(&workspace);
    if let Some(folder) = tests.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(&built, &tests).with_context(|| format!("cannot copy {}", built.display())).map(drop)
}

/// Where the tests wait for the closed network, in which nothing is built.
fn tests(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/crash")
}

pub(super) fn play(workspace: &Workspace, _: &Args, _: &Path) -> Result<bool> {
    let mut test = Command::new(tests(workspace));
    test.args(["--ignored", "--exact", "--nocapture", TEST]).current_dir(workspace.path("crates/aqueduct"));
    program::run_openly(&mut test)
}
