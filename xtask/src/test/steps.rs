//! The steps of a whole test run, in order: the quick ones that fail most often come first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::outcome::Outcome;
use super::{portable, runner_output, types, web};
use crate::workspace::Workspace;
use crate::{conformance, fuzz, generate, program, system, tidy};

pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Left out by `--fast`.
    pub(super) slow: bool,
    pub(super) run: fn(&Workspace) -> Result<Outcome>,
}

pub(super) const STEPS: &[Step] = &[
    Step { name: "fmt", about: "cargo fmt --check", slow: false, run: fmt },
    Step {
        name: "tidy",
        about: "arrows, sizes, links, forgotten files: see cargo xtask tidy",
        slow: false,
        run: tidied,
    },
    Step { name: "clippy", about: "every target, every feature, no warnings", slow: false, run: clippy },
    Step { name: "bare", about: "crates without their features", slow: true, run: bare },
    Step { name: "test", about: "cargo test, doc tests included", slow: false, run: tests },
    Step {
        name: "portable-check",
        about: "everything compiles without what only Linux has; tests of aqueduct-os and aqueduct-client",
        slow: true,
        run: portable::check,
    },
    Step {
        name: "model",
        about: "the model of input delivery, with crashes between all steps",
        slow: true,
        run: model,
    },
    Step { name: "doc", about: "cargo doc without warnings", slow: true, run: doc },
    Step { name: "gen", about: "generated files are up to date", slow: false, run: generated },
    Step { name: "types", about: "the TypeScript types compile", slow: true, run: types::check },
    Step { name: "web", about: "the web UI: types, tests, what is embedded", slow: true, run: web::check },
    Step {
        name: "browser",
        about: "the web UI in Chromium, against a real bridge",
        slow: true,
        run: web::browser,
    },
    Step {
        name: "crash",
        about: "40 kills and freezes of bridge, keepers and agents: see cargo xtask conformance crash",
        slow: true,
        run: crash,
    },
    Step { name: "deny", about: "cargo deny, where it is installed", slow: true, run: deny },
    Step {
        name: "fuzz",
        about: "every fuzz target on its seeds and their mutations",
        slow: true,
        run: fuzzed,
    },
];

/// Steps that run only when `--only` names them: they take longer than a whole run should.
pub(super) const ON_REQUEST: &[Step] = &[Step {
    name: "portable",
    about: "the tests of agent, bridge and client without what only Linux has",
    slow: true,
    run: portable::all,
}];

/// The package with the model of input delivery.
const MODEL: &str = "modelcheck/Cargo.toml";

/// The workspace, and the packages that are workspaces of their own.
const MANIFESTS: &[&str] = &["Cargo.toml", "fuzz/Cargo.toml", "bench/Cargo.toml", MODEL];

fn fmt(workspace: &Workspace) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for manifest in MANIFESTS.iter().filter(|manifest| workspace.path(manifest).is_file()) {
        // The names alone: a diff of what one command mends is noise.
        let mut checked =
            single(workspace, &["fmt", "--all", "--manifest-path", manifest, "--", "--check", "-l"])?;
        if checked.failed > 0 {
            checked.text.push_str(&format!("\nrun cargo fmt --all --manifest-path {manifest}\n"));
        }
        outcome.add(checked);
    }
    Ok(outcome)
}

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    single(
        workspace,
        &["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"],
    )
}

/// Crates whose features leave out dependencies, one by one: together they would get each other's.
const WITH_FEATURES: &[&str] = &["aqueduct-wire", "aqueduct-model", "aqueduct-client", "aqueduct-agent"];

fn bare(workspace: &Workspace) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for package in WITH_FEATURES {
        let flags = ["clippy", "--package", package, "--no-default-features", "--", "--deny", "warnings"];
        outcome.add(single(workspace, &flags)?);
    }
    Ok(outcome)
}

fn tests(workspace: &Workspace) -> Result<Outcome> {
    // The tests of repositories need git. Those of the sandbox use Landlock where bubblewrap is missing.
    system::need("git", "--version", "git")?;
    if cfg!(target_os = "linux")
        && let Err(error) = system::need("bwrap", "--version", "bubblewrap")
    {
        println!("{error:#}: some tests of the sandbox are skipped");
    }
    noted(workspace, workspace.cargo(["test", "--workspace", "--all-features", "--no-fail-fast"]))
}

