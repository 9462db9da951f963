//! Lines to turns of the model.

use super::action::ScriptAction;
use super::change::ScriptChanges;
use super::error::ScriptLineError;
use super::line::ScriptLine;

/// A script: one turn of the model after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct ScriptTurns(Vec<ScriptTurn>);

/// A turn of the model.
#[derive(Debug, Clone)]
pub(super) struct ScriptTurn {
    /// What the model does, or which line is wrong.
    pub(super) action: Result<ScriptAction, InvalidLine>,
    /// How it does it.
    pub(super) changes: ScriptChanges,
}

/// A line that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InvalidLine {
    /// Which line, from 1.
    pub(super) number: usize,
    /// Its answer.
    pub(super) line: String,
    /// What is wrong with it.
    pub(super) error: ScriptLineError,
}

impl ScriptTurns {
    /// Reads the lines of a script, each with its number.
    pub(super) fn parse<'l>(lines: impl IntoIterator<Item = (usize, &'l str)>) -> Self {
        let mut turns = Vec::new();
        let mut changes = ScriptChanges::default();
        let mut open = None;
        for (number, line) in lines {
            let action = match ScriptLine::parse(line) {
                Ok(ScriptLine::Change(change)) => {
                    changes.add(change);
                    open = Some((number, line));
                    continue;
                }
                Ok(ScriptLine::Action(action)) => Ok(action),
                Err(error) => Err(InvalidLine { number, line: line.to_owned(), error }),
            };
            turns.push(ScriptTurn { action, changes: std::mem::take(&mut changes) });
            open = None;
        }
        if let Some((number, line)) = open {
            let action = Err(InvalidLine { number, line: line.to_owned(), error: ScriptLineError::NoTurn });
            turns.push(ScriptTurn { action, changes: ScriptChanges::default() });
        }
        ScriptTurns(turns)
    }

    /// The turn with a number, from 0; `None` when the script is at its end.
    pub(super) fn get(&self, number: u64) -> Option<&ScriptTurn> {
        let mut left = number;
        self.0.iter().find(|turn| {
            let repeat = turn.changes.repeat.unwrap_or(1);
            let is_here = left < repeat;
            left = left.saturating_sub(repeat);
            is_here
        })
    }

    /// Whether it has no turns.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first line that is wrong.
    pub(super) fn wrong(&self) -> Option<&InvalidLine> {
        self.0.iter().find_map(|turn| turn.action.as_ref().err())
    }
}
