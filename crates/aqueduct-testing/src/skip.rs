//! Skipped tests and their reasons.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::{env, thread};

use crate::{Missing, Requirement};

/// The promised requirements.
const REQUIRED: &str = "AQUEDUCT_TEST_REQUIRE";

/// The file with the skipped tests.
const SKIPPED: &str = "AQUEDUCT_TEST_SKIPPED";

/// Skips the test that calls it, which returns right after. [`crate::require!`] does both.
///
/// # Panics
///
/// If the requirement is promised.
pub fn skip(missing: &Missing) {
    report("test", missing);
}

/// Skips a part of the test that calls it, which continues.
///
/// # Panics
///
/// If the requirement is promised.
pub fn skip_part(missing: &Missing) {
    report("part", missing);
}

fn report(kind: &str, missing: &Missing) {
    let promised = env::var(REQUIRED).unwrap_or_default();
    match is_promised(&promised, missing.requirement) {
        Ok(false) => {}
        Ok(true) => panic!("{REQUIRED} promises {}, which is missing: {missing}", missing.requirement.name()),
        Err(unknown) => panic!("{REQUIRED} has an unknown requirement: {unknown}"),
    }
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = thread::current();
    let test = thread.name().unwrap_or_default();
    // The test runner hides what a test that passes prints with macros. This is shown.
    let _ = writeln!(io::stderr(), "skipped {kind} {test}: {missing}");
    if let Some(path) = env::var_os(SKIPPED) {
        // One write: other tests write to the same file.
        let line = format!("{kind}\t{package}\t{test}\t{}\n", missing.reason.replace(['\t', '\n'], " "));
        let written = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        if let Err(error) = written {
            panic!("cannot write to the file in {SKIPPED}: {error}");
        }
    }
}

/// Whether a list has a requirement. The error is a name that is no requirement's.
fn is_promised(list: &str, requirement: Requirement) -> Result<bool, &str> {
    let mut names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let is_known = |name: &&str| Requirement::ALL.iter().any(|known| known.name() == *name);
    match names.clone().find(|name| !is_known(name)) {
        Some(unknown) => Err(unknown),
        None => Ok(names.any(|name| name == requirement.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_names_requirements() {
        assert_eq!(is_promised("", Requirement::Git), Ok(false));
        assert_eq!(is_promised("bubblewrap, git", Requirement::Git), Ok(true));
        assert_eq!(is_promised("git", Requirement::Root), Ok(false));
        assert_eq!(is_promised("git,gti", Requirement::Git), Err("gti"));
    }
}
