//! The linker scripts of the programs name functions of our crates that exist.
//!
//! Names in them are prefixes of symbols. A function that was moved or renamed is not placed with the others any more, and
//! nothing fails: the program only needs more memory. `cargo xtask layout --check` compares the scripts with a build;
//! this compares their modules and names with the sources, which takes no time.

use std::collections::HashMap;

use super::finding::Finding;
use super::tree::Tree;

const SCRIPTS: &[&str] = &["crates/aqueduct-agent/layout.ld", "crates/aqueduct/layout.ld"];

/// How crates of ours begin.
const OURS: &str = "aqueduct";

/// The share of names that may be unknown. Small changes of a program need no new script.
const UNKNOWN: f64 = 0.1;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = Sources::of(tree);
    SCRIPTS.iter().flat_map(|file| check_script(tree, &sources, file)).collect()
}

fn check_script(tree: &Tree, sources: &Sources<'_>, file: &str) -> Vec<Finding> {
    let Some(script) = tree.get(file) else {
        return vec![Finding::error(file, None, "there is no linker script: run cargo xtask layout")];
    };
    let names: Vec<_> = script.lines().filter_map(|(line, text)| Some((line, path(text)?))).collect();
    let unknown: Vec<_> = names.iter().filter(|(_, path)| !sources.have(path)).collect();
    let share = unknown.len() as f64 / names.len().max(1) as f64;
    let what = format!(
        "{} of {} names of our crates ({:.0} %) are not in their sources",
        unknown.len(),
        names.len(),
        100.0 * share
    );
    match unknown.first() {
        None => Vec::new(),
        Some((line, path)) if share > UNKNOWN => {
            let what = format!("{what}, the first is {}: run cargo xtask layout", path.join("::"));
            vec![Finding::error(file, Some(*line), what)]
        }
        Some((line, _)) => vec![Finding::note(file, Some(*line), what)],
    }
}

/// The text of each module: `aqueduct_wire::json::reader`, with the text of the modules below it.
struct Sources<'a>(HashMap<String, Vec<&'a str>>);

impl<'a> Sources<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut modules: HashMap<String, Vec<&str>> = HashMap::new();
        for file in tree.files() {
            let Some(path) = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix(".rs"))
            else {
                continue;
            };
            let Some((krate, inside)) = path.split_once("/src/") else { continue };
            let mut module = krate.replace('-', "_");
            modules.entry(module.clone()).or_default().push(&file.text);
            for part in inside.split('/').filter(|part| !matches!(*part, "lib" | "main" | "mod")) {
                module = format!("{module}::{part}");
                modules.entry(module.clone()).or_default().push(&file.text);
            }
        }
        Self(modules)
    }

    /// Whether the modules of a path exist, and what follows them is a word in the last one.
    fn have(&self, path: &[&str]) -> bool {
        let mut parts = path.iter();
        let Some(mut texts) = parts.next().and_then(|krate| self.0.get(*krate)) else { return false };
        let mut module = path[0].to_owned();
        for part in parts {
            module = format!("{module}::{part}");
            match self.0.get(&module) {
                Some(below) => texts = below,
                // What the tables' macros make is in a constant without a name.
                None => return *part == "_" || texts.iter().any(|text| has_word(text, part)),
            }
        }
        true
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// The first path into a crate of ours in a line of the script. Symbols have names behind their lengths, and inside of
/// types names between `..`.
fn path(line: &str) -> Option<Vec<&str>> {
    let line = line.trim().strip_prefix("*(.text")?;
    let from = line.find(OURS)?;
    let (krate, mut rest) = name(&line[from..])?;
    let Some(length) = length_before(&line[..from]) else {
        let mut path = vec![krate];
        while let Some((part, after)) = rest.strip_prefix("..").and_then(name) {
            path.push(part);
            rest = after;
        }
        return Some(path);
    };
    let mut path = vec![line.get(from..from + length)?];
    rest = line.get(from + length..)?;
    while let Some(digits) = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0) {
        let Some(length) = rest[..digits].parse::<usize>().ok() else { break };
        // The hash at the end of a symbol looks like a name, and is left out of patterns.
        let Some(part) = rest.get(digits..digits + length) else { break };
        path.push(part);
        rest = &rest[digits + length..];
    }
    Some(path)
}

/// A name at the beginning, and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The number at the end.
fn length_before(text: &str) -> Option<usize> {
    let start = text.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    text[start..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Weight;
    use super::*;

    fn tree(lines: &[&str]) -> Tree {
        let script = lines.iter().map(|line| format!("    *(.text*{line})\n")).collect::<String>();
        Tree::of(&[
            (SCRIPTS[0], &script),
            (SCRIPTS[1], "*(.text._ZN4core3fmt*)"),
            ("crates/aqueduct-wire/src/lib.rs", "pub mod json;"),
            ("crates/aqueduct-wire/src/json/mod.rs", "mod reader;"),
            ("crates/aqueduct-wire/src/json/reader.rs", "pub struct Reader; fn next_key() {}"),
        ])
    }

    #[test]
    fn names_that_exist_are_fine() {
        let known = [
            "_ZN13aqueduct_wire4json6reader6Reader8next_key*",
            "_ZN13aqueduct_wire4json*",
            "_ZN*_$LT$aqueduct_wire..json..reader..Reader$u20$as$u20$core..fmt..*",
            "_ZN4core3ptr51drop_in_place$LT$aqueduct_wire..json..Reader$GT$17h*",
            "_ZN4core3fmt5write*",
        ];
        assert_eq!(check(&tree(&known)).len(), 0);
    }

    #[test]
    fn many_unknown_names_are_an_error_and_few_a_note() {
        let moved = "_ZN13aqueduct_wire4text6reader*";
        let of = |lines: &[&str]| check(&tree(lines)).into_iter().map(|f| f.weight).collect::<Vec<_>>();
        assert_eq!(of(&[moved]), [Weight::Error]);
        assert_eq!(of(&["_ZN*_$LT$aqueduct_gone..json..Reader$GT$*"]), [Weight::Error]);
        let known = ["_ZN13aqueduct_wire4json6reader*"; 20];
        assert_eq!(of(&[&known[..], &[moved]].concat()), [Weight::Note]);
    }
}
