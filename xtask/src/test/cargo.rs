//! `cargo test`, with what it does not report by itself: skipped tests, and tests that depend on the load of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::outcome::Outcome;
use super::{requirements, runner_output};
use crate::program;
use crate::workspace::Workspace;

/// The variable that names the file to which skipped tests add a line: `test` or `part`, package, test, reason.
const SKIPPED: &str = "AQUEDUCT_TEST_SKIPPED";

/// Runs tests, which may rely on the promised requirements.
pub(super) fn tests(workspace: &Workspace, mut cargo: Command, promised: &[&str]) -> Result<Outcome> {
    let skipped = workspace.scratch("skipped-tests");
    let _ = fs::remove_file(&skipped);
    fs::create_dir_all(workspace.scratch("")).context("cannot make target/xtask")?;
    cargo.env(SKIPPED, &skipped).env(requirements::VARIABLE, promised.join(","));
    let ended = program::run(&mut cargo)?;
    let failed = runner_output::failed_tests(&ended.output);
    let mut remarks = runner_output::ignored_tests(&ended.output);
    let mut outcome = runner_output::cargo_test(ended.success, ended.output);
    let notes = fs::read_to_string(&skipped).unwrap_or_default();
    let noted = notes.lines().filter_map(Note::parse).collect::<BTreeSet<_>>();
    // The test runner counts a test that skips itself as passed.
    let tests = noted.iter().filter(|note| note.kind == "test").count().min(outcome.passed);
    outcome.passed -= tests;
    outcome.skipped += tests;
    for note in &noted {
        *remarks.entry(note.reason.to_owned()).or_default() += 1;
    }
    outcome.remark = reasons(&remarks);
    if !failed.is_empty() && failed.len() == outcome.failed && passes_alone(&mut cargo, &failed)? {
        outcome.passes_again(BTreeSet::from_iter(failed));
    }
    Ok(outcome)
}

/// Runs the failed tests of a command once more, one at a time. A test that passes then depends on the load of the
/// machine.
fn passes_alone(cargo: &mut Command, failed: &[String]) -> Result<bool> {
    // The output of a test that runs itself in another process names it twice.
    let failed = BTreeSet::from_iter(failed);
    println!("  running {} failed tests again, alone", failed.len());
    let ended = program::run(cargo.args(["--", "--exact", "--test-threads", "1"]).args(&failed))?;
    let again = runner_output::cargo_test(ended.success, ended.output);
    Ok(again.failed == 0 && again.passed >= failed.len())
}

/// A line about a skipped test.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Note<'a> {
    kind: &'a str,
    package: &'a str,
    test: &'a str,
    reason: &'a str,
}

impl<'a> Note<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.splitn(4, '\t');
        let mut next = || words.next();
        Some(Note { kind: next()?, package: next()?, test: next()?, reason: next()? })
    }
}

/// Each reason with the number of tests.
fn reasons(counts: &BTreeMap<String, usize>) -> String {
    let texts: Vec<_> = counts.iter().map(|(reason, count)| format!("skipped {count}: {reason}")).collect();
    texts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_has_four_parts() {
        let note = Note::parse("test\taqueduct-os\ta::b\tno git\there").expect("a note");
        assert_eq!(
            (note.kind, note.package, note.test, note.reason),
            ("test", "aqueduct-os", "a::b", "no git\there")
        );
        assert!(Note::parse("test\taqueduct-os").is_none());
    }

    #[test]
    fn reasons_are_counted() {
        let counts = BTreeMap::from([("no git".to_owned(), 2), ("no perl".to_owned(), 1)]);
        assert_eq!(reasons(&counts), "skipped 2: no git; skipped 1: no perl");
    }
}
