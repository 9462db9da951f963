//! One noun a file: a long file is several nouns.

use super::finding::Finding;
use super::tree::{File, Tree};

const SOURCES: &[&str] = &[".rs", ".ts", ".tsx", ".py", ".sh"];
const LONG: usize = 400;
const TOO_LONG: usize = 700;

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
    tree.written(SOURCES).filter_map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Weight;
    use super::*;

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
