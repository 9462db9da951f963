//! What was measured, for people, for programs and for the documents.

mod before;
mod docs;
mod machine;
mod table;

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;

use crate::fidelity::Fidelity;
use crate::measure::{Measurement, Rounds};

pub(crate) use before::compare;
pub(crate) use docs::write as write_docs;
pub(crate) use machine::Machine;
pub(crate) use table::Table;

/// What a bench found: for people, as Markdown that reads well in a terminal too, and for programs.
pub(crate) struct Report {
    pub(crate) bench: &'static str,
    /// What is written behind `cargo xtask bench` to repeat it.
    pub(crate) how: String,
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

/// What a bench that reads a stream found on one input.
pub(crate) struct Section {
    pub(crate) stream: &'static str,
    pub(crate) what: &'static str,
    pub(crate) lines: usize,
    pub(crate) bytes: usize,
    pub(crate) turns: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) fidelity: Vec<Fidelity>,
}

/// One measurement's figures.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    name: &'static str,
    beside: &'static str,
    /// Millions of bytes a second, in the best round and in the one in the middle.
    best: f64,
    median: f64,
    /// How many times as fast as the ordinary way.
    ratio: f64,
    target: Option<f64>,
    instructions: Option<Instructions>,
}

struct Instructions {
    per_byte: f64,
    /// How many times fewer than the ordinary way.
    ratio: f64,
}

impl Row {
    /// The figures of a measurement that took `rounds` for `bytes`, where the ordinary way took `beside`.
    pub(crate) fn new<Input: ?Sized>(
        measurement: &Measurement<Input>,
        rounds: &Rounds,
        beside: &Rounds,
        bytes: usize,
        target: Option<f64>,
    ) -> Self {
        let megabytes = bytes as f64 / 1e6;
        Row {
            id: measurement.id,
            name: measurement.name,
            beside: measurement.beside,
            best: megabytes / rounds.best().as_secs_f64(),
            median: megabytes / rounds.median().as_secs_f64(),
            ratio: rounds.times_as_fast_as(beside),
            target,
            instructions: None,
        }
    }

    /// Adds the instructions, out of those of all measurements on the same `bytes`.
    pub(crate) fn count(&mut self, counts: &[(&str, u64)], bytes: usize) {
        let of = |wanted: &str| counts.iter().find(|(id, _)| *id == wanted).map(|(_, count)| *count as f64);
        if let (Some(mine), Some(ordinary)) = (of(self.id), of(self.beside)) {
            self.instructions = Some(Instructions { per_byte: mine / bytes as f64, ratio: ordinary / mine });
        }
    }

    fn verdict(&self) -> String {
        match self.target {
            Some(target) if self.ratio >= target => format!("≥ {target:.1}: met"),
            Some(target) => format!("≥ {target:.1}: **missed**"),
            None => String::new(),
        }
    }
}

impl Report {
    /// The report of a bench that reads streams.
    pub(crate) fn of_sections(bench: &'static str, sections: &[Section]) -> Self {
        let text: Vec<_> = sections.iter().map(Section::text).collect();
        let json: Vec<_> = sections.iter().map(Section::json).collect();
        Report { bench, how: format!("{bench} --callgrind"), text: text.join("\n"), json: json!(json) }
    }
}

impl Section {
    fn text(&self) -> String {
        let Section { stream, what, lines, turns, .. } = self;
        let megabytes = self.bytes as f64 / 1e6;
        let average = self.bytes / (*lines).max(1);
        format!(
            "### `{stream}`: {what}\n\n{lines} lines, {megabytes:.1} MB, {average} B a line; {turns} rounds.\n\n{}\n{}",
            self.speed(),
            self.kept()
        )
    }

    fn speed(&self) -> Table {
        let counted = self.rows.iter().any(|row| row.instructions.is_some());
        let mut table = Table::new(&["", "best MB/s", "median MB/s", "× `Value`", "target"]);
        if counted {
            table = Table::new(&[
                "",
                "best MB/s",
                "median MB/s",
                "× `Value`",
                "target",
                "instructions a byte",
                "times fewer than `Value`",
            ]);
        }
        for row in &self.rows {
            let mut cells = vec![
                row.name.to_owned(),
                format!("{:.0}", row.best),
                format!("{:.0}", row.median),
                format!("{:.2}", row.ratio),
                row.verdict(),
            ];
            if let Some(Instructions { per_byte, ratio }) = &row.instructions {
                cells.extend([format!("{per_byte:.2}"), format!("{ratio:.2}")]);
            }
            table.push(cells);
        }
        table
    }

    fn kept(&self) -> Table {
        let mut table =
            Table::new(&["lines", "not read", "read, changed when written", "lossless", "of them untyped"]);
        for Fidelity { name, failed, untyped, changed, lossless } in &self.fidelity {
            let counts = [failed, changed, lossless, untyped].map(usize::to_string);
            table.push([vec![(*name).to_owned()], counts.to_vec()].concat());
        }
        table
    }

    fn json(&self) -> serde_json::Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "id": row.id,
                "beside": row.beside,
                "best_mb_s": row.best,
                "median_mb_s": row.median,
                "ratio": row.ratio,
                "target": row.target,
                "instructions_per_byte": row.instructions.as_ref().map(|counted| counted.per_byte),
                "instructions_ratio": row.instructions.as_ref().map(|counted| counted.ratio),
            })
        });
        let rows: Vec<_> = rows.collect();
        let fidelity = self.fidelity.iter().map(|fidelity| {
            let Fidelity { name, failed, untyped, changed, lossless } = fidelity;
            json!({ "reader": name, "failed": failed, "changed": changed, "lossless": lossless, "untyped": untyped })
        });
        let fidelity: Vec<_> = fidelity.collect();
        json!({
            "stream": self.stream,
            "lines": self.lines,
            "bytes": self.bytes,
            "rounds": self.turns,
            "rows": rows,
            "fidelity": fidelity,
        })
    }
}

/// All figures as JSON.
pub(crate) fn json(machine: &Machine, reports: &[Report]) -> serde_json::Value {
    let reports: Vec<_> =
        reports.iter().map(|report| json!({ "bench": report.bench, "sections": report.json })).collect();
    json!({ "machine": machine.json(), "reports": reports })
}

/// Writes all figures as JSON.
pub(crate) fn write_json(file: &Path, json: &serde_json::Value) -> Result<()> {
    std::fs::write(file, format!("{json:#}\n"))
        .with_context(|| format!("{} could not be written", file.display()))
}
