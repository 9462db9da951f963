//! The agent's searching tools beside ripgrep and fd, over the same generated tree.
//!
//! The tools are measured inside a running agent, from the prompt that calls them to the arrival of their result;
//! ripgrep and fd from their start to their end. Both are what a caller waits for.

mod cases;
mod peer;
mod tree;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use self::cases::{CASES, Case};
use super::session::{self, Session};
use crate::args::{Args, One};
use crate::report::{Report, Table};

const NAME: &str = "search";

/// Nothing listens there, and the scripted model needs no server.
const NO_API: &str = "http://127.0.0.1:9";

/// All work is in another process, so there are no instructions to count.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let program =
        args.agent.as_deref().context("the bench search needs --agent; cargo xtask bench gives it")?;
    let (rounds, folders) = if args.quick { (3, 20) } else { (15, tree::FOLDERS) };
    let place =
        tempfile::Builder::new().prefix("aqueduct-bench-").tempdir().context("cannot make a directory")?;
    fs::create_dir(place.path().join("home")).context("cannot make a directory")?;
    let files = folders * tree::FILES_IN_FOLDER;
    eprintln!("{NAME}: a tree of {files} files");
    tree::plant(&place.path().join("project"), folders)?;

    let mut table =
        Table::new(&["", "median", "best", "beside", "median", "best", "×", "target", "peak", "peak beside"]);
    let mut rows = Vec::new();
    for case in CASES {
        eprintln!("{NAME}: {}", case.name);
        let figures = Figures::measure(case, program, &place, rounds)?;
        table.push(figures.cells(case));
        rows.push(figures.json(case));
    }
    let text = format!(
        "{files} files of {} to {} lines in {folders} folders; {rounds} rounds.\n\n{table}",
        tree::FEWEST_LINES,
        tree::FEWEST_LINES + tree::MORE_LINES - 1
    );
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(rows) })
}

/// What was measured of one case: seconds of each round, and bytes.
struct Figures {
    ours: Vec<f64>,
    our_peak: u64,
    theirs: Option<Beside>,
}

struct Beside {
    times: Vec<f64>,
    peak: u64,
}

impl Figures {
    /// The agent and the peer take turns. One turn goes before that is not counted, and one for the peer's memory.
    fn measure(case: &Case, program: &Path, place: &TempDir, rounds: usize) -> Result<Self> {
        let root = place.path().join("project");
        let mut session =
            Session::start(session::command(program, place.path(), NO_API), &["--model", "scripted"])?;
        session.initialize()?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let has_peer = peer::is_installed(case.peer);
        for round in 0..=rounds {
            let took = call(&mut session, case)?;
            let beside = if has_peer { peer::run(case, &root)?.as_secs_f64() } else { 0.0 };
            if round > 0 {
                ours.push(took);
                theirs.push(beside);
            }
        }
        let our_peak = session.peak()?;
        session.end()?;
        let theirs = match has_peer {
            true => Some(Beside { times: theirs, peak: peer::peak(case, &root)? }),
            false => None,
        };
        Ok(Figures { ours, our_peak, theirs })
    }

    /// How many times as long as the peer it takes: each round beside the peer's, and of those the one in the middle.
    fn ratio(&self) -> Option<f64> {
        let theirs = self.theirs.as_ref()?;
        Some(median(self.ours.iter().zip(&theirs.times).map(|(ours, its)| ours / its)))
    }

    fn cells(&self, case: &Case) -> Vec<String> {
        let verdict = match (self.ratio(), case.target) {
            (Some(ratio), Some(target)) if ratio <= target => format!("≤ {target:.1}: met"),
            (Some(_), Some(target)) => format!("≤ {target:.1}: **missed**"),
            _ => String::new(),
        };
        let beside = |show: fn(&Beside) -> String| self.theirs.as_ref().map(show).unwrap_or_default();
        vec![
            case.name.to_owned(),
            milliseconds(median(self.ours.iter().copied())),
            milliseconds(best(&self.ours)),
            if self.theirs.is_some() { format!("`{}`", case.shown_peer()) } else { String::new() },
            beside(|its| milliseconds(median(its.times.iter().copied()))),
            beside(|its| milliseconds(best(&its.times))),
            self.ratio().map(|ratio| format!("{ratio:.2}")).unwrap_or_default(),
            verdict,
            megabytes(self.our_peak),
            beside(|its| megabytes(its.peak)),
        ]
    }

    fn json(&self, case: &Case) -> Value {
        let beside = self.theirs.as_ref();
        json!({
            "id": case.id,
            "median_seconds": median(self.ours.iter().copied()),
            "best_seconds": best(&self.ours),
            "peak_bytes": self.our_peak,
            "peer": case.shown_peer(),
            "peer_median_seconds": beside.map(|its| median(its.times.iter().copied())),
            "peer_best_seconds": beside.map(|its| best(&its.times)),
            "peer_peak_bytes": beside.map(|its| its.peak),
            "ratio": self.ratio(),
            "target_ratio": case.target,
        })
    }
}

/// How long a call takes in a running agent, in seconds.
fn call(session: &mut Session, case: &Case) -> Result<f64> {
    let sent = session.prompt(&format!("@tool {} {}", case.tool, case.input))?;
    let took = session.tool_result()?.duration_since(sent).as_secs_f64();
    session.result()?;
    Ok(took)
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(samples: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<_> = samples.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_of_the_same_round() {
        let beside = Beside { times: vec![1.0, 10.0, 1.0], peak: 1 };
        let figures = Figures { ours: vec![2.0, 20.0, 2.0], our_peak: 1, theirs: Some(beside) };
        assert_eq!(figures.ratio(), Some(2.0));
        assert!(figures.cells(&CASES[0]).contains(&"≤ 1.2: **missed**".to_owned()));
    }
}
