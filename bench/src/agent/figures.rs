//! What is measured, what it must reach, and the table of it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::report::Table;

/// What a figure counts.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// Seconds: fewer are better.
    Time,
    /// Bytes: fewer are better.
    Size,
    /// So many a second: more are better.
    Rate,
}

/// What our figure must reach, in the middle of the rounds.
pub(super) struct Target {
    /// How many times as good as the reference.
    times: f64,
    /// What it may be at most.
    most: f64,
}

pub(super) struct Figure {
    pub(super) id: &'static str,
    name: &'static str,
    unit: Unit,
    target: Option<Target>,
}

const QUICK_START: Option<Target> = Some(Target { times: 20.0, most: 0.004 });
const QUICK_ANSWER: Option<Target> = Some(Target { times: 20.0, most: 0.005 });
const SMALL: Option<Target> = Some(Target { times: 10.0, most: 8e6 });
/// A turn may hold its text a few times over, and nothing for each delta.
const FLAT: Option<Target> = Some(Target { times: 10.0, most: 8e6 });

/// The rows of the table.
pub(super) const FIGURES: &[Figure] = &[
    figure("start", "start to answered `initialize`", Unit::Time, QUICK_START),
    figure("start_without_bubblewrap", "the same without bubblewrap on `PATH`", Unit::Time, QUICK_START),
    figure("first_delta", "prompt to first delta, first turn", Unit::Time, QUICK_ANSWER),
    figure("later_delta", "prompt to first delta, later turns", Unit::Time, QUICK_ANSWER),
    figure("scripted_first_delta", "the same with the scripted model inside, first turn", Unit::Time, None),
    figure("scripted_later_delta", "the same with the scripted model inside, later turns", Unit::Time, None),
    figure("memory_start", "memory after `initialize`", Unit::Size, SMALL),
    figure("memory_turn", "memory after a turn", Unit::Size, SMALL),
    figure("deltas", "deltas a second, of 100 000 in one turn", Unit::Rate, None),
    figure("growth", "growth of the peak from 1 000 deltas to 100 000", Unit::Size, FLAT),
    figure("version", "`--version`", Unit::Time, None),
    figure("size", "the program's file", Unit::Size, None),
];

const fn figure(id: &'static str, name: &'static str, unit: Unit, target: Option<Target>) -> Figure {
    Figure { id, name, unit, target }
}

/// What one program's rounds gave, by the figure's id.
#[derive(Default)]
pub(super) struct Samples(HashMap<&'static str, Vec<f64>>);

impl Samples {
    pub(super) fn add(&mut self, id: &'static str, sample: f64) {
        self.0.entry(id).or_default().push(sample);
    }

    fn of(&self, id: &str) -> Option<&[f64]> {
        self.0.get(id).map(Vec::as_slice)
    }
}

/// The table and the same for programs. Without a reference its columns are empty.
pub(super) fn table_of(ours: &Samples, theirs: &Samples) -> (Table, Value) {
    let mut table = Table::new(&["", "median", "best", "reference median", "best", "×", "target"]);
    let mut rows = Vec::new();
    for figure in FIGURES {
        let Some(mine) = ours.of(figure.id) else { continue };
        let its = theirs.of(figure.id);
        let times = its.map(|its| figure.times_as_good(mine, its));
        let unit = figure.unit;
        let shown = |value: Option<f64>| value.map(|value| unit.show(value)).unwrap_or_default();
        table.push(vec![
            figure.name.to_owned(),
            shown(Some(median(mine))),
            shown(Some(unit.best(mine))),
            shown(its.map(median)),
            shown(its.map(|its| unit.best(its))),
            times.map(|times| format!("{times:.1}")).unwrap_or_default(),
            figure.verdict(median(mine), times),
        ]);
        rows.push(json!({
            "id": figure.id,
            "unit": unit.name(),
            "median": median(mine),
            "best": unit.best(mine),
            "reference_median": its.map(median),
            "reference_best": its.map(|its| unit.best(its)),
            "times_as_good": times,
            "target_times": figure.target.as_ref().map(|target| target.times),
            "target_most": figure.target.as_ref().map(|target| target.most),
        }));
    }
    (table, json!(rows))
}

/// What a log could change, of several programs: the name of each figure, and its median for each program.
pub(super) fn medians(all: &[&Samples]) -> Vec<(&'static str, Vec<String>)> {
    let rows =
        FIGURES.iter().filter(|figure| !matches!(figure.id, "version" | "size" | "start_without_bubblewrap"));
    let value = |figure: &Figure, samples: &Samples| {
        samples.of(figure.id).map(|values| figure.unit.show(median(values))).unwrap_or_default()
    };
    rows.filter(|figure| all.iter().any(|samples| samples.of(figure.id).is_some()))
        .map(|figure| (figure.name, all.iter().map(|samples| value(figure, samples)).collect()))
        .collect()
}

impl Figure {
    /// Each round beside the reference's of the same turn, and of those ratios the one in the middle.
    fn times_as_good(&self, mine: &[f64], its: &[f64]) -> f64 {
        let ratio = |(mine, its): (&f64, &f64)| match self.unit {
            Unit::Time | Unit::Size => its / mine,
            Unit::Rate => mine / its,
        };
        median(&mine.iter().zip(its).map(ratio).collect::<Vec<_>>())
    }

    fn verdict(&self, mine: f64, times: Option<f64>) -> String {
        let Some(target) = &self.target else { return String::new() };
        let is_met = mine <= target.most && times.is_none_or(|times| times >= target.times);
        let verdict = if is_met { "met" } else { "**missed**" };
        format!("≥ {:.0} ×, ≤ {}: {verdict}", target.times, self.unit.show(target.most))
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
            Unit::Time => format!("{:.1} ms", value * 1e3),
            Unit::Size => format!("{:.1} MB", value / 1e6),
            Unit::Rate => format!("{value:.0}"),
        }
    }

    fn best(self, samples: &[f64]) -> f64 {
        let better = match self {
            Unit::Time | Unit::Size => f64::min,
            Unit::Rate => f64::max,
        };
        samples.iter().copied().reduce(better).unwrap_or(f64::NAN)
    }
}

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(id: &'static str, values: &[f64]) -> Samples {
        let mut samples = Samples::default();
        values.iter().for_each(|value| samples.add(id, *value));
        samples
    }

    #[test]
    fn both_halves_of_a_target_count() {
        let reported = |mine, its| table_of(&samples("start", mine), &samples("start", its)).0.to_string();
        assert!(reported(&[0.003, 0.002, 0.011], &[0.5, 0.5, 0.5]).contains(": met"));
        assert!(reported(&[0.020], &[1.0]).contains("**missed**"), "it is 50 times as fast and too slow");
        assert!(reported(&[0.003], &[0.03]).contains("**missed**"), "it is fast enough and only 10 times");
        assert!(reported(&[0.010], &[]).contains("start to answered"));
    }

    #[test]
    fn more_is_better_for_a_rate() {
        let (_, rows) = table_of(&samples("deltas", &[300.0, 200.0]), &samples("deltas", &[100.0, 100.0]));
        assert_eq!(rows[0]["times_as_good"], 3.0);
        assert_eq!(rows[0]["best"], 300.0);
    }
}
