//! Prompts whose callers no longer want an answer: the caller was dropped, or its time is up.

use std::time::Duration;

use aqueduct_wire::control::{CancelAsyncMessageRequest, HostRequest, InterruptRequest};

use super::Driver;
use super::runs::WithdrawalStep;
use super::writer::{LinePurpose, OutgoingLine};

/// How long the agent may take to answer that it ends a run. Only the answer is given up then, and not the run.
const ANSWER_TIME: Duration = Duration::from_secs(60);

impl Driver {
    /// A prompt is no longer wanted. What has not been written is taken back; the agent is asked to end the rest.
    pub(super) fn withdraw(&mut self, id: &str) {
        let held = self.held.iter().position(|line| line.is_prompt(id));
        let is_unwritten = match held {
            Some(place) => self.held.remove(place).is_some(),
            None => self.writer.withdraw(id),
        };
        match is_unwritten {
            true => self.runs.cancelled(id),
            false => self.runs.withdraw(id),
        }
    }

    /// Asks the agent to end what is not wanted, and writes the prompts that waited for that.
    pub(super) fn end_withdrawn(&mut self) {
        if self.runs.has_withdrawn() && (self.closing.is_open() || self.closing.is_finishing()) {
            let can_cancel = self.known.capabilities().knows("cancel_async_message") == Some(true);
            while let Some(step) = self.runs.next_withdrawal(can_cancel) {
                let request = match step {
                    WithdrawalStep::Interrupt => HostRequest::Interrupt(InterruptRequest::new()),
                    WithdrawalStep::Cancel(id) => {
                        HostRequest::CancelAsyncMessage(CancelAsyncMessageRequest::new(id))
                    }
                };
                // An agent whose dialect has no such request finishes the run.
                if let Ok(request) = self.profile.translate(request) {
                    self.ask_unawaited(request, ANSWER_TIME);
                }
            }
        }
        if !self.runs.has_withdrawn() {
            for line in self.held.drain(..) {
                self.writer.push(line);
            }
        }
    }

    /// Gives up all lines that wait.
    pub(super) fn take_unwritten(&mut self) -> Vec<LinePurpose> {
        let held = self.held.drain(..).map(OutgoingLine::into_purpose);
        self.writer.take_unwritten().chain(held).collect()
    }
}
