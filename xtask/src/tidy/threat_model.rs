//! Every test that docs/threat-model.md and docs/reliability.md name exists.
//!
//! A test is named as `path/to/file.rs::function`, or `path/to/file.ts::title` for a browser test.

use super::finding::Finding;
use super::tree::Tree;

const PAGES: &[&str] = &["docs/threat-model.md", "docs/reliability.md"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    PAGES.iter().flat_map(|page| check_page(tree, page)).collect()
}

fn check_page(tree: &Tree, name: &'static str) -> Vec<Finding> {
    let Some(page) = tree.get(name) else {
        return vec![Finding::error(name, None, "the page is missing")];
    };
    let mut findings = Vec::new();
    for (number, line) in page.text.lines().enumerate() {
        for (path, test) in line.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::")) {
            if let Some(problem) = problem(tree, path, test) {
                findings.push(Finding::error(name, number + 1, format!("{path}::{test}: {problem}")));
            }
        }
    }
    findings
}

/// Why a name leads to no test, if it does not.
fn problem(tree: &Tree, path: &str, test: &str) -> Option<String> {
    let Some(file) = tree.get(path) else { return Some(format!("{path} does not exist")) };
    let is_there = match path.ends_with(".rs") {
        true => file.text.contains(&format!("fn {test}(")),
        false => file.text.contains(test),
    };
    (!is_there).then(|| "the file has no such test".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn tests_that_do_not_exist_are_named() {
        let page =
            "| a | `a/it.rs::one` and `a/it.rs::two` |\n`b.rs::one` `ui/e2e.ts::a title` `ui/e2e.ts::none`\n";
        let tree = Tree::of(&[
            ("docs/threat-model.md", page),
            ("docs/reliability.md", "`a/it.rs::three`\n"),
            ("a/it.rs", "#[test]\nfn one() {}"),
            ("ui/e2e.ts", "test('a title', x)"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "docs/threat-model.md:1: a/it.rs::two: the file has no such test",
                "docs/threat-model.md:2: b.rs::one: b.rs does not exist",
                "docs/threat-model.md:2: ui/e2e.ts::none: the file has no such test",
                "docs/reliability.md:1: a/it.rs::three: the file has no such test",
            ]
        );
    }
}
