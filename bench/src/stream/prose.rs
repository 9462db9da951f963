//! Invented text: answers and thinking of a model, code, and output of programs.

use super::random::Random;

const WORDS: &[&str] = &[
    "the", "a", "channel", "spring", "arch", "gradient", "valve", "and", "then", "because", "of", "flow",
    "carries", "water", "down", "to", "basin", "settles", "through", "stone", "mortar", "leak", "is",
    "measured", "at", "each", "joint", "we", "should", "check", "first", "whether", "pressure", "drops",
    "before", "siphon", "that", "function", "returns", "early", "when", "empty", "so", "test", "fails",
    "with", "timeout", "update", "config", "reader", "loop", "keeps", "buffer", "in", "place", "it", "works",
];

/// Words that need more than one byte a letter.
const WIDE: &[&str] = &["größe", "—", "→", "水道", "naïve", "✓", "“arch”", "água", "💧", "…", "ключ", "3 µm"];

/// Lines of code. As JSON they have an escape for every 24 bytes, line ends included; a sample of 1500 Rust
/// and Python files had one for every 30.
const CODE: &[&str] = &[
    "fn slope(rise: f64, run: f64) -> f64 {",
    "    rise / run",
    "}",
    "",
    "    // Water finds its way; the reader must too. A joint that leaks is found by what comes out.",
    "    for (index, joint) in joints.iter().enumerate() {",
    "            return Err(Leak { at: index, litres: 0.25 });",
    "        let level = basin.level_at(index).unwrap_or(previous.level) - joint.loss();",
    "use std::collections::BTreeMap;",
    "const LEVELS: [u32; 4] = [12, 48, 96, 1024];",
    "    /// How much water passes the arch in an hour, with the valve as it is now.",
    "    pub fn flow(&self, valve: &Valve, hours: u32) -> Result<Litres, Leak> {",
    "        self.joints.iter().map(|joint| joint.flow(valve)).sum::<Litres>() * hours",
    "\tif let Some(\"basin\") = name.as_deref() {",
    "        println!(\"level: {level:>8.3} \\\"m\\\"\");",
    "        let path = format!(\"C:\\\\data\\\\{index}.csv\");",
    "  \"scripts\": { \"test\": \"vitest run\" },",
    "def settle(basin, hours=12, *, keep_valve_open=False):",
    "    while basin.level > LOWEST and hours > 0:",
    "        hours -= 1",
];

/// About `length` bytes of sentences.
pub(super) fn text(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        let word = if random.percent(2) { random.one_of(WIDE) } else { random.one_of(WORDS) };
        text.push_str(word);
        text.push_str(match random.between(0, 99) {
            0..=5 => ". ",
            6..=9 => ", ",
            10 => ".\n\n",
            11 => "\n- ",
            12 => " \"as is\" ",
            13 => " `cargo test` ",
            _ => " ",
        });
    }
    text
}

/// About `length` bytes of source code, without line numbers.
pub(super) fn code(random: &mut Random, length: usize) -> String {
    let mut code = String::with_capacity(length + 80);
    while code.len() < length {
        code.push_str(random.one_of(CODE));
        code.push('\n');
    }
    code
}

/// About `length` bytes as a program prints them: paths, times, colours, now and then a line of text.
pub(super) fn output(random: &mut Random, length: usize) -> String {
    let mut output = String::with_capacity(length + 120);
    while output.len() < length {
        let line = match random.between(0, 9) {
            0..=2 => format!("src/{}/{}.rs:{}:", word(random), word(random), random.between(1, 900)),
            3..=4 => format!("test {}::{} ... \u{1b}[32mok\u{1b}[0m", word(random), word(random)),
            5 => format!("drwxr-xr-x\t2 dev dev\t{}\t{}/", random.between(64, 99999), word(random)),
            6..=7 => code(random, 20).trim_end().to_owned(),
            _ => text(random, 60),
        };
        output.push_str(&line);
        output.push('\n');
    }
    output
}

/// One plain word.
pub(super) fn word(random: &mut Random) -> &'static str {
    random.one_of(WORDS)
}

/// Cuts text into the pieces in which a model sends it: `low` to `high` bytes each.
pub(super) fn pieces<'t>(random: &mut Random, mut text: &'t str, low: usize, high: usize) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let at = text.ceil_char_boundary(random.between(low, high).min(text.len()));
        let (piece, rest) = text.split_at(at);
        pieces.push(piece);
        text = rest;
    }
    pieces
}
