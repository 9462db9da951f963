use std::path::{Path, PathBuf};

use super::text::Prose;

/// What a text imports: words that begin with `@`, outside code.
pub(super) fn imports(text: &str) -> Vec<String> {
    let mut imports = Vec::new();
    for line in Prose::of(text) {
        let mut before = ' ';
        for (at, next) in line.char_indices() {
            if next == '@' && before.is_whitespace() {
                imports.extend(path_at(&line[at + 1..]));
            }
            before = next;
        }
    }
    imports
}

/// The path at the beginning of a text. `\` before a space makes the space part of it.
fn path_at(text: &str) -> Option<String> {
    let mut path = String::new();
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' if rest.peek() == Some(&' ') => path.extend(rest.next()),
            _ if next.is_whitespace() => break,
            _ => path.push(next),
        }
    }
    let begins = |first: char| first.is_alphanumeric() || matches!(first, '.' | '/' | '~' | '_');
    path.starts_with(begins).then_some(path)
}

/// The file that an import means: from the home, from the root, or from the folder of the importing file.
/// Punctuation behind a path at the end of a sentence is not part of it. `None` where there is no file:
/// `@` begins many words that are no paths.
pub(super) fn target(import: &str, from: &Path, home: &Path) -> Option<PathBuf> {
    let resolve = |import: &str| match import.strip_prefix("~/") {
        Some(rest) => Some(home.join(rest)),
        None => Some(from.parent()?.join(import)),
    };
    let bare = import.trim_end_matches(['.', ',', ';', ':', ')', '!', '?', '"', '\'']);
    [import, bare].into_iter().filter_map(resolve).find(|path| path.is_file())
}
