//! The suite `mcp`: real servers from npm, over every transport, connected, listed, called, killed and
//! connected again.

mod conversation;
mod server;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use self::conversation::converse;
use self::server::{Transport, install};
use super::Args;
use super::stage::Stage;
use crate::terminal;
use crate::workspace::Workspace;

pub(super) fn prepare(_: &Args) -> Result<()> {
    install().map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let programs = install()?;
    let recordings = workspace.scratch("conformance/mcp");
    std::fs::create_dir_all(&recordings)?;
    let wanted = |transport: &&Transport| {
        args.scenario.is_empty() || args.scenario.iter().any(|name| transport.name().contains(name.as_str()))
    };
    let mut failed = 0;
    for transport in Transport::ALL.iter().filter(wanted) {
        let started = Instant::now();
        let name = transport.name();
        let mut stage = Stage::set(aqueduct, &args.agent()?, recordings.join(name))?;
        let outcome = converse(&mut stage, &programs, *transport);
        let time = terminal::seconds(started.elapsed());
        let paint = terminal::stdout();
        match outcome {
            Ok(steps) => println!("  {} {name:<6} {steps} steps {time}", paint.green("ok    ")),
            Err(error) => {
                failed += 1;
                println!("  {} {name:<6} {error:#} {time}", paint.red("FAILED"));
            }
        }
    }
    println!("  recordings: {}", recordings.display());
    Ok(failed == 0)
}
