//! `cargo xtask layout`: the order in which the functions of the agent and of the bridge are linked.
//!
//! A page of code counts as memory once it is mapped, and the kernel maps the sixteen pages around each one that runs.
//! A linker script places the functions that always run next to one another. It names them as prefixes of symbols
//! without hashes. One command writes the scripts, from runs of the programs under callgrind; `--check` compares them
//! with a build, and `cargo xtask tidy layout` with the names in the sources.
//!
//! Which functions a program has depends on what the compiler inlines, and so on the profile. A script has the names of
//! both profiles that people use.

mod agent;
mod bridge;
mod callgrind;
mod patterns;
mod script;
mod symbols;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::system;
use crate::workspace::Workspace;

use script::Group;
use symbols::Symbols;

/// A program with a linker script.
struct Program {
    /// Its name, and that of its crate.
    name: &'static str,
    /// The linker script, which the build script of the crate gives to the linker.
    script: &'static str,
    /// What of it always runs.
    about: &'static str,
    steps: &'static [Step],
    /// The bench that shows what the script achieves.
    bench: &'static str,
}

/// A part of a program's run that a group of functions belongs to. What an earlier step names is not named again.
struct Step {
    name: &'static str,
    about: &'static str,
    /// Runs a program under callgrind and returns the symbols of all functions that ran.
    run: fn(&Path) -> Result<HashSet<String>>,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "aqueduct-agent",
        script: "crates/aqueduct-agent/layout.ld",
        about: "in every session of the agent",
        steps: agent::STEPS,
        bench: "agent",
    },
    Program {
        name: "aqueduct",
        script: "crates/aqueduct/layout.ld",
        about: "whenever the bridge starts",
        steps: bridge::STEPS,
        bench: "bridge",
    },
];

/// How often a step is run: what waits for what differs.
const RUNS: usize = 3;

/// The profiles whose functions the script names: that of published builds first.
const PROFILES: &[&str] = &["dist", "release"];

/// The share of patterns that may match no function. Small changes of a program need no new script.
const UNMATCHED: f64 = 0.05;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; name the patterns that match no function of the builds and fail if there are many
    #[arg(long)]
    check: bool,
    /// Only this program; both if none is named
    #[arg(long, value_name = "NAME", value_parser = PROGRAMS.iter().map(|program| program.name).collect::<Vec<_>>())]
    program: Option<String>,
    /// Builds of the program that have their symbols, in place of a build with each profile
    #[arg(long, value_name = "FILE", requires = "program")]
    build: Vec<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    system::need("nm", "--version", "binutils")?;
    if !args.check {
        system::need("valgrind", "--version", "valgrind")?;
    }
    let mut passes = true;
    for program in PROGRAMS.iter().filter(|one| args.program.as_ref().is_none_or(|name| name == one.name)) {
        let builds = program.builds(workspace, &args.build)?;
        let symbols = builds.iter().map(|build| Symbols::of(build)).collect::<Result<Vec<_>>>()?;
        let file = workspace.path(program.script);
        if args.check {
            let text =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", program.script))?;
            passes &= report_unmatched(program.script, &text, &symbols);
            continue;
        }
        let groups = program.groups(&builds, &symbols)?;
        fs::write(&file, script::write(program.about, &groups))
            .with_context(|| format!("cannot write {}", program.script))?;
        println!("wrote {}: measure with cargo xtask bench {}", program.script, program.bench);
    }
    Ok(passes)
}

impl Program {
    /// The builds that were given, or one with each profile that has its symbols: the last step alone differs from that
    /// of `cargo build --profile NAME`.
    fn builds(&self, workspace: &Workspace, given: &[PathBuf]) -> Result<Vec<PathBuf>> {
        if !given.is_empty() {
            let find = |build: &PathBuf| {
                build.canonicalize().with_context(|| format!("there is no {}", build.display()))
            };
            return given.iter().map(find).collect();
        }
        let build = |profile: &&str| {
            println!("building {} with the profile {profile} and symbols", self.name);
            let flags = ["--profile", profile, "--bin", self.name];
            workspace.build_with(self.name, &flags, &["-C", "strip=none"])
        };
        PROFILES.iter().map(build).collect()
    }

    fn groups(&self, builds: &[PathBuf], symbols: &[Symbols]) -> Result<Vec<Group>> {
        let mut groups = Vec::new();
        for step in self.steps {
            let mut patterns = Vec::new();
            for (build, symbols) in builds.iter().zip(symbols) {
                let mut ran = HashSet::new();
                for _ in 0..RUNS {
                    ran.extend((step.run)(build)?);
                }
                let found = patterns::covering(symbols, &ran);
                let (functions, file) = (ran.len(), build.display());
                println!("{}: {functions} functions of {file} ran, {} patterns", step.name, found.len());
                patterns.extend(found);
            }
            groups.push(Group { name: step.name, about: step.about, patterns });
        }
        Ok(groups)
    }
}

/// Whether nearly every pattern matches a function of a program. Those that don't are printed.
fn report_unmatched(file: &str, text: &str, symbols: &[Symbols]) -> bool {
    let (mut all, mut unmatched) = (0_usize, 0_usize);
    for pattern in script::patterns(text) {
        all += 1;
        if !symbols.iter().flat_map(Symbols::names).any(|name| script::matches(pattern, name)) {
            unmatched += 1;
            println!("{file}: {pattern} matches no function");
        }
    }
    let share = unmatched as f64 / all.max(1) as f64;
    println!("{file}: {all} patterns, {unmatched} of them ({:.1} %) match no function", 100.0 * share);
    let passes = all > 0 && share <= UNMATCHED;
    if !passes {
        println!("at most {:.0} % may: run cargo xtask layout to write the scripts again", 100.0 * UNMATCHED);
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_function_is_found() {
        let symbols = [Symbols::read("0 10 t _ZN4core3fmt5write17h0123456789abcdefE\n")];
        let script = |pattern: &str| {
            let group = Group { name: "start", about: "", patterns: vec![pattern.to_owned()] };
            script::write("always", &[group])
        };
        assert!(report_unmatched("layout.ld", &script("_ZN4core3fmt*"), &symbols));
        assert!(!report_unmatched("layout.ld", &script("_ZN4core4time*"), &symbols));
        assert!(!report_unmatched("layout.ld", "", &symbols), "a script without patterns does nothing");
    }
}
