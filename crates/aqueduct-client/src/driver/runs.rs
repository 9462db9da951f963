//! When runs end, and how. No I/O: frames and notices go in, outcomes come out.

use aqueduct_wire::frame::{CommandLifecycle, CommandState, ResultFrame};
use aqueduct_wire::json::IntoOwned;
use aqueduct_wire::origin::Origin;
use aqueduct_wire::system::{SessionState, SessionStateChanged};
use tokio::sync::oneshot;

use crate::outcome::{Report, Violation};
use crate::{Exit, Outcome};

/// The prompts that were sent and have not come to an end.
///
/// An agent that tells its state has ended a run when it is idle again: between a `result` and that, a
/// background task may start another turn. One that does not has ended a run with the `result`.
#[derive(Debug, Default)]
pub(super) struct Runs {
    open: Vec<Open>,
    tells_state: bool,
    /// Somebody interrupted the turn that runs. Older agents don't say so in its result.
    interrupted: bool,
    /// How the last turn since the agent was idle ended.
    last: Option<Outcome>,
}

#[derive(Debug)]
struct Open {
    id: String,
    waiter: Option<oneshot::Sender<Outcome>>,
    outcome: Option<Outcome>,
}

impl Open {
    fn settle(self, outcome: Outcome) {
        if let Some(waiter) = self.waiter {
            // Whoever asked may have stopped waiting.
            let _ = waiter.send(outcome);
        }
    }
}

impl Runs {
    /// A prompt is on its way.
    pub(super) fn begin(&mut self, id: String, waiter: Option<oneshot::Sender<Outcome>>) {
        self.open.push(Open { id, waiter, outcome: None });
    }

    /// Somebody interrupts.
    pub(super) fn interrupt(&mut self) {
        self.interrupted = true;
    }

    /// A turn has ended. Gives the outcome if a run ended with it.
    pub(super) fn result(&mut self, frame: &ResultFrame<'_>) -> Option<Outcome> {
        let interrupted = std::mem::take(&mut self.interrupted);
        let outcome = Outcome::of(Report::new(Box::new(frame.clone().into_owned())), interrupted);
        self.assign(frame, &outcome);
        if self.tells_state {
            self.last = Some(outcome);
            return None;
        }
        self.settle_assigned();
        Some(outcome)
    }

    /// Writes the outcome down for the prompts that the result answers.
    fn assign(&mut self, frame: &ResultFrame<'_>, outcome: &Outcome) {
        let named: Vec<&str> = frame
            .user_message_uuids
            .iter()
            .flatten()
            .chain(&frame.user_message_uuid)
            .map(|uuid| uuid.as_str())
            .collect();
        let mut is_named = false;
        for open in &mut self.open {
            if named.contains(&open.id.as_str()) {
                is_named = true;
                open.outcome = Some(outcome.clone());
            }
        }
        // An agent that names nobody serves prompts in their order; a turn that it began by itself serves none.
        if !is_named
            && !began_by_itself(frame)
            && let Some(open) = self.open.iter_mut().find(|open| open.outcome.is_none())
        {
            open.outcome = Some(outcome.clone());
        }
    }

    /// The agent tells its state. Gives the outcome if a run ended.
    pub(super) fn state(&mut self, frame: &SessionStateChanged<'_>) -> Option<Outcome> {
        self.tells_state = true;
        if frame.state != SessionState::Idle {
            return None;
        }
        self.settle_assigned();
        self.last.take()
    }

    /// The agent tells what becomes of a prompt.
    pub(super) fn lifecycle(&mut self, frame: &CommandLifecycle<'_>) {
        let is_dropped = matches!(frame.state, CommandState::Cancelled | CommandState::Discarded);
        if !is_dropped {
            return;
        }
        let uuid = frame.command_uuid.as_str();
        for open in self.open.iter_mut().filter(|open| open.id == uuid && open.outcome.is_none()) {
            open.outcome = Some(Outcome::Interrupted(None));
        }
        // No turn runs for such a prompt, so no idle state need follow.
        self.settle_assigned();
    }

    /// A prompt could not be written. Gives the outcome of its run.
    pub(super) fn unwritten(&mut self, id: &str, why: String) -> Option<Outcome> {
        let place = self.open.iter().position(|open| open.id == id)?;
        let outcome = Outcome::Violation(Violation::InputClosed(why));
        self.open.remove(place).settle(outcome.clone());
        Some(outcome)
    }

    /// The agent is gone. Gives the outcome if that ended a run.
    pub(super) fn end(&mut self, exit: &Exit, closed_output: bool) -> Option<Outcome> {
        let last = self.last.take();
        let was_running = self.open.iter().any(|open| open.outcome.is_none());
        let broken = match closed_output {
            true => Outcome::Violation(Violation::OutputClosed(exit.clone())),
            false => Outcome::Crashed(exit.clone()),
        };
        for mut open in self.open.drain(..) {
            let outcome = open.outcome.take().unwrap_or_else(|| broken.clone());
            open.settle(outcome);
        }
        if was_running { Some(broken) } else { last }
    }

    /// Whether a prompt waits for its end.
    pub(super) fn is_running(&self) -> bool {
        !self.open.is_empty()
    }

    fn settle_assigned(&mut self) {
        let mut place = 0;
        while place < self.open.len() {
            match self.open[place].outcome.take() {
                Some(outcome) => self.open.remove(place).settle(outcome),
                None => place += 1,
            }
        }
    }
}

/// Whether the agent began the turn by itself, for a background task say.
fn began_by_itself(frame: &ResultFrame<'_>) -> bool {
    !matches!(frame.origin.as_deref(), None | Some(Origin::Human(_)))
}
