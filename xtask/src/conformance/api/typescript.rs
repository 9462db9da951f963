use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::install::Tools;
use super::loopback_bridge::{LoopbackBridge, TOKEN};
use crate::conformance::cases::{self, Reported};
use crate::conformance::hosts::install::{must_run, write};

const SESSION: &str = include_str!("session.ts");

/// The strictest settings that users of generated types have.
const COMPILER: &[&str] = &[
    "--strict",
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
    "--skipLibCheck",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2022,dom,dom.iterable",
];

/// Generates the TypeScript types, compiles a program on them, and takes a session through its life with it.
pub(super) fn play(tools: &Tools, folder: &Path, document: &Path, aqueduct: &Path) -> Result<Vec<Reported>> {
    let place = folder.join("typescript");
    std::fs::create_dir_all(&place).context("cannot make a directory")?;
    let programs = tools.node.join("node_modules/.bin");
    // Node looks for packages next to a program.
    symlink(tools.node.join("node_modules"), place.join("node_modules")).context("cannot link packages")?;
    must_run(
        Command::new(programs.join("openapi-typescript")).arg(document).arg("-o").arg(place.join("api.ts")),
    )?;
    write(&place.join("session.mts"), SESSION)?;
    must_run(Command::new(programs.join("tsc")).current_dir(&place).args(COMPILER).args([
        "--outDir",
        ".",
        "session.mts",
    ]))?;
    let bridge = LoopbackBridge::start(aqueduct)?;
    cases::run(
        Command::new("node")
            .arg(place.join("session.mjs"))
            .args([&bridge.url(), TOKEN])
            .arg(bridge.project()),
    )
}
