//! Any text as a settings file: read without a panic, and unchanged after a rule was added and removed.
#![no_main]

use aqueduct_rules::settings;
use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RuleValue};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    settings::read("fuzz", text);
    let rules = vec![RuleValue::with_content("Fresh", "never in the corpus")];
    let add = PermissionUpdate::add_rules(rules.clone(), RuleBehavior::Allow, Destination::LocalSettings);
    let remove = PermissionUpdate::remove_rules(rules, RuleBehavior::Allow, Destination::LocalSettings);
    if text.contains("Fresh") {
        return;
    }
    if let Ok(more) = settings::edit("fuzz", text, &add) {
        assert_eq!(settings::edit("fuzz", &more, &remove).as_deref(), Ok(text));
    }
});
