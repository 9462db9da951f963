//! `cargo xtask bench`: measures, beside peers, in one run.
//!
//! The measuring itself is a package of its own in `bench/`, outside the workspace: its peers are
//! nothing that the product should ever build. The bench `agent` runs the reference CLI too, and so in a
//! network of loopback only, in which this program has started itself again.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::conformance::{namespace, reference, sdk};
use crate::program;
use crate::system;
use crate::workspace::Workspace;

/// The profile of published builds.
const PUBLISHED: &str = "dist";

/// The bench that needs the built agent and the reference.
const AGENT: &str = "agent";

/// The bench that needs the built agent, ripgrep and fd.
const SEARCH: &str = "search";

/// The bench that needs the built agent alone.
const LARGE: &str = "large";

/// The bench that needs the built agent and the official SDKs.
const CLIENT: &str = "client";

/// The benches that need the built bridge.
const BRIDGE: &str = "bridge";
const SOAK: &str = "soak";

/// The bench that needs both.
const LOGS: &str = "logs";

#[derive(Clone, clap::Args)]
pub(crate) struct Args {
    /// Which benches to run; none means all but build, which measures first builds of the product
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
    /// Print the figures beside those that an earlier run wrote with --json
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,
    /// Only print: leave docs/performance.md as it is, as --quick does too
    #[arg(long)]
    no_docs: bool,
    /// The profile of the built programs and of the bench itself: `dist` as published, or `release`, which is not
    /// written to docs/performance.md
    #[arg(long, value_name = "NAME", default_value = PUBLISHED, value_parser = [PUBLISHED, "release"])]
    profile: String,
    /// The program that the benches agent and search measure, in place of a build of aqueduct-agent
    #[arg(long, value_name = "PROGRAM", overrides_with = "agent")]
    agent: Option<PathBuf>,
    /// The program that the benches bridge and soak measure, in place of a build of aqueduct
    #[arg(long, value_name = "PROGRAM", overrides_with = "bridge")]
    bridge: Option<PathBuf>,
    /// Another bridge that runs at ws://HOST:PORT/PATH, for the bench bridge to measure too
    #[arg(long, value_name = "URL")]
    peer: Option<String>,
    /// The installed reference: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// A Python with the Python SDK: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "FILE")]
    python: Option<PathBuf>,
    /// A directory with the TypeScript SDK: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "DIR")]
    node: Option<PathBuf>,
    /// The built bench: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "FILE")]
    inside_with: Option<PathBuf>,
}

impl Args {
    fn wants(&self, bench: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == bench)
    }

    /// Whether other people's programs are run, which must not reach out.
    fn runs_others(&self) -> bool {
        self.wants(AGENT) || self.wants(CLIENT)
    }

    fn wants_bridge(&self) -> bool {
        self.wants(BRIDGE) || self.wants(SOAK) || self.wants(LOGS)
    }

    /// The program that was given, or else a build with the profile.
    fn built(&self, workspace: &Workspace, given: Option<&Path>, package: &str) -> Result<PathBuf> {
        match given {
            Some(program) => {
                program.canonicalize().with_context(|| format!("there is no {}", program.display()))
            }
            None => {
                println!("building {package} with the profile {}", self.profile);
                workspace.build(package, &["--profile", &self.profile])
            }
        }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if let Some(bench) = &args.inside_with {
        namespace::settle()?;
        return measure(workspace, args, bench);
    }
    if args.callgrind {
        system::need("valgrind", "--version", "valgrind")?;
    }
    let apart = ["--manifest-path", "bench/Cargo.toml", "--target-dir", "target/bench"];
    let bench = workspace.build("aqueduct-bench", &[&apart[..], &["--profile", &args.profile]].concat())?;
    let mut args = args.clone();
    if args.wants_bridge() {
        args.bridge = Some(args.built(workspace, args.bridge.as_deref(), "aqueduct")?);
    }
    if args.wants(SEARCH) {
        args.agent = Some(args.built(workspace, args.agent.as_deref(), "aqueduct-agent")?);
        for (name, package) in [("rg", "ripgrep"), ("fdfind", "fd-find")] {
            if let Err(error) = system::need(name, "--version", package) {
                println!("{name} can't be installed, so it is not beside: {error:#}");
            }
        }
    }
    if (args.wants(LARGE) || args.wants(LOGS)) && !args.runs_others() {
        args.agent = Some(args.built(workspace, args.agent.as_deref(), "aqueduct-agent")?);
    }
    if args.runs_others() { go_inside(workspace, &args, &bench) } else { measure(workspace, &args, &bench) }
}

/// Builds and installs what the bench agent runs, and starts this program again where nothing can reach out.
fn go_inside(workspace: &Workspace, args: &Args, bench: &Path) -> Result<bool> {
    let agent = args.built(workspace, args.agent.as_deref(), "aqueduct-agent")?;
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    arguments.extend(["--inside-with".into(), bench.into(), "--agent".into(), agent.into()]);
    if let Some(bridge) = &args.bridge {
        arguments.extend(["--bridge".into(), bridge.into()]);
    }
    if args.wants(AGENT) {
        match reference::install(reference::NEWEST) {
            Ok(program) => arguments.extend(["--reference".into(), program.into()]),
            Err(error) => {
                println!("the reference CLI can't be installed, so there is nothing beside: {error:#}")
            }
        }
    }
    if args.wants(CLIENT) {
        match sdk::python() {
            Ok(python) => arguments.extend(["--python".into(), python.into()]),
            Err(error) => println!("the Python SDK can't be installed, so it is not beside: {error:#}"),
        }
        match sdk::typescript() {
            Ok(modules) => arguments.extend(["--node".into(), modules.into()]),
            Err(error) => println!("the TypeScript SDK can't be installed, so it is not beside: {error:#}"),
        }
    }
    namespace::run_again(arguments)
}

fn measure(workspace: &Workspace, args: &Args, bench: &Path) -> Result<bool> {
    let mut command = workspace.command(&bench.to_string_lossy());
    command.args(&args.names);
    let write_docs = !args.quick && !args.no_docs && args.profile == PUBLISHED;
    for (flag, given) in
        [("--quick", args.quick), ("--callgrind", args.callgrind), ("--write-docs", write_docs)]
    {
        if given {
            command.arg(flag);
        }
    }
    for (flag, program) in [
        ("--agent", &args.agent),
        ("--reference", &args.reference),
        ("--python", &args.python),
        ("--node", &args.node),
        ("--bridge", &args.bridge),
    ] {
        if let Some(program) = program {
            command.arg(flag).arg(program);
        }
    }
    if let Some(url) = &args.peer {
        command.arg("--peer").arg(url);
    }
    for (flag, file) in [("--json", &args.json), ("--before", &args.before)] {
        if let Some(file) = file {
            // The bench runs at the root; a relative path is one from the current directory.
            command.arg(flag).arg(std::path::absolute(file)?);
        }
    }
    program::run_openly(&mut command)
}
