//! The client beside the official SDKs, as hosts: the same agents, the same stream, the host's own time.
//!
//! Every host is a program of its own that starts so many sessions at once, lets each stream, and counts what it
//! gets. What is measured is the host: its processor time, and how long all of it took by the clock. The agents
//! are the same for all, and are not counted.

mod host;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;

use crate::args::{Args, One};
use crate::report::{Report, Table};

pub(crate) use host::run as run_host;

const NAME: &str = "client";

/// The same in Python and in TypeScript's runtime.
const PYTHON: &str = include_str!("client/host.py");
const NODE: &str = include_str!("client/host.mjs");

/// One setting: so many sessions at once, each with so many deltas.
struct Load {
    id: &'static str,
    name: &'static str,
    sessions: usize,
    deltas: usize,
}

const LOADS: &[Load] = &[
    Load { id: "one", name: "1 session, 50 000 deltas", sessions: 1, deltas: 50_000 },
    Load { id: "many", name: "200 sessions at once, 500 deltas each", sessions: 200, deltas: 500 },
];

/// A host's description of itself.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Reported {
    frames: u64,
    /// By the clock, from the first prompt to the last result.
    seconds: f64,
    /// Of the host's process, over the same time.
    cpu_seconds: f64,
    /// The host's highest resident set size, in bytes.
    peak_bytes: f64,
}

/// A host, and how to start it.
struct Host {
    id: &'static str,
    name: String,
    program: PathBuf,
    leading: Vec<String>,
}

/// The measurement is other processes: there is nothing to count instructions of.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let agent =
        args.agent.as_deref().context("the bench client needs --agent; cargo xtask bench gives it")?;
    let place = tempfile::tempdir().context("cannot make a directory")?;
    let hosts = hosts(args, &place)?;
    let rounds = if args.quick { 1 } else { 5 };
    let mut table =
        Table::new(&["", "host", "frames a second", "×", "µs of the host a frame", "×", "peak memory", "×"]);
    let mut rows = Vec::new();
    for load in LOADS {
        eprintln!("{NAME}: {}, {rounds} rounds", load.name);
        let mut reported: Vec<Vec<Reported>> = vec![Vec::new(); hosts.len()];
        for _ in 0..rounds {
            for (host, reported) in hosts.iter().zip(&mut reported) {
                reported.push(measure(host, agent, load, &place)?);
            }
        }
        let ours: Vec<Reported> = reported[0].clone();
        for (host, reported) in hosts.iter().zip(&reported) {
            // Beside ours of the same round.
            let beside = |of: fn(&Reported) -> f64| -> f64 {
                median(reported.iter().zip(&ours).map(|(theirs, ours)| of(theirs) / of(ours)))
            };
            let is_ours = host.id == "aqueduct";
            let times = |ratio: f64| if is_ours { String::new() } else { format!("{ratio:.1}") };
            table.push(vec![
                load.name.to_owned(),
                host.name.clone(),
                format!("{:.0}", median(reported.iter().map(rate))),
                times(1.0 / beside(rate)),
                format!("{:.2}", median(reported.iter().map(overhead))),
                times(beside(overhead)),
                format!("{:.1} MB", median(reported.iter().map(peak)) / 1e6),
                times(beside(peak)),
            ]);
            rows.push(json!({
                "load": load.id,
                "host": host.id,
                "frames_per_second": median(reported.iter().map(rate)),
                "host_us_per_frame": median(reported.iter().map(overhead)),
                "peak_bytes": median(reported.iter().map(peak)),
                "times_our_overhead": (!is_ours).then(|| beside(overhead)),
            }));
        }
    }
    let text = format!(
        "{rounds} rounds; × is how many times as good ours is, in the middle of the rounds.\n\n{table}"
    );
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(rows) })
}

fn rate(reported: &Reported) -> f64 {
    reported.frames as f64 / reported.seconds
}

fn overhead(reported: &Reported) -> f64 {
    reported.cpu_seconds * 1e6 / reported.frames as f64
}

fn peak(reported: &Reported) -> f64 {
    reported.peak_bytes
}

/// Ours, and those that are installed.
fn hosts(args: &Args, place: &TempDir) -> Result<Vec<Host>> {
    let this = std::env::current_exe().context("cannot find this program's file")?;
    let mut hosts = vec![Host {
        id: "aqueduct",
        name: "aqueduct-client".to_owned(),
        program: this,
        leading: vec!["--host".to_owned()],
    }];
    if let Some(python) = &args.python {
        let script = place.path().join("host.py");
        std::fs::write(&script, PYTHON).context("cannot write the Python host")?;
        hosts.push(Host {
            id: "python",
            name: "Python SDK".to_owned(),
            program: python.clone(),
            leading: vec![script.to_string_lossy().into_owned()],
        });
    }
    if let Some(modules) = &args.node {
        // Modules are looked for above the script.
        let script = modules.join("aqueduct-host.mjs");
        std::fs::write(&script, NODE).context("cannot write the TypeScript SDK's host")?;
        hosts.push(Host {
            id: "typescript",
            name: "TypeScript SDK".to_owned(),
            program: "node".into(),
            leading: vec![script.to_string_lossy().into_owned()],
        });
    }
    Ok(hosts)
}

fn measure(host: &Host, agent: &Path, load: &Load, place: &TempDir) -> Result<Reported> {
    let home = tempfile::tempdir_in(place.path()).context("cannot make a home")?;
    let output = Command::new(&host.program)
        .args(&host.leading)
        .arg(agent)
        .arg(load.sessions.to_string())
        .arg(load.deltas.to_string())
        .current_dir(home.path())
        .env("HOME", home.path())
        .env_remove("ANTHROPIC_API_KEY")
        .env_remove("ANTHROPIC_BASE_URL")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("cannot start {}", host.program.display()))?;
    let last = String::from_utf8_lossy(&output.stdout);
    let line = last.lines().last().unwrap_or_default();
    let reported: Reported = serde_json::from_str(line).with_context(|| {
        format!("{} reported nothing: {line} {}", host.name, String::from_utf8_lossy(&output.stderr).trim())
    })?;
    let least = (load.sessions * load.deltas) as u64;
    if reported.frames < least {
        bail!("{} got {} frames, and there are at least {least}", host.name, reported.frames);
    }
    Ok(reported)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
