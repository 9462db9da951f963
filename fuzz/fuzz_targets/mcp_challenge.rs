//! Any text as the challenge of an MCP server: read or not, never a panic. What is quoted is read as it was, whatever precedes
//! it.
#![no_main]

use challenge::SignInChallenge;
use libfuzzer_sys::fuzz_target;

// The crate would bring HTTP and TLS.
#[allow(dead_code)]
#[path = "../../crates/aqueduct-mcp/src/auth/challenge.rs"]
mod challenge;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let read = SignInChallenge::read(&text);
    assert!(read.is_none() || text.to_ascii_lowercase().contains("bearer"), "{text:?}");
    if text.is_empty() {
        return;
    }
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let read =
        SignInChallenge::read(&format!("Basic a=\"{quoted}\", Bearer b=\"{quoted}\", scope=\"{quoted}\""));
    assert_eq!(read.and_then(|challenge| challenge.scope).as_deref(), Some(&*text));
});
