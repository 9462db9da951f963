//! `cargo xtask layout`: the order in which the agent's functions are linked.
//!
//! A page of code counts as memory once it is mapped, and the kernel maps the sixteen pages around each one that runs.
//! Functions that run in every session are therefore placed next to one another: a linker script names them,
//! as prefixes of symbols without hashes. The script is written from a run under callgrind, and compared with
//! a build by `--check`.

mod patterns;
mod profile;
mod script;
mod symbols;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::system;
use crate::workspace::Workspace;

use script::Group;
use symbols::Symbols;

/// The program, and its crate.
const AGENT: &str = "aqueduct-agent";

/// The linker script, which the build script of the crate gives to the linker.
const SCRIPT: &str = "crates/aqueduct-agent/layout.ld";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; name the patterns that match no function of a release build and fail if there are any
    #[arg(long)]
    check: bool,
    /// A program that has its symbols, in place of a release build
    #[arg(long, value_name = "PROGRAM")]
    agent: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    system::need("nm", "--version", "binutils")?;
    let file = workspace.path(SCRIPT);
    if args.check {
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {SCRIPT}"))?;
        let symbols = Symbols::of(&program(workspace, args)?)?;
        return Ok(report_unmatched(&text, &symbols));
    }
    system::need("valgrind", "--version", "valgrind")?;
    let program = program(workspace, args)?;
    let symbols = Symbols::of(&program)?;
    let mut groups = Vec::new();
    for step in profile::STEPS {
        let ran = step.run(&program)?;
        let patterns = patterns::covering(&symbols, &ran);
        println!("{}: {} functions ran, {} patterns", step.name, ran.len(), patterns.len());
        groups.push(Group { name: step.name, about: step.about, patterns });
    }
    fs::write(&file, script::write(&groups)).with_context(|| format!("cannot write {SCRIPT}"))?;
    println!("wrote {SCRIPT}: build again, and measure with cargo xtask bench agent");
    Ok(true)
}

/// Whether every pattern matches a function. Those that don't are printed.
fn report_unmatched(text: &str, symbols: &Symbols) -> bool {
    let (mut all, mut unmatched) = (0, 0);
    for pattern in script::patterns(text) {
        all += 1;
        if !symbols.names().any(|name| script::matches(pattern, name)) {
            unmatched += 1;
            println!("{SCRIPT}: {pattern} matches no function");
        }
    }
    println!("{all} patterns, {unmatched} of them match no function");
    if unmatched > 0 {
        println!("run cargo xtask layout to write the script again");
    }
    all > 0 && unmatched == 0
}

/// The program that was given, or a release build that has its symbols: the last step alone differs from that of
/// `cargo build --release`.
fn program(workspace: &Workspace, args: &Args) -> Result<PathBuf> {
    if let Some(program) = &args.agent {
        return program.canonicalize().with_context(|| format!("{} does not exist", program.display()));
    }
    println!("building {AGENT} with symbols");
    workspace.build_with(AGENT, &["--release", "--bin", AGENT], &["-C", "strip=none"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_function_is_found() {
        let symbols = Symbols::read("0 10 t _ZN4core3fmt5write17h0123456789abcdefE\n");
        let script = |pattern: &str| {
            let group = Group { name: "start", about: "", patterns: vec![pattern.to_owned()] };
            script::write(&[group])
        };
        assert!(report_unmatched(&script("_ZN4core3fmt*"), &symbols));
        assert!(!report_unmatched(&script("_ZN4core4time*"), &symbols));
        assert!(!report_unmatched("", &symbols), "a script without patterns does nothing");
    }
}