/// Runs tests, and reports what they note of why they are skipped.
pub(super) fn noted(workspace: &Workspace, mut cargo: Command) -> Result<Outcome> {
    let skipped = workspace.scratch("skipped-tests");
    let _ = fs::remove_file(&skipped);
    fs::create_dir_all(workspace.scratch("")).context("cannot make target/xtask")?;
    let ended = program::run(cargo.env("AQUEDUCT_TEST_SKIPPED", &skipped))?;
    let failed = runner_output::failed_tests(&ended.output);
    let mut outcome = runner_output::cargo_test(ended.success, ended.output);
    let mut remarks = reasons(&fs::read_to_string(&skipped).unwrap_or_default());
    if !failed.is_empty() && failed.len() == outcome.failed && passes_alone(&mut cargo, &failed)? {
        outcome.passed += std::mem::take(&mut outcome.failed);
        remarks.extend(
            BTreeSet::from_iter(&failed)
                .into_iter()
                .map(|name| format!("flaky: {name} failed once and passed alone")),
        );
    }
    outcome.remark = remarks.join("; ");
    Ok(outcome)
}

/// Runs the failed tests of a command once more, one at a time. A test that passes then depends on the load of the
/// machine: the run reports it by name, and it is to be fixed.
fn passes_alone(cargo: &mut Command, failed: &[String]) -> Result<bool> {
    // The output of a test that runs itself in another process names it twice.
    let failed = BTreeSet::from_iter(failed);
    println!("  running {} failed tests again, alone", failed.len());
    let ended = program::run(cargo.args(["--", "--exact", "--test-threads", "1"]).args(&failed))?;
    let again = runner_output::cargo_test(ended.success, ended.output);
    Ok(again.failed == 0 && again.passed >= failed.len())
}

/// What tests note when this machine can't run them: each reason once, with the number of tests.
fn reasons(notes: &str) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for reason in notes.lines() {
        *counts.entry(reason).or_default() += 1;
    }
    counts.iter().map(|(reason, count)| format!("skipped {count}: {reason}")).collect()
}

fn model(workspace: &Workspace) -> Result<Outcome> {
    let mut cargo = workspace.cargo(["test", "--locked", "--manifest-path", MODEL, "--test", "it"]);
    let ended = program::run(cargo.env("CARGO_TARGET_DIR", workspace.path("target/modelcheck")))?;
    Ok(runner_output::cargo_test(ended.success, ended.output))
}

fn doc(workspace: &Workspace) -> Result<Outcome> {
    let mut cargo = workspace.cargo(["doc", "--workspace", "--no-deps", "--all-features"]);
    let ended = program::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))?;
    Ok(Outcome::single(ended.success, runner_output::failures(&ended.output)))
}

fn tidied(workspace: &Workspace) -> Result<Outcome> {
    // The generated files have a step of their own.
    let checked = tidy::inspect(workspace, |check| check != tidy::GENERATED)?;
    let failed: Vec<_> = checked.iter().filter(|check| check.failed()).collect();
    let text = failed.iter().map(|check| check.text()).collect::<Vec<_>>().join("\n");
    Ok(Outcome { passed: checked.len() - failed.len(), failed: failed.len(), text, ..Outcome::default() })
}

fn generated(workspace: &Workspace) -> Result<Outcome> {
    let comparison = generate::compare(workspace)?;
    let lines: Vec<_> =
        comparison.stale.iter().map(|stale| format!("{}: {}", stale.path, stale.what_to_do())).collect();
    Ok(Outcome {
        passed: comparison.fresh,
        failed: lines.len(),
        text: lines.join("\n"),
        ..Outcome::default()
    })
}

fn deny(workspace: &Workspace) -> Result<Outcome> {
    if !program::exists("cargo-deny", "--version") {
        return Ok(Outcome::skipped(
            "not installed: cargo install --locked cargo-deny (tidy checks licences and bans)",
        ));
    }
    // The advisories need a database from the network, and what is known about a crate changes from
    // one day to the next: `cargo deny check` by hand tells those too.
    single(workspace, &["deny", "--offline", "check", "bans", "licenses", "sources"])
}

fn crash(workspace: &Workspace) -> Result<Outcome> {
    let ended = conformance::crash::short(workspace)?;
    Ok(Outcome::single(ended.success, ended.output))
}

fn fuzzed(workspace: &Workspace) -> Result<Outcome> {
    let runs = fuzz::smoke(workspace)?;
    let failed: Vec<_> = runs.iter().filter(|run| !run.success).collect();
    let text = failed.iter().map(|run| format!("{}:\n{}", run.target, run.output)).collect();
    Ok(Outcome { passed: runs.len() - failed.len(), failed: failed.len(), text, ..Outcome::default() })
}

/// A cargo command that is one check.
fn single(workspace: &Workspace, args: &[&str]) -> Result<Outcome> {
    let ended = program::run(&mut workspace.cargo(args.iter().copied()))?;
    Ok(Outcome::single(ended.success, runner_output::failures(&ended.output)))
}
