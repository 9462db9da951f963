//! What a run of the suite found: for people, and as JSON.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::super::compare::{Finding, KNOWN, Known};
use super::Played;
use crate::terminal;

/// How many differences of one scenario are shown; the others are in the file.
const SHOWN: usize = 8;

/// One line while the others are still playing.
pub(super) fn print_progress(played: &Played, took: Duration) {
    let paint = terminal::stdout();
    let mark = if played.is_well() { paint.green("same  ") } else { paint.red("DIFFERS") };
    let took = paint.dim(&terminal::seconds(took));
    println!("  {mark:<7} {:<30} {} {took}", played.scenario.name, in_short(played));
}

fn in_short(played: &Played) -> String {
    let comparison = &played.comparison;
    match (played.broken.first(), comparison.findings.len()) {
        (Some(broken), _) => broken.clone(),
        (None, 0) => format!("{} frames", comparison.pairs),
        (None, count) => format!("{} frames, {count} differences", comparison.pairs),
    }
}

pub(super) fn print(recordings: &Path, all: &[Played], is_whole: bool, took: Duration) {
    for played in all.iter().filter(|played| !played.is_well()) {
        print_scenario(played);
    }
    print_summary(all);
    for known in unused(all).filter(|_| is_whole) {
        let Known { scenario, kind, field, .. } = known;
        println!("  note: listed as meant, and not seen: {scenario} {kind} {field}");
    }
    println!("  recordings and report.json: {}", recordings.display());
    let same = all.iter().filter(|played| played.is_well()).count();
    println!("  {same} of {} scenarios agree, in {}", all.len(), terminal::seconds(took));
}

fn print_scenario(played: &Played) {
    println!("\n  {}", terminal::stdout().bold(played.scenario.name));
    for broken in &played.broken {
        println!("    {broken}");
    }
    let groups = grouped(played.comparison.findings.iter());
    for (finding, count) in groups.iter().take(SHOWN) {
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let text = finding.to_string();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        println!("    {first}{times}");
        for line in rest.lines() {
            println!("  {line}");
        }
    }
    if groups.len() > SHOWN {
        println!("    … and {} more", groups.len() - SHOWN);
    }
}

/// One row for each place in which recordings differ, over all scenarios.
fn print_summary(all: &[Played]) {
    let findings = all.iter().flat_map(|played| &played.comparison.findings);
    let mut rows: Vec<(usize, Vec<String>)> = grouped(findings)
        .into_iter()
        .map(|(finding, count)| {
            let in_scenarios = all.iter().filter(|played| has(played, finding)).count();
            let row = vec![
                finding.what.word().to_owned(),
                in_scenarios.to_string(),
                count.to_string(),
                finding.place(),
            ];
            (in_scenarios, row)
        })
        .collect();
    if !rows.is_empty() {
        rows.sort_by_key(|(scenarios, _)| std::cmp::Reverse(*scenarios));
        let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
        println!("\n{}", terminal::table(&["what", "scenarios", "times", "where"], &rows));
    }
    let count = |of: fn(&Played) -> usize| all.iter().map(of).sum::<usize>();
    println!(
        "\n  {} pairs of frames: {} differences, {} meant, {} worded differently",
        count(|played| played.comparison.pairs),
        count(|played| played.comparison.findings.len()),
        count(|played| played.comparison.known.len()),
        count(|played| played.comparison.wordings.len()),
    );
}

fn has(played: &Played, finding: &Finding) -> bool {
    played.comparison.findings.iter().any(|other| is_alike(other, finding))
}

fn is_alike(one: &Finding, other: &Finding) -> bool {
    one.what == other.what && one.kind == other.kind && one.field == other.field
}

/// The first finding of each place, and how many there are like it.
fn grouped<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<(&'a Finding, usize)> {
    let mut groups: Vec<(&Finding, usize)> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|(first, _)| is_alike(first, finding)) {
            Some((_, count)) => *count += 1,
            None => groups.push((finding, 1)),
        }
    }
    groups
}

/// Differences that are listed and that no scenario shows any more.
fn unused(all: &[Played]) -> impl Iterator<Item = &'static Known> {
    let is_used = |known: &&Known| {
        all.iter().any(|played| played.comparison.known.iter().any(|(_, used)| std::ptr::eq(*used, *known)))
    };
    KNOWN.iter().filter(move |known| !is_used(known))
}

pub(super) fn json(all: &[Played]) -> Value {
    let scenario = |played: &Played| {
        let comparison = &played.comparison;
        let known =
            |(finding, known): &(Finding, &Known)| json!({ "finding": finding, "reason": known.reason });
        json!({
            "scenario": played.scenario.name,
            "agrees": played.is_well(),
            "pairs": comparison.pairs,
            "broken": played.broken,
            "differences": comparison.findings,
            "meant": comparison.known.iter().map(known).collect::<Vec<_>>(),
            "worded_differently": comparison.wordings,
        })
    };
    json!({ "scenarios": all.iter().map(scenario).collect::<Vec<_>>() })
}

/// Keeps the whole report beside the recordings.
pub(super) fn save(recordings: &Path, all: &[Played]) -> Result<()> {
    let path = recordings.join("report.json");
    let text = serde_json::to_string_pretty(&json(all)).context("cannot write the report")?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
