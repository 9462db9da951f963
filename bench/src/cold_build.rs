//! How long the product's first build takes with each profile, as a user who has just cloned the repository meets it.
//!
//! Dependencies are downloaded before; everything is compiled, in a directory of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::args::{Args, One};
use crate::report::{Report, Table};

pub(crate) const NAME: &str = "build";

/// The root of the product's workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The program that `cargo run -- serve` builds.
const PROGRAM: &str = "aqueduct";

/// The profiles, and what their first build may take on two idle cores.
const PROFILES: &[(&str, Option<Duration>)] = &[("release", Some(Duration::from_secs(240))), ("dist", None)];

/// The unit of times in `/proc/self/stat`, which Linux reports in hundredths of a second on every machine.
const TICKS_A_SECOND: f64 = 100.0;

struct Row {
    profile: &'static str,
    time: Duration,
    /// Processor time of cargo and all that it started, in seconds.
    processor: f64,
    size: u64,
    target: Option<Duration>,
}

/// The work is that of other processes, so there is nothing to count instructions of.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench. With `--quick` only the first profile is built.
pub(crate) fn run(args: &Args) -> Result<Report> {
    ensure!(cargo().arg("fetch").status().context("cannot run cargo")?.success(), "cargo fetch failed");
    let profiles = if args.quick { &PROFILES[..1] } else { PROFILES };
    let rows =
        profiles.iter().map(|(profile, target)| build(profile, *target)).collect::<Result<Vec<_>>>()?;
    let mut table = Table::new(&["", "time", "processor time", "the program's file", "target"]);
    for row in &rows {
        table.push(row.cells());
    }
    let json: Vec<_> = rows.iter().map(Row::json).collect();
    Ok(Report { bench: NAME, how: NAME.to_owned(), text: table.to_string(), json: json!(json) })
}

fn build(profile: &'static str, target: Option<Duration>) -> Result<Row> {
    eprintln!("{NAME}: {profile}");
    let place = tempfile::Builder::new().prefix("aqueduct-bench-").tempdir();
    let place = place.context("cannot make a directory")?;
    let mut cargo = cargo();
    cargo.args(["build", "--offline", "--profile", profile]).env("CARGO_TARGET_DIR", place.path());
    let (started, before) = (Instant::now(), processor_time_of_children()?);
    let ended = cargo.stderr(Stdio::null()).status().context("cannot run cargo")?;
    ensure!(ended.success(), "{PROGRAM} does not build with the profile {profile}");
    let (time, processor) = (started.elapsed(), processor_time_of_children()? - before);
    let program = place.path().join(profile).join(PROGRAM);
    let size = fs::metadata(&program).with_context(|| format!("there is no {}", program.display()))?.len();
    Ok(Row { profile, time, processor, size, target })
}

/// cargo at the root of the product, without flags that are for this bench.
fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(Path::new(ROOT)).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// The processor time of all children that have ended, in seconds.
fn processor_time_of_children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("/proc/self/stat could not be read")?;
    // The name of the program, which may have spaces, is in parentheses; the fields are counted from behind it.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect::<Vec<_>>());
    let fields = fields.context("/proc/self/stat has no name")?;
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok());
    let (user, system) = ticks(13).zip(ticks(14)).context("/proc/self/stat has no times of children")?;
    Ok((user + system) / TICKS_A_SECOND)
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let verdict = |target: Duration| {
            let verdict = if self.time <= target { "met" } else { "**missed**" };
            format!("≤ {} s: {verdict}", target.as_secs())
        };
        vec![
            format!("`{}`", self.profile),
            format!("{:.0} s", self.time.as_secs_f64()),
            format!("{:.0} s", self.processor),
            format!("{:.1} MB", self.size as f64 / 1e6),
            self.target.map(verdict).unwrap_or_default(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "id": self.profile,
            "seconds": self.time.as_secs_f64(),
            "processor_seconds": self.processor,
            "bytes": self.size,
            "target": self.target.map(|target| target.as_secs()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_grows() {
        let before = processor_time_of_children().expect("is readable");
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]);
        assert!(busy.status().expect("sh runs").success());
        assert!(processor_time_of_children().expect("is readable") > before);
    }
}
