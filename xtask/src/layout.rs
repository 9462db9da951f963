//! `cargo xtask layout`: the order in which the agent's functions are linked.
//!
//! A page of code counts as memory once it is mapped, and the kernel maps the sixteen pages around each one that runs.
//! A linker script places the functions that run in every session next to one another. It names them as prefixes of
//! symbols without hashes. One command writes it, from runs of the agent under callgrind; `--check` compares it with a
//! build, and `cargo xtask tidy layout` with the names in the sources.
//!
//! Which functions a program has depends on what the compiler inlines, and so on the profile. The script has the names
//! of both profiles that people use.

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

/// The profiles whose functions the script names: that of published builds first.
const PROFILES: &[&str] = &["dist", "release"];

/// The share of patterns that may match no function. Small changes of the agent need no new script.
const UNMATCHED: f64 = 0.05;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; name the patterns that match no function of the builds and fail if there are many
    #[arg(long)]
    check: bool,
    /// Programs that have their symbols, in place of a build with each profile
    #[arg(long, value_name = "PROGRAM")]
    agent: Vec<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    system::need("nm", "--version", "binutils")?;
    if !args.check {
        system::need("valgrind", "--version", "valgrind")?;
    }
    let programs = programs(workspace, args)?;
    let symbols = programs.iter().map(|program| Symbols::of(program)).collect::<Result<Vec<_>>>()?;
    let file = workspace.path(SCRIPT);
    if args.check {
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {SCRIPT}"))?;
        return Ok(report_unmatched(&text, &symbols));
    }
    let mut groups = Vec::new();
    for step in profile::STEPS {
        let mut patterns = Vec::new();
        for (program, symbols) in programs.iter().zip(&symbols) {
            let ran = step.run(program)?;
            let found = patterns::covering(symbols, &ran);
            println!(
                "{}: {} functions of {} ran, {} patterns",
                step.name,
                ran.len(),
                program.display(),
                found.len()
            );
            patterns.extend(found);
        }
        groups.push(Group { name: step.name, about: step.about, patterns });
    }
    fs::write(&file, script::write(&groups)).with_context(|| format!("cannot write {SCRIPT}"))?;
    println!("wrote {SCRIPT}: build again, and measure with cargo xtask bench agent");
    Ok(true)
}

/// Whether nearly every pattern matches a function of a program. Those that don't are printed.
fn report_unmatched(text: &str, symbols: &[Symbols]) -> bool {
    let (mut all, mut unmatched) = (0_usize, 0_usize);
    for pattern in script::patterns(text) {
        all += 1;
        if !symbols.iter().flat_map(Symbols::names).any(|name| script::matches(pattern, name)) {
            unmatched += 1;
            println!("{SCRIPT}: {pattern} matches no function");
        }
    }
    let share = unmatched as f64 / all.max(1) as f64;
    println!("{all} patterns, {unmatched} of them ({:.1} %) match no function", 100.0 * share);
    let passes = all > 0 && share <= UNMATCHED;
    if !passes {
        println!("at most {:.0} % may: run cargo xtask layout to write the script again", 100.0 * UNMATCHED);
    }
    passes
}

/// The programs that were given, or a build with each profile that has its symbols: the last step alone differs from
/// that of `cargo build --profile NAME`.
fn programs(workspace: &Workspace, args: &Args) -> Result<Vec<PathBuf>> {
    if !args.agent.is_empty() {
        let find = |program: &PathBuf| {
            program.canonicalize().with_context(|| format!("there is no {}", program.display()))
        };
        return args.agent.iter().map(find).collect();
    }
    let build = |profile: &&str| {
        println!("building {AGENT} with the profile {profile} and symbols");
        workspace.build_with(AGENT, &["--profile", profile, "--bin", AGENT], &["-C", "strip=none"])
    };
    PROFILES.iter().map(build).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_function_is_found() {
        let symbols = [Symbols::read("0 10 t _ZN4core3fmt5write17h0123456789abcdefE\n")];
        let script = |pattern: &str| {
            let group = Group { name: "start", about: "", patterns: vec![pattern.to_owned()] };
            script::write(&[group])
        };
        assert!(report_unmatched(&script("_ZN4core3fmt*"), &symbols));
        assert!(!report_unmatched(&script("_ZN4core4time*"), &symbols));
        assert!(!report_unmatched("", &symbols), "a script without patterns does nothing");
    }
}
