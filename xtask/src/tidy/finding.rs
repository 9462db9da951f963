//! A finding of a check at a place in the tree.

use std::fmt;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) weight: Weight,
    pub(crate) path: String,
    pub(crate) line: Option<usize>,
    /// What is wrong and what to do about it.
    pub(crate) what: String,
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) enum Weight {
    /// Worth knowing; nothing fails.
    Note,
    Error,
}

impl Finding {
    pub(crate) fn error(path: &str, line: impl Into<Option<usize>>, what: impl Into<String>) -> Self {
        Self { weight: Weight::Error, path: path.to_owned(), line: line.into(), what: what.into() }
    }

    pub(crate) fn note(path: &str, line: impl Into<Option<usize>>, what: impl Into<String>) -> Self {
        Self { weight: Weight::Note, ..Self::error(path, line, what) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.what),
            None => write!(f, "{}: {}", self.path, self.what),
        }
    }
}

#[cfg(test)]
pub(crate) fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
