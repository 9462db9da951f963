//! `cargo xtask fuzz`: coverage-guided fuzzing with libFuzzer, on the stable toolchain.
//!
//! cargo-fuzz needs a nightly compiler for sanitizers. The library is safe Rust, so coverage is all
//! that is needed, and stable rustc can instrument for it when it is passed the LLVM pass to run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::workspace::Workspace;
use crate::{program, system, terminal};

/// What cargo-fuzz passes to rustc, without the sanitizer.
const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
    "--cfg=fuzzing",
];

/// Real frames and messages are better starting points than nothing. A target may have seeds of its own too, in
/// `fuzz/seeds/TARGET`.
const FIXTURES: &[&str] = &["crates/aqueduct-wire/tests/fixtures/", "crates/aqueduct-bridge/tests/fixtures/"];

/// All seeds and some thousands of mutations.
const SMOKE_RUNS: u32 = 10_000;

/// How long a target is fuzzed.
enum Length {
    /// For a time, from a new random seed, continuing where the last run ended: to find something.
    Seconds(u32),
    /// Always the same inputs, from nothing but the seeds: a test, which must not fail by chance.
    Runs(u32),
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which targets to fuzz; none means all in fuzz/fuzz_targets
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60, value_name = "N")]
    seconds: u32,
}

/// A target that has been fuzzed.
pub(crate) struct Fuzzed {
    pub(crate) target: String,
    pub(crate) success: bool,
    pub(crate) output: String,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    let known = targets(workspace)?;
    if let Some(unknown) = args.targets.iter().find(|name| !known.contains(name)) {
        bail!("unknown fuzz target {unknown}: known are {}", known.join(", "));
    }
    let wanted = if args.targets.is_empty() { known } else { args.targets.clone() };
    let fuzzed = fuzz(workspace, &wanted, &Length::Seconds(args.seconds))?;
    for bad in fuzzed.iter().filter(|fuzzed| !fuzzed.success) {
        println!("{}:\n{}", terminal::stdout().red(&bad.target), bad.output.trim_end());
    }
    let rows: Vec<_> = fuzzed.iter().map(Fuzzed::row).collect();
    println!("\n{}", terminal::table(&["target", "", "runs", "edges", "corpus"], &rows));
    let failed = fuzzed.iter().filter(|fuzzed| !fuzzed.success).count();
    println!("\n{} targets, {} s each, {failed} with a finding", fuzzed.len(), args.seconds);
    if failed > 0 {
        println!("the inputs are in fuzz/artifacts: make each a test before you fix it");
    }
    Ok(failed == 0)
}

/// Every target for a short time, to check that it still builds and still passes.
pub(crate) fn smoke(workspace: &Workspace) -> Result<Vec<Fuzzed>> {
    fuzz(workspace, &targets(workspace)?, &Length::Runs(SMOKE_RUNS))
}

fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let directory = workspace.path("fuzz/fuzz_targets");
    let entries = fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.context("cannot read a directory's entry")?.file_name();
        names.extend(name.to_string_lossy().strip_suffix(".rs").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn fuzz(workspace: &Workspace, targets: &[String], length: &Length) -> Result<Vec<Fuzzed>> {
    system::need("c++", "--version", "g++")?;
    println!("  building {} targets", targets.len());
    let programs = build(workspace, targets)?;
    let frames = frames(workspace)?;
    let mut fuzzed = Vec::new();
    for (target, program) in targets.iter().zip(programs) {
        let (corpus, limits) = match length {
            Length::Seconds(seconds) => {
                println!("  fuzzing {target} for {seconds} s");
                (workspace.path(format!("fuzz/corpus/{target}")), vec![format!("-max_total_time={seconds}")])
            }
            Length::Runs(runs) => {
                println!("  fuzzing {target}, {runs} runs");
                let corpus = workspace.scratch(&format!("fuzz-corpus/{target}"));
                if corpus.is_dir() {
                    fs::remove_dir_all(&corpus)
                        .with_context(|| format!("cannot empty {}", corpus.display()))?;
                }
                (corpus, vec!["-seed=1".to_owned(), format!("-runs={runs}")])
            }
        };
        let artifacts = format!("fuzz/artifacts/{target}/");
        for directory in [corpus.clone(), workspace.path(&artifacts)] {
            fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
        }
        let mut command = Command::new(program);
        command.current_dir(workspace.root());
        command.args(limits).arg(format!("-artifact_prefix={artifacts}"));
        // A slow or greedy input is a finding too.
        command.args(["-timeout=10", "-rss_limit_mb=1024", "-max_len=4096", "-print_final_stats=1"]);
        let own = workspace.path(format!("fuzz/seeds/{target}"));
        command.arg(corpus).arg(&frames).args(own.is_dir().then_some(&own));
        let ended = program::run(&mut command)?;
        fuzzed.push(Fuzzed { target: target.clone(), success: ended.success, output: ended.output });
    }
    Ok(fuzzed)
}

/// Writes every frame of the fixtures into a file of its own: small inputs run fast.
fn frames(workspace: &Workspace) -> Result<PathBuf> {
    let directory = workspace.scratch("fuzz-seeds");
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    for path in workspace.files()? {
        let Some(name) = FIXTURES.iter().find_map(|fixtures| path.strip_prefix(fixtures)) else { continue };
        let text =
            fs::read_to_string(workspace.path(&path)).with_context(|| format!("cannot read {path}"))?;
        for (index, line) in text.lines().enumerate() {
            let seed = directory.join(format!("{}-{index}", name.replace('/', "-")));
            fs::write(&seed, line).with_context(|| format!("cannot write {}", seed.display()))?;
        }
    }
    Ok(directory)
}

fn build(workspace: &Workspace, targets: &[String]) -> Result<Vec<PathBuf>> {
    let host = host(workspace)?;
    let directory = workspace.path("target/fuzz");
    // With a target named, the flags hold for it alone, and build scripts stay without coverage.
    let mut cargo =
        workspace.cargo(["build", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host]);
    cargo.env("CARGO_TARGET_DIR", &directory).env("RUSTFLAGS", INSTRUMENTATION.join(" "));
    for target in targets {
        cargo.args(["--bin", target]);
    }
    let ended = program::run(&mut cargo)?;
    if !ended.success {
        bail!("the fuzz targets do not build:\n{}", ended.output.trim_end());
    }
    Ok(targets.iter().map(|target| directory.join(&host).join("release").join(target)).collect())
}

fn host(workspace: &Workspace) -> Result<String> {
    let ended = program::run(workspace.command("rustc").arg("-vV"))?;
    let host = ended.output.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}

impl Fuzzed {
    fn row(&self) -> Vec<String> {
        let verdict = if self.success { "ok" } else { "FINDING" };
        let runs = self.statistic("stat::number_of_executed_units:");
        vec![self.target.clone(), verdict.to_owned(), runs, self.newest("cov:"), self.newest("corp:")]
    }

    fn statistic(&self, name: &str) -> String {
        let line = self.output.lines().find_map(|line| line.strip_prefix(name));
        line.map_or_else(|| "?".to_owned(), |value| value.trim().to_owned())
    }

    /// The last value libFuzzer printed for a name: `#123 DONE cov: 45 ft: 67 corp: 8/90b`.
    fn newest(&self, name: &str) -> String {
        let value = self.output.rsplit_once(name).map(|(_, rest)| rest.trim_start());
        value.and_then(|rest| rest.split_whitespace().next()).unwrap_or("?").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read_from_libfuzzers_output() {
        let output = "#1 INITED cov: 2 ft: 2 corp: 1/1b\n#900\tDONE   cov: 45 ft: 67 corp: 8/90b lim: 4\nstat::number_of_executed_units: 900\n";
        let fuzzed = Fuzzed { target: "codec".into(), success: true, output: output.into() };
        assert_eq!(fuzzed.row(), ["codec", "ok", "900", "45", "8/90b"]);
    }
}
