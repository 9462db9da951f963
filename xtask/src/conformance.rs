//! `cargo xtask conformance`: the product beside the real thing.
//!
//! Suites are in one table. A suite installs what it needs, then plays its scenarios in a network
//! namespace with loopback only, in which this program has started itself again.
//!
//! | module | contents |
//! |---|---|
//! | `scenarios` | the scenarios that the suites play |
//! | `wire` | checks what the reference CLI sends |
//! | `agent`, `compare` | compares the reference CLI with `aqueduct-agent`; the tables of rules and known differences fill docs/conformance.md |
//! | `kill`, `shared_session` | kills the agent at random times and resumes it; two programs in one session |
//! | `api` | clients that are generated from the OpenAPI document, and requests that are derived from it |
//! | `crash`, `bridge` | kills and freezes bridge, keepers and agents under load; every agent behind a bridge |
//! | `usage`, `subcommands` | reported usage against what the API counted; command lines beside conversations |
//! | `client`, `profiles`, `python_sdk`, `typescript_sdk` | our SDK and the official ones, with both agents |
//! | `review_bot` | a case of these suites: the same program on three SDKs |
//! | `hosts` | programs from the registries, with both agents: a row for each in `hosts/catalog.rs` |
//! | `mcp` | real MCP servers |
//! | `install` | the package for Debian, in a fresh Debian |
//! | `schema` | the official tests of JSON Schema |
//! | `stage`, `namespace`, `scripted_api`, `session`, `cases`, `verdict` | what suites share: a folder, the closed network, a scripted model, an agent under test, tables of results |

mod agent;
mod api;
mod bridge;
mod cases;
mod client;
mod compare;
pub(crate) mod crash;
mod hosts;
mod install;
mod kill;
mod mcp;

pub(crate) mod namespace;
mod profiles;
mod python_sdk;
pub(crate) mod reference;
mod review_bot;
mod scenarios;
mod schema;
mod scripted_api;
pub(crate) mod sdk;
mod session;
mod shared_session;
mod stage;
mod subcommands;
mod typescript_sdk;
mod usage;
mod verdict;
mod wire;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

pub(crate) use scripted_api::ScriptedApi;

use crate::terminal;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which suites to run; none means all
    suites: Vec<String>,
    /// Only these versions of the reference CLI; may be given several times
    #[arg(long, value_name = "VERSION")]
    version: Vec<String>,
    /// Only scenarios, or hosts, whose name contains this; may be given several times
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// The program to hold against the reference, in place of aqueduct-agent; for the suite crash own, plain, reference
    /// or all
    #[arg(long, value_name = "PROGRAM", overrides_with = "agent")]
    agent: Option<PathBuf>,
    /// Print the whole report of the suite agent, crash or hosts as JSON, and nothing else
    #[arg(long)]
    json: bool,
    /// Write the tables of docs/conformance.md, and end
    #[arg(long)]
    write_docs: bool,
    /// How many processes the suites kill (200) and crash (1000) kill, and how many interleavings shared-session
    /// plays (200)
    #[arg(long, value_name = "N")]
    kills: Option<usize>,
    /// The seed that the suites kill, crash and shared-session derive their times from; a new one for each run if none is given
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// A checkout of the Python SDK's repository, whose end-to-end tests the suite python-sdk runs as well
    #[arg(long, value_name = "DIR")]
    e2e: Option<PathBuf>,
    /// List suites, versions and scenarios, and end
    #[arg(long)]
    list: bool,
    /// The built binary: set when this program starts itself again inside the closed network
    #[arg(long, hide = true, value_name = "FILE")]
    inside_with: Option<PathBuf>,
}

impl Args {
    /// The program under test: by the time a suite plays, it was named or built.
    fn agent(&self) -> Result<PathBuf> {
        self.agent.clone().context("no agent was named")
    }

    /// Shows the progress, unless the output is for a program.
    fn print_progress(&self, text: &str) {
        if !self.json {
            println!("{text}");
        }
    }
}

struct Suite {
    name: &'static str,
    about: &'static str,
    /// Whether it plays with the agent.
    needs_agent: bool,
    /// Outside: fetches and installs what the suite runs.
    prepare: fn(&Args) -> Result<()>,
    /// Inside: plays and checks. Returns whether all passed.
    play: fn(&Workspace, &Args, &Path) -> Result<bool>,
}

