//! Measures Aqueduct beside its peers, in one run.
//!
//! One file a bench. A bench makes its input, measures and returns a [`report::Report`]; rounds,
//! instruction counts, tables and documents are the same for all.

mod agent;
mod args;
mod bridge;
mod callgrind;
mod client;
mod cold_build;
mod fidelity;
mod large;
mod logs;
mod measure;
mod memory;
mod peers;
mod report;
mod rules;
mod stream;
mod wire;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use args::{Args, Command, One};
use report::Report;

/// The benches.
const BENCHES: &[Bench] = &[
    Bench { name: "wire", run: wire::run, run_one: wire::run_one },
    Bench { name: "rules", run: rules::run, run_one: rules::run_one },
    Bench { name: "agent", run: agent::run, run_one: agent::run_one },
    Bench { name: "search", run: agent::search::run, run_one: agent::search::run_one },
    Bench { name: "large", run: large::run, run_one: large::run_one },
    Bench { name: "client", run: client::run, run_one: client::run_one },
    Bench { name: "bridge", run: bridge::run, run_one: bridge::run_one },
    Bench { name: "logs", run: logs::run, run_one: logs::run_one },
    Bench { name: "soak", run: bridge::run_soak, run_one: bridge::run_one },
    Bench { name: cold_build::NAME, run: cold_build::run, run_one: cold_build::run_one },
];

/// The bench that runs only when it is named: it compiles the product twice.
const ONLY_NAMED: &str = cold_build::NAME;

struct Bench {
    name: &'static str,
    run: fn(&Args) -> Result<Report>,
    /// Runs one of its measurements alone.
    run_one: fn(&One) -> Result<()>,
}

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
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some("--host") => return client::run_host(words),
        Some("--scripted-agent") => return bridge::run_agent(words),
        _ => {}
    }
    match args::parse(std::env::args().skip(1))? {
        Command::Help => {
            println!("{}", args::USAGE);
            Ok(())
        }
        Command::One(one) => {
            let bench = BENCHES.iter().find(|bench| bench.name == one.bench).context("no such bench")?;
            (bench.run_one)(&one)
        }
        Command::Run(args) => run_all(&args),
    }
}

fn run_all(args: &Args) -> Result<()> {
    if let Some(unknown) =
        args.benches.iter().find(|wanted| BENCHES.iter().all(|bench| bench.name != *wanted))
    {
        let known: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
        bail!("unknown bench `{unknown}`; known are {}", known.join(", "));
    }
    let machine = report::Machine::here();
    println!("{machine}");
    let mut reports = Vec::new();
    for bench in BENCHES {
        let is_named = args.benches.iter().any(|wanted| wanted == bench.name);
        if !is_named && (!args.benches.is_empty() || bench.name == ONLY_NAMED) {
            continue;
        }
        let report = (bench.run)(args)?;
        println!("\n{}", report.text);
        if args.write_docs {
            report::write_docs(&report, &machine)?;
        }
        reports.push(report);
    }
    let json = report::json(&machine, &reports);
    if let Some(file) = &args.before {
        println!("\n{}", report::compare(file, &json)?);
    }
    if let Some(file) = &args.json {
        report::write_json(file, &json)?;
    }
    Ok(())
}
