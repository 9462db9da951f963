//! What a subcommand is: one row of the table that feeds both the parser and the help.

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;

/// A subcommand.
pub(super) struct Subcommand {
    /// Its names, the usual one first.
    pub(super) names: &'static [&'static str],
    /// What follows it: `<name>`, `[name]` or `[names...]`, with blanks between them.
    pub(super) operands: &'static str,
    /// Its options: how they are written, such as `-s, --scope <scope>`, and what they do.
    pub(super) options: &'static [(&'static str, &'static str)],
    /// What it does.
    pub(super) about: &'static str,
    /// What its own help contains besides that. `{program}` is the program's name.
    pub(super) examples: &'static str,
    /// What happens.
    pub(super) action: SubcommandAction,
}

/// What a subcommand does.
pub(super) enum SubcommandAction {
    /// One of its own subcommands is run.
    Group(&'static [Subcommand]),
    /// This is run; it returns the exit code, or what failed.
    Run(RunSubcommand),
    /// Nothing: this is why.
    Refuse(&'static str),
}

/// Runs a subcommand.
pub(super) type RunSubcommand =
    fn(&SubcommandContext, &GivenArguments, &mut Console<'_>) -> Result<u8, SubcommandError>;

impl Subcommand {
    pub(super) const fn new(
        names: &'static [&'static str],
        about: &'static str,
        action: SubcommandAction,
    ) -> Self {
        Subcommand { names, operands: "", options: &[], about, examples: "", action }
    }

    pub(super) const fn taking(mut self, operands: &'static str) -> Self {
        self.operands = operands;
        self
    }

    pub(super) const fn with(mut self, options: &'static [(&'static str, &'static str)]) -> Self {
        self.options = options;
        self
    }

    pub(super) const fn for_example(mut self, examples: &'static str) -> Self {
        self.examples = examples;
        self
    }

    /// The usual name.
    pub(super) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    /// Whether it is called by a name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// The options, each read from how it is written.
    pub(super) fn switches(&self) -> impl Iterator<Item = Switch> {
        self.options.iter().map(|(written, _)| Switch::read(written))
    }
}

/// An option, read from how the table writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Switch {
    /// The whole of it, for messages.
    pub(super) written: &'static str,
    /// `-s`.
    pub(super) short: Option<&'static str>,
    /// `--scope`.
    pub(super) long: &'static str,
    /// What follows it.
    pub(super) takes: SwitchValue,
}

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SwitchValue {
    Nothing,
    Value,
    /// A value, or nothing.
    Maybe,
    /// Values, up to the next option.
    Several,
}

impl Switch {
    fn read(written: &'static str) -> Self {
        let (names, value) = match written.find(" <").or_else(|| written.find(" [")) {
            Some(at) => written.split_at(at),
            None => (written, ""),
        };
        let (short, long) = match names.split_once(", ") {
            Some((short, long)) => (Some(short), long),
            None => (None, names),
        };
        let takes = match value.trim_start() {
            "" => SwitchValue::Nothing,
            value if value.ends_with("...>") => SwitchValue::Several,
            value if value.starts_with('[') => SwitchValue::Maybe,
            _ => SwitchValue::Value,
        };
        Switch { written, short, long, takes }
    }
}