const SUITES: &[Suite] = &[
    Suite {
        name: "wire",
        about: "every frame that the reference CLI sends or receives is known, typed and written back unchanged",
        needs_agent: false,
        prepare: wire::prepare,
        play: wire::play,
    },
    Suite {
        name: "agent",
        about: "the agent sends what the reference CLI sends, frame by frame",
        needs_agent: true,
        prepare: agent::prepare,
        play: agent::play,
    },
    Suite {
        name: "subcommands",
        about: "mcp, auth and the other subcommands print what the reference CLI prints, with its exit codes",
        needs_agent: true,
        prepare: subcommands::prepare,
        play: subcommands::play,
    },
    Suite {
        name: "client",
        about: "one host on aqueduct-client drives the reference CLI of three versions and the agent",
        needs_agent: true,
        prepare: client::prepare,
        play: client::play,
    },
    Suite {
        name: "kill",
        about: "an agent that is killed at any time loses nothing and leaves nothing behind",
        needs_agent: true,
        prepare: |_| Ok(()),
        play: kill::play,
    },
    Suite {
        name: "shared-session",
        about: "two processes on one session, in any order and killed, lose no line; both programs resume it",
        needs_agent: true,
        prepare: shared_session::prepare,
        play: shared_session::play,
    },
    Suite {
        name: "usage",
        about: "transcripts and results have what the model's API counted, as those of the reference do",
        needs_agent: true,
        prepare: usage::prepare,
        play: usage::play,
    },
    Suite {
        name: "bridge",
        about: "a bridge carries the reference CLI of three versions and the agent through a day",
        needs_agent: true,
        prepare: bridge::prepare,
        play: bridge::play,
    },
    Suite {
        name: "api",
        about: "generated Python and TypeScript clients hold a session over HTTP; schemathesis finds nothing",
        needs_agent: false,
        prepare: api::prepare,
        play: api::play,
    },
    Suite {
        name: "crash",
        about: "bridge, keepers and agents, killed and frozen in every combination, lose nothing and do nothing twice",
        needs_agent: false,
        prepare: crash::prepare,
        play: crash::play,
    },
    Suite {
        name: "python-sdk",
        about: "the official Python SDK drives the reference CLI and the agent; --e2e DIR adds its own tests",
        needs_agent: true,
        prepare: python_sdk::prepare,
        play: python_sdk::play,
    },
    Suite {
        name: "ts-sdk",
        about: "the official TypeScript SDK drives the reference CLI and the agent",
        needs_agent: true,
        prepare: typescript_sdk::prepare,
        play: typescript_sdk::play,
    },
    Suite {
        name: "profiles",
        about: "agents of near dialects are driven by aqueduct-client and aqueduct run: Qwen Code",
        needs_agent: false,
        prepare: profiles::prepare,
        play: profiles::play,
    },
    Suite {
        name: "mcp",
        about: "real MCP servers are connected, listed, called, killed and connected again",
        needs_agent: true,
        prepare: mcp::prepare,
        play: mcp::play,
    },
    Suite {
        name: "install",
        about: "the package is installed, upgraded under a running turn, removed and purged in a fresh Debian",
        needs_agent: false,
        prepare: install::prepare,
        play: install::play,
    },
    Suite {
        name: "schema",
        about: "schemas of answers are read as the official tests of JSON Schema specify, or refused",
        needs_agent: false,
        prepare: schema::prepare,
        play: schema::play,
    },
    Suite {
        name: "hosts",
        about: "programs that people use with the reference CLI behave the same with the agent in its place",
        needs_agent: true,
        prepare: hosts::prepare,
        play: hosts::play,
    },
];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.list {
        list();
        return Ok(true);
    }
    if args.write_docs {
        return agent::write(workspace).map(|()| true);
    }
    if let Some(unknown) = args.suites.iter().find(|name| !SUITES.iter().any(|suite| suite.name == **name)) {
        bail!("unknown suite {unknown}: `cargo xtask conformance --list` names them all");
    }
    let wanted = |suite: &&Suite| args.suites.is_empty() || args.suites.iter().any(|name| name == suite.name);
    let suites: Vec<&Suite> = SUITES.iter().filter(wanted).collect();
    let Some(aqueduct) = &args.inside_with else {
        for suite in &suites {
            (suite.prepare)(args)?;
        }
        let agent = match (&args.agent, suites.iter().any(|suite| suite.needs_agent)) {
            (Some(program), true) => Some(
                program.canonicalize().with_context(|| format!("{} does not exist", program.display()))?,
            ),
            (None, true) => Some(build(workspace, args, "aqueduct-agent")?),
            (_, false) => None,
        };
        return go_inside(&build(workspace, args, "aqueduct")?, agent);
    };
    namespace::settle()?;
    let mut well = true;
    for suite in suites {
        args.print_progress(&format!("{} {}", terminal::stdout().bold(suite.name), suite.about));
        well &= (suite.play)(workspace, args, aqueduct)?;
    }
    Ok(well)
}

/// What tidy holds docs/conformance.md to.
pub(crate) fn check_docs(page: &str) -> Option<String> {
    agent::check(page)
}

/// The page that lists the differences.
pub(crate) const DOCS: &str = agent::PAGE;

fn list() {
    let suites: Vec<_> =
        SUITES.iter().map(|suite| vec![suite.name.to_owned(), suite.about.to_owned()]).collect();
    println!("{}\n", terminal::table(&["suite", "what it holds"], &suites));
    println!("  reference CLI: {}\n", reference::VERSIONS.join(", "));
    let names: Vec<_> = scenarios::all().map(|scenario| scenario.name).collect();
    println!("  {} scenarios: {}", names.len(), names.join(", "));
    println!("  hosts: {}", hosts::names().join(", "));
}

/// The same command line again, plus the programs, where nothing can reach out.
fn go_inside(aqueduct: &Path, agent: Option<PathBuf>) -> Result<bool> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    arguments.extend(["--inside-with".into(), aqueduct.into()]);
    if let Some(agent) = agent {
        arguments.extend(["--agent".into(), agent.into()]);
    }
    namespace::run_again(arguments)
}

/// Builds one of our programs.
fn build(workspace: &Workspace, args: &Args, package: &str) -> Result<PathBuf> {
    args.print_progress(&format!("building {package}"));
    workspace.build(package, &[])
}
