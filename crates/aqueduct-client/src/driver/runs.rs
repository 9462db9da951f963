//! When runs end, and how. No I/O: frames and notices go in, outcomes come out.

mod withdrawal;

pub(super) use withdrawal::WithdrawalStep;

use aqueduct_wire::frame::{CommandLifecycle, CommandState, ResultFrame};
use aqueduct_wire::origin::Origin;
use aqueduct_wire::system::{SessionState, SessionStateChanged};
use tokio::sync::oneshot;

use crate::outcome::{Report, Violation};
use crate::{Error, Outcome};
use withdrawal::Withdrawal;

/// Receives how a prompt's run ends, or why there is none.
pub(crate) type Waiter = oneshot::Sender<Result<Outcome, Error>>;

/// The prompts that were sent and have not come to an end.
///
/// An agent that reports its state has ended a run when it is idle again, or when it takes up the next prompt:
/// between a `result` and that, what a background task found may start another turn, which still belongs to
/// the run. An agent that does not report its state has ended a run with the `result`.
#[derive(Debug, Default)]
pub(super) struct Runs {
    open: Vec<OpenRun>,
    /// How the run that is on would end if it ended now.
    current: Option<Outcome>,
    /// Background tasks were started in the run that `current` is of.
    has_tasks: bool,
    /// Background tasks were started since the last result: in a turn whose own result has yet to come.
    new_tasks: bool,
    /// The agent has reported its state; the last one.
    state: Option<BusyState>,
    /// The agent reports what becomes of prompts, so it knows them by id.
    reports_lifecycle: bool,
    /// The running turn was interrupted. Older agents don't report this in its result.
    interrupted: bool,
    costs: RunCosts,
}

/// What the agent had cost when the run began, and what it has cost now. `None` where that is not known.
#[derive(Debug, Default)]
struct RunCosts {
    at_start_of_run: Option<f64>,
    now: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BusyState {
    Yes,
    No,
}

#[derive(Debug)]
struct OpenRun {
    id: String,
    waiter: Option<RunWaiter>,
    /// The state that the agent reports.
    stage: RunStage,
    outcome: Option<Outcome>,
    withdrawal: Withdrawal,
}

/// A caller that waits for the outcome of a prompt.
#[derive(Debug)]
pub(crate) struct RunWaiter {
    pub(crate) outcome: Waiter,
    /// Whether the same caller reads the events, so that they may make the agent wait.
    pub(crate) reads_events: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunStage {
    Sent,
    Started,
    /// Done with, but no result has named it yet: it was taken into a turn that still runs.
    Completed,
}

impl OpenRun {
    fn settle(self, outcome: Outcome) {
        if let Some(waiter) = self.waiter {
            // The caller may have stopped waiting.
            let _ = waiter.outcome.send(Ok(outcome));
        }
    }
}

impl Runs {
    /// Runs of an agent that has cost this much before.
    pub(super) fn new(cost: Option<f64>) -> Self {
        Runs { costs: RunCosts { at_start_of_run: cost, now: cost }, ..Runs::default() }
    }

    /// A prompt is on its way.
    pub(super) fn begin(&mut self, id: String, waiter: Option<RunWaiter>) {
        let withdrawal = Withdrawal::None;
        self.open.push(OpenRun { id, waiter, stage: RunStage::Sent, outcome: None, withdrawal });
    }

    /// Whether a caller waits for an outcome and does not read events meanwhile.
    pub(super) fn is_awaited(&self) -> bool {
        self.open.iter().any(|open| open.waiter.as_ref().is_some_and(|waiter| !waiter.reads_events))
    }

    /// The turn that runs is interrupted: its result is one of an interruption, regardless of its content.
    pub(super) fn interrupt(&mut self) {
        self.interrupted = true;
    }

    /// Whether the turn that runs was interrupted.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// A turn has ended. Returns the outcome of the run that ended, if one did.
    pub(super) fn result(&mut self, frame: &ResultFrame<'_>) -> Option<Outcome> {
        let interrupted = std::mem::take(&mut self.interrupted);
        let is_follow_up = self.current.is_some() && self.is_follow_up(frame);
        let report = Report::of(frame);
        let cost = self.costs.of_run(report.total_cost_usd(), is_follow_up);
        let outcome = Outcome::of(report.with_cost(cost), interrupted);
        if is_follow_up {
            for open in self.open.iter_mut().filter(|open| open.outcome.is_some()) {
                open.outcome = Some(outcome.clone());
            }
            self.current = Some(outcome);
            self.has_tasks |= std::mem::take(&mut self.new_tasks);
            return None;
        }
        let before = self.end_current();
        self.has_tasks = std::mem::take(&mut self.new_tasks);
        self.assign(frame, &outcome);
        self.current = Some(outcome);
        if self.state.is_some() { before } else { self.end_current() }
    }

    /// Whether a turn belongs to the run before it: a background task of that run has come back, or the agent
    /// continues by itself.
    fn is_follow_up(&self, frame: &ResultFrame<'_>) -> bool {
        match frame.origin.as_deref() {
            Some(Origin::TaskNotification(task)) => self.has_tasks && task.subkind.is_none(),
            Some(Origin::AutoContinuation(_)) => true,
            _ => false,
        }
    }

    /// A background task was started.
    pub(super) fn task_started(&mut self) {
        self.new_tasks = true;
    }

