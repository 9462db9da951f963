//! Only the binary's output module prints: in an agent, standard output belongs to the protocol.

use super::code;
use super::finding::Finding;
use super::tree::Tree;

const MACROS: &[&str] = &["print!", "println!", "eprint!", "eprintln!"];
const OUTPUT: &str = "crates/aqueduct/src/output.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(&[".rs"]) {
        let is_product = file.path.starts_with("crates/") && file.path.contains("/src/");
        if !is_product || file.path == OUTPUT || file.path.ends_with("tests.rs") {
            continue;
        }
        let product = code::product_code(&file.text);
        for name in MACROS {
            for line in code::lines_with(&product, name) {
                let what = if file.path.starts_with("crates/aqueduct/") {
                    format!("{name} outside {OUTPUT}: add a function there and call it")
                } else {
                    format!("{name} in a library: return the value, the binary prints it")
                };
                findings.push(Finding::error(&file.path, line, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn only_output_prints() {
        let tree = Tree::of(&[
            ("crates/aqueduct/src/output.rs", "println!(\"fine\");"),
            ("crates/aqueduct/src/main.rs", "// println!\nfn f() {\n    eprintln!(\"no\");\n}"),
            ("crates/aqueduct-wire/src/lib.rs", "print!(\"no\")\n#[cfg(test)]\nmod tests { println!() }"),
            ("crates/aqueduct-wire/tests/it/main.rs", "println!(\"a test may\");"),
            ("crates/aqueduct-wire/src/json/tests.rs", "println!(\"a test may\");"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/aqueduct/src/main.rs:3: eprintln! outside crates/aqueduct/src/output.rs: add a function there and call it",
                "crates/aqueduct-wire/src/lib.rs:1: print! in a library: return the value, the binary prints it",
            ]
        );
    }
}
