//! The suite `mcp`: real servers from npm, over every transport, connected, listed, called, killed and
//! connected again; and examples of the official SDK, one of which requires a sign-in.

mod conversation;
mod examples;
mod server;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use self::conversation::converse;
use self::examples::Example;
use self::server::{Transport, install};
use super::Args;
use super::stage::Stage;
use crate::terminal;
use crate::workspace::Workspace;

/// What the agent is led through.
#[derive(Debug, Clone, Copy)]
enum Case {
    /// The servers with everything, over a transport.
    Servers(Transport),
    /// An example of the SDK.
    Example(Example),
}

impl Case {
    fn name(self) -> &'static str {
        match self {
            Case::Servers(transport) => transport.name(),
            Case::Example(example) => example.name(),
        }
    }
}

pub(super) fn prepare(_: &Args) -> Result<()> {
    install()?;
    examples::install().map(drop)
}

pub(super) fn play(workspace: &Workspace, args: &Args, aqueduct: &Path) -> Result<bool> {
    let programs = install()?;
    let recordings = workspace.scratch("conformance/mcp");
    std::fs::create_dir_all(&recordings)?;
    let examples = examples::install()?;
    let transports = Transport::ALL.iter().map(|transport| Case::Servers(*transport));
    let cases = transports.chain(Example::ALL.iter().map(|example| Case::Example(*example)));
    let wanted = |case: &Case| {
        args.scenario.is_empty() || args.scenario.iter().any(|name| case.name().contains(name.as_str()))
    };
    let mut failed = 0;
    for case in cases.filter(wanted) {
        let started = Instant::now();
        let name = case.name();
        let mut stage = Stage::set(aqueduct, &args.agent()?, recordings.join(name))?;
        let outcome = match case {
            Case::Servers(transport) => converse(&mut stage, &programs, transport),
            Case::Example(example) => examples::converse(&mut stage, &examples, example),
        };
        let time = terminal::seconds(started.elapsed());
        let paint = terminal::stdout();
        match outcome {
            Ok(steps) => println!("  {} {name:<7} {steps} steps {time}", paint.green("ok    ")),
            Err(error) => {
                failed += 1;
                println!("  {} {name:<7} {error:#} {time}", paint.red("FAILED"));
            }
        }
    }
    println!("  recordings: {}", recordings.display());
    Ok(failed == 0)
}
