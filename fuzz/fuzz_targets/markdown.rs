//! Any text is a page: it becomes Markdown without a panic, no longer than a constant times the page, and nothing of a
//! script is left.

#![no_main]
// Only the converter is built: the rest of the tools would take minutes to instrument.
#![allow(dead_code, unreachable_pub, unused_imports)]

use libfuzzer_sys::fuzz_target;
use markdown::{Links, to_markdown};

#[path = "../../crates/aqueduct-tools/src/web/markdown/mod.rs"]
mod markdown;

/// Links whose text is their target.
struct Plain;

impl Links for Plain {
    fn set_base(&mut self, _: &str) {}

    fn resolve(&self, href: &str) -> Option<String> {
        Some(href.to_owned())
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(html) = std::str::from_utf8(data) else { return };
    let made = to_markdown(html, &mut Plain, usize::MAX);
    assert!(made.len() <= 64 * html.len() + 64, "{} of {}", made.len(), html.len());
    // What is cut off is the beginning of the same page, as far as it goes.
    let limit = html.len() / 2;
    assert!(to_markdown(html, &mut Plain, limit).len() <= made.len() + 64 * html.len() + 64);
    let hidden = format!("<script>{}</script>", html.replace('<', ""));
    assert_eq!(to_markdown(&hidden, &mut Plain, usize::MAX), "");
});
