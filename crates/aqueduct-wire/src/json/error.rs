use thiserror::Error;

/// Why a line is not a frame. The message names the place and what was wanted there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text breaks JSON's grammar.
    #[error("not JSON: expected {expected} at byte {offset}")]
    Syntax {
        /// Where, in bytes from the start of the line.
        offset: usize,
        /// What the grammar wanted there.
        expected: Expected,
    },
    /// Objects and arrays are nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    #[error("nested deeper than {} levels at byte {offset}; such a frame is refused", super::MAX_DEPTH)]
    TooDeep {
        /// Where, in bytes from the start of the line.
        offset: usize,
    },
    /// The line is JSON, but a frame is always an object.
    #[error("a frame is a JSON object, and this line holds another kind of value")]
    NotAnObject,
    /// The line is not UTF-8.
    #[error("not UTF-8 from byte {offset} on")]
    NotUtf8 {
        /// The first byte that is not text.
        offset: usize,
    },
}

/// What JSON's grammar allows at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// Any value.
    Value,
    /// A member name or the object's end.
    Key,
    /// The colon between a name and its value.
    Colon,
    /// A comma, or the end of the object or array.
    CommaOrEnd,
    /// The rest of a string; control characters must be escaped.
    StringEnd,
    /// One of JSON's escapes.
    Escape,
    /// A digit.
    Digit,
    /// Nothing: the value was complete.
    End,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Expected::Value => "a value",
            Expected::Key => "a member name in quotes",
            Expected::Colon => "a colon",
            Expected::CommaOrEnd => "a comma or a closing bracket",
            Expected::StringEnd => "more text or a closing quote",
            Expected::Escape => "a valid escape",
            Expected::Digit => "a digit",
            Expected::End => "the end of the line",
        })
    }
}

/// Why a typed value could not be read. Only [`Fault::Parse`] condemns the line: after the others the
/// value is kept as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Valid JSON of another shape; names the member that did not fit.
    Misfit(&'static str),
    /// The discriminator occurs in the object twice with different values.
    Retag,
    /// Not JSON.
    Parse(ParseError),
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        Fault::Parse(error)
    }
}
