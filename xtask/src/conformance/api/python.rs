use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::install::Tools;
use super::loopback_bridge::{LoopbackBridge, TOKEN};
use crate::conformance::cases::{self, Reported};
use crate::conformance::hosts::install::{must_run, write};

const SESSION: &str = include_str!("session.py");

/// Generates the Python client, and takes a session through its life with it.
pub(super) fn play(tools: &Tools, folder: &Path, document: &Path, aqueduct: &Path) -> Result<Vec<Reported>> {
    let place = folder.join("python");
    std::fs::create_dir_all(&place).context("cannot make a directory")?;
    let programs = tools.python.join("bin");
    // It formats what it has generated with a program that it looks for on the PATH.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.clone()].into_iter().chain(env::split_paths(&path)))?;
    must_run(
        Command::new(programs.join("openapi-python-client"))
            .args(["generate", "--meta", "none", "--fail-on-warning", "--path"])
            .arg(document)
            .arg("--output-path")
            .arg(place.join("bridge_client"))
            .env("PATH", path),
    )?;
    write(&place.join("session.py"), SESSION)?;
    let bridge = LoopbackBridge::start(aqueduct)?;
    cases::run(
        Command::new(programs.join("python"))
            .arg(place.join("session.py"))
            .args([&bridge.url(), TOKEN])
            .arg(bridge.project())
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}
