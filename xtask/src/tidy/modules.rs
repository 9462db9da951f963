//! No forgotten file: every Rust file is a module of something, or it is never compiled and a test
//! in it never runs.

use super::code;
use super::finding::Finding;
use super::tree::{File, Tree};

/// Directories that hold one program each, by the root files that begin it.
const ROOTS: &[(&str, &[&str])] = &[("/src/", &["lib.rs", "main.rs"]), ("/tests/it/", &["main.rs"])];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.written(&[".rs"]).filter_map(|file| forgotten(tree, file)).collect()
}

fn forgotten(tree: &Tree, file: &File) -> Option<Finding> {
    let (marker, roots) = ROOTS.iter().find(|(marker, _)| file.path.contains(marker))?;
    let base = file.path.find(marker)? + marker.len();
    let (root, inside) = file.path.split_at(base);
    if roots.contains(&inside) || inside.starts_with("bin/") {
        return None;
    }
    let (module, parents) = match inside.strip_suffix(".rs")?.rsplit_once('/') {
        None => (inside.strip_suffix(".rs")?, roots.iter().map(|name| format!("{root}{name}")).collect()),
        Some((dir, "mod")) => match dir.rsplit_once('/') {
            None => (dir, roots.iter().map(|name| format!("{root}{name}")).collect()),
            Some((above, name)) => (name, of_directory(root, above)),
        },
        Some((dir, name)) => (name, of_directory(root, dir)),
    };
    let parents: Vec<&File> = parents.iter().filter_map(|path| tree.get(path)).collect();
    if parents.iter().any(|parent| declares(parent, module)) {
        return None;
    }
    let what = match parents.first() {
        Some(parent) => format!("never compiled: declare `mod {module};` in {}", parent.path),
        None => format!("never compiled: the module above `{module}` has no file"),
    };
    Some(Finding::error(&file.path, None, what))
}

/// The file of the module whose submodules are in a directory.
fn of_directory(root: &str, dir: &str) -> Vec<String> {
    vec![format!("{root}{dir}.rs"), format!("{root}{dir}/mod.rs")]
}

fn declares(parent: &File, module: &str) -> bool {
    let code = code::code(&parent.text);
    [format!("mod {module};"), format!("mod r#{module};")]
        .iter()
        .any(|declaration| code.lines().any(|line| line.trim_end().ends_with(declaration.as_str())))
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn a_file_no_module_names_is_found() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "pub mod used;\n// mod commented;\n"),
            ("crates/a/src/used.rs", "mod part;"),
            ("crates/a/src/used/part.rs", ""),
            ("crates/a/src/commented.rs", ""),
            ("crates/a/src/bin/tool.rs", ""),
            ("crates/a/tests/it/main.rs", "mod one;"),
            ("crates/a/tests/it/one.rs", ""),
            ("crates/a/tests/it/two.rs", ""),
            ("crates/b/src/main.rs", "mod commands;"),
            ("crates/b/src/commands/mod.rs", "pub(crate) mod view;"),
            ("crates/b/src/commands/view.rs", ""),
            ("crates/b/src/commands/check.rs", ""),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/a/src/commented.rs: never compiled: declare `mod commented;` in crates/a/src/lib.rs",
                "crates/a/tests/it/two.rs: never compiled: declare `mod two;` in crates/a/tests/it/main.rs",
                "crates/b/src/commands/check.rs: never compiled: declare `mod check;` in crates/b/src/commands/mod.rs",
            ]
        );
    }
}
