//! Lines that change the turn that follows them.

use std::time::Duration;

use aqueduct_wire::json::{IntoOwned, Map, Raw};

use super::error::ScriptLineError;
use super::limits::SubscriptionLimits;
use super::line::{number, seconds, words};
use super::plan::{PlannedStop, Size, StreamBreak};

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ScriptChange {
    /// Members of the usage.
    Usage(Map<'static, Raw<'static>>),
    /// The size of deltas and the pause after each.
    Delta(Size, Option<Duration>),
    /// How long nothing at all comes.
    Wait(Duration),
    /// Why the message ends.
    Stop(PlannedStop),
    /// The stream breaks.
    Break(Breaking),
    /// When a failed call may be made again.
    RetryAfter(Duration),
    /// The state of the account.
    Limits(SubscriptionLimits),
    /// For how many turns of the model the line counts.
    Repeat(u64),
}

/// A stream that breaks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Breaking {
    /// The line, by which the breaks are counted.
    pub(super) line: String,
    /// After how many deltas.
    pub(super) after: u64,
    /// How.
    pub(super) how: StreamBreak,
    /// How often; always, by default.
    pub(super) times: Option<u64>,
}

/// All changes of a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ScriptChanges {
    pub(super) usage: Map<'static, Raw<'static>>,
    pub(super) pace: Option<(Size, Option<Duration>)>,
    pub(super) wait: Duration,
    pub(super) stop: Option<PlannedStop>,
    pub(super) breaking: Option<Breaking>,
    pub(super) retry_after: Option<Duration>,
    pub(super) limits: Option<SubscriptionLimits>,
    pub(super) repeat: Option<u64>,
}

impl ScriptChanges {
    pub(super) fn add(&mut self, change: ScriptChange) {
        match change {
            ScriptChange::Usage(usage) => self.usage = usage,
            ScriptChange::Delta(size, pause) => self.pace = Some((size, pause)),
            ScriptChange::Wait(wait) => self.wait = wait,
            ScriptChange::Stop(stop) => self.stop = Some(stop),
            ScriptChange::Break(breaking) => self.breaking = Some(breaking),
            ScriptChange::RetryAfter(delay) => self.retry_after = Some(delay),
            ScriptChange::Limits(limits) => self.limits = Some(limits),
            ScriptChange::Repeat(turns) => self.repeat = Some(turns),
        }
    }
}

impl ScriptChange {
    /// Reads what follows a command; `None` if the command is no change.
    pub(super) fn parse(command: &str, rest: &str, line: &str) -> Result<Option<Self>, ScriptLineError> {
        Ok(Some(match command {
            "@usage" => ScriptChange::Usage(usage(rest)?),
            "@delta" => {
                let words = words(rest, 1, &["CHARS", "[SECONDS]"])?;
                let size = match words[0] {
                    "word" => Size::Word,
                    chars => {
                        Size::Chars(number(chars, "CHARS", 1, 1 << 20)?.try_into().unwrap_or(usize::MAX))
                    }
                };
                ScriptChange::Delta(size, words.get(1).map(|word| seconds(word)).transpose()?)
            }
            "@wait" => ScriptChange::Wait(seconds(words(rest, 1, &["SECONDS"])?[0])?),
            "@stop" => {
                let (reason, sequence) = rest.split_once(' ').unwrap_or((rest, ""));
                if reason.is_empty() {
                    return Err(ScriptLineError::Form("REASON [SEQUENCE]".into()));
                }
                let sequence = (!sequence.is_empty()).then(|| sequence.to_owned());
                ScriptChange::Stop(PlannedStop { reason: reason.to_owned(), sequence })
            }
            "@error" => {
                let words = words(rest, 2, &["AFTER", "NAME", "[TIMES]"])?;
                breaking(line, words[0], StreamBreak::Error(words[1].to_owned()), words.get(2))?
            }
            "@drop" => {
                let words = words(rest, 1, &["AFTER", "[TIMES]"])?;
                breaking(line, words[0], StreamBreak::Drop, words.get(1))?
            }
            "@stall" => {
                let words = words(rest, 1, &["AFTER", "[TIMES]"])?;
                breaking(line, words[0], StreamBreak::Stall, words.get(1))?
            }
            "@retry-after" => ScriptChange::RetryAfter(seconds(words(rest, 1, &["SECONDS"])?[0])?),
            "@limits" => ScriptChange::Limits(SubscriptionLimits::parse(rest)?),
            "@repeat" => {
                ScriptChange::Repeat(number(words(rest, 1, &["TURNS"])?[0], "TURNS", 1, u64::from(u32::MAX))?)
            }
            _ => return Ok(None),
        }))
    }
}

fn breaking(
    line: &str,
    after: &str,
    how: StreamBreak,
    times: Option<&&str>,
) -> Result<ScriptChange, ScriptLineError> {
    let times = times.map(|times| number(times, "TIMES", 0, u64::MAX)).transpose()?;
    let after = number(after, "AFTER", 0, u64::MAX)?;
    Ok(ScriptChange::Break(Breaking { line: line.to_owned(), after, how, times }))
}

fn usage(json: &str) -> Result<Map<'static, Raw<'static>>, ScriptLineError> {
    const FORM: &str = "a JSON object such as {\"output_tokens\":5}";
    let json = Raw::parse(json).map_err(|error| ScriptLineError::Json { form: FORM, error })?;
    let members: Map<'_, Raw<'_>> = json.view().ok_or(ScriptLineError::Form(FORM.into()))?;
    Ok(members.into_owned())
}
