//! The content of a Bash rule, compiled.

use crate::program_name::base_name;
use crate::shell::ShellWord;

/// Which commands a Bash rule means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BashRule {
    /// `*`: every command.
    Every,
    /// `npm run test:*`: the words, and whatever follows them.
    Prefix(String),
    /// `git * status`: the texts between the wildcards, in order. ` *` at the end may also match nothing
    /// at all, as the second rule has it.
    Wildcard(Vec<String>, Option<Box<BashRule>>),
    /// `git status`: exactly this.
    Exact(String),
    /// A rule that can match nothing, such as `:*`.
    Nothing,
}

impl BashRule {
    pub(crate) fn new(content: &str) -> Self {
        if content.chars().all(|c| c == '*') && !content.is_empty() {
            return Self::Every;
        }
        if let Some(prefix) = content.strip_suffix(":*")
            && !prefix.contains('*')
        {
            let prefix = prefix.trim_end();
            return if prefix.is_empty() { Self::Nothing } else { Self::Prefix(prefix.to_owned()) };
        }
        if content.contains('*') {
            let shorter = content.strip_suffix(" *").filter(|shorter| !shorter.trim().is_empty());
            let pieces = content.split('*').map(str::to_owned).collect();
            return Self::Wildcard(pieces, shorter.map(|shorter| Box::new(Self::new(shorter))));
        }
        Self::Exact(content.to_owned())
    }

    /// The first word a command must have to match, if that is certain.
    pub(crate) fn first_word(&self) -> Option<&str> {
        let (text, open_ended) = match self {
            Self::Prefix(prefix) => (prefix.as_str(), false),
            Self::Exact(text) => (text.as_str(), false),
            Self::Wildcard(pieces, _) => (pieces.first()?.as_str(), true),
            Self::Every | Self::Nothing => return None,
        };
        match text.split_once(' ') {
            Some((word, _)) => Some(word).filter(|word| !word.is_empty()),
            None => Some(text).filter(|text| !open_ended && !text.is_empty()),
        }
    }

    /// Whether a text with single spaces between its words matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Every => true,
            Self::Nothing => false,
            Self::Exact(exact) => exact == text,
            Self::Prefix(prefix) => text
                .strip_prefix(prefix.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')),
            Self::Wildcard(pieces, shorter) => {
                matches_pieces(pieces, text) || shorter.as_ref().is_some_and(|rule| rule.matches(text))
            }
        }
    }

    /// How many of these words the rule writes out, before anything may follow. All of them if it is
    /// exactly one command, or any.
    pub(crate) fn fixes(&self, words: &[ShellWord<'_>]) -> usize {
        let literal = match self {
            Self::Exact(_) | Self::Every => return words.len(),
            Self::Nothing => return 0,
            Self::Prefix(prefix) => prefix.as_str(),
            Self::Wildcard(pieces, _) => pieces.first().map_or("", String::as_str),
        };
        // A wildcard right behind a word may be its end.
        let mut left = literal.len() + usize::from(matches!(self, Self::Prefix(_)));
        let whole = words.iter().take_while(|word| {
            let fits = left > word.raw.len();
            left = left.saturating_sub(word.raw.len() + 1);
            fits
        });
        whole.count()
    }

    /// Whether a command with words that are not known could turn out to match.
    pub(crate) fn could_match(&self, words: &[ShellWord<'_>]) -> bool {
        let literal = match self {
            Self::Every => return true,
            Self::Nothing => return false,
            Self::Exact(text) | Self::Prefix(text) => text.as_str(),
            Self::Wildcard(pieces, _) => match pieces.first() {
                // The last word before a wildcard may be cut short by it.
                Some(first) => first.rsplit_once(' ').map_or("", |(whole, _)| whole),
                None => "",
            },
        };
        let mut words = words.iter();
        for expected in literal.split(' ').filter(|word| !word.is_empty()) {
            match words.next() {
                None => return false,
                Some(word) if word.splits => return true,
                Some(word) if !word.known => {}
                Some(word) if word.glob => {
                    if !glob_matches(&word.value, expected) {
                        return false;
                    }
                }
                Some(word) if base_name(&word.value) != expected && word.value != expected => return false,
                Some(_) => {}
            }
        }
        true
    }
}

/// Matches texts between wildcards in order; each is looked for as early as possible, which is enough.
fn matches_pieces(pieces: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = pieces else { return false };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for piece in middle {
        match rest.find(piece.as_str()) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last.as_str())
}

/// Whether a shell wildcard word could match this word.
fn glob_matches(glob: &str, word: &str) -> bool {
    let literal = |text: &str| text.split(['*', '?', '[', ']']).next().unwrap_or_default().to_owned();
    let start = literal(base_name(glob));
    word.starts_with(&start) || start.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, text: &str) -> bool {
        BashRule::new(content).matches(text)
    }

    #[test]
    fn prefixes_end_at_words() {
        assert!(check("npm run test:*", "npm run test"));
        assert!(check("npm run test:*", "npm run test -- x"));
        assert!(!check("npm run test:*", "npm run tests"));
        assert!(!check(":*", "npm"));
    }

    #[test]
    fn wildcards() {
        assert!(check("git * status", "git -C src status"));
        assert!(!check("git * status", "git status"));
        assert!(check("npm run *", "npm run"));
        assert!(!check("npm run *", "npm runx"));
        assert!(check("touch*", "touchy"));
        assert!(check("* --version", "foo bar --version"));
        assert!(!check("* --version", "foo --version x"));
        assert!(check("go * ./...", "go test ./..."));
        assert!(check("*secret*", "cat my-secret"));
        assert!(check("*", "anything"));
    }
}
