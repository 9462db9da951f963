//! Any bytes as a file of an agent's stderr are read without a panic, and what was read is the same when it is written
//! again.

#![no_main]
// Only the file's module is built: the rest of the bridge would take minutes to instrument.
#![allow(dead_code, unreachable_pub)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/aqueduct-bridge/src/keeper/stderr.rs"]
mod stderr;

fuzz_target!(|data: &[u8]| {
    let lines = stderr::stderr_lines(data);
    let written: String = lines.iter().map(|line| format!("{} {}\n", line.time, line.text)).collect();
    assert_eq!(stderr::stderr_lines(written.as_bytes()), lines);
});
