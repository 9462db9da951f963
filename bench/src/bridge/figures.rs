//! The figures: which there are, what they should be, and the table.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::report::Table;

/// What a figure counts.
#[derive(Clone, Copy)]
enum Unit {
    /// Seconds.
    Time,
    /// Bytes.
    Size,
    /// So many a second.
    Rate,
}

/// A row of the table.
struct Figure {
    id: &'static str,
    name: &'static str,
    unit: Unit,
    /// The most that it may be.
    target: Option<f64>,
}

const fn time(id: &'static str, name: &'static str, target: Option<f64>) -> Figure {
    Figure { id, name, unit: Unit::Time, target }
}

const fn size(id: &'static str, name: &'static str, target: Option<f64>) -> Figure {
    Figure { id, name, unit: Unit::Size, target }
}

const fn rate(id: &'static str, name: &'static str) -> Figure {
    Figure { id, name, unit: Unit::Rate, target: None }
}

const FIGURES: &[Figure] = &[
    time("start", "start to serving", Some(0.040)),
    time("first_start", "first start, with an empty data folder", None),
    size("idle", "memory, idle", Some(12e6)),
    time("delta_p50", "delta from agent to client, p50", Some(0.0005)),
    time("delta_p99", "the same, p99", Some(0.003)),
    time("session_start", "`start` and first input to the end of a turn", None),
    size("keeper", "memory that one more session with its keeper adds", Some(1.5e6)),
    size("keeper_many", "memory of a keeper, one of 500", Some(1.5e6)),
    size("session", "memory of the bridge for a session with an agent, one of 500", None),
    time("many_p50", "500 sessions, 50 of them streaming: delta p50", None),
    time("many_p99", "the same, p99", None),
    size("client", "memory of the bridge for a client, one of 1000 on a session", None),
    time("crowd_p50", "1000 clients on a session: delta p50", None),
    time("crowd_p99", "the same, p99", None),
    time("ping_all_p50", "300 sessions streaming: ping of a client of all sessions, p50", None),
    time("ping_all_p99", "the same, p99", None),
    time("ping_all_max", "the same, the longest", None),
    time("ping_one_p99", "the same: ping of a client of one session, p99", None),
    time("list_p99", "the same: `list_sessions`, p99", None),
    size("flood", "flood of 300 MB past a stopped client: growth of the peak", Some(16e6)),
    rate("flood_rate", "the same: MB a second to a client that reads"),
    time("flood_p50", "the same: delta of another session meanwhile, p50", None),
    time("flood_p99", "the same, p99", None),
    size("large_frame", "one frame of 30 MB: growth of the peak", Some(120e6)),
    size("same_id", "1 GB of frames under one message id: growth of the peak", Some(64e6)),
    rate("events_rate", "messages stored a second, 100 000 in one turn"),
    time("attach", "first screen of a session with 100 000 messages", Some(0.050)),
    time("attach_connect", "the same from before connecting", Some(0.050)),
];

/// What was measured of one bridge.
#[derive(Default)]
pub(super) struct Samples(BTreeMap<&'static str, Vec<f64>>);

impl Samples {
    pub(super) fn add(&mut self, id: &'static str, value: f64) {
        self.0.entry(id).or_default().push(value);
    }

    /// The middle of what was measured.
    fn median(&self, id: &str) -> Option<f64> {
        let mut sorted = self.0.get(id)?.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

/// The table, beside another bridge if one was measured, and the same for programs.
pub(super) fn table_of(ours: &Samples, theirs: Option<&Samples>) -> (Table, Vec<Value>) {
    let mut table = match theirs {
        Some(_) => Table::new(&["", "aqueduct", "the other", "×", "target"]),
        None => Table::new(&["", "aqueduct", "target"]),
    };
    let mut rows = Vec::new();
    for figure in FIGURES {
        let Some(value) = ours.median(figure.id) else { continue };
        let beside = theirs.and_then(|theirs| theirs.median(figure.id));
        let times = beside.map(|beside| match figure.unit {
            Unit::Time | Unit::Size => beside / value,
            Unit::Rate => value / beside,
        });
        let mut row = vec![figure.name.to_owned(), figure.unit.show(value)];
        if theirs.is_some() {
            row.push(beside.map(|beside| figure.unit.show(beside)).unwrap_or_default());
            row.push(times.map(|times| format!("{times:.1}")).unwrap_or_default());
        }
        row.push(figure.verdict(value));
        table.push(row);
        rows.push(json!({
            "id": figure.id, "unit": figure.unit.name(), "value": value, "other": beside,
            "times_as_good": times, "target": figure.target,
        }));
    }
    (table, rows)
}

/// The figures of several bridges: the name of each, and its median for each bridge.
pub(super) fn medians(all: &[Samples]) -> Vec<(&'static str, Vec<String>)> {
    let value = |figure: &Figure, samples: &Samples| {
        samples.median(figure.id).map(|value| figure.unit.show(value)).unwrap_or_default()
    };
    FIGURES
        .iter()
        .filter(|figure| all.iter().any(|samples| samples.median(figure.id).is_some()))
        .map(|figure| (figure.name, all.iter().map(|samples| value(figure, samples)).collect()))
        .collect()
}

impl Figure {
    fn verdict(&self, value: f64) -> String {
        let Some(target) = self.target else { return String::new() };
        let verdict = if value <= target { "met" } else { "**missed**" };
        format!("≤ {}: {verdict}", self.unit.show(target))
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Time => "seconds",
            Unit::Size => "bytes",
            Unit::Rate => "per second",
        }
    }

    fn show(self, value: f64) -> String {
        match self {
            Unit::Time if value < 0.01 => format!("{:.2} ms", value * 1e3),
            Unit::Time => format!("{:.1} ms", value * 1e3),
            Unit::Size if value.abs() < 1e6 => format!("{:.0} KB", value / 1e3),
            Unit::Size => format!("{:.1} MB", value / 1e6),
            Unit::Rate => format!("{value:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_or_missed_and_others_are_shown_beside() {
        let (mut ours, mut theirs) = (Samples::default(), Samples::default());
        ours.add("start", 0.020);
        ours.add("delta_p99", 0.010);
        theirs.add("delta_p99", 0.100);
        let (table, rows) = table_of(&ours, Some(&theirs));
        let text = table.to_string();
        assert!(text.contains("≤ 40.0 ms: met") && text.contains("≤ 3.00 ms: **missed**"), "{text}");
        assert_eq!(rows[1]["times_as_good"], 10.0);
        assert_eq!(rows.len(), 2, "what was not measured has no row");
    }
}