    /// Writes the outcome down for the prompts that the result answers.
    fn assign(&mut self, frame: &ResultFrame<'_>, outcome: &Outcome) {
        let uuids = frame.user_message_uuids.iter().flatten().chain(&frame.user_message_uuid);
        let named: Vec<&str> = uuids.map(|uuid| uuid.as_str()).collect();
        let mut is_found = false;
        for open in self.open.iter_mut().filter(|open| open.outcome.is_none()) {
            if named.contains(&open.id.as_str()) || open.stage == RunStage::Completed {
                is_found = true;
                open.outcome = Some(outcome.clone());
            }
        }
        // An agent that knows prompts by id would have named ours.
        let names_others = !named.is_empty() && self.reports_lifecycle;
        if is_found || names_others || began_by_itself(frame) {
            return;
        }
        // One that does not serves them in their order.
        let place = self
            .open
            .iter()
            .position(|open| open.outcome.is_none() && open.stage == RunStage::Started)
            .or_else(|| self.open.iter().position(|open| open.outcome.is_none()));
        if let Some(place) = place {
            self.open[place].outcome = Some(outcome.clone());
        }
    }

    /// The agent reports its state. Returns the outcome of the run that ended, if one did.
    pub(super) fn state(&mut self, frame: &SessionStateChanged<'_>) -> Option<Outcome> {
        if frame.state != SessionState::Idle {
            self.state = Some(BusyState::Yes);
            return None;
        }
        self.state = Some(BusyState::No);
        self.new_tasks = false;
        self.end_current()
    }

    /// The agent reports what becomes of a prompt. Returns the outcome of the run that ended, if one did.
    pub(super) fn lifecycle(&mut self, frame: &CommandLifecycle<'_>) -> Option<Outcome> {
        self.reports_lifecycle = true;
        let id = frame.command_uuid.as_str();
        match &frame.state {
            CommandState::Started => {
                // The agent has turned to the next prompt.
                let ended = self.end_current();
                self.new_tasks = false;
                self.enter(id, RunStage::Started);
                self.turn_began_for(id);
                ended
            }
            CommandState::Completed => {
                self.enter(id, RunStage::Completed);
                if let Some(outcome) = &self.current {
                    for open in self.open.iter_mut().filter(|open| open.id == id && open.outcome.is_none()) {
                        open.outcome = Some(outcome.clone());
                    }
                }
                None
            }
            CommandState::Cancelled | CommandState::Discarded => {
                self.cancelled(id);
                None
            }
            _ => None,
        }
    }

    fn enter(&mut self, id: &str, stage: RunStage) {
        for open in self.open.iter_mut().filter(|open| open.id == id) {
            open.stage = stage;
        }
    }

    /// A prompt was taken from the queue. One whose turn has ended keeps that turn's outcome.
    pub(super) fn cancelled(&mut self, id: &str) {
        self.settle(|open| open.id == id && open.outcome.is_none(), Outcome::Interrupted(None));
    }

    /// A prompt could not be written. Returns the outcome of its run.
    pub(super) fn unwritten(&mut self, id: &str, why: &str) -> Outcome {
        let outcome = Outcome::Violation(Violation::InputClosed(why.to_owned()));
        self.settle(|open| open.id == id && open.outcome.is_none(), outcome.clone());
        outcome
    }

    /// The agent is gone, and what was not done ends with this outcome. Returns the outcomes of the runs that
    /// ended.
    pub(super) fn end(&mut self, cut_short: Outcome) -> Vec<Outcome> {
        let mut ended = Vec::from_iter(self.end_current());
        let was_busy = ended.is_empty() && self.state == Some(BusyState::Yes);
        if was_busy || !self.open.is_empty() {
            self.settle(|_| true, cut_short.clone());
            ended.push(cut_short);
        }
        ended
    }

    /// Whether the agent has something to do, as far as is known.
    pub(super) fn is_running(&self) -> bool {
        !self.open.is_empty() || self.state == Some(BusyState::Yes)
    }

    /// Ends the run that is on, if a result has come of it.
    fn end_current(&mut self) -> Option<Outcome> {
        let outcome = self.current.take()?;
        self.has_tasks = false;
        for mut open in self.open.extract_if(.., |open| open.outcome.is_some()) {
            if let Some(outcome) = open.outcome.take() {
                open.settle(outcome);
            }
        }
        Some(outcome)
    }

    /// Ends prompts with one outcome.
    fn settle(&mut self, which: impl Fn(&OpenRun) -> bool, outcome: Outcome) {
        for open in self.open.extract_if(.., |open| which(open)) {
            open.settle(outcome.clone());
        }
    }
}

impl RunCosts {
    /// Takes the total of a result, and returns what the run has cost by then.
    fn of_run(&mut self, total: Option<f64>, is_follow_up: bool) -> Option<f64> {
        if !is_follow_up {
            self.at_start_of_run = self.now;
        }
        let total = total?;
        self.now = Some(total);
        // An agent that counts from the beginning again has a total below the one before.
        self.at_start_of_run.map(|before| if total < before { total } else { total - before })
    }
}

/// Whether no prompt of this side began the turn.
fn began_by_itself(frame: &ResultFrame<'_>) -> bool {
    !matches!(frame.origin.as_deref(), None | Some(Origin::Human(_)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
