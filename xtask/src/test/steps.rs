//! The steps of a whole test run, in order: the quick ones that fail most often come first.

use anyhow::Result;

use super::outcome::Outcome;
use super::{cargo, packages, portable, requirements, runner_output, types, web};
use crate::workspace::Workspace;
use crate::{conformance, fuzz, generate, program, tidy};

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
    Step {
        name: "doc",
        about: "cargo doc without warnings, with all features and with none",
        slow: true,
        run: doc,
    },
    Step { name: "gen", about: "generated files are up to date", slow: false, run: generated },
    Step { name: "types", about: "the TypeScript types compile", slow: true, run: types::check },
    Step { name: "web", about: "the web UI: types, tests, what is embedded", slow: true, run: web::check },
    Step {
        name: "npm-client",
        about: "aqueduct-client for npm: types, tests, and sessions of a real bridge",
        slow: true,
        run: packages::npm,
    },
    Step {
        name: "python-client",
        about: "aqueduct-client for PyPI: types, tests, and sessions of a real bridge",
        slow: true,
        run: packages::python,
    },
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
        // The names alone: a diff of what one command fixes is noise.
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
    let command = workspace.cargo(["test", "--workspace", "--all-features", "--no-fail-fast"]);
    cargo::tests(workspace, command, &requirements::promised()?)
}

fn model(workspace: &Workspace) -> Result<Outcome> {
    let mut cargo = workspace.cargo(["test", "--locked", "--manifest-path", MODEL, "--test", "it"]);
    let ended = program::run(cargo.env("CARGO_TARGET_DIR", workspace.path("target/modelcheck")))?;
    Ok(runner_output::cargo_test(ended.success, ended.output))
}

fn doc(workspace: &Workspace) -> Result<Outcome> {
    let mut outcome = documented(workspace, &["--workspace", "--all-features"])?;
    for package in WITH_FEATURES {
        outcome.add(documented(workspace, &["--package", package, "--lib", "--no-default-features"])?);
    }
    Ok(outcome)
}

/// Documents some packages. A link that leads nowhere is a warning, and fails.
fn documented(workspace: &Workspace, flags: &[&str]) -> Result<Outcome> {
    let mut cargo = workspace.cargo(["doc", "--no-deps"]);
    let ended = program::run(cargo.args(flags).env("RUSTDOCFLAGS", "--deny warnings"))?;
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
    // one day to the next: `cargo deny check` by hand reports those too.
    single(workspace, &["deny", "--offline", "check", "bans", "licenses", "sources"])
}

fn crash(workspace: &Workspace) -> Result<Outcome> {
    let ended = conformance::crash::short(workspace)?;
    let mut outcome = Outcome::single(ended.success, ended.output);
    if outcome.failed > 0 {
        println!("  running the kills again");
        if conformance::crash::short(workspace)?.success {
            outcome.passes_again(["crash".to_owned()]);
        }
    }
    Ok(outcome)
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
