//! What cargo and its test runner print, read for counts and for what matters.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Outcome;

/// The outcome of `cargo test`: the sum of its `test result:` lines. A run that failed without one
/// (it did not compile) is one failure.
pub(super) fn cargo_test(success: bool, output: String) -> Outcome {
    let mut outcome = Outcome::default();
    for line in output.lines().filter_map(|line| line.trim().strip_prefix("test result: ")) {
        outcome.passed += count(line, "passed");
        outcome.failed += count(line, "failed");
        outcome.skipped += count(line, "ignored");
    }
    if !success && outcome.failed == 0 {
        outcome.failed = 1;
    }
    if success && outcome.passed == 0 {
        return Outcome::failed(format!("{output}\nno test ran"));
    }
    outcome.text = failures(&output);
    outcome
}

/// The names of the tests that failed, as the list `failures:` of each program has them. A doc test is named with its
/// file, by which no filter finds it: it is left out.
pub(super) fn failed_tests(output: &str) -> Vec<String> {
    let lists = output.split("\nfailures:\n").skip(1);
    let names = lists.flat_map(|list| list.lines().map_while(|line| line.strip_prefix("    ")));
    names.filter(|name| !name.contains(' ')).map(str::to_owned).collect()
}

/// Why tests are marked as ignored, with the number of tests: `test a ... ignored, started by another test`.
pub(super) fn ignored_tests(output: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in output.lines().filter_map(|line| line.strip_prefix("test ")) {
        if let Some((_, rest)) = line.split_once(" ... ignored") {
            let reason = rest.strip_prefix(", ").unwrap_or("ignored without a reason");
            *counts.entry(reason.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// The files and the names of browser tests that failed: ` FAIL  e2e/phone.test.ts > menus > opens`.
pub(super) fn failed_vitest(output: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let failed = output.lines().filter_map(|line| line.trim().strip_prefix("FAIL "));
    let named: Vec<&str> = failed.map(str::trim).filter(|name| name.contains(".test.")).collect();
    let file = |name: &&str| name.split_whitespace().next().unwrap_or_default().to_owned();
    (named.iter().map(file).collect(), named.iter().map(|name| (*name).to_owned()).collect())
}

/// The outcome of a script of npm: the counts of vitest, where that ran (`Tests  1 failed | 69 passed (70)`); else it
/// is one check.
pub(super) fn vitest(success: bool, output: String) -> Outcome {
    let Some(line) = output.lines().find_map(|line| line.trim().strip_prefix("Tests ")) else {
        return Outcome::single(success, output);
    };
    let line = line.split('(').next().unwrap_or(line);
    let (passed, failed) = (count(line, "passed"), count(line, "failed"));
    // A file that could not be read has no tests that fail.
    let failed = if success { failed } else { failed.max(1) };
    Outcome { passed, failed, skipped: count(line, "skipped"), text: output, ..Outcome::default() }
}

/// The outcome of Python's `unittest`: `Ran 17 tests in 7.789s`, then `OK (skipped=1)` or `FAILED (failures=1, errors=2)`.
pub(super) fn unittest(success: bool, output: String) -> Outcome {
    let ran = output.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse().ok());
    let Some(ran @ 1usize..) = ran else { return Outcome::failed(format!("{output}\nno test ran")) };
    let last = output.lines().rev().find(|line| line.starts_with("OK") || line.starts_with("FAILED"));
    let number = |name: &str| {
        let rest =
            last?.split([' ', '(', ',']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='))?;
        rest.trim_end_matches(')').parse::<usize>().ok()
    };
    let skipped = number("skipped").unwrap_or(0);
    let failed = number("failures").unwrap_or(0) + number("errors").unwrap_or(0);
    let failed = if success { failed } else { failed.max(1) };
    let passed = ran.saturating_sub(failed + skipped);
    Outcome { passed, failed, skipped, text: output, ..Outcome::default() }
}

/// The number before a word: `ok. 12 passed; 0 failed; 1 ignored`.
fn count(line: &str, word: &str) -> usize {
    let number = line.split(['.', ';', '|']).find_map(|part| part.trim().strip_suffix(word));
    number.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

/// The output without the tests that passed and the crates that built.
pub(super) fn failures(output: &str) -> String {
    let mut kept: Vec<&str> = output.lines().filter(|line| !is_fine(line)).collect();
    kept.dedup_by(|line, before| line.is_empty() && before.is_empty());
    kept.join("\n").trim_start_matches('\n').to_owned()
}

fn is_fine(line: &str) -> bool {
    let passed = line.starts_with("test ") && line.ends_with("... ok");
    let summary =
        line.starts_with("test result: ok") || (line.starts_with("running ") && line.ends_with("tests"));
    let progress = line.split_whitespace().next().is_some_and(|word| PROGRESS.contains(&word));
    passed || summary || progress
}

/// How cargo's lines begin when all goes well.
const PROGRESS: &[&str] = &[
    "Blocking",
    "Checking",
    "Compiling",
    "Documenting",
    "Downloaded",
    "Downloading",
    "Finished",
    "Fresh",
    "Locking",
    "Running",
    "Updating",
];

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
   Compiling xtask v0.1.0
test a ... ok
test b ... FAILED
test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: ok. 41 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    #[test]
    fn counts_are_added_up() {
        let outcome = cargo_test(false, OUTPUT.to_owned());
        assert_eq!((outcome.passed, outcome.failed, outcome.skipped), (42, 1, 2));
        assert!(outcome.text.starts_with("test b ... FAILED"), "{}", outcome.text);
    }

    #[test]
    fn failed_tests_are_named() {
        let output = "\nfailures:\n\n---- b stdout ----\n    at b\n\nfailures:\n    b\n    src/lib.rs - a (line 3)\n\ntest";
        assert_eq!(failed_tests(output), ["b"]);
    }

    #[test]
    fn a_run_that_does_not_compile_is_a_failure() {
        let outcome = cargo_test(false, "error: expected `;`".to_owned());
        assert_eq!((outcome.passed, outcome.failed), (0, 1));
    }

    #[test]
    fn vitest_is_counted_where_it_ran() {
        let ran = vitest(false, " Test Files  1 failed (3)\n      Tests  1 failed | 69 passed (70)\n".into());
        assert_eq!((ran.passed, ran.failed), (69, 1));
        let broken = vitest(false, "      Tests  3 passed (3)\n".into());
        assert_eq!((broken.passed, broken.failed), (3, 1));
        assert_eq!(vitest(true, "dist is what the sources give\n".into()).passed, 1);
    }

    #[test]
    fn unittest_is_counted() {
        let counts = |success, output: &str| {
            let outcome = unittest(success, output.to_owned());
            (outcome.passed, outcome.failed, outcome.skipped)
        };
        assert_eq!(counts(true, "...\nRan 3 tests in 0.1s\n\nOK\n"), (3, 0, 0));
        assert_eq!(counts(true, "Ran 3 tests in 0.1s\n\nOK (skipped=1)\n"), (2, 0, 1));
        assert_eq!(
            counts(false, "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n"),
            (1, 3, 1)
        );
        assert_eq!(counts(true, "Ran 0 tests in 0.0s\n\nOK\n"), (0, 1, 0));
    }

    #[test]
    fn ignored_tests_are_counted_by_reason() {
        let output = "test a ... ignored, started by b\ntest b ... ok\ntest c ... ignored, started by b\ntest d ... ignored\n";
        let expected = [("ignored without a reason".to_owned(), 1), ("started by b".to_owned(), 2)];
        assert_eq!(ignored_tests(output), BTreeMap::from(expected));
    }

    #[test]
    fn failed_browser_tests_are_named_with_their_file() {
        let output = " FAIL  e2e/a.test.ts > menus > opens\n FAIL  e2e/a.test.ts > menus > opens\nAssertionError: no\n FAIL  e2e/b.test.ts [ e2e/b.test.ts ]\n";
        let (files, names) = failed_vitest(output);
        assert_eq!(files.into_iter().collect::<Vec<_>>(), ["e2e/a.test.ts", "e2e/b.test.ts"]);
        let expected = ["e2e/a.test.ts > menus > opens", "e2e/b.test.ts [ e2e/b.test.ts ]"];
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_test_at_all_is_a_failure() {
        assert_eq!(cargo_test(true, String::new()).failed, 1);
    }
}
