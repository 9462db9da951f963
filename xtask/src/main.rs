//! The project's own chores: `cargo xtask --help` lists them.
//!
//! One file a chore. A chore prints what it is doing, ends with a summary a person can read, and
//! exits with 0 only if all is well.
//!
//! | module | contents |
//! |---|---|
//! | `test` | `cargo xtask test`, which `.ci/run` calls; the steps are a table in `test/steps.rs` |
//! | `tidy` | rules that a compiler does not check, one file each in `tidy/` |
//! | `generate` | generated files: schema, types, tables of the docs |
//! | `conformance` | suites against the reference CLI, official SDKs, hosts and MCP servers, in a network namespace with loopback only |
//! | `web` | the web UI: build, tests, Chromium |
//! | `deny` | advisories, licences, bans and sources of dependencies, by cargo-deny |
//! | `dist`, `packages` | what is published, built into one folder; the packages `aqueduct-client` for npm and PyPI |
//! | `bench`, `fuzz`, `layout` | measurements beside other programs; fuzz targets; the order of functions in the programs |
//! | `workspace`, `metadata`, `program`, `npm`, `python`, `system` | the repository's files, cargo metadata, processes, npm, virtual environments, packages of the system |
//! | `terminal` | colors and tables |

mod bench;
mod conformance;
mod deny;
mod dist;
mod fuzz;
mod generate;
mod layout;
mod metadata;
mod npm;
mod packages;
mod program;
mod python;
mod system;
mod terminal;
mod test;
mod tidy;
mod web;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Aqueduct's chores")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every check there is, setting up what it needs
    Test(test::Args),
    /// Check the rules a compiler cannot: dependency arrows, file sizes, links, forgotten files
    Tidy(tidy::Args),
    /// Write the generated files (schema, TypeScript types, tables in the docs), or compare them
    Gen(generate::Args),
    /// Measure, beside peers, in one run
    Bench(bench::Args),
    /// Write the order in which the programs' functions are linked, or compare it with builds
    Layout(layout::Args),
    /// Hold the wire and the agent against the reference CLI, without a network
    Conformance(conformance::Args),
    /// Check the dependencies of all workspaces with cargo-deny: advisories, licences, bans, sources
    Deny(deny::Args),
    /// Fuzz the parsers with libFuzzer, on the stable toolchain
    Fuzz(fuzz::Args),
    /// Build the web UI into the files that the bridge embeds
    Web(web::Args),
    /// Build what is published into target/artefacts, with checksums: the packages for npm and PyPI
    Dist(dist::Args),
}

fn main() -> ExitCode {
    if let Some(code) = test::become_compiler() {
        return code;
    }
    match run(Cli::parse().chore) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{} {error:#}", terminal::stderr().red("error:"));
            ExitCode::FAILURE
        }
    }
}

/// Whether the chore passed: one that found something reports it itself and returns false.
fn run(chore: Chore) -> anyhow::Result<bool> {
    let workspace = Workspace::find()?;
    match chore {
        Chore::Test(args) => test::run(&workspace, &args),
        Chore::Tidy(args) => tidy::run(&workspace, &args),
        Chore::Gen(args) => generate::run(&workspace, &args),
        Chore::Bench(args) => bench::run(&workspace, &args),
        Chore::Layout(args) => layout::run(&workspace, &args),
        Chore::Conformance(args) => conformance::run(&workspace, &args),
        Chore::Deny(args) => deny::run(&workspace, &args),
        Chore::Fuzz(args) => fuzz::run(&workspace, &args),
        Chore::Web(args) => web::run(&workspace, &args),
        Chore::Dist(args) => dist::run(&workspace, &args),
    }
}
