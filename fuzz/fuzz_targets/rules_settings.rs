//! Any text as a settings file: read without a panic, and unchanged after a rule was added and removed.
#![no_main]

use aqueduct_rules::{Behavior, Operation, Rule, Source, settings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    settings::read("fuzz", text);
    let rules = vec![Rule::with_content("Fresh", "never in the corpus")];
    let (behavior, destination) = (Behavior::Allow, Source::LocalSettings);
    let add = Operation::AddRules { rules: rules.clone(), behavior, destination };
    let remove = Operation::RemoveRules { rules, behavior, destination };
    if text.contains("Fresh") {
        return;
    }
    if let Ok(more) = settings::edit("fuzz", text, &add) {
        assert_eq!(settings::edit("fuzz", &more, &remove).as_deref(), Ok(text));
    }
});
