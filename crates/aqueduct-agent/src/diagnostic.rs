//! Diagnostics: what people should know of files, options and requests that are read although something is wrong.
//!
//! Readers produce [`Diagnostic`]s and never text with a prefix. They become text at the edges only: a line on stderr
//! ([`Diagnostic::for_stderr`]), a notice for the host and a line of a report (both by `Display`).

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;

use aqueduct_wire::hint::{Hint, HintedError};

/// How a diagnostic is printed for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Something in a file or a request is wrong or has no effect. Its place introduces it.
    Problem,
    /// Something happens in another way than the user may expect. `Notice:` introduces it on stderr.
    Notice,
    /// Something that was asked for does not happen. `Warning:` introduces it on stderr.
    Warning,
}

/// Where something is: a file, an option or a request, and a position in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file, the option or the request. None where the reader of a text does not know where the text is from.
    pub source: Option<String>,
    /// The line, from 1.
    pub line: Option<NonZeroUsize>,
    /// The column in characters, from 1.
    pub column: Option<NonZeroUsize>,
}

/// Something that people should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How it is printed.
    pub severity: Severity,
    /// Where it is.
    pub place: SourceLocation,
    /// What is wrong.
    pub message: String,
    /// What follows from it, or what to do about it.
    pub hint: Option<Hint>,
}

impl Diagnostic {
    /// A problem.
    pub fn problem(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Problem,
            place: SourceLocation::default(),
            message: message.into(),
            hint: None,
        }
    }

    /// An error with its hint.
    pub fn of_error(error: &impl HintedError) -> Self {
        Diagnostic { hint: error.hint(), ..Diagnostic::problem(error.to_string()) }
    }

    /// A notice.
    pub fn notice(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Notice, ..Diagnostic::problem(message) }
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::problem(message) }
    }

    /// The same about a file, an option or a request.
    #[must_use]
    pub fn of(mut self, source: impl Into<String>) -> Self {
        self.place.source = Some(source.into());
        self
    }

    /// The same about a file.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        self.of(path.display().to_string())
    }

    /// The same about a line.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.place.line = NonZeroUsize::new(line);
        self
    }

    /// The same about a column of its line.
    #[must_use]
    pub fn at_column(mut self, column: usize) -> Self {
        self.place.column = NonZeroUsize::new(column);
        self
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The same about something that is ignored.
    #[must_use]
    pub fn ignored(self) -> Self {
        self.with_hint(Hint::Ignored)
    }

    /// The same with a clause about what follows or what to do.
    #[must_use]
    pub fn clause(self, hint: impl Into<String>) -> Self {
        self.with_hint(Hint::Clause(hint.into()))
    }

    /// The same with a sentence about what follows or what to do.
    #[must_use]
    pub fn sentence(self, hint: impl Into<String>) -> Self {
        self.with_hint(Hint::Sentence(hint.into()))
    }

    /// The line that it is about; 1, where it is about a source as a whole.
    pub fn line(&self) -> usize {
        self.place.line.map_or(1, NonZeroUsize::get)
    }

    /// The line for stderr.
    pub fn for_stderr(&self) -> String {
        match self.severity {
            Severity::Problem => self.to_string(),
            Severity::Notice => format!("Notice: {self}"),
            Severity::Warning => format!("Warning: {self}"),
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [self.line, self.column].into_iter().flatten().map(|number| number.to_string());
        let parts: Vec<String> = self.source.iter().cloned().chain(numbers).collect();
        f.write_str(&parts.join(":"))
    }
}

/// Place, message and hint, without the severity.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != SourceLocation::default() {
            write!(f, "{}: ", self.place)?;
        }
        match &self.hint {
            None => f.write_str(&self.message),
            Some(hint) => f.write_str(&hint.after(&self.message)),
        }
    }
}

impl From<String> for Diagnostic {
    fn from(message: String) -> Self {
        Diagnostic::problem(message)
    }
}

impl From<&str> for Diagnostic {
    fn from(message: &str) -> Self {
        Diagnostic::problem(message)
    }
}

impl From<aqueduct_rules::Error> for Diagnostic {
    fn from(error: aqueduct_rules::Error) -> Self {
        match error {
            aqueduct_rules::Error::Settings { file, line, column, field, problem, hint } => {
                let between = if field.is_empty() { "" } else { ": " };
                let what = Diagnostic::problem(format!("{field}{between}{problem}"));
                Diagnostic { hint, ..what.of(file).at_line(line).at_column(column) }
            }
            other => Diagnostic::of_error(&other),
        }
    }
}

/// The diagnostic of a member that a file has twice.
impl From<aqueduct_rules::settings::DuplicateMember> for Diagnostic {
    fn from(twice: aqueduct_rules::settings::DuplicateMember) -> Self {
        let places = match twice.by == twice.line {
            true => String::new(),
            false => format!(": here and on line {}", twice.by),
        };
        let message = format!("{} is defined twice{places}", twice.path);
        Diagnostic::problem(message).clause("the last definition is used").at_line(twice.line)
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::hint::HintedError as _;

    use super::{Diagnostic, SourceLocation};

    #[test]
    fn place_message_and_hint_make_a_line() {
        let bare = Diagnostic::problem("model must be a text");
        assert_eq!(bare.to_string(), "model must be a text");
        let placed = bare.at_line(4).of("settings.json").ignored();
        assert_eq!(placed.to_string(), "settings.json:4: model must be a text; it is ignored");
        assert_eq!(placed.for_stderr(), placed.to_string());
        let asked = Diagnostic::warning("nowhere is not a folder").of("--add-dir").sentence("Create it");
        assert_eq!(asked.for_stderr(), "Warning: --add-dir: nowhere is not a folder. Create it");
    }

    #[test]
    fn errors_of_rules_keep_their_place() {
        for text in ["{", r#"{"permissions":{"allow":["Bash("]}}"#] {
            let (_, errors) = aqueduct_rules::settings::read("settings.json", text);
            let error = errors.into_iter().next().unwrap();
            let (shown, diagnostic) = (error.advised(), Diagnostic::from(error));
            assert_eq!(diagnostic.to_string(), shown);
            assert_eq!(diagnostic.place.source.as_deref(), Some("settings.json"));
        }
        let other = Diagnostic::from(aqueduct_rules::Rule::parse("Bash(").unwrap_err());
        assert_eq!(other.place, SourceLocation::default());
    }
}
