//! `cargo xtask bench`: measures, beside peers, in one run.
//!
//! The measuring itself is a package of its own in `bench/`, outside the workspace: its peers are
//! nothing that the product should ever build.

use std::path::PathBuf;

use anyhow::Result;

use crate::program;
use crate::system;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which benches to run; none means all
    names: Vec<String>,
    /// Smaller input and fewer rounds: to see that it works, not to quote
    #[arg(long)]
    quick: bool,
    /// Count instructions too, with valgrind: slower, and the same on a busy machine
    #[arg(long)]
    callgrind: bool,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only print: leave docs/performance.md as it is, as --quick does too
    #[arg(long)]
    no_docs: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.callgrind {
        system::need("valgrind", "--version", "valgrind")?;
    }
    let mut cargo = workspace.cargo(["run", "--release", "--manifest-path", "bench/Cargo.toml", "--"]);
    cargo.env("CARGO_TARGET_DIR", workspace.path("target/bench")).args(&args.names);
    let write_docs = !args.quick && !args.no_docs;
    for (flag, given) in
        [("--quick", args.quick), ("--callgrind", args.callgrind), ("--write-docs", write_docs)]
    {
        if given {
            cargo.arg(flag);
        }
    }
    if let Some(file) = &args.json {
        // The bench runs at the root; the file is meant where the person stands.
        cargo.arg("--json").arg(std::path::absolute(file)?);
    }
    program::run_openly(&mut cargo)
}
