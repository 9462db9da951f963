//! Programs, their subcommands and their options, as the tables write them and as words are read by them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{archive, build, javascript, language, remote, script, service, text};

/// How a program reads its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Short options in clusters, long ones with two dashes, anywhere among the operands.
    Clusters,
    /// An option is one word with one or two dashes; its value follows `=` or is the next word.
    Words,
    /// As `Words`, and one dash means the same as two.
    Dashes,
    /// As `Clusters`, and the first word may be a cluster without a dash.
    Bundle,
}

/// What operands may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandKind {
    /// Any text: names of containers, hosts, packages, tests.
    Names,
    /// Names, or files in the working directories; `@` before a name would bring more options.
    Files,
    /// Packages, or folders in the working directories.
    Packages,
    /// Packages of the project itself, none from elsewhere.
    Local,
    /// Single words.
    Words,
    /// Targets of make, and a few variables that run nothing.
    Targets,
    /// Tasks, files in the working directories, and variables that name tests.
    Tasks,
    /// Files in the working directories, and no program of the machine.
    Scripts,
    /// Files in the working directories, or behind a name and a colon those of a container.
    Copied,
    /// Addresses on the web.
    Addresses,
    /// The command runs other programs or changes what later ones do: only a rule that names it covers it.
    Never,
}

/// A program, or several with the same options.
pub(super) struct KnownProgram {
    names: &'static str,
    pub(super) style: Style,
    /// Options before the subcommand, where there are subcommands.
    before: &'static str,
    /// Its subcommands; the one without a name represents all others, and for a program that has none.
    commands: &'static [KnownSubcommand],
}

/// A subcommand, or several with the same options.
///
/// Options are written as `-q` (no value), `-n=` (a value, attached or in the next word) and `--color?` (a value
/// only where it is attached). `-#` is a number.
pub(super) struct KnownSubcommand {
    names: &'static str,
    options: &'static [&'static str],
    pub(super) operands: OperandKind,
    /// After this many operands, every word belongs to another program; none for never.
    pub(super) hands_over_after: usize,
    /// Whether every word behind `--` belongs to another program or to a test.
    pub(super) hands_over: bool,
}

pub(super) const fn program(
    names: &'static str,
    style: Style,
    before: &'static str,
    commands: &'static [KnownSubcommand],
) -> KnownProgram {
    KnownProgram { names, style, before, commands }
}

pub(super) const fn command(
    names: &'static str,
    options: &'static [&'static str],
    operands: OperandKind,
) -> KnownSubcommand {
    KnownSubcommand { names, options, operands, hands_over_after: 0, hands_over: false }
}

impl KnownSubcommand {
    pub(super) const fn handing_over(self) -> Self {
        Self { hands_over: true, ..self }
    }

    pub(super) const fn until_operand(self, count: usize) -> Self {
        Self { hands_over_after: count, ..self }
    }
}

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValue {
    Nothing,
    Value,
    Attached,
}

pub(super) type OptionTable = HashMap<&'static str, OptionValue>;

pub(super) struct Compiled {
    pub(super) style: Style,
    pub(super) before: OptionTable,
    /// Whether a subcommand follows the program's own options.
    pub(super) has_commands: bool,
    commands: HashMap<&'static str, (&'static KnownSubcommand, usize)>,
    pub(super) options: Vec<OptionTable>,
}

/// Any program may be asked for its version and for help.
const ALWAYS: &str = "--version --help";

fn options(texts: &[&'static str]) -> OptionTable {
    let words = texts.iter().chain([&ALWAYS]).flat_map(|text| text.split_ascii_whitespace());
    let one = |word: &'static str| match (word.strip_suffix('='), word.strip_suffix('?')) {
        (Some(name), _) => (name, OptionValue::Value),
        (_, Some(name)) => (name, OptionValue::Attached),
        _ => (word, OptionValue::Nothing),
    };
    words.map(one).collect()
}

