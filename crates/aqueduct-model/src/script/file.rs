//! A script file: headings and the `@` lines under them.

use super::error::{ScriptError, ScriptLineError};
use super::line::is_script;
use super::rule::{Heading, ScriptRule};
use super::turns::ScriptTurns;

/// A heading and the lines below it, each with its number.
type Section<'t> = (usize, Heading, Vec<(usize, &'t str)>);

/// Reads a script file.
pub(super) fn parse(text: &str) -> Result<Vec<ScriptRule>, ScriptError> {
    let mut rules = Vec::new();
    let mut open: Option<Section<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        let (number, line) = (index + 1, line.trim_end());
        let error = |error: ScriptLineError| ScriptError { line: number, error };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = Heading::parse(line) {
            rules.extend(open.take().map(rule).transpose()?);
            open = Some((number, heading.map_err(error)?, Vec::new()));
        } else if is_script(line) {
            let Some((_, _, lines)) = &mut open else {
                return Err(error(ScriptLineError::NoHeading));
            };
            lines.push((number, line));
        } else {
            return Err(error(ScriptLineError::UnknownLine(line.to_owned())));
        }
    }
    rules.extend(open.map(rule).transpose()?);
    Ok(rules)
}

fn rule((line, heading, lines): Section<'_>) -> Result<ScriptRule, ScriptError> {
    let turns = ScriptTurns::parse(lines.iter().copied());
    if let Some(wrong) = turns.wrong() {
        let error = ScriptLineError::Line { line: wrong.line.clone(), error: Box::new(wrong.error.clone()) };
        return Err(ScriptError { line: wrong.number, error });
    }
    if turns.is_empty() {
        return Err(ScriptError { line, error: ScriptLineError::NoLines });
    }
    let lines = lines.into_iter().map(|(number, line)| (number, line.to_owned())).collect();
    Ok(ScriptRule { heading, lines, turns })
}
