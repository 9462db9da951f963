//! A type name is defined once in the product code of all crates, so that the name alone shows which type is
//! meant. Types of the same idea may share a name: they are in a table, each with its reason.

use std::collections::BTreeMap;

use super::code;
use super::finding::Finding;
use super::tree::{File, Tree};

/// Names of several types that are the same idea, and why they share the name.
const SHARED: &[(&str, &str)] = &[
    ("Args", "the arguments of one command, as clap names them"),
    ("Asset", "a file of the web UI, and the form in which a program passes it to the bridge"),
    ("ChildEnd", "the implementations for Linux and for other systems"),
    ("Directory", "a public type of aqueduct-rules, and a message of the bridge's API"),
    ("Error", "the error of a crate, by Rust's custom"),
    ("OtlpExport", "the export of telemetry, and what is in its place in a program that is built without it"),
    ("PermissionRequest", "a request for permission: in the SDK, and as a message of the bridge's API"),
    ("PlatformHandle", "the implementations for Linux and for other systems"),
    ("Todo", "an item of the model's list: in the protocol, and in the view of a session"),
    ("ToolCall", "a call of a tool: in the protocol, and in the view of a session"),
];

/// Macros of the tables of the protocol and of the bridge's API. The first name in each is that of a type.
const TABLES: &[&str] =
    &["record!", "union!", "names!", "either!", "request!", "reply!", "stored!", "live!", "named!"];

const KEYWORDS: &[&str] = &["struct", "enum", "trait", "union", "type"];

const THIS_FILE: &str = "xtask/src/tidy/type_names.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    check_with(tree, SHARED)
}

fn check_with(tree: &Tree, shared: &[(&str, &str)]) -> Vec<Finding> {
    let mut types: BTreeMap<String, Vec<(&str, usize)>> = BTreeMap::new();
    for (file, code) in product_files(tree) {
        for (name, line) in definitions(&code) {
            types.entry(name).or_default().push((&file.path, line));
        }
    }
    let is_shared = |name: &str| shared.iter().any(|(shared, _)| *shared == name);
    let repeated = types.iter().filter(|(name, _)| !is_shared(name)).flat_map(|(name, places)| {
        let (first, _) = places[0];
        places[1..].iter().map(move |(path, line)| {
            let what = format!(
                "the type name {name} is also defined in {first}: name one of them after its domain, or add \
                 the name to SHARED in {THIS_FILE} if both are the same idea"
            );
            Finding::error(path, *line, what)
        })
    });
    let unused = shared
        .iter()
        .filter(|(name, _)| types.get(*name).is_none_or(|places| places.len() < 2))
        .map(|(name, _)| {
            Finding::error(THIS_FILE, None, format!("{name} is defined only once: remove it from SHARED"))
        });
    repeated.chain(unused).collect()
}

