use aqueduct_wire::hint::{Hint, HintedError};

/// The longest name, in characters.
const LONGEST: usize = 64;

/// Words for generated names.
const FIRST: &[&str] =
    &["amber", "brisk", "calm", "clear", "deep", "early", "fair", "gentle", "keen", "late", "mild", "quiet"];
const SECOND: &[&str] =
    &["falling", "flowing", "gliding", "rising", "rolling", "running", "turning", "winding", "drifting"];
const THIRD: &[&str] =
    &["arch", "basin", "brook", "canal", "channel", "delta", "fountain", "harbor", "lock", "spring", "weir"];

/// Why a text can't be the name of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeNameError {
    /// It is too long.
    #[error("a worktree's name has at most {LONGEST} characters, and this one {length}")]
    TooLong {
        /// How many characters it has.
        length: usize,
    },
    /// A part of it leads elsewhere.
    #[error("{name:?} can't be a worktree's name: it has the part {part:?}")]
    Relative {
        /// The text.
        name: String,
        /// The part.
        part: String,
    },
    /// A part of it is the name of git's own folder.
    #[error("{name:?} can't be a worktree's name: {part:?} is git's own")]
    OfGit {
        /// The text.
        name: String,
        /// The part.
        part: String,
    },
    /// It has characters that a branch or a folder can't have.
    #[error("{name:?} can't be a worktree's name")]
    Characters {
        /// The text.
        name: String,
    },
}

impl HintedError for WorktreeNameError {
    fn hint(&self) -> Option<Hint> {
        matches!(self, WorktreeNameError::Characters { .. }).then(|| {
            Hint::sentence("Use letters, digits, dots, underscores and dashes, with slashes between parts")
        })
    }
}

/// The name of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeName(String);

impl WorktreeName {
    /// A given name: parts of letters, digits, dots, underscores and dashes, with slashes between them.
    pub fn new(text: &str) -> Result<Self, WorktreeNameError> {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(WorktreeNameError::TooLong { length });
        }
        for part in text.split('/') {
            if matches!(part, "." | "..") {
                return Err(WorktreeNameError::Relative { name: text.to_owned(), part: part.to_owned() });
            }
            if part.to_ascii_lowercase().trim_end_matches('.') == ".git" {
                return Err(WorktreeNameError::OfGit { name: text.to_owned(), part: part.to_owned() });
            }
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
            // What begins with a dash looks like an option to git, and what ends like this is no branch for it.
            let is_odd = part.starts_with('-')
                || part.ends_with(".lock")
                || part.ends_with('.')
                || part.contains("..");
            if part.is_empty() || !part.chars().all(is_plain) || is_odd {
                return Err(WorktreeNameError::Characters { name: text.to_owned() });
            }
        }
        Ok(WorktreeName(text.to_owned()))
    }

    /// A generated name.
    pub fn random() -> Self {
        let word = |words: &[&'static str]| words[fastrand::usize(..words.len())];
        WorktreeName(format!("{}-{}-{}-{:04x}", word(FIRST), word(SECOND), word(THIRD), fastrand::u16(..)))
    }

    /// The name as it was chosen.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the folder.
    pub(super) fn folder(&self) -> String {
        self.0.replace('/', "+")
    }

    /// The name of the branch.
    pub(super) fn branch(&self) -> String {
        format!("worktree-{}", self.folder())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_plain() {
        for good in ["a", "feat-1", "a/b", "a.b_c", "agent-a0123456789abcdef", &"x".repeat(64)] {
            assert!(WorktreeName::new(good).is_ok(), "{good}");
        }
        for bad in [
            "", "a b", "..", "a/../b", ".", ".git", ".GIT.", "a//b", "/a", "-a", "a.lock", "a..b", "é",
            "a\n", "a:b",
        ] {
            assert!(WorktreeName::new(bad).is_err(), "{bad}");
        }
        assert!(WorktreeName::new(&"x".repeat(65)).is_err());
        assert_eq!(WorktreeName::new("a/b").unwrap().branch(), "worktree-a+b");
    }

    proptest! {
        #[test]
        fn a_folder_is_one_plain_component(text in "[-./a-z+~:]{0,12}") {
            if let Ok(name) = WorktreeName::new(&text) {
                let folder = name.folder();
                let is_odd = folder.is_empty() || folder == "." || folder == ".." || folder.contains('/');
                prop_assert!(!is_odd);
            }
        }

        #[test]
        fn random_names_are_names(_ in 0..20u8) {
            prop_assert!(WorktreeName::new(WorktreeName::random().as_str()).is_ok());
        }
    }
}
