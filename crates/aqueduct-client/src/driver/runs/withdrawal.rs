//! Prompts whose caller no longer wants an answer: what is asked of the agent to end them.

use std::future::poll_fn;
use std::task::Poll;

use super::{OpenRun, RunStage, Runs};

/// How far the end of a prompt is that its caller no longer wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Withdrawal {
    /// The prompt is wanted.
    None,
    /// It is not, and nothing has been asked of the agent.
    Wanted,
    /// The agent was asked to take it from its queue.
    CancelAsked,
    /// The agent has answered that it is not in its queue.
    NotQueued,
    /// The agent was asked to stop the turn.
    InterruptAsked,
    /// The agent has answered that. If the turn begins only now, the interrupt came too early.
    InterruptAnswered,
}

/// The next thing to ask of the agent.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::driver) enum WithdrawalStep {
    /// To stop the turn.
    Interrupt,
    /// To take the prompt with this id from its queue.
    Cancel(String),
}

impl Runs {
    /// Waits until the caller of a prompt has stopped waiting, and returns the prompt's id.
    pub(in crate::driver) async fn abandoned(&mut self) -> String {
        poll_fn(|context| {
            for open in self.open.iter_mut().filter(|open| open.withdrawal == Withdrawal::None) {
                if let Some(waiter) = &mut open.waiter
                    && waiter.outcome.poll_closed(context).is_ready()
                {
                    open.waiter = None;
                    return Poll::Ready(open.id.clone());
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Whether a caller waits for an outcome.
    pub(in crate::driver) fn has_waiters(&self) -> bool {
        self.open.iter().any(|open| open.waiter.is_some())
    }

    /// A prompt that was sent is no longer wanted.
    pub(in crate::driver) fn withdraw(&mut self, id: &str) {
        for open in self.open.iter_mut().filter(|open| open.id == id) {
            if open.withdrawal == Withdrawal::None {
                open.withdrawal = Withdrawal::Wanted;
            }
        }
    }

    /// Whether the agent still has a prompt that is not wanted. A prompt behind it could be served in the same turn, and
    /// be interrupted with it.
    pub(in crate::driver) fn has_withdrawn(&self) -> bool {
        self.open.iter().any(|open| open.outcome.is_none() && open.withdrawal != Withdrawal::None)
    }

    /// What to ask of the agent next. `can_cancel`: it can take a prompt from its queue.
    pub(in crate::driver) fn next_withdrawal(&mut self, can_cancel: bool) -> Option<WithdrawalStep> {
        let turn = self.turn();
        // A turn that also serves a prompt that is wanted is not stopped.
        let is_unwanted = turn.iter().all(|&place| self.open[place].withdrawal != Withdrawal::None);
        for place in 0..self.open.len() {
            let open = &mut self.open[place];
            if open.outcome.is_some() {
                continue;
            }
            let may_be_queued = open.stage == RunStage::Sent && can_cancel && !open.id.is_empty();
            match open.withdrawal {
                Withdrawal::Wanted if may_be_queued => {
                    open.withdrawal = Withdrawal::CancelAsked;
                    return Some(WithdrawalStep::Cancel(open.id.clone()));
                }
                Withdrawal::Wanted | Withdrawal::NotQueued if is_unwanted && turn.contains(&place) => {
                    for &place in &turn {
                        self.open[place].withdrawal = Withdrawal::InterruptAsked;
                    }
                    return Some(WithdrawalStep::Interrupt);
                }
                _ => {}
            }
        }
        None
    }

    /// The prompts that the running turn serves, as far as is known.
    fn turn(&self) -> Vec<usize> {
        let unsettled = || (0..self.open.len()).filter(|&place| self.open[place].outcome.is_none());
        let started: Vec<usize> =
            unsettled().filter(|&place| self.open[place].stage != RunStage::Sent).collect();
        match started.is_empty() && !self.reports_lifecycle {
            // An agent that does not report what becomes of prompts serves them in their order.
            true => unsettled().take(1).collect(),
            false => started,
        }
    }

    /// The agent has a prompt no longer, or has begun its turn: it can't be taken from the queue.
    pub(in crate::driver) fn not_queued(&mut self, id: &str) {
        self.step(|open| open.id == id, Withdrawal::CancelAsked, Withdrawal::NotQueued);
    }

    /// The agent has answered an interrupt.
    pub(in crate::driver) fn interrupt_answered(&mut self) {
        self.step(|_| true, Withdrawal::InterruptAsked, Withdrawal::InterruptAnswered);
    }

    /// The turn of a prompt begins. An interrupt that was answered before had nothing to stop.
    pub(super) fn turn_began_for(&mut self, id: &str) {
        self.step(|open| open.id == id, Withdrawal::InterruptAnswered, Withdrawal::Wanted);
    }

    /// A turn begins, and the agent does not report of which prompt.
    pub(in crate::driver) fn turn_began(&mut self) {
        if !self.reports_lifecycle {
            let unsettled = self.open.iter_mut().find(|open| open.outcome.is_none());
            if let Some(open) = unsettled.filter(|open| open.withdrawal == Withdrawal::InterruptAnswered) {
                open.withdrawal = Withdrawal::Wanted;
            }
        }
    }

    fn step(&mut self, which: impl Fn(&OpenRun) -> bool, from: Withdrawal, to: Withdrawal) {
        for open in self.open.iter_mut().filter(|open| open.outcome.is_none() && which(open)) {
            if open.withdrawal == from {
                open.withdrawal = to;
            }
        }
    }
}
