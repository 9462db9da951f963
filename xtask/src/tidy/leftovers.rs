//! Nothing unfinished is committed: what is left to do is an issue, not a comment.

use super::code;
use super::finding::Finding;
use super::tree::Tree;

const SOURCES: &[&str] = &[".rs", ".ts", ".tsx", ".py", ".sh", ".toml", ".md"];
// Put together from halves: this file is checked too.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];
const MACROS: &[&str] = &["todo!", "unimplemented!", "dbg!"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(SOURCES) {
        for mark in MARKS {
            let what = || format!("{mark}: do it, or open an issue and remove the mark");
            let lines = code::lines_with(&file.text, mark);
            findings.extend(lines.into_iter().map(|line| Finding::error(&file.path, line, what())));
        }
        if file.path.ends_with(".rs") {
            let code = code::code(&file.text);
            for name in MACROS {
                let what = || format!("{name} left behind: finish it or take it out");
                let lines = code::lines_with(&code, name);
                findings.extend(lines.into_iter().map(|line| Finding::error(&file.path, line, what())));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_macros_are_found() {
        let text =
            format!("// {}: later\nfn f() {{ todo!() }}\n// the todo!() macro in a comment\n", MARKS[0]);
        let tree = Tree::of(&[("crates/a/src/lib.rs", &text), ("docs/a.md", "the TodoWrite tool")]);
        let lines: Vec<_> = check(&tree).into_iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [Some(1), Some(2)]);
    }
}
