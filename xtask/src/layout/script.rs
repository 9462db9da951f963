//! The linker script.

use std::collections::HashSet;

use super::symbols::is_mangled;

/// Functions that are placed together.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) patterns: Vec<String>,
}

const TAIL: &str = "\
}
INSERT BEFORE .text;
";

/// What is before a symbol in the name of its section: the compiler puts `.unlikely` between the two for some.
const SECTION: &str = ".text.";
const ANY_SECTION: &str = ".text*";

/// A pattern that an earlier group has is not written again.
pub(super) fn write(about: &str, groups: &[Group]) -> String {
    let mut text = format!(
        "/* Written by `cargo xtask layout`: functions that run {about}, placed next to one another so that\n   \
         few pages of code are mapped. build.rs gives this file to the linker. Names are prefixes of symbols. */\n\n\
         SECTIONS\n{{\n"
    );
    let mut seen = HashSet::new();
    for group in groups {
        text.push_str(&format!("  /* {} */\n  .text.{} :\n  {{\n", group.about, group.name));
        for pattern in group.patterns.iter().filter(|pattern| seen.insert(pattern.as_str())) {
            let section = if is_mangled(pattern) { ANY_SECTION } else { SECTION };
            text.push_str(&format!("    *({section}{pattern})\n"));
        }
        text.push_str("  }\n");
    }
    text + TAIL
}

/// The patterns of symbols in a script.
pub(super) fn patterns(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let section = line.trim().strip_prefix("*(")?.strip_suffix(')')?;
        section.strip_prefix(SECTION).or_else(|| section.strip_prefix(ANY_SECTION))
    })
}

/// Whether a pattern matches a symbol, as linkers do it: `*` is any text, all else is itself.
pub(super) fn matches(pattern: &str, symbol: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| symbol.strip_prefix(first)) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_they_were_written() {
        let group = |name, patterns: &[&str]| Group {
            name,
            about: "what runs",
            patterns: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        };
        let text =
            write("always", &[group("start", &["_ZN1a*", "memcpy"]), group("turn", &["_ZN1a*", "_ZN1b*"])]);
        assert_eq!(patterns(&text).collect::<Vec<_>>(), ["_ZN1a*", "memcpy", "_ZN1b*"]);
    }

    #[test]
    fn a_star_is_any_text() {
        assert!(matches("_ZN*core*17h*", "_ZN4core3fmt17h00E"));
        assert!(matches("memcpy", "memcpy"));
        assert!(!matches("memcpy", "memcpy2"));
        assert!(!matches("_ZN*alloc*", "_ZN4core3fmt17h00E"));
        assert!(matches("a*b", "a b c b"));
        assert!(!matches("a*b", "a b c"));
    }
}
