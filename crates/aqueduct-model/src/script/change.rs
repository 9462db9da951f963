//! Lines that change the turn that follows them.

use std::time::Duration;

use aqueduct_wire::json::{IntoOwned, Map, Raw};

use super::error::LineError;
use super::limits::Limits;
use super::line::{number, seconds, words};
use super::plan::{Break, Size, Stop};

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// Members of the usage.
    Usage(Map<'static, Raw<'static>>),
    /// The size of deltas and the pause after each.
    Delta(Size, Option<Duration>),
    /// How long nothing at all comes.
    Wait(Duration),
    /// Why the message ends.
    Stop(Stop),
    /// The stream breaks.
    Break(Breaking),
    /// When a failed call may be made again.
    RetryAfter(Duration),
    /// The state of the account.
    Limits(Limits),
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
    pub(super) how: Break,
    /// How often; always, by default.
    pub(super) times: Option<u64>,
}

/// All changes of a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Changes {
    pub(super) usage: Map<'static, Raw<'static>>,
    pub(super) pace: Option<(Size, Option<Duration>)>,
    pub(super) wait: Duration,
    pub(super) stop: Option<Stop>,
    pub(super) breaking: Option<Breaking>,
    pub(super) retry_after: Option<Duration>,
    pub(super) limits: Option<Limits>,
    pub(super) repeat: Option<u64>,
}

impl Changes {
    pub(super) fn add(&mut self, change: Change) {
        match change {
            Change::Usage(usage) => self.usage = usage,
            Change::Delta(size, pause) => self.pace = Some((size, pause)),
            Change::Wait(wait) => self.wait = wait,
            Change::Stop(stop) => self.stop = Some(stop),
            Change::Break(breaking) => self.breaking = Some(breaking),
            Change::RetryAfter(delay) => self.retry_after = Some(delay),
            Change::Limits(limits) => self.limits = Some(limits),
            Change::Repeat(turns) => self.repeat = Some(turns),
        }
    }
}

impl Change {
    /// Reads what follows a command; `None` if the command is no change.
    pub(super) fn parse(command: &str, rest: &str, line: &str) -> Result<Option<Self>, LineError> {
        Ok(Some(match command {
            "@usage" => Change::Usage(usage(rest)?),
            "@delta" => {
                let words = words(rest, 1, &["CHARS", "[SECONDS]"])?;
                let size = match words[0] {
                    "word" => Size::Word,
                    chars => {
                        Size::Chars(number(chars, "CHARS", 1, 1 << 20)?.try_into().unwrap_or(usize::MAX))
                    }
                };
                Change::Delta(size, words.get(1).map(|word| seconds(word)).transpose()?)
            }
            "@wait" => Change::Wait(seconds(words(rest, 1, &["SECONDS"])?[0])?),
            "@stop" => {
                let (reason, sequence) = rest.split_once(' ').unwrap_or((rest, ""));
                if reason.is_empty() {
                    return Err(LineError::Form("REASON [SEQUENCE]".into()));
                }
                let sequence = (!sequence.is_empty()).then(|| sequence.to_owned());
                Change::Stop(Stop { reason: reason.to_owned(), sequence })
            }
            "@error" => {
                let words = words(rest, 2, &["AFTER", "NAME", "[TIMES]"])?;
                breaking(line, words[0], Break::Error(words[1].to_owned()), words.get(2))?
            }
            "@drop" => {
                let words = words(rest, 1, &["AFTER", "[TIMES]"])?;
                breaking(line, words[0], Break::Drop, words.get(1))?
            }
            "@stall" => {
                let words = words(rest, 1, &["AFTER", "[TIMES]"])?;
                breaking(line, words[0], Break::Stall, words.get(1))?
            }
            "@retry-after" => Change::RetryAfter(seconds(words(rest, 1, &["SECONDS"])?[0])?),
            "@limits" => Change::Limits(Limits::parse(rest)?),
            "@repeat" => {
                Change::Repeat(number(words(rest, 1, &["TURNS"])?[0], "TURNS", 1, u64::from(u32::MAX))?)
            }
            _ => return Ok(None),
        }))
    }
}

fn breaking(line: &str, after: &str, how: Break, times: Option<&&str>) -> Result<Change, LineError> {
    let times = times.map(|times| number(times, "TIMES", 0, u64::MAX)).transpose()?;
    let after = number(after, "AFTER", 0, u64::MAX)?;
    Ok(Change::Break(Breaking { line: line.to_owned(), after, how, times }))
}

fn usage(json: &str) -> Result<Map<'static, Raw<'static>>, LineError> {
    const FORM: &str = "a JSON object such as {\"output_tokens\":5}";
    let json = Raw::parse(json).map_err(|error| LineError::Json { form: FORM, error })?;
    let members: Map<'_, Raw<'_>> = json.view().ok_or(LineError::Form(FORM.into()))?;
    Ok(members.into_owned())
}