/// Files of crates that are not compiled for tests alone, with their code outside of tests.
fn product_files(tree: &Tree) -> Vec<(&File, String)> {
    let mut files = Vec::new();
    let mut test_modules = Vec::new();
    for file in tree.written(&[".rs"]) {
        let Some((crate_path, _)) = file.path.split_once("/src/") else { continue };
        if !crate_path.starts_with("crates/") {
            continue;
        }
        let (code, modules) = without_tests(&code::code(&file.text));
        let folder = module_folder(&file.path);
        test_modules.extend(modules.into_iter().map(|module| format!("{folder}/{module}")));
        files.push((file, code));
    }
    files.retain(|(file, _)| {
        !test_modules.iter().any(|module| {
            file.path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    });
    files
}

/// The folder of the modules that a file declares.
fn module_folder(path: &str) -> &str {
    ["/mod.rs", "/lib.rs", "/main.rs", ".rs"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path)
}

/// The code without items for tests, and the names of the modules among them that are files.
fn without_tests(code: &str) -> (String, Vec<String>) {
    let (mut kept, mut modules, mut rest) = (String::with_capacity(code.len()), Vec::new(), code);
    while let Some(at) = rest.find("#[cfg(") {
        let attribute = &rest[at..rest[at..].find(']').map_or(rest.len(), |end| at + end + 1)];
        let condition = attribute.split(|c: char| c != '_' && !c.is_alphanumeric());
        if !condition.into_iter().any(|word| matches!(word, "test" | "doctest")) || attribute.contains("not(")
        {
            kept.push_str(&rest[..at + attribute.len()]);
            rest = &rest[at + attribute.len()..];
            continue;
        }
        kept.push_str(&rest[..at]);
        let item = &rest[at..at + attribute.len() + item_length(&rest[at + attribute.len()..])];
        if let Some(name) = item.strip_suffix(';').and_then(|item| item.rsplit_once("mod ")) {
            modules.push(name.1.to_owned());
        }
        kept.extend(item.chars().filter(|c| *c == '\n'));
        rest = &rest[at + item.len()..];
    }
    kept.push_str(rest);
    (kept, modules)
}

/// How long an item is: to its semicolon or the end of its braces.
fn item_length(code: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The names of types that code defines, with their lines. Associated types do not count: they are indented.
fn definitions(code: &str) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let mut is_table = false;
    for (index, line) in code.lines().enumerate() {
        let words = line.trim_start();
        if is_table {
            if words.is_empty() || words.starts_with('#') {
                continue;
            }
            is_table = false;
            names.extend(first_name(words).map(|name| (name, index + 1)));
        } else if TABLES.iter().any(|table| words.strip_prefix(table).is_some_and(|rest| rest.trim() == "{"))
        {
            is_table = true;
        } else if let Some((keyword, rest)) = without_visibility(words).split_once(' ')
            && KEYWORDS.contains(&keyword)
            && (keyword != "type" || words.len() == line.len())
        {
            names.extend(first_name(rest).map(|name| (name, index + 1)));
        }
    }
    names
}

fn without_visibility(words: &str) -> &str {
    let Some(rest) = words.strip_prefix("pub") else { return words };
    let rest = rest.strip_prefix('(').and_then(|scope| scope.split_once(')')).map_or(rest, |(_, rest)| rest);
    rest.trim_start()
}

fn first_name(words: &str) -> Option<String> {
    let end = words.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(words.len());
    words.starts_with(|c: char| c.is_ascii_uppercase()).then(|| words[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn a_name_is_defined_once() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "pub struct State;\nenum Step { A }\n// struct Note;\nmod inner;"),
            (
                "crates/a/src/inner.rs",
                "pub(crate) enum State { On }\nimpl Iterator for State {\n    type Item = u8;\n}",
            ),
            ("crates/b/src/lib.rs", "pub type Item = u8;\npub trait Note {}\npub(in crate::x) struct Step;"),
            ("crates/b/tests/it/main.rs", "struct State;"),
        ]);
        let also = |name: &str| {
            format!(
                "the type name {name} is also defined in crates/a/src/lib.rs: name one of them after its \
                 domain, or add the name to SHARED in {THIS_FILE} if both are the same idea"
            )
        };
        assert_eq!(
            lines(&check_with(&tree, &[])),
            [
                format!("crates/a/src/inner.rs:1: {}", also("State")),
                format!("crates/b/src/lib.rs:3: {}", also("Step"))
            ]
        );
    }

    #[test]
    fn tests_may_repeat_a_name() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "struct State;\n#[cfg(test)]\nmod fixture;\n#[cfg(test)]\nmod tests;"),
            ("crates/a/src/fixture.rs", "struct State;"),
            ("crates/a/src/tests/mod.rs", "struct State;"),
            (
                "crates/a/src/b.rs",
                "#[cfg(test)]\nmod tests {\n    struct State;\n}\n#[cfg(doctest)]\nstruct State;",
            ),
            ("crates/a/src/c.rs", "#[cfg(not(test))]\nstruct State;"),
        ]);
        let found: Vec<_> =
            check_with(&tree, &[]).into_iter().map(|finding| (finding.path, finding.line)).collect();
        assert_eq!(found, [("crates/a/src/c.rs".to_owned(), Some(2))]);
    }

    #[test]
    fn rows_of_tables_define_types() {
        let tree = Tree::of(&[
            (
                "crates/a/src/frame.rs",
                "record! {\n    /// A call.\n    ToolCall<'a> {\n        essential {}\n    }\n}",
            ),
            ("crates/b/src/view.rs", "pub struct ToolCall {\n}"),
        ]);
        let found: Vec<_> =
            check_with(&tree, &[]).into_iter().map(|finding| (finding.path, finding.line)).collect();
        assert_eq!(found, [("crates/b/src/view.rs".to_owned(), Some(1))]);
        assert_eq!(check_with(&tree, &[("ToolCall", "the same idea")]), []);
    }

    #[test]
    fn the_list_of_shared_names_has_no_others() {
        let tree = Tree::of(&[("crates/a/src/lib.rs", "struct Error;")]);
        assert_eq!(
            lines(&check_with(&tree, &[("Error", "by custom")])),
            [format!("{THIS_FILE}: Error is defined only once: remove it from SHARED")]
        );
    }
}
