//! Few patterns for many functions.

use std::collections::{BTreeMap, HashSet};

use super::symbols::{Symbols, is_mangled, pieces};

/// A module or type whose functions ran to this part of its bytes is named as a whole.
const ENOUGH: f64 = 0.8;

/// What begins with the same pieces.
#[derive(Default)]
struct Node {
    size: u64,
    ran: u64,
    below: BTreeMap<String, Node>,
}

/// Patterns for the functions that ran: a whole crate, module or type where enough of it did, otherwise the function.
pub(super) fn covering(symbols: &Symbols, ran: &HashSet<String>) -> Vec<String> {
    let mut root = Node::default();
    for (name, size) in symbols.sizes() {
        let ran = if ran.contains(name) { size } else { 0 };
        let mut node = &mut root;
        for piece in pieces(name) {
            node = node.below.entry(piece).or_default();
            node.size += size;
            node.ran += ran;
        }
    }
    let mut patterns = Vec::new();
    for (piece, node) in &root.below {
        node.name(piece.clone(), &mut patterns);
    }
    patterns
}

impl Node {
    fn name(&self, pattern: String, patterns: &mut Vec<String>) {
        if self.ran == 0 {
            return;
        }
        let is_path = pattern != "_ZN";
        if is_path && (self.below.is_empty() || self.ran as f64 >= ENOUGH * self.size as f64) {
            patterns.push(if is_mangled(&pattern) { format!("{pattern}*") } else { pattern });
            return;
        }
        for (piece, node) in &self.below {
            node.name(format!("{pattern}{piece}"), patterns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(path: &str) -> String {
        let names = path.split("::").map(|name| format!("{}{name}", name.len()));
        format!("_ZN{}17h0123456789abcdefE", names.collect::<String>())
    }

    #[test]
    fn a_module_that_ran_is_one_pattern_and_a_function_of_another_is_one() {
        let lines = ["a::hot::one", "a::hot::two", "a::cold::one", "a::cold::two", "a::cold::three"]
            .map(|path| format!("0 10 t {}\n", symbol(path)))
            .concat();
        let symbols = Symbols::read(&format!("{lines}0 10 T memcpy\n0 10 T unused\n"));
        let ran = [symbol("a::hot::one"), symbol("a::hot::two"), symbol("a::cold::two"), "memcpy".to_owned()];
        let of = |ran: &[String]| covering(&symbols, &ran.iter().cloned().collect());
        assert_eq!(of(&ran[..1]), ["_ZN1a3hot3one*"], "half of its module ran");
        assert_eq!(of(&ran[..2]), ["_ZN1a3hot*"]);
        assert_eq!(of(&ran[2..]), ["_ZN1a4cold3two*", "memcpy"]);
        assert_eq!(of(&ran), ["_ZN1a3hot*", "_ZN1a4cold3two*", "memcpy"]);
    }
}
