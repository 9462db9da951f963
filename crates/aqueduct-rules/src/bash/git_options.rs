//! Options of git commands, compared with the table of those that a rule covers.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::git_table::ROWS;

/// The options of a command.
struct GitOptions {
    letters: &'static str,
    long: HashSet<&'static str>,
}

static BY_COMMAND: LazyLock<HashMap<&str, GitOptions>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for row in &ROWS {
        for command in row.commands.split_ascii_whitespace() {
            let long = row.long.iter().flat_map(|names| names.split_ascii_whitespace()).collect();
            all.insert(command, GitOptions { letters: row.letters, long });
        }
    }
    all
});

/// Whether a rule for git covers this command at all.
pub(super) fn covers(command: &str) -> bool {
    BY_COMMAND.contains_key(command)
}

/// The first word that is not an option of a command as the table has it, if there is one. What follows `--`
/// is looked at too: `--` may be the value of an option before it.
pub(super) fn unknown<'v>(command: &str, words: &[&'v str]) -> Option<&'v str> {
    let options = BY_COMMAND.get(command)?;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || matches!(*word, "-" | "--") {
            continue;
        }
        if !options.has(word) {
            return Some(word);
        }
        // A message is often a text that begins like an option.
        if takes_message(command, word) {
            words.next();
        }
    }
    None
}

/// Whether the next word is a message.
fn takes_message(command: &str, word: &str) -> bool {
    let has_message = matches!(command, "commit" | "tag" | "merge" | "notes" | "commit-tree" | "stash");
    let ends_cluster = || {
        let (last, before) = word.as_bytes().split_last().unwrap_or((&0, &[]));
        *last == b'm' && before.iter().skip(1).all(|letter| b"aqnsvekpu".contains(letter))
    };
    has_message && (word == "--message" || !word.starts_with("--") && ends_cluster())
}

impl GitOptions {
    fn has(&self, word: &str) -> bool {
        if let Some(long) = word.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            let negated = name.strip_prefix("no-").filter(|plain| !plain.starts_with("no-"));
            return self.long.contains(name) || negated.is_some_and(|plain| self.long.contains(plain));
        }
        for letter in word[1..].chars() {
            match self.takes(letter) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
        }
        true
    }

    /// Whether a short option takes the rest of its word; none for one that is not known.
    fn takes(&self, letter: char) -> Option<bool> {
        if letter == ':' {
            return None;
        }
        let at = self.letters.find(letter)?;
        Some(self.letters[at + letter.len_utf8()..].starts_with(':'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_known_by_their_whole_name() {
        let known = |command, words: &[&str]| unknown(command, words).is_none();
        assert!(known("commit", &["-am", "--not an option", "--no-verify"]));
        assert!(known("commit", &["--message", "- a list"]));
        assert!(!known("commit", &["-a", "--amen"]));
        assert!(known("log", &["-5", "--oneline", "-S--x", "--no-merges", "-U3"]));
        assert!(!known("log", &["--outpu=x"]));
        assert!(!known("grep", &["-nOx"]));
        assert!(known("grep", &["-nC3", "-e", "x"]));
        assert!(!known("clone", &["-qcx=y"]));
        assert!(!known("push", &["origin", "--receive-p=x"]));
        assert!(!known("rebase", &["-ix", "y"]));
        assert!(!known("rebase", &["-x", "y"]));
        assert!(!known("fetch", &["-m", "--upload-pack=x"]));
    }

    #[test]
    fn nothing_in_the_table_runs_programs() {
        let never =
            ["exec", "upload-pack", "receive-pack", "ext-diff", "textconv", "output", "config", "template"];
        for (command, options) in BY_COMMAND.iter() {
            for option in never {
                assert!(!options.long.contains(option), "{command} --{option}");
            }
        }
        assert_eq!(
            BY_COMMAND.len(),
            ROWS.iter().map(|row| row.commands.split_ascii_whitespace().count()).sum::<usize>()
        );
    }
}
