use std::time::Duration;

use tokio::time::Instant;

use crate::outcome::Violation;
use crate::transport::{Ladder, StartedProcess};
use crate::{Exit, Outcome};

/// How long a process that closed its output may take to end by itself.
const SILENT_TIME: Duration = Duration::from_secs(1);

/// The current step of ending an agent.
#[derive(Debug)]
pub(super) struct Closing {
    ladder: Ladder,
    step: ClosingStep,
    /// When the next step is taken; `None` where nothing is to come.
    due: Option<Instant>,
    why: CloseCause,
    has_ended: bool,
}

/// Why an agent ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CloseCause {
    /// Only the agent knows.
    Unknown,
    /// This side wanted it to.
    Wanted,
    /// It closed its output.
    OutputLost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClosingStep {
    /// No end was requested.
    Open,
    /// No more prompts, and all the time that it takes.
    Finishing,
    /// No more input, and some time.
    InputClosed,
    Terminated,
    Killed,
}

impl Closing {
    pub(super) fn new(ladder: Ladder) -> Self {
        Closing { ladder, step: ClosingStep::Open, due: None, why: CloseCause::Unknown, has_ended: false }
    }

    /// Whether handles may still send.
    pub(super) fn is_open(&self) -> bool {
        self.step == ClosingStep::Open
    }

    /// Whether the agent is still answered, but nothing else is sent.
    pub(super) fn is_finishing(&self) -> bool {
        self.step == ClosingStep::Finishing
    }

    /// Lets the agent finish.
    pub(super) fn finish(&mut self) {
        self.step = self.step.max(ClosingStep::Finishing);
    }

    /// Steps on the ladder. One that is given counts from now on, also when another was being climbed.
    pub(super) fn begin(&mut self, ladder: Option<Ladder>) {
        if self.has_ended {
            return;
        }
        if let Some(ladder) = ladder {
            self.ladder = ladder;
        } else if self.step >= ClosingStep::InputClosed {
            return;
        }
        let due = match self.step {
            ClosingStep::Open | ClosingStep::Finishing => {
                self.step = ClosingStep::InputClosed;
                self.why = CloseCause::Wanted;
                after(self.ladder.after_input)
            }
            ClosingStep::InputClosed => sooner(self.due, after(self.ladder.after_input)),
            ClosingStep::Terminated => sooner(self.due, after(self.ladder.after_term)),
            ClosingStep::Killed => None,
        };
        self.due = due;
    }

    /// The agent closed its output. If it does not end soon, it is ended.
    pub(super) fn lost_output(&mut self) {
        if self.step < ClosingStep::InputClosed {
            self.step = ClosingStep::InputClosed;
            self.due = after(SILENT_TIME);
            self.why = CloseCause::OutputLost;
        }
    }

    /// Whether the agent is ending because it closed its output, without a request.
    pub(super) fn has_lost_output(&self) -> bool {
        matches!(self.why, CloseCause::OutputLost) && !self.has_ended
    }

    /// The outcome of a run that the agent's end cut short.
    pub(super) fn cut_short(&self, exit: &Exit) -> Outcome {
        match self.why {
            CloseCause::Wanted => Outcome::Interrupted(None),
            // One that ended by itself soon after is one that ended, and nothing else.
            CloseCause::OutputLost if self.step > ClosingStep::InputClosed => {
                Outcome::Violation(Violation::OutputClosed(exit.clone()))
            }
            CloseCause::OutputLost | CloseCause::Unknown => Outcome::Crashed(exit.clone()),
        }
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes the next step. Without a process there is nothing to signal, and the only step is the last.
    pub(super) fn climb(&mut self, process: Option<&StartedProcess>) {
        self.due = None;
        match (self.step, process) {
            (ClosingStep::InputClosed, Some(process)) if self.ladder.after_term > Duration::ZERO => {
                process.terminate();
                self.step = ClosingStep::Terminated;
                self.due = after(self.ladder.after_term);
            }
            (ClosingStep::InputClosed | ClosingStep::Terminated, process) => {
                if let Some(process) = process {
                    process.kill();
                }
                self.step = ClosingStep::Killed;
            }
            (ClosingStep::Open | ClosingStep::Finishing | ClosingStep::Killed, _) => {}
        }
    }

    /// Whether this is the last step.
    pub(super) fn is_at_top(&self) -> bool {
        self.step == ClosingStep::Killed
    }

    /// The agent has ended: nothing is left to climb, and it is too late to want anything.
    pub(super) fn done(&mut self) {
        self.due = None;
        self.has_ended = true;
    }
}

/// A time from now; `None` if that is never.
fn after(time: Duration) -> Option<Instant> {
    Instant::now().checked_add(time)
}

/// The earlier of two times, where `None` is never.
fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
