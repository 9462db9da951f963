//! How long first builds take: of the product with each profile, as a user who has just cloned the repository meets it,
//! and of the libraries without optimization, as a program that depends on one meets it.
//!
//! Dependencies are downloaded before; everything is compiled, in a directory of its own.

use std::collections::BTreeSet;
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

/// The unit of times in `/proc/self/stat`, which Linux reports in hundredths of a second on every machine.
const TICKS_A_SECOND: f64 = 100.0;

/// A first build.
struct ColdBuild {
    package: &'static str,
    profile: &'static str,
    /// Whether the package is a program, whose file is measured.
    is_program: bool,
    /// What it may take on two idle cores, in seconds.
    target: Option<u64>,
}

const BUILDS: &[ColdBuild] = &[
    ColdBuild { package: "aqueduct", profile: "release", is_program: true, target: Some(240) },
    ColdBuild { package: "aqueduct", profile: "dist", is_program: true, target: None },
    ColdBuild { package: "aqueduct-wire", profile: "dev", is_program: false, target: Some(15) },
    ColdBuild { package: "aqueduct-client", profile: "dev", is_program: false, target: Some(30) },
];

struct Row {
    build: &'static ColdBuild,
    time: Duration,
    /// Processor time of cargo and all that it started, in seconds.
    processor: f64,
    /// The size of the program's file.
    size: Option<u64>,
    /// How many other crates it is built from.
    crates: usize,
}

/// The work is that of other processes, so there is nothing to count instructions of.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench. With `--quick` only the first build is made.
pub(crate) fn run(args: &Args) -> Result<Report> {
    ensure!(cargo().arg("fetch").status().context("cannot run cargo")?.success(), "cargo fetch failed");
    let builds = if args.quick { &BUILDS[..1] } else { BUILDS };
    let rows = builds.iter().map(build).collect::<Result<Vec<_>>>()?;
    let mut table = Table::new(&[
        "",
        "profile",
        "time",
        "processor time",
        "other crates",
        "the program's file",
        "target",
    ]);
    for row in &rows {
        table.push(row.cells());
    }
    let json: Vec<_> = rows.iter().map(Row::json).collect();
    Ok(Report { bench: NAME, how: NAME.to_owned(), text: table.to_string(), json: json!(json) })
}

fn build(build: &'static ColdBuild) -> Result<Row> {
    let ColdBuild { package, profile, .. } = build;
    eprintln!("{NAME}: {package}, {profile}");
    let place = tempfile::Builder::new().prefix("aqueduct-bench-").tempdir();
    let place = place.context("cannot make a directory")?;
    let mut cargo = cargo();
    cargo.args(["build", "--offline", "--package", package, "--profile", profile]);
    cargo.env("CARGO_TARGET_DIR", place.path());
    let (started, before) = (Instant::now(), processor_time_of_children()?);
    let ended = cargo.stderr(Stdio::null()).status().context("cannot run cargo")?;
    ensure!(ended.success(), "{package} does not build with the profile {profile}");
    let (time, processor) = (started.elapsed(), processor_time_of_children()? - before);
    let program = place.path().join(profile).join(package);
    let size = match build.is_program {
        true => {
            Some(fs::metadata(&program).with_context(|| format!("there is no {}", program.display()))?.len())
        }
        false => None,
    };
    Ok(Row { build, time, processor, size, crates: other_crates(package)? })
}

/// How many other crates a package is built from, with its default features.
fn other_crates(package: &str) -> Result<usize> {
    let mut cargo = cargo();
    cargo.args(["tree", "--offline", "--package", package, "--edges", "normal,build", "--prefix", "none"]);
    let output = cargo.args(["--format", "{p}"]).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo tree of {package} failed");
    let text = String::from_utf8(output.stdout).context("cargo tree printed something else than text")?;
    let crates: BTreeSet<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(crates.len().saturating_sub(1))
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
        let verdict = |target: u64| {
            let verdict = if self.time <= Duration::from_secs(target) { "met" } else { "**missed**" };
            format!("≤ {target} s: {verdict}")
        };
        vec![
            format!("`{}`", self.build.package),
            format!("`{}`", self.build.profile),
            format!("{:.0} s", self.time.as_secs_f64()),
            format!("{:.0} s", self.processor),
            self.crates.to_string(),
            self.size.map(|size| format!("{:.1} MB", size as f64 / 1e6)).unwrap_or_default(),
            self.build.target.map(verdict).unwrap_or_default(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "id": format!("{} {}", self.build.package, self.build.profile),
            "seconds": self.time.as_secs_f64(),
            "processor_seconds": self.processor,
            "other_crates": self.crates,
            "bytes": self.size,
            "target": self.build.target,
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
