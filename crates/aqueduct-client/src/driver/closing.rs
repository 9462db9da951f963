use std::time::Duration;

use tokio::time::Instant;

use crate::transport::{Ladder, Process};

/// How far an agent has been brought to its end.
#[derive(Debug)]
pub(super) struct Closing {
    ladder: Ladder,
    step: Step,
    due: Option<Instant>,
    output_lost: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Nobody wants it to end.
    Open,
    /// No more input, and all the time that it takes.
    Finishing,
    /// No more input, and some time.
    InputClosed,
    Terminated,
    Killed,
}

impl Closing {
    pub(super) fn new(ladder: Ladder) -> Self {
        Closing { ladder, step: Step::Open, due: None, output_lost: false }
    }

    pub(super) fn input_is_open(&self) -> bool {
        self.step == Step::Open
    }

    /// Lets the agent finish.
    pub(super) fn end_input(&mut self) {
        self.step = self.step.max(Step::Finishing);
    }

    /// Steps on the ladder. One that is given counts from now on, also when another was being climbed.
    pub(super) fn begin(&mut self, ladder: Option<Ladder>) {
        if let Some(ladder) = ladder {
            self.ladder = ladder;
        } else if self.step >= Step::InputClosed {
            return;
        }
        if self.step < Step::InputClosed {
            self.step = Step::InputClosed;
            self.due = Some(Instant::now() + self.ladder.after_input);
        } else if let Some(due) = self.due {
            let time = match self.step {
                Step::InputClosed => self.ladder.after_input,
                _ => self.ladder.after_term,
            };
            self.due = Some(due.min(Instant::now() + time));
        }
    }

    /// The agent closed its output. If it does not end soon, it is ended.
    pub(super) fn lost_output(&mut self, patience: Duration) {
        if self.step < Step::InputClosed {
            self.step = Step::InputClosed;
            self.due = Some(Instant::now() + patience);
            self.output_lost = true;
        }
    }

    /// Whether the agent closed its output and then had to be ended.
    pub(super) fn output_was_lost(&self) -> bool {
        self.output_lost && self.step > Step::InputClosed
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes the next step.
    pub(super) fn climb(&mut self, process: Option<&Process>) {
        (self.step, self.due) = match self.step {
            Step::InputClosed if self.ladder.after_term > Duration::ZERO => {
                if let Some(process) = process {
                    process.terminate();
                }
                (Step::Terminated, Some(Instant::now() + self.ladder.after_term))
            }
            Step::InputClosed | Step::Terminated => {
                if let Some(process) = process {
                    process.kill();
                }
                (Step::Killed, None)
            }
            step => (step, None),
        };
    }

    /// Whether there is no further step.
    pub(super) fn is_at_top(&self) -> bool {
        self.step == Step::Killed
    }

    /// The agent has ended: nothing is left to climb.
    pub(super) fn done(&mut self) {
        self.due = None;
    }
}
