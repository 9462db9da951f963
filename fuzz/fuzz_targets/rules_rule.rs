//! Any text as a rule: it is refused, or it is the same rule after printing. It is then matched with.
#![no_main]

use aqueduct_rules::{Behavior, Call, Context, Rule, Source, decide};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(rule) = Rule::parse(&text) {
        assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Ok(&rule));
    }
    let mut context = Context::new("/project").with_home("/home/me");
    let _ = context.add_rules(Source::Session, Behavior::Deny, [text.as_ref()]);
    for (tool, input) in [
        ("Bash", serde_json::json!({ "command": "git status && cat src/*.rs > ../out" })),
        ("Read", serde_json::json!({ "file_path": "/proj/src/a.rs" })),
        ("WebFetch", serde_json::json!({ "url": "https://sub.example.com/x" })),
        ("mcp__files__read", serde_json::json!({})),
    ] {
        decide(&context, &Call::new(tool, &input));
    }
});
