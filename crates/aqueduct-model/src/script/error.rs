//! Why a script can't be parsed.

use std::borrow::Cow;

use aqueduct_wire::json::{Fault, ParseError};

/// A script file that can't be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct ScriptError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: ScriptLineError,
}

/// What is wrong with a line of a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptLineError {
    /// An `@` line of a file is wrong.
    #[error("{line}: {error}")]
    Line {
        /// The line.
        line: String,
        /// What is wrong with it.
        error: Box<ScriptLineError>,
    },
    /// An `@` line is above the first heading.
    #[error("a line `when …` or `otherwise` must precede it")]
    NoHeading,
    /// A heading has no `@` lines.
    #[error("@ lines must follow it")]
    NoLines,
    /// A line changes the next turn, but is the last one.
    #[error("it changes the turn that follows, and none follows")]
    NoTurn,
    /// A line has none of the forms that a script file can have.
    #[error("{0:?} is none of: `when …`, `otherwise`, an @ line, or a comment after #")]
    UnknownLine(String),
    /// No command has this name.
    #[error("unknown command {0}")]
    UnknownCommand(String),
    /// What follows the command has another form.
    #[error("expected {0}")]
    Form(Cow<'static, str>),
    /// What follows the command is not the JSON that it takes.
    #[error("expected {form}: {error}")]
    Json {
        /// The form of the JSON.
        form: &'static str,
        /// Why the text is not JSON.
        error: ParseError,
    },
    /// The input of a tool is not JSON.
    #[error("invalid input: {0}")]
    InputJson(ParseError),
    /// The input of a tool is not an object.
    #[error("a tool's input must be a JSON object, not {0}")]
    Input(String),
    /// A content block has no type.
    #[error("a block needs a \"type\": {0}")]
    BlockType(String),
    /// A content block has another shape.
    #[error("a block can't be read: {0:?}")]
    Block(Fault),
    /// A number is none, or out of bounds.
    #[error("{name} must be a whole number from {least} to {most}, not {found:?}")]
    Number {
        /// The name of the argument.
        name: &'static str,
        /// The smallest number.
        least: u64,
        /// The largest number.
        most: u64,
        /// The argument.
        found: String,
    },
    /// A duration is none.
    #[error("SECONDS must be a number such as 2 or 0.05, not {0:?}")]
    Seconds(String),
    /// An argument does not fit into a header.
    #[error("{name} must consist of letters, digits, _ and -, not {found:?}")]
    Name {
        /// The name of the argument.
        name: &'static str,
        /// The argument.
        found: String,
    },
    /// A word of a heading is none of those that it can be.
    #[error("expected one of {expected}, not {found:?}")]
    Word {
        /// The words that it can be.
        expected: String,
        /// The word.
        found: String,
    },
    /// A value of a heading is not in quotes.
    #[error("expected a text in quotes, not {0:?}")]
    Quoted(String),
    /// A condition of a heading is followed by something else.
    #[error("expected `and`, `times` or the end of the line, not {0:?}")]
    AfterCondition(String),
    /// `times` of a heading has no number.
    #[error("expected a number after `times`, not {0:?}")]
    Times(String),
    /// A heading continues after `times`.
    #[error("nothing may follow `times N`, but {0:?} does")]
    AfterTimes(String),
    /// A heading continues after `otherwise`.
    #[error("nothing may follow `otherwise`")]
    AfterOtherwise,
}
