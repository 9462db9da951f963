//! Words that the project has replaced by the established terms of the field, in code, texts and documents.

use super::code;
use super::finding::Finding;
use super::tree::Tree;

const SOURCES: &[&str] = &[".rs", ".md", ".ts", ".tsx", ".mjs", ".css", ".py", ".sh"];
/// Files that may have the words: this table, and the history.
const EXCEPT: &[&str] = &["xtask/src/tidy/retired_words.rs", "CHANGELOG.md"];
/// Texts with such words that other programs define: notices of the reference CLI.
const FIXED: &[&str] = &["says: {message}", "says: look"];

/// Names of types, functions and modules: also as a part of an identifier.
const NAMES: &[(&[&str], &str)] = &[
    (&["workshop"], "ToolContext"),
    (&["errand", "errands"], "subagent task"),
    (&["crew"], "subagent pool"),
    (&["roster"], "subagent registry"),
    (&["minder"], "supervisor"),
    (&["shelf", "shelves"], "catalog"),
    (&["recipe", "recipes"], "custom command, skill"),
    (&["desk", "desks"], "service"),
    (&["mistake", "mistakes", "mistaken"], "diagnostic, error, invalid"),
    (&["stumble", "stumbles", "stumbled"], "recover"),
    (&["doubt", "doubts", "doubtful"], "unconfirmed, uncertain, incomplete"),
    (&["essence"], "summary"),
    (&["told"], "reported, from the host"),
    (&["brought"], "provided"),
    (&["whoever"], "the user, the caller or the program"),
];

/// Expressions in comments, literals and documents.
const PROSE: &[(&[&str], &str)] = &[
    (&["nobody"], "no user, no client, no process"),
    (&["somebody", "anybody", "everybody"], "the user, a client, another process, all users"),
    (&["tells"], "reports, shows, returns, distinguishes"),
    (&["says"], "reports, states, contains, defines"),
    (&["speaks", "spoke", "spoken"], "uses, sends, implements"),
    (&["stands", "stood"], "is, occurs, represents, matches"),
    (&["lies in", "lies at", "lies under", "lies below", "lies elsewhere"], "is, is located"),
    (&["mend", "mends", "mended", "mending"], "fix, repair"),
    (&["goes on", "go on", "went on", "going on", "gone on"], "continue, resume"),
    (&["let in", "lets in"], "authenticate, grant access"),
    (&["hears", "wants to hear", "want to hear"], "receives, is notified"),
    (&["outdo", "outdoes"], "override, take precedence"),
    (&["of its own accord"], "by itself"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(SOURCES).filter(|file| !EXCEPT.contains(&file.path.as_str())) {
        let text = FIXED.iter().fold(file.text.clone(), |text, fixed| text.replace(fixed, ""));
        let prose = if file.path.ends_with(".rs") { prose(&text) } else { text.clone() };
        let mut report = |line: usize, word: &str, instead: &str| {
            let what = format!("\"{word}\" is retired; use: {instead}");
            findings.push(Finding::error(&file.path, line, what));
        };
        for (index, (line, prose)) in text.lines().zip(prose.lines()).enumerate() {
            let parts = parts(line);
            for (words, instead) in NAMES {
                for word in words.iter().filter(|word| parts.iter().any(|part| part == *word)) {
                    report(index + 1, word, instead);
                }
            }
            let prose = prose.to_lowercase();
            for (words, instead) in PROSE {
                for word in words.iter().filter(|word| !code::lines_with(&prose, word).is_empty()) {
                    report(index + 1, word, instead);
                }
            }
        }
    }
    findings
}

/// Comments and the insides of literals. Code becomes spaces; line ends stay.
fn prose(source: &str) -> String {
    let code = code::code(source);
    source
        .chars()
        .zip(code.chars())
        .map(|(is, code)| if code == ' ' || is == '\n' { is } else { ' ' })
        .collect()
}

/// The words of a line in lower case, those inside of identifiers too: `SubagentTask` and `subagent_task` have two.
fn parts(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in line.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(last) = parts.last_mut().filter(|_| c.is_alphabetic()) {
            last.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn retired_words_are_found_with_their_replacement() {
        let tree = Tree::of(&[
            (
                "crates/a/src/lib.rs",
                "struct WorkshopState;\nfn mend() {}\n/// It goes on.\nlet x = \"Nobody\";\n",
            ),
            ("docs/a.md", "A client is told.\nThe demand of a tellers' recommendation is understood.\n"),
            ("crates/a/ui/src/a.ts", "// whoever asks\n"),
            ("CHANGELOG.md", "mended\n"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/a/src/lib.rs:1: \"workshop\" is retired; use: ToolContext",
                "crates/a/src/lib.rs:3: \"goes on\" is retired; use: continue, resume",
                "crates/a/src/lib.rs:4: \"nobody\" is retired; use: no user, no client, no process",
                "docs/a.md:1: \"told\" is retired; use: reported, from the host",
                "crates/a/ui/src/a.ts:1: \"whoever\" is retired; use: the user, the caller or the program",
            ]
        );
    }

    #[test]
    fn texts_of_other_programs_are_kept() {
        let kept = "format!(\"{} says: {message}\");\n";
        let tree = Tree::of(&[("crates/a/src/lib.rs", kept), ("docs/a.md", "It says: look.\n")]);
        assert!(check(&tree).is_empty());
    }

    #[test]
    fn identifiers_are_split_into_words() {
        assert_eq!(
            parts("SubagentTask, subagent_task2 URL"),
            ["subagent", "task", "subagent", "task", "url"]
        );
    }
}
