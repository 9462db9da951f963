use thiserror::Error;

use crate::hint::{Hint, HintedError};

/// A line without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'b> {
    /// The text. It is never blank.
    pub text: &'b str,
    /// The line's number in the stream, from 1; blank lines count.
    pub number: u64,
    /// Whether a line end followed. Without one the input ended here, and the line may have been cut.
    pub terminated: bool,
}

/// Why a line could not be read. The lines after it are not affected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is longer than the decoder keeps in memory.
    #[error("line {number} has {bytes} bytes, over the limit of {limit}; it was skipped")]
    TooLong {
        /// The line's number, from 1.
        number: u64,
        /// The line's length.
        bytes: u64,
        /// The decoder's limit.
        limit: usize,
    },
    /// The line is not text.
    #[error("line {number} is not UTF-8 from byte {offset} on; it was skipped")]
    NotUtf8 {
        /// The line's number, from 1.
        number: u64,
        /// The first byte that is not text, counted from the start of the line.
        offset: usize,
    },
}

impl HintedError for LineError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            LineError::TooLong { .. } => "Raise the line limit to read it",
            LineError::NotUtf8 { .. } => "See what else writes to this stream",
        }))
    }
}

impl LineError {
    /// The number of the line, from 1.
    pub fn number(&self) -> u64 {
        match *self {
            LineError::TooLong { number, .. } | LineError::NotUtf8 { number, .. } => number,
        }
    }
}
