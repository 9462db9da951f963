//! The wire: lines to frames and back, beside `serde_json::Value` and the peers.

use std::hint::black_box;

use anyhow::{Context, Result};
use aqueduct_wire::FromAgent;
use aqueduct_wire::codec::LineDecoder;
use aqueduct_wire::json::IntoOwned;
use serde_json::Value;

use crate::args::{Args, One};
use crate::callgrind;
use crate::fidelity::{Outcome, Reader};
use crate::measure::{self, Measurement};
use crate::peers;
use crate::report::{Report, Row, Section};
use crate::stream::{Size, Stream};

const NAME: &str = "wire";

/// How much a pipe gives at once.
const PIECE: usize = 64 << 10;

/// What must at least be reached: measurement, stream, how many times as fast as `Value`.
const TARGETS: &[(&str, &str, f64)] =
    &[("typed", "partial", 1.5), ("typed", "plain", 1.2), ("peek", "partial", 4.0), ("peek", "plain", 4.0)];

const MEASUREMENTS: &[Measurement<Stream>] = &[
    Measurement {
        id: "value",
        name: "serde_json::Value: parse",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(serde_json::from_str::<Value>(black_box(line)));
            }
        },
    },
    Measurement {
        id: "value-write",
        name: "serde_json::Value: parse and write",
        beside: "value-write",
        run: |stream| {
            for line in stream.lines() {
                let _ =
                    black_box(serde_json::from_str::<Value>(black_box(line)).map(|value| value.to_string()));
            }
        },
    },
    Measurement {
        id: "typed",
        name: "aqueduct: typed, borrowed",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(FromAgent::parse(black_box(line)));
            }
        },
    },
    Measurement {
        id: "typed-owned",
        name: "aqueduct: typed, owned",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(FromAgent::parse(black_box(line)).map(IntoOwned::into_owned));
            }
        },
    },
    Measurement {
        id: "typed-write",
        name: "aqueduct: typed and written back",
        beside: "value-write",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(FromAgent::parse(black_box(line)).map(|frame| frame.to_line()));
            }
        },
    },
    Measurement {
        id: "codec",
        name: "aqueduct: bytes to lines to typed",
        beside: "value",
        run: |stream| {
            let mut decoder = LineDecoder::default();
            for mut piece in stream.bytes().chunks(PIECE) {
                while let Some(line) = decoder.next_line(black_box(&mut piece)) {
                    let _ = black_box(line.map(|line| FromAgent::parse(line.text)));
                }
            }
        },
    },
    Measurement {
        id: "peek",
        name: "aqueduct: peek",
        beside: "value",
        run: |stream| {
            for line in stream.lines() {
                let _ = black_box(aqueduct_wire::peek(black_box(line)));
            }
        },
    },
];

const READERS: &[Reader] = &[Reader {
    name: "aqueduct",
    there_and_back: |line| {
        let Ok(frame) = FromAgent::parse(line) else { return Outcome::Failed };
        let Ok(back) = serde_json::from_str(&frame.to_line()) else { return Outcome::Failed };
        match frame {
            FromAgent::Unknown(_) => Outcome::Untyped(back),
            _ => Outcome::Typed(back),
        }
    },
}];

fn measurements() -> impl Iterator<Item = &'static Measurement<Stream>> {
    MEASUREMENTS.iter().chain(peers::MEASUREMENTS)
}

/// Runs one measurement once.
pub(crate) fn run_one(one: &One) -> Result<()> {
    let measurement = measurements().find(|measurement| measurement.id == one.measurement);
    let measurement = measurement.with_context(|| format!("no measurement `{}`", one.measurement))?;
    let stream = Stream::make(&one.stream, Size::Lines(one.lines))?;
    if !one.idle {
        (measurement.run)(&stream);
    }
    Ok(())
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let (size, turns) = if args.quick { (2 << 20, 5) } else { (24 << 20, 15) };
    let measurements: Vec<_> = measurements().collect();
    let mut sections = Vec::new();
    for name in Stream::names() {
        eprintln!("{NAME}: {name}, {turns} rounds");
        let stream = Stream::make(name, Size::Bytes(size))?;
        let rounds = measure::in_turns(&measurements, &stream, turns);
        let mut rows = Vec::new();
        for (measurement, taken) in measurements.iter().zip(&rounds) {
            let beside = measurements.iter().position(|other| other.id == measurement.beside);
            let beside =
                beside.and_then(|at| rounds.get(at)).context("a measurement beside one that is not there")?;
            let target = TARGETS.iter().find(|(id, stream, _)| *id == measurement.id && *stream == name);
            rows.push(Row::new(
                measurement,
                taken,
                beside,
                stream.bytes().len(),
                target.map(|(.., at_least)| *at_least),
            ));
        }
        if args.callgrind {
            count(&mut rows, name, &stream)?;
        }
        let lines: Vec<_> = stream.lines().collect();
        let fidelity = READERS.iter().chain(peers::READERS).map(|reader| reader.survey(&lines)).collect();
        sections.push(Section {
            stream: stream.name,
            what: stream.what,
            lines: lines.len(),
            bytes: stream.bytes().len(),
            turns,
            rows,
            fidelity,
        });
    }
    Ok(Report::of_sections(NAME, &sections))
}

/// Counts instructions on the beginning of the stream.
fn count(rows: &mut [Row], name: &str, stream: &Stream) -> Result<()> {
    const BYTES: usize = 2_000_000;
    let lines = stream.bytes().iter().take(BYTES).filter(|byte| **byte == b'\n').count();
    let counted = Stream::make(name, Size::Lines(lines))?.bytes().len();
    let mut counts = Vec::new();
    for row in rows.iter() {
        eprintln!("{NAME}: {name}, instructions of {}", row.id);
        counts.push((row.id, callgrind::instructions(NAME, row.id, name, lines)?));
    }
    for row in rows {
        row.count(&counts, counted);
    }
    Ok(())
}
