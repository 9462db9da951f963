//! Programs that play cases with an agent and report a verdict for each, and the table of it.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::terminal;

/// What is printed for a case.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Reported {
    case: String,
    verdict: String,
    note: String,
}

impl Reported {
    /// The verdict about a case that this program plays itself.
    pub(super) fn of(case: &str, played: &Result<()>) -> Self {
        let (verdict, note) = match played {
            Ok(()) => ("passed", String::new()),
            Err(error) => ("failed", format!("{error:#}")),
        };
        Self { case: case.to_owned(), verdict: verdict.to_owned(), note }
    }
}

/// Plays with every agent at the same time.
pub(super) fn side_by_side<A: Sync>(
    agents: &[A],
    play: impl Fn(&A) -> Result<Vec<Reported>> + Sync,
) -> Result<Vec<Vec<Reported>>> {
    let reported = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for (place, agent) in agents.iter().enumerate() {
            let (reported, play) = (&reported, &play);
            scope.spawn(move || {
                let outcome = play(agent);
                if let Ok(mut reported) = reported.lock() {
                    reported.insert(place, outcome);
                }
            });
        }
    });
    reported.into_inner().ok().context("verdicts were lost")?.into_values().collect()
}

/// Reads what was printed: a JSON object a case.
pub(super) fn read(output: &[u8]) -> Result<Vec<Reported>> {
    let reported: Vec<Reported> = parse(output)?;
    match reported.is_empty() {
        true => bail!("no case was played"),
        false => Ok(reported),
    }
}

/// Runs a program that prints a line of JSON for each case that it plays, which may be none.
pub(super) fn run<T: DeserializeOwned>(program: &mut Command) -> Result<Vec<T>> {
    let name = program.get_program().display().to_string();
    let output = program
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    match output.status.success() {
        true => parse(&output.stdout),
        false => bail!("{name} did not play all cases: {}", output.status),
    }
}

fn parse<T: DeserializeOwned>(output: &[u8]) -> Result<Vec<T>> {
    let lines = String::from_utf8_lossy(output);
    lines.lines().map(serde_json::from_str).collect::<Result<_, _>>().context("this is not a verdict")
}

/// Prints a table of cases and agents. Returns whether all passed; a run without cases has not.
pub(super) fn report(agents: &[&str], reported: &[Vec<Reported>], started: Instant) -> bool {
    let cases: Vec<&str> =
        reported.first().into_iter().flatten().map(|reported| reported.case.as_str()).collect();
    let paint = terminal::stdout();
    let mut notes = Vec::new();
    let mut failed = 0;
    let rows: Vec<Vec<String>> = cases
        .iter()
        .enumerate()
        .map(|(row, case)| {
            let cells = reported.iter().zip(agents).map(|(reported, agent)| match reported.get(row) {
                Some(reported) if reported.verdict == "passed" => "yes".to_owned(),
                Some(reported) => {
                    failed += usize::from(reported.verdict == "failed");
                    let mark =
                        if reported.verdict == "failed" { paint.red("failed") } else { paint.dim("can't") };
                    notes.push(format!("{mark} {case}, {agent}: {}", reported.note));
                    reported.verdict.clone()
                }
                None => "lost".to_owned(),
            });
            std::iter::once((*case).to_owned()).chain(cells).collect()
        })
        .collect();
    let lost = rows.iter().flatten().filter(|cell| *cell == "lost").count();
    let header: Vec<&str> = std::iter::once("case").chain(agents.iter().copied()).collect();
    println!("{}\n", terminal::table(&header, &rows));
    for note in &notes {
        println!("  {note}");
    }
    println!(
        "\n  {} cases with {} agents: {failed} failed, {} can't, in {}",
        cases.len(),
        agents.len(),
        notes.len() - failed,
        terminal::seconds(started.elapsed())
    );
    failed == 0 && lost == 0 && !cases.is_empty()
}
