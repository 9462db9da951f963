//! Modules of a crate depend on each other in one direction. A node is a top-level module of a crate, an edge is a
//! `crate::other` path in its code without tests; a cycle is a strongly connected component of them.

use std::collections::{BTreeMap, BTreeSet};

use super::code;
use super::finding::Finding;
use super::tree::{File, Tree};

/// A cycle may have as many modules.
const LARGEST: usize = 3;

/// The modules that each module of a crate names.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.crates().flat_map(|dir| of_crate(tree, dir)).collect()
}

fn of_crate(tree: &Tree, dir: &str) -> Vec<Finding> {
    let source = format!("{dir}/src");
    let too_large = cycles(&graph(tree, dir)).into_iter().filter(|cycle| cycle.len() > LARGEST);
    too_large
        .map(|cycle| {
            let what = format!(
                "{} modules depend on each other, {LARGEST} may: move what they share to a module below them ({})",
                cycle.len(),
                cycle.join(" ")
            );
            Finding::error(&source, None, what)
        })
        .collect()
}

fn graph(tree: &Tree, dir: &str) -> Graph {
    let mut graph = Graph::new();
    let prefix = format!("{dir}/src/");
    for file in tree.written(&[".rs"]) {
        let Some(inside) = file.path.strip_prefix(&prefix).filter(|inside| !is_test(inside)) else {
            continue;
        };
        let module = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
        if !matches!(module, "lib" | "main") {
            graph.entry(module.to_owned()).or_default().extend(named_by(file));
        }
    }
    let modules: BTreeSet<String> = graph.keys().cloned().collect();
    for (module, named) in &mut graph {
        named.retain(|other| other != module && modules.contains(other));
    }
    graph
}

fn is_test(inside: &str) -> bool {
    inside.ends_with("tests.rs") || inside.contains("/tests/")
}

/// The first names of all `crate::` paths in a file, before its test module.
fn named_by(file: &File) -> Vec<String> {
    let code = code::code(&file.text);
    let code = &code[..test_module(&code).unwrap_or(code.len())];
    let mut named = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let is_word = code[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric());
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            _ if is_word => {}
            Some(list) => named.extend(first_names(list)),
            None => named.extend(first_name(rest)),
        }
    }
    named
}

/// Where the module with a file's tests begins, if they are in the file.
fn test_module(code: &str) -> Option<usize> {
    code.match_indices("#[cfg(test)]").map(|(at, _)| at).find(|&at| {
        let item = code[at..].trim_start_matches("#[cfg(test)]").trim_start();
        let line = item.lines().next().unwrap_or_default();
        line.starts_with("mod ") && line.contains('{')
    })
}

fn first_name(path: &str) -> Option<String> {
    let end = path.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(path.len());
    (end > 0).then(|| path[..end].to_owned())
}

/// The first names of the paths in a list, up to the brace that closes it.
fn first_names(list: &str) -> Vec<String> {
    let (mut depth, mut start, mut names) = (0_usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.extend(first_name(list[start..at].trim_start()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// The sets of two or more modules each of which leads to all others of its set.
fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|module| (module.as_str(), reached_from(graph, module))).collect();
    let (mut seen, mut cycles) = (BTreeSet::new(), Vec::new());
    for (&module, others) in &reached {
        if seen.contains(module) {
            continue;
        }
        let cycle: Vec<String> = others
            .iter()
            .filter(|other| reached[**other].contains(module))
            .map(|name| (*name).to_owned())
            .collect();
        if cycle.len() > 1 {
            seen.extend(others.iter().copied().filter(|other| cycle.iter().any(|name| name == other)));
            cycles.push(cycle);
        }
    }
    cycles
}

fn reached_from<'g>(graph: &'g Graph, module: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(next) = open.pop() {
        let Some((_, named)) = graph.get_key_value(next) else { continue };
        for other in named {
            if reached.insert(other.as_str()) {
                open.push(other);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    /// A crate whose modules name the next ones in a ring.
    fn ring(name: &str, modules: &[&str]) -> Tree {
        let mut files = vec![(format!("crates/{name}/Cargo.toml"), String::new())];
        for (at, module) in modules.iter().enumerate() {
            let next = modules[(at + 1) % modules.len()];
            files.push((format!("crates/{name}/src/{module}.rs"), format!("use crate::{next}::Thing;")));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        Tree::of(&files)
    }

    #[test]
    fn a_cycle_of_four_is_too_large() {
        assert_eq!(lines(&check(&ring("x", &["a", "b", "c"]))), Vec::<String>::new());
        assert_eq!(
            lines(&check(&ring("x", &["a", "b", "c", "d"]))),
            [
                "crates/x/src: 4 modules depend on each other, 3 may: move what they share to a module below them (a b c d)"
            ]
        );
    }
    #[test]
    fn files_of_a_folder_are_one_module() {
        let tree = Tree::of(&[
            ("crates/x/Cargo.toml", ""),
            ("crates/x/src/lib.rs", "mod a; mod b; use crate::a::Thing;"),
            ("crates/x/src/a/mod.rs", "mod part;"),
            ("crates/x/src/a/part.rs", "use crate::b;"),
            ("crates/x/src/b.rs", "use crate::{\n    c::{d, e},\n    a,\n};"),
        ]);
        assert_eq!(cycles(&graph(&tree, "crates/x")), [["a", "b"]]);
    }

    #[test]
    fn comments_and_tests_are_not_edges() {
        let tree = Tree::of(&[
            ("crates/x/Cargo.toml", ""),
            ("crates/x/src/a.rs", "use crate::b;\nuse other_crate::c;"),
            ("crates/x/src/b.rs", "//! See crate::a.\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}"),
            ("crates/x/src/b/tests.rs", "use crate::a;"),
            ("crates/x/src/c.rs", "#[cfg(test)]\nuse x;\nuse crate::a;"),
        ]);
        let graph = graph(&tree, "crates/x");
        assert_eq!(cycles(&graph), Vec::<Vec<String>>::new());
        assert_eq!(graph["c"].iter().collect::<Vec<_>>(), ["a"]);
        assert_eq!(graph["a"].iter().collect::<Vec<_>>(), ["b"]);
    }
}
