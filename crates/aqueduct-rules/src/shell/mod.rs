//! A shell grammar that finds every simple command in a text.
//!
//! The parser is written by hand. A decision needs three things that general shell parsers don't give
//! together: it must be total (any bytes give an answer, a half-understood text still shows the commands
//! in it), it must run in linear time with bounded stack on hostile input, and it must report for each word
//! whether its value is certain. The result is flat: commands in the order in which they are written,
//! each with its context, and a list of uncertainties. A command line with an uncertainty is never allowed
//! by a rule that names single commands; a deny rule looks at every command that was found, wherever it
//! is.

mod compound;
mod expansion;
mod heredoc;
mod list;
mod parser;
mod quote;
mod redirect;
mod simple;
mod word;

use std::borrow::Cow;

pub(crate) use parser::parse;
pub(crate) use redirect::{Redirect, RedirectKind};

/// Everything found in one command text.
#[derive(Debug, Default)]
pub(crate) struct Script<'a> {
    pub(crate) commands: Vec<ShellCommand<'a>>,
    /// The texts of here-documents, in the order in which they are asked for.
    pub(crate) documents: Vec<Cow<'a, str>>,
    pub(crate) uncertainties: Vec<Uncertainty>,
    /// Variables that the text itself sets to a certain value; only the first few are remembered.
    variables: Vec<(String, String)>,
}

impl Script<'_> {
    /// Whether some of the text may hold commands that were not found.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.uncertainties
            .iter()
            .any(|uncertainty| matches!(uncertainty, Uncertainty::Syntax | Uncertainty::TooDeep))
    }
}

/// A simple command: assignments, words and redirections. Without words it is an assignment alone, or
/// the redirections of a compound command.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShellCommand<'a> {
    pub(crate) assignments: Vec<Assignment<'a>>,
    pub(crate) words: Vec<ShellWord<'a>>,
    pub(crate) redirects: Vec<Redirect<'a>>,
    /// Whether it is inside a substitution, a subshell, a function or another nested construct.
    pub(crate) nested: bool,
    /// Whether its input is the output of the command before it.
    pub(crate) piped: bool,
}

/// `NAME=value` in front of a command or alone.
#[derive(Debug, Clone)]
pub(crate) struct Assignment<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) value: ShellWord<'a>,
    /// The whole assignment as written.
    pub(crate) raw: Cow<'a, str>,
}

/// One word of a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShellWord<'a> {
    /// The word as written.
    pub(crate) raw: Cow<'a, str>,
    /// The word after quotes and escapes are taken away. Where `known` is false, expansions are left out.
    pub(crate) value: Cow<'a, str>,
    /// Whether `value` is what the program will get, glob characters aside.
    pub(crate) known: bool,
    /// Whether it has unquoted `*`, `?` or `[`.
    pub(crate) glob: bool,
    /// Whether it begins with an unquoted `~`.
    pub(crate) tilde: bool,
    /// Whether it can become several words or none.
    pub(crate) splits: bool,
}

/// Something in a command text that keeps it from being checked before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncertainty {
    Syntax,
    TooDeep,
    UnicodeSpace,
    EscapedSpace,
    Background,
    Subshell,
    Group,
    Arithmetic,
    CountingLoop,
    Case,
    Select,
    Function,
    Coproc,
    Array,
    Substitution,
    ProcessSubstitution,
    Variable,
    BraceVariable,
    AnsiQuote,
    LocaleQuote,
    BraceExpansion,
    EqualsExpansion,
    HiddenComment,
    Heredoc,
    RedirectAfterHeredoc,
    ReadWriteRedirect,
    RedirectTarget,
    TimedCompound,
}

impl Uncertainty {
    /// The reason, for users.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Syntax => "part of the command could not be parsed",
            Self::TooDeep => "the command is nested too deeply to be checked",
            Self::UnicodeSpace => "the command contains an invisible or non-ASCII space character",
            Self::EscapedSpace => "the command contains an escaped space or a line broken inside a word",
            Self::Background => "`&` lets a command outlive the check",
            Self::Subshell => "commands in a subshell can't be checked one by one",
            Self::Group => "commands in braces can't be checked one by one",
            Self::Arithmetic => "an arithmetic expression can't be checked before it runs",
            Self::CountingLoop => "a counting loop can't be checked before it runs",
            Self::Case => "a case statement can't be checked before it runs",
            Self::Select => "a select statement can't be checked before it runs",
            Self::Function => "a function definition can't be checked before it runs",
            Self::Coproc => "a coprocess can't be checked before it runs",
            Self::Array => "an array assignment can't be checked before it runs",
            Self::Substitution => "the output of a command becomes part of this one",
            Self::ProcessSubstitution => "a command is used as a file",
            Self::Variable => "the value of a variable is not known before the command runs",
            Self::BraceVariable => "a variable in braces is not known before the command runs",
            Self::AnsiQuote => "text with escape codes (`$'…'`) can hide what runs",
            Self::LocaleQuote => "translated text (`$\"…\"`) can change what runs",
            Self::BraceExpansion => "a brace pattern becomes several words",
            Self::EqualsExpansion => "some shells replace a word that begins with `=`",
            Self::HiddenComment => "a quoted line that begins with `#` can hide the rest of the command",
            Self::Heredoc => "the text of a here-document is expanded before the command gets it",
            Self::RedirectAfterHeredoc => "a redirection after a here-document can't be checked",
            Self::ReadWriteRedirect => "`<>` opens a file for reading and writing",
            Self::RedirectTarget => "the target of a redirection is not a plain path",
            Self::TimedCompound => "a timed group can't be checked before it runs",
        }
    }
}

impl ShellWord<'_> {
    /// The same word without ties to the text it was read from.
    fn into_owned(self) -> ShellWord<'static> {
        ShellWord {
            raw: Cow::Owned(self.raw.into_owned()),
            value: Cow::Owned(self.value.into_owned()),
            known: self.known,
            glob: self.glob,
            tilde: self.tilde,
            splits: self.splits,
        }
    }

    /// Whether the value is certain: nothing expanded, no glob, no tilde.
    pub(crate) fn is_plain(&self) -> bool {
        self.known && !self.glob && !self.tilde
    }
}

impl ShellCommand<'_> {
    /// The same command without ties to its text; its here-documents are counted from `first_document`.
    pub(crate) fn into_owned(self, first_document: usize) -> ShellCommand<'static> {
        ShellCommand {
            assignments: self
                .assignments
                .into_iter()
                .map(|assignment| Assignment {
                    name: Cow::Owned(assignment.name.into_owned()),
                    value: assignment.value.into_owned(),
                    raw: Cow::Owned(assignment.raw.into_owned()),
                })
                .collect(),
            words: self.words.into_iter().map(ShellWord::into_owned).collect(),
            redirects: self
                .redirects
                .into_iter()
                .map(|redirect| redirect.into_owned(first_document))
                .collect(),
            nested: self.nested,
            piped: self.piped,
        }
    }
}
