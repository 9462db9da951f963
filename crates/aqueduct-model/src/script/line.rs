//! One `@` line.

use std::time::Duration;

use super::action::ScriptAction;
use super::change::ScriptChange;
use super::error::ScriptLineError;

/// A line of a script, understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ScriptLine {
    /// A turn of the model.
    Action(ScriptAction),
    /// Something about the turn that follows.
    Change(ScriptChange),
}

/// Whether a line belongs to a script: `@`, a word of small letters and dashes, and the end or a space. So a
/// mention of a file or a person does not.
pub(super) fn is_script(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('@') else { return false };
    let word = rest.split(' ').next().unwrap_or_default();
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

impl ScriptLine {
    /// Reads a line that [`is_script`].
    pub(super) fn parse(line: &str) -> Result<Self, ScriptLineError> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(action) = ScriptAction::parse(command, rest, line)? {
            return Ok(ScriptLine::Action(action));
        }
        if let Some(change) = ScriptChange::parse(command, rest, line)? {
            return Ok(ScriptLine::Change(change));
        }
        Err(ScriptLineError::UnknownCommand(command.to_owned()))
    }
}

/// The words of a line, at least `least` and at most as many as there are names for them.
pub(super) fn words<'l>(
    rest: &'l str,
    least: usize,
    names: &[&str],
) -> Result<Vec<&'l str>, ScriptLineError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    if words.len() < least || words.len() > names.len() {
        return Err(ScriptLineError::Form(names.join(" ").into()));
    }
    Ok(words)
}

/// A number within bounds.
pub(super) fn number(word: &str, name: &'static str, least: u64, most: u64) -> Result<u64, ScriptLineError> {
    match word.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(ScriptLineError::Number { name, least, most, found: word.to_owned() }),
    }
}

/// A time in seconds.
pub(super) fn seconds(word: &str) -> Result<Duration, ScriptLineError> {
    let seconds = word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| ScriptLineError::Seconds(word.to_owned()))
}
