//! Measures Aqueduct beside its peers, in one process and one run.
//!
//! One file a bench: `wire` so far. A bench makes its input, lists its [`measure::Measurement`]s and gives
//! back a [`report::Report`]; rounds, instruction counts, tables and documents are the same for all.

mod args;
mod callgrind;
mod fidelity;
mod measure;
mod peers;
mod report;
mod stream;
mod wire;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use args::{Args, Command};
use report::Report;

/// The benches by name: what runs each, and what runs one of its measurements alone.
const BENCHES: &[(&str, fn(&Args) -> Result<Report>, fn(&args::One) -> Result<()>)] =
    &[("wire", wire::run, wire::run_one)];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("aqueduct-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    match args::parse(std::env::args().skip(1))? {
        Command::Help => {
            println!("{}", args::USAGE);
            Ok(())
        }
        Command::One(one) => {
            let (_, _, run_one) =
                BENCHES.iter().find(|(name, ..)| *name == one.bench).context("no such bench")?;
            run_one(&one)
        }
        Command::Run(args) => run_all(&args),
    }
}

fn run_all(args: &Args) -> Result<()> {
    if let Some(unknown) = args.benches.iter().find(|wanted| BENCHES.iter().all(|(name, ..)| name != wanted))
    {
        let known: Vec<_> = BENCHES.iter().map(|(name, ..)| *name).collect();
        bail!("there is no bench `{unknown}`; there is {}", known.join(", "));
    }
    let machine = report::Machine::here();
    println!("{machine}");
    let mut reports = Vec::new();
    for (name, run, _) in BENCHES {
        if !args.benches.is_empty() && !args.benches.iter().any(|wanted| wanted == name) {
            continue;
        }
        let report = run(args)?;
        println!("\n{}", report.text());
        if args.write_docs {
            report::write_docs(&report, &machine)?;
        }
        reports.push(report);
    }
    if let Some(file) = &args.json {
        report::write_json(file, &machine, &reports)?;
    }
    Ok(())
}
