//! The bridge as its clients meet it: started, listened to, weighed, flooded; ours, and another one beside it.
//!
//! The agent behind it is this program again ([`scripted_agent`]), so nothing of a model or of a network is in the
//! figures.

mod attach;
mod client;
mod delays;
mod figures;
mod flood;
mod frames;
mod healthz;
mod listener;
mod pings;
mod scale;
mod scripted_agent;
mod soak;
mod streams;
mod subject;

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::args::{Args, One};
use crate::report::Report;

use figures::Samples;
use scale::Scale;
use subject::{Place, Subject};

pub(crate) use scripted_agent::run as run_agent;
pub(crate) use soak::run as run_soak;

const NAME: &str = "bridge";

/// How long unused agents of ours are kept: longer than any measurement.
const KEPT: &str = "never";

/// The measurement is other processes: there is nothing to count instructions of.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let program =
        args.bridge.as_deref().context("the bench bridge needs --bridge; cargo xtask bench gives it")?;
    let scale = if args.quick { &Scale::QUICK } else { &Scale::FULL };
    let runtime = runtime()?;
    let mut ours = Samples::default();
    starts(program, scale, &mut ours)?;
    for measurement in MEASUREMENTS {
        eprintln!("{NAME}: {}", measurement.name(scale));
        let place = Place::new(program, KEPT)?;
        let bridge = place.start()?;
        runtime.block_on(measurement.run(&bridge.subject, scale, &mut ours))?;
        bridge.stop()?;
    }
    let theirs = args.peer.as_deref().map(|url| beside(&runtime, url, scale)).transpose()?;
    let (table, rows) = figures::table_of(&ours, theirs.as_ref());
    let text = match &args.peer {
        Some(url) => format!("Beside the bridge at `{url}`.\n\n{table}"),
        None => table.to_string(),
    };
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(rows) })
}

/// The figures of the bridge with each of these filters for its log: the name of each, and a value for each filter.
pub(crate) fn with_logs(args: &Args, filters: &[&'static str]) -> Result<Vec<(&'static str, Vec<String>)>> {
    let program =
        args.bridge.as_deref().context("the bench logs needs --bridge; cargo xtask bench gives it")?;
    let scale = if args.quick { &Scale::QUICK } else { &Scale::FULL };
    let runtime = runtime()?;
    let mut all = Vec::new();
    for filter in filters {
        let mut samples = Samples::default();
        let place = || Place::with_log(program, KEPT, filter);
        start_some(place, scale, &mut samples)?;
        for measurement in [Measurement::One, Measurement::Many, Measurement::Attach] {
            eprintln!("logs: {filter}: {}", measurement.name(scale));
            let place = place()?;
            let bridge = place.start()?;
            runtime.block_on(measurement.run(&bridge.subject, scale, &mut samples))?;
            bridge.stop()?;
        }
        all.push(samples);
    }
    Ok(figures::medians(&all))
}

/// The other bridge. What it can't do is reported and left out.
fn beside(runtime: &Runtime, url: &str, scale: &Scale) -> Result<Samples> {
    let subject = Subject::peer(url)?;
    if subject.process.is_none() {
        eprintln!("{NAME}: the process at {url} can't be looked at, so its memory is not measured");
    }
    let mut samples = Samples::default();
    if let Some(memory) = subject.memory() {
        samples.add("idle", memory);
    }
    for measurement in MEASUREMENTS {
        eprintln!("{NAME}: {}, at {url}", measurement.name(scale));
        if let Err(error) = runtime.block_on(measurement.run(&subject, scale, &mut samples)) {
            eprintln!("{NAME}: not possible at {url}: {error:#}");
        }
    }
    Ok(samples)
}

/// Everything that needs a running bridge.
const MEASUREMENTS: &[Measurement] = &[
    Measurement::One,
    Measurement::Many,
    Measurement::Crowd,
    Measurement::Pings,
    Measurement::Flood,
    Measurement::Frames,
    Measurement::Attach,
];

#[derive(Clone, Copy)]
enum Measurement {
    One,
    Many,
    Crowd,
    Pings,
    Flood,
    Frames,
    Attach,
}

impl Measurement {
    fn name(self, scale: &Scale) -> String {
        match self {
            Measurement::One => format!("a session of {} deltas", scale.deltas),
            Measurement::Many => {
                format!("{} sessions, {} of them streaming", scale.sessions, scale.streaming)
            }
            Measurement::Crowd => format!("{} clients on a session", scale.clients),
            Measurement::Pings => format!("pings while {} sessions stream", scale.pinged),
            Measurement::Frames => format!("a frame of {} MB", scale.frame_bytes / 1_000_000),
            Measurement::Flood => {
                format!("a flood of {} MB past a stopped client", scale.flood_bytes / 1_000_000)
            }
            Measurement::Attach => format!("a session of {} messages", scale.messages),
        }
    }

    async fn run(self, subject: &Subject, scale: &Scale, samples: &mut Samples) -> Result<()> {
        match self {
            Measurement::One => streams::one(subject, scale, samples).await,
            Measurement::Many => streams::many(subject, scale, samples).await,
            Measurement::Crowd => streams::crowd(subject, scale, samples).await,
            Measurement::Pings => pings::run(subject, scale, samples).await,
            Measurement::Frames => frames::run(subject, scale, samples).await,
            Measurement::Flood => flood::run(subject, scale, samples).await,
            Measurement::Attach => attach::run(subject, scale, samples).await,
        }
    }
}

/// How fast ours starts, and what it holds then: a first time, and again with what it left behind.
fn starts(program: &Path, scale: &Scale, samples: &mut Samples) -> Result<()> {
    eprintln!("{NAME}: {} starts", scale.starts);
    start_some(|| Place::new(program, KEPT), scale, samples)
}

fn start_some(place: impl Fn() -> Result<Place>, scale: &Scale, samples: &mut Samples) -> Result<()> {
    for _ in 0..scale.starts {
        let place = place()?;
        for id in ["first_start", "start"] {
            let bridge = place.start()?;
            samples.add(id, bridge.took.as_secs_f64());
            if let Some(memory) = bridge.subject.memory() {
                samples.add("idle", memory);
            }
            bridge.stop()?;
        }
    }
    Ok(())
}

fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot make a runtime")
}
