//! Reads the command line.

use super::error::CommandLineError;
use super::flag::{self, FlagValue};
use super::pairing;
use crate::diagnostic::Diagnostic;
use crate::options::{AgentOptions, InputFormat};
use crate::subcommand;

/// The parsed command line.
#[derive(Debug, Clone, PartialEq)]
pub enum ParsedOptions {
    /// Run, after printing the warnings on stderr.
    Run {
        /// What was asked for.
        options: Box<AgentOptions>,
        /// What was not understood.
        warnings: Vec<Diagnostic>,
    },
    /// Run a subcommand: its name, and what follows it.
    Subcommand {
        /// What comes before it.
        options: Box<AgentOptions>,
        /// The subcommand.
        arguments: Vec<String>,
    },
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// It makes no sense.
    Wrong(CommandLineError),
}

/// Reads the arguments that follow the program's name.
///
/// Hosts of many versions start agents, so a flag that is not known is a warning and no error. The first argument that is
/// no flag may be a subcommand, unless `-p` is given anywhere: then it is a prompt.
pub fn parse(arguments: &[String]) -> ParsedOptions {
    let mut flags = arguments.iter().take_while(|argument| *argument != "--");
    let prints = flags.any(|argument| argument == "-p" || argument == "--print");
    let mut reading = CommandLineReader {
        options: AgentOptions::default(),
        warnings: Vec::new(),
        unknown: Vec::new(),
        positional: Vec::new(),
    };
    let mut rest = arguments;
    while let Some((argument, after)) = rest.split_first() {
        rest = after;
        if matches!(argument.as_str(), "-h" | "--help") {
            return ParsedOptions::Help;
        }
        if matches!(argument.as_str(), "-v" | "--version") {
            return ParsedOptions::Version;
        }
        let is_end = argument == "--";
        let operands =
            if is_end { rest } else { arguments.get(arguments.len() - rest.len() - 1..).unwrap_or_default() };
        let is_first = reading.positional.is_empty() && (is_end || !is_flag(argument));
        if !prints && is_first && subcommand::is_call(operands) {
            return reading.subcommand(operands);
        }
        if is_end {
            reading.positional.extend_from_slice(rest);
            break;
        }
        if !is_flag(argument) {
            reading.positional.push(argument.clone());
            continue;
        }
        match reading.flag(argument, rest) {
            Ok(used) => rest = rest.get(used..).unwrap_or_default(),
            Err(error) => return ParsedOptions::Wrong(error),
        }
    }
    reading.finish()
}

struct CommandLineReader {
    options: AgentOptions,
    warnings: Vec<Diagnostic>,
    /// The flags that are not known.
    unknown: Vec<String>,
    positional: Vec<String>,
}

impl CommandLineReader {
    /// Reads one flag and returns how many of the following arguments belong to it.
    fn flag(&mut self, argument: &str, rest: &[String]) -> Result<usize, CommandLineError> {
        let (name, joined) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (argument, None),
        };
        let Some(flag) = flag::find(name) else {
            return Ok(self.unknown(name, joined.is_some(), rest));
        };
        let invalid = |error| CommandLineError::Value { flag: name.to_owned(), error };
        let missing = |what| CommandLineError::MissingValue { flag: name.to_owned(), what };
        match &flag.takes {
            FlagValue::Nothing(apply) => {
                apply(&mut self.options);
                Ok(0)
            }
            FlagValue::Value(what, apply) => {
                let (value, used) = match (joined, rest.first()) {
                    (Some(value), _) => (value, 0),
                    (None, Some(value)) => (value.as_str(), 1),
                    (None, None) => return Err(missing(what)),
                };
                apply(&mut self.options, value).map_err(invalid)?;
                Ok(used)
            }
            FlagValue::Maybe(_, apply) => match (joined, rest.first()) {
                (Some(value), _) => {
                    apply(&mut self.options, Some(value));
                    Ok(0)
                }
                (None, Some(value)) if !is_flag(value) && !value.contains(char::is_whitespace) => {
                    apply(&mut self.options, Some(value));
                    Ok(1)
                }
                _ => {
                    apply(&mut self.options, None);
                    Ok(0)
                }
            },
            FlagValue::Several(what, apply) => {
                if let Some(value) = joined {
                    apply(&mut self.options, value).map_err(invalid)?;
                    return Ok(0);
                }
                let values: Vec<&String> = rest.iter().take_while(|value| !is_flag(value)).collect();
                if values.is_empty() {
                    return Err(missing(what));
                }
                for value in &values {
                    apply(&mut self.options, value).map_err(invalid)?;
                }
                Ok(values.len())
            }
        }
    }

    /// Passes over a flag that is not known. Whether a value follows it is a guess: with frames as input
    /// there is no prompt on the command line, so what follows is its value.
    fn unknown(&mut self, name: &str, joined: bool, rest: &[String]) -> usize {
        self.warnings.push(Diagnostic::warning(format!("unknown option {name}: ignored")));
        self.unknown.push(name.to_owned());
        let streams = self.options.input == InputFormat::StreamJson
            || rest.iter().any(|argument| argument.contains("stream-json"));
        usize::from(!joined && streams && rest.first().is_some_and(|value| !is_flag(value)))
    }

    /// The first word, and the subcommand that it was probably meant to be.
    fn misspelt(&self) -> Option<(&str, &'static str)> {
        let word = self.positional.first()?;
        Some((word, subcommand::meant_by(word)?))
    }

    /// Nothing is asked of a host, so a flag that is not known is an error.
    fn subcommand(self, arguments: &[String]) -> ParsedOptions {
        match self.unknown.first() {
            Some(flag) => ParsedOptions::Wrong(CommandLineError::UnknownFlag(flag.clone())),
            None => {
                ParsedOptions::Subcommand { options: Box::new(self.options), arguments: arguments.to_vec() }
            }
        }
    }

    fn finish(mut self) -> ParsedOptions {
        let is_typed = !self.options.print && self.options.input == InputFormat::Text;
        if let Some((word, meant)) = self.misspelt().filter(|_| is_typed) {
            return ParsedOptions::Wrong(CommandLineError::UnknownCommand { word: word.to_owned(), meant });
        }
        if !self.positional.is_empty() {
            self.options.prompt = Some(self.positional.join(" "));
        }
        match pairing::check(&self.options) {
            Ok(()) => ParsedOptions::Run { options: Box::new(self.options), warnings: self.warnings },
            Err(error) => ParsedOptions::Wrong(error),
        }
    }
}

/// A lone dash and negative numbers are values.
fn is_flag(argument: &str) -> bool {
    argument.len() > 1
        && argument.starts_with('-')
        && !argument[1..].starts_with(|c: char| c.is_ascii_digit())
}
