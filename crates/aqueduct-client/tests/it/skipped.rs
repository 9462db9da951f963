//! Tests that this machine can't run. The test runner shows nothing of a test that passes, so the reason goes into
//! the file that `cargo xtask test` names and reports from.

use std::fs::OpenOptions;
use std::io::Write;

/// Where the reasons are collected.
const FILE: &str = "AQUEDUCT_TEST_SKIPPED";

/// Whether the test that calls it needs what the portable implementation of aqueduct-os can't do, and is skipped for it.
pub(crate) fn on_portable(reason: &str) -> bool {
    if cfg!(aqueduct_portable) {
        note(&format!("the portable implementation can't {reason}"));
    }
    cfg!(aqueduct_portable)
}

/// Notes why the test that calls it is skipped, or a part of it.
fn note(reason: &str) {
    eprintln!("skipped: {reason}");
    if let Some(path) = std::env::var_os(FILE) {
        let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
        writeln!(file, "{reason}").unwrap();
    }
}
