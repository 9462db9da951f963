//! Sessions with agents of every kind: good ones, broken ones, and none.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod alone;
mod asking;
mod examples;
mod faults;
mod mcp;
mod options;
mod outcomes;
mod peer;
mod probe;
mod profiles;
mod prompts;
mod query;
mod queue;
#[cfg(feature = "rules")]
mod rules;
mod script;
mod start_failures;
mod transcript;
mod transports;
mod typed_hooks;
mod unread_events;
mod versions;
mod view;
mod withdrawal;

#[test]
fn no_test_file_is_forgotten() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(here).expect("the directory is there") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let module = name.strip_suffix(".rs").unwrap_or(&name);
        let is_listed = module == "main" || main.contains(&format!("mod {module};"));
        assert!(is_listed, "tests/it/{name} is not part of the tests");
    }
}
