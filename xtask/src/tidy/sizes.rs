//! One noun a file: a long file is several nouns. The first pages that a reader opens are short.

use super::finding::Finding;
use super::tree::{File, Tree};

const SOURCES: &[&str] = &[".rs", ".ts", ".tsx", ".py", ".sh"];
const LONG: usize = 400;
const TOO_LONG: usize = 700;

/// Pages with a limit of lines.
const PAGES: &[(&str, usize)] = &[("ARCHITECTURE.md", 250), ("README.md", 120)];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let judge = |file: &File| {
        let lines = file.text.lines().count();
        if lines > TOO_LONG {
            let what = format!("{lines} lines, the limit is {TOO_LONG}: split it, one noun a file");
            Some(Finding::error(&file.path, None, what))
        } else if lines > LONG {
            Some(Finding::note(&file.path, None, format!("{lines} lines: is this one noun?")))
        } else {
            None
        }
    };
    tree.written(SOURCES).filter_map(judge).chain(long_pages(tree)).collect()
}

fn long_pages(tree: &Tree) -> impl Iterator<Item = Finding> {
    PAGES.iter().filter_map(|(path, limit)| {
        let lines = tree.get(path)?.text.lines().count();
        let what = format!(
            "{lines} lines, the limit is {limit}: move details to docs/ or to the documentation of crates"
        );
        (lines > *limit).then(|| Finding::error(path, None, what))
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::Weight;
    use super::*;

    #[test]
    fn the_first_pages_are_short() {
        let (short, long) = ("x\n".repeat(120), "x\n".repeat(251));
        let tree = Tree::of(&[("README.md", &short), ("ARCHITECTURE.md", &long), ("docs/other.md", &long)]);
        let paths: Vec<_> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["ARCHITECTURE.md"]);
    }

    #[test]
    fn long_is_a_note_and_too_long_an_error() {
        let (long, too_long) = ("x\n".repeat(401), "x\n".repeat(701));
        let tree = Tree::of(&[
            ("crates/a/src/fine.rs", "x\n"),
            ("crates/a/src/long.rs", &long),
            ("crates/a/src/too_long.rs", &too_long),
            ("crates/a/generated/types.ts", &too_long),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.path, f.weight)).collect();
        assert_eq!(
            found,
            [
                ("crates/a/src/long.rs".to_owned(), Weight::Note),
                ("crates/a/src/too_long.rs".to_owned(), Weight::Error)
            ]
        );
    }
}
