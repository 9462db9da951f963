//! The project's own chores: `cargo xtask --help` lists them.
//!
//! One file a chore. A chore prints what it is doing, ends with a summary a person can read, and
//! exits with 0 only if all is well.

mod bench;
mod conformance;
mod fuzz;
mod generate;
mod metadata;
mod npm;
mod program;
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
    /// Hold the wire and the agent against the reference CLI, without a network
    Conformance(conformance::Args),
    /// Fuzz the parsers with libFuzzer, on the stable toolchain
    Fuzz(fuzz::Args),
    /// Build the web UI into the files that the bridge embeds
    Web(web::Args),
}

fn main() -> ExitCode {
    match run(Cli::parse().chore) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{} {error:#}", terminal::stderr().red("error:"));
            ExitCode::FAILURE
        }
    }
}

/// Whether all is well: a chore that found something says so itself and returns false.
fn run(chore: Chore) -> anyhow::Result<bool> {
    let workspace = Workspace::find()?;
    match chore {
        Chore::Test(args) => test::run(&workspace, &args),
        Chore::Tidy(args) => tidy::run(&workspace, &args),
        Chore::Gen(args) => generate::run(&workspace, &args),
        Chore::Bench(args) => bench::run(&workspace, &args),
        Chore::Conformance(args) => conformance::run(&workspace, &args),
        Chore::Fuzz(args) => fuzz::run(&workspace, &args),
        Chore::Web(args) => web::run(&workspace, &args),
    }
}
