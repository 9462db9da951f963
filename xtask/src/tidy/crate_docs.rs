//! `lib.rs` is a table of contents: it begins with what the crate owns.

use super::finding::Finding;
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let roots = |file: &&File| file.path.ends_with("/src/lib.rs") || file.path.ends_with("/src/main.rs");
    tree.files()
        .filter(roots)
        .filter(|file| !file.text.starts_with("//!"))
        .map(|file| {
            Finding::error(&file.path, 1, "begins without `//!`: state in a sentence what this crate is for")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_begins_with_its_purpose() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "//! Fine.\n"),
            ("crates/b/src/lib.rs", "mod x;\n//! Late.\n"),
        ]);
        let paths: Vec<_> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/b/src/lib.rs"]);
    }
}
