//! What handles want.

use std::time::Duration;

use aqueduct_wire::control::HostRequest;
use aqueduct_wire::json::Raw;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::Driver;
use super::runs::RunWaiter;
use super::writer::{LinePurpose, OutgoingLine, WrittenSender};
use crate::transport::Ladder;
use crate::{Error, Prompt};

/// How many commands of handles wait at most. They are taken at once, so few ever do.
pub(crate) const COMMANDS_BOUND: usize = 64;

/// How many lines of handles wait to be written at most; further ones wait with those who send them.
pub(crate) const LINES_BOUND: usize = 64;

/// What a handle wants.
#[derive(Debug)]
pub(crate) enum DriverCommand {
    /// Send a prompt. A caller that waits for the outcome gets no confirmation of the write.
    Send { prompt: Box<Prompt>, reporter: PromptReporter, place: OwnedSemaphorePermit },
    /// Ask something.
    Ask {
        request: Box<HostRequest<'static>>,
        timeout: Duration,
        answer: oneshot::Sender<Result<Raw<'static>, Error>>,
        place: OwnedSemaphorePermit,
    },
    /// Write a line that the caller has made.
    Write { line: String, written: WrittenSender, place: OwnedSemaphorePermit },
    /// End the run of a prompt, or take the prompt from the queue.
    Withdraw(String),
    /// Take no more prompts, let the agent finish, and then close its input.
    EndInput,
    /// Bring the agent to its end, by the session's ladder or by another.
    Close(Option<Ladder>),
}

/// What the sender of a prompt receives.
#[derive(Debug)]
pub(crate) enum PromptReporter {
    Written(WrittenSender),
    Outcome(RunWaiter),
}

impl Driver {
    pub(super) fn command(&mut self, command: DriverCommand) {
        match command {
            DriverCommand::Send { prompt, reporter, place } => self.send(&prompt, reporter, place),
            DriverCommand::Ask { request, timeout, answer, place } => {
                self.ask(*request, timeout, answer, place)
            }
            DriverCommand::Write { line, written, place } => match self.closed() {
                Some(error) => {
                    let _ = written.send(Err(error));
                }
                None => self.writer.push(OutgoingLine::new(line, LinePurpose::Frame(written), Some(place))),
            },
            DriverCommand::Withdraw(id) => self.withdraw(&id),
            DriverCommand::EndInput => self.finish_input(),
            DriverCommand::Close(ladder) => self.close(ladder),
        }
    }

    fn send(&mut self, prompt: &Prompt, reporter: PromptReporter, place: OwnedSemaphorePermit) {
        // The caller stopped waiting before the prompt was on its way.
        if matches!(&reporter, PromptReporter::Outcome(waiter) if waiter.outcome.is_closed()) {
            return;
        }
        // The agent is about to end, and how it ends is what became of the prompt.
        let reporter = match reporter {
            PromptReporter::Outcome(outcome) if self.closing.has_lost_output() => {
                self.runs.begin(prompt.id().to_owned(), Some(outcome));
                return;
            }
            reporter => reporter,
        };
        // The caller may have stopped waiting.
        if let Some(error) = self.closed().or_else(|| self.sent.repeated(prompt.id())) {
            match reporter {
                PromptReporter::Written(written) => drop(written.send(Err(error))),
                PromptReporter::Outcome(waiter) => drop(waiter.outcome.send(Err(error))),
            }
            return;
        }
        let (written, outcome) = match reporter {
            PromptReporter::Written(written) => (Some(written), None),
            PromptReporter::Outcome(outcome) => (None, Some(outcome)),
        };
        let id = prompt.id().to_owned();
        self.runs.begin(id.clone(), outcome);
        let line = OutgoingLine::new(prompt.line(), LinePurpose::Prompt { id, written }, Some(place));
        match self.runs.has_withdrawn() {
            true => self.held.push_back(line),
            false => self.writer.push(line),
        }
    }

    /// Why nothing can be sent any more; `None` as long as it can.
    pub(super) fn closed(&self) -> Option<Error> {
        if !self.closing.is_open() {
            return Some(Error::InputClosed("the session is being closed".to_owned()));
        }
        let lost = self.lost.as_ref().filter(|lost| lost.until.is_none())?;
        Some(Error::InputClosed(lost.why.clone()))
    }

    /// Takes no more prompts and lets the agent finish.
    pub(super) fn finish_input(&mut self) {
        self.closing.finish();
        self.lines.close();
    }

    /// Brings the agent to its end.
    pub(super) fn close(&mut self, ladder: Option<Ladder>) {
        self.closing.begin(ladder);
        self.lines.close();
    }
}
