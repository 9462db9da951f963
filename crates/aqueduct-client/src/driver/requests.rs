//! Requests of this side: made, answered, given up.

use std::time::Duration;

use aqueduct_wire::control::{CancelAsyncMessageReply, HostRequest, InterruptReply};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{ControlError, RequestId};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::Driver;
use super::writer::{LinePurpose, OutgoingLine};
use crate::{Error, trace};

/// A request of this side that waits for its answer.
#[derive(Debug)]
pub(super) struct WaitingRequest {
    answer: oneshot::Sender<Result<Raw<'static>, Error>>,
    subtype: String,
    timeout: Duration,
    effect: RequestEffect,
}

/// What a request does to runs once the agent has agreed.
#[derive(Debug)]
enum RequestEffect {
    None,
    /// It stops the turn that runs, and may empty the queue.
    Interrupts,
    /// It takes a prompt from the queue.
    Cancels(String),
}

impl Driver {
    pub(super) fn ask(
        &mut self,
        request: HostRequest<'static>,
        timeout: Duration,
        answer: oneshot::Sender<Result<Raw<'static>, Error>>,
        place: OwnedSemaphorePermit,
    ) {
        // The agent is about to end, and how it ends is the answer: nothing is written.
        let is_ending = self.closing.has_lost_output();
        if !is_ending && let Some(error) = self.closed() {
            // The caller may have stopped waiting.
            let _ = answer.send(Err(error));
            return;
        }
        let (id, line) = self.open_request(request, timeout, answer);
        if !is_ending {
            self.writer.push(OutgoingLine::new(line, LinePurpose::Request(id), Some(place)));
        }
    }

    /// Asks something of which no caller waits for the answer.
    pub(super) fn ask_unawaited(&mut self, request: HostRequest<'static>, timeout: Duration) {
        let (id, line) = self.open_request(request, timeout, oneshot::channel().0);
        self.writer.push(OutgoingLine::new(line, LinePurpose::Request(id), None));
    }

    /// Keeps a request until it is answered. Returns its id and its line.
    fn open_request(
        &mut self,
        request: HostRequest<'static>,
        timeout: Duration,
        answer: oneshot::Sender<Result<Raw<'static>, Error>>,
    ) -> (RequestId, String) {
        let effect = match &request {
            HostRequest::Interrupt(_) if self.runs.is_running() => RequestEffect::Interrupts,
            HostRequest::CancelAsyncMessage(request) => {
                RequestEffect::Cancels(request.message_uuid.as_str().to_owned())
            }
            _ => RequestEffect::None,
        };
        let subtype = request.tag().to_owned();
        let deadline = self.began.elapsed().saturating_add(timeout);
        let sent = self.machine.request(request, Some(millis(deadline)));
        self.waiting.insert(sent.id.clone(), WaitingRequest { answer, subtype, timeout, effect });
        (sent.id, sent.line)
    }

    /// The agent answered.
    pub(super) fn settle(&mut self, id: &RequestId, outcome: Result<Raw<'static>, ControlError>) {
        let Some(WaitingRequest { answer, subtype, effect, .. }) = self.waiting.remove(id) else { return };
        if let Ok(payload) = &outcome {
            match effect {
                RequestEffect::None => {}
                RequestEffect::Interrupts => {
                    // Whatever turn the interrupt hit, its result comes behind the answer.
                    self.runs.interrupt();
                    self.runs.interrupt_answered();
                    let reply = payload.view::<InterruptReply<'_>>();
                    for id in reply.iter().flat_map(|reply| reply.cancelled.iter().flatten()) {
                        self.runs.cancelled(id.as_str());
                    }
                }
                RequestEffect::Cancels(prompt) => {
                    let reply = payload.view::<CancelAsyncMessageReply<'_>>();
                    match reply.is_some_and(|reply| reply.cancelled == Some(true)) {
                        true => self.runs.cancelled(&prompt),
                        false => self.runs.not_queued(&prompt),
                    }
                }
            }
        }
        if outcome.is_err() {
            trace::request_refused(&subtype);
        }
        // The caller may have stopped waiting.
        let _ = answer.send(outcome.map_err(|error| Error::Refused { subtype, error }));
    }

    /// Gives up the requests that have timed out. Agents too old to take a cancellation don't receive one.
    pub(super) fn expire(&mut self) {
        let now = millis(self.began.elapsed());
        for expired in self.machine.expire(now) {
            if let Some(WaitingRequest { answer, subtype, timeout, .. }) = self.waiting.remove(&expired.id) {
                trace::request_timed_out(&subtype, millis(timeout));
                let _ = answer.send(Err(Error::TimedOut { subtype, after: timeout }));
            }
            if self.known.takes_cancels() {
                self.write(expired.line);
            }
        }
    }

    /// A request could not be written.
    pub(super) fn unasked(&mut self, id: &RequestId, error: Error) {
        self.machine.cancel(id);
        if let Some(WaitingRequest { answer, .. }) = self.waiting.remove(id) {
            let _ = answer.send(Err(error));
        }
    }

    /// No answer will come any more.
    pub(super) fn give_up_requests(&mut self, error: &Error) {
        for (_, WaitingRequest { answer, .. }) in self.waiting.drain() {
            let _ = answer.send(Err(error.clone()));
        }
    }
}

/// Milliseconds on the machine's clock.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
