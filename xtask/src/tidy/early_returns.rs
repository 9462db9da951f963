//! No test passes without testing: a test function has no early return. `aqueduct_testing::require!` skips a test whose
//! requirement is missing, and reports it.

use super::code;
use super::finding::Finding;
use super::tree::Tree;

/// The attributes of test functions, without what may follow in parentheses.
const ATTRIBUTES: &[&str] = &["#[test]", "#[tokio::test]", "#[tokio::test("];

/// What follows `return` where it has no value, or that of a test which passes.
const NO_VALUE: &[&str] = &[";", "}", ",", "Ok(())"];

const WHAT: &str = "a test returns early: skip it with aqueduct_testing::require!, or assert what it expects";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(&[".rs"]) {
        let code = code::code(&file.text);
        for (start, end) in tests(&code) {
            let returns = code[start..end].match_indices("return").filter(|(at, word)| {
                let (before, after) = (&code[..start + at], &code[start + at + word.len()..]);
                !before.ends_with(is_part_of_name)
                    && !after.starts_with(is_part_of_name)
                    && NO_VALUE.iter().any(|end| after.trim_start().starts_with(end))
            });
            findings.extend(returns.map(|(at, _)| {
                let line = code[..start + at].matches('\n').count() + 1;
                Finding::error(&file.path, line, WHAT)
            }));
        }
    }
    findings
}

fn is_part_of_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Where the bodies of test functions begin and end.
fn tests(code: &str) -> Vec<(usize, usize)> {
    let mut attributes: Vec<usize> =
        ATTRIBUTES.iter().flat_map(|attribute| code.match_indices(attribute).map(|(at, _)| at)).collect();
    attributes.sort_unstable();
    attributes.into_iter().filter_map(|at| body(code, at)).collect()
}

/// The body of the function after a place, from its first brace to the one that closes it.
fn body(code: &str, from: usize) -> Option<(usize, usize)> {
    let function = from + code[from..].find("fn ")?;
    let start = function + code[function..].find('{')?;
    let mut depth = 0usize;
    for (at, c) in code[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((start, start + at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn early_returns_of_tests_are_found() {
        let source = "\
#[test]
fn a() {
    let Some(git) = git() else { return };
    if true {
        return;
    }
    let value = || { return 1; };
}

#[tokio::test(flavor = \"multi_thread\")]
async fn b() -> Result<(), ()> {
    let returned = \"return;\"; // return;
    return Ok(());
}

fn helper() {
    return;
}
";
        let findings = lines(&check(&Tree::of(&[("crates/a/tests/it/main.rs", source)])));
        assert_eq!(findings, [3, 5, 13].map(|line| format!("crates/a/tests/it/main.rs:{line}: {WHAT}")));
    }
}
