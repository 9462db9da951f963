//! A script file: headings and the `@` lines under them.

use super::line::is_script;
use super::rule::{Heading, Rule};
use super::turns::Turns;

/// A script file that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ScriptError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

/// A heading and the lines below it, each with its number.
type Section<'t> = (usize, Heading, Vec<(usize, &'t str)>);

/// Reads a script file.
pub(super) fn parse(text: &str) -> Result<Vec<Rule>, ScriptError> {
    let mut rules = Vec::new();
    let mut open: Option<Section<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        let (number, line) = (index + 1, line.trim_end());
        let error = |message: String| ScriptError { line: number, message };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = Heading::parse(line) {
            rules.extend(open.take().map(rule).transpose()?);
            open = Some((number, heading.map_err(error)?, Vec::new()));
        } else if is_script(line) {
            let Some((_, _, lines)) = &mut open else {
                return Err(error("a line `when …` or `otherwise` must precede it".to_owned()));
            };
            lines.push((number, line));
        } else {
            let wanted = "`when …`, `otherwise`, an @ line, or a comment after #";
            return Err(error(format!("{line:?} is none of: {wanted}")));
        }
    }
    rules.extend(open.map(rule).transpose()?);
    Ok(rules)
}

fn rule((line, heading, lines): Section<'_>) -> Result<Rule, ScriptError> {
    let turns = Turns::parse(lines.iter().copied());
    if let Some(wrong) = turns.wrong() {
        return Err(ScriptError { line: wrong.number, message: format!("{}: {}", wrong.line, wrong.why) });
    }
    if turns.is_empty() {
        return Err(ScriptError { line, message: "@ lines must follow it".to_owned() });
    }
    let lines = lines.into_iter().map(|(number, line)| (number, line.to_owned())).collect();
    Ok(Rule { heading, lines, turns })
}
