//! One `@` line.

use std::time::Duration;

use super::action::Action;
use super::change::Change;
use super::error::LineError;

/// A line of a script, understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line {
    /// A turn of the model.
    Action(Action),
    /// Something about the turn that follows.
    Change(Change),
}

/// Whether a line belongs to a script: `@`, a word of small letters and dashes, and the end or a space. So a
/// mention of a file or a person does not.
pub(super) fn is_script(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('@') else { return false };
    let word = rest.split(' ').next().unwrap_or_default();
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

impl Line {
    /// Reads a line that [`is_script`].
    pub(super) fn parse(line: &str) -> Result<Self, LineError> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(action) = Action::parse(command, rest, line)? {
            return Ok(Line::Action(action));
        }
        if let Some(change) = Change::parse(command, rest, line)? {
            return Ok(Line::Change(change));
        }
        Err(LineError::UnknownCommand(command.to_owned()))
    }
}

/// The words of a line, at least `least` and at most as many as there are names for them.
pub(super) fn words<'l>(rest: &'l str, least: usize, names: &[&str]) -> Result<Vec<&'l str>, LineError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    if words.len() < least || words.len() > names.len() {
        return Err(LineError::Form(names.join(" ").into()));
    }
    Ok(words)
}

/// A number within bounds.
pub(super) fn number(word: &str, name: &'static str, least: u64, most: u64) -> Result<u64, LineError> {
    match word.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(LineError::Number { name, least, most, found: word.to_owned() }),
    }
}

/// A time in seconds.
pub(super) fn seconds(word: &str) -> Result<Duration, LineError> {
    let seconds = word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| LineError::Seconds(word.to_owned()))
}