pub(super) static PROGRAMS: LazyLock<HashMap<&'static str, Compiled>> = LazyLock::new(|| {
    let tables = [
        archive::PROGRAMS,
        build::PROGRAMS,
        javascript::PROGRAMS,
        language::PROGRAMS,
        remote::PROGRAMS,
        script::PROGRAMS,
        service::PROGRAMS,
        text::PROGRAMS,
    ];
    let mut all = HashMap::new();
    for program in tables.into_iter().flatten() {
        for name in program.names.split(' ') {
            let mut commands = HashMap::new();
            let mut compiled = Vec::new();
            for command in program.commands {
                let at = compiled.len();
                compiled.push(options(command.options));
                // `|` separates the names of subcommands, some of which are two words.
                commands.extend(command.names.split('|').map(|name| (name, (command, at))));
            }
            let has_commands = program.commands.iter().any(|command| !command.names.is_empty());
            let before = options(&[program.before]);
            all.insert(
                name,
                Compiled { style: program.style, before, has_commands, commands, options: compiled },
            );
        }
    }
    all
});

/// How a word with options was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParsedOption<'w> {
    /// The option that takes a value, if one of them does: its name or, of a cluster, its letter.
    pub(super) name: &'w str,
    /// The value in the word itself.
    pub(super) attached: Option<&'w str>,
    /// Whether the next word is its value.
    pub(super) takes_next: bool,
}

impl<'w> ParsedOption<'w> {
    fn alone(name: &'w str) -> Self {
        Self { name, attached: None, takes_next: false }
    }
}

impl Compiled {
    /// The subcommand that these words begin with, and how many of them name it.
    pub(super) fn command(&self, words: &[&str]) -> (Option<(&'static KnownSubcommand, usize)>, usize) {
        let other = self.commands.get("").copied();
        if !self.has_commands {
            return (other, 0);
        }
        let Some(first) = words.first() else { return (other, 0) };
        if let Some(second) = words.get(1)
            && let Some(found) = self.commands.get(format!("{first} {second}").as_str())
        {
            return (Some(*found), 2);
        }
        (self.commands.get(first).copied().or(other), 1)
    }

    /// Reads one word with options; none if one of them is not listed.
    pub(super) fn reads<'w>(&self, options: &OptionTable, word: &'w str) -> Option<ParsedOption<'w>> {
        if word.starts_with('+') {
            return None;
        }
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let dashed = match self.style {
            Style::Dashes => name.strip_prefix('-').filter(|name| name.starts_with('-')).unwrap_or(name),
            _ => name,
        };
        if let Some(takes) = options.get(dashed).filter(|_| self.is_whole(name)) {
            return match (takes, attached) {
                (OptionValue::Nothing, Some(_)) => None,
                (OptionValue::Value, None) => Some(ParsedOption { name: dashed, attached, takes_next: true }),
                _ => Some(ParsedOption { name: dashed, attached, takes_next: false }),
            };
        }
        if matches!(self.style, Style::Words | Style::Dashes) || word.starts_with("--") {
            return None;
        }
        let cluster = &word[1..];
        if cluster.bytes().all(|byte| byte.is_ascii_digit()) {
            return options.contains_key("-#").then_some(ParsedOption::alone(word));
        }
        for (at, letter) in cluster.char_indices() {
            let (name, rest) = cluster[at..].split_at(letter.len_utf8());
            let attached = Some(rest).filter(|rest| !rest.is_empty());
            match options.get(format!("-{letter}").as_str())? {
                OptionValue::Nothing => {}
                OptionValue::Value if rest.is_empty() => {
                    return Some(ParsedOption { name, attached, takes_next: true });
                }
                // Options of a bundle take their values from the words after it, in turn.
                OptionValue::Value if self.style == Style::Bundle => return None,
                OptionValue::Value | OptionValue::Attached => {
                    return Some(ParsedOption { name, attached, takes_next: false });
                }
            }
        }
        Some(ParsedOption::alone(word))
    }

    /// Whether an option of this name is one word, and not a cluster.
    fn is_whole(&self, name: &str) -> bool {
        name.starts_with("--") || matches!(self.style, Style::Words | Style::Dashes) || name.len() > 2
    }
}
