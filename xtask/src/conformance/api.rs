//! The suite `api`: what strangers do with the OpenAPI document of a bridge.
//!
//! A Python and a TypeScript client are generated from the document of the committed tables, by pinned generators, and each
//! takes a session through its life with a real bridge and the scripted demo model. Then schemathesis derives requests
//! from the document, valid and invalid ones, and compares the answers with it.

mod install;
mod loopback_bridge;
mod python;
mod schemathesis;
mod typescript;

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};

use self::install::Tools;
use self::loopback_bridge::LoopbackBridge;
use super::Args;
use super::cases;
use crate::workspace::Workspace;

/// The document, from the project's root. A test of the bridge compares it with what a bridge serves.
const DOCUMENT: &str = "crates/aqueduct-bridge/generated/openapi.json";

pub(super) fn prepare(_: &Args) -> Result<()> {
    Tools::install().map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let tools = Tools::install()?;
    let folder = workspace.scratch("conformance/api");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let document = workspace.path(DOCUMENT);
    let wanted = |name: &str| {
        args.scenario.is_empty() || args.scenario.iter().any(|word| name.contains(word.as_str()))
    };
    let mut well = true;
    if wanted("clients") {
        let started = Instant::now();
        let clients = [
            (install::PYTHON_GENERATOR, python::play(&tools, &folder, &document, aqueduct)?),
            (install::TYPESCRIPT_GENERATOR, typescript::play(&tools, &folder, &document, aqueduct)?),
        ];
        let names = clients.each_ref().map(|client| client.0);
        well &= cases::report(&names, &clients.map(|client| client.1), started);
    }
    if wanted("schemathesis") {
        well &= schemathesis::play(&tools, &folder, &LoopbackBridge::start(aqueduct)?, args.seed)?;
    }
    Ok(well)
}
