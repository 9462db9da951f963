//! Any text as a repository's configuration: settings or an error, never a panic. A setting that names a program is found
//! wherever it is added to a text that can be read.
#![no_main]

use aqueduct_rules::When;
use aqueduct_rules::git_config::{inspect, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let is_readable = parse(&text).is_ok();
    let found = inspect(&text);
    assert!(is_readable || found.program.is_some(), "{text:?} can't be read and passes for harmless");
    if !is_readable {
        return;
    }
    let more = format!("{text}\n[core]\nfsmonitor = x\n");
    let found = inspect(&more).program;
    assert!(found.is_some_and(|program| program.when == When::Anytime), "{more:?} hides its last setting");
});
