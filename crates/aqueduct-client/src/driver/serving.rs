//! Requests of the agent: taken, answered, withdrawn.

use std::time::Duration;

use aqueduct_wire::control::{AgentRequest, HostRequest, InterruptRequest};
use aqueduct_wire::machine::{ControlError, Incoming, RequestId, TOO_MANY_REQUESTS};
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::Driver;
use super::writer::{LinePurpose, OutgoingLine};
use crate::event::{Event, Noise};
use crate::handler::{Responder, ResponderReply, SentReply};
use crate::trace;

/// How long callbacks are waited for once the agent is gone. They are dropped at their next await; only one that
/// blocks its thread can take longer.
const CALLBACK_TIME: Duration = Duration::from_secs(1);

/// A request of the agent that is being answered.
#[derive(Debug)]
pub(super) struct ServedRequest {
    withdrawn: CancellationToken,
    task: Option<AbortHandle>,
}

impl Driver {
    pub(super) fn control(&mut self, incoming: Incoming<AgentRequest<'static>>) {
        match incoming {
            Incoming::Request { id, request } => self.serve_request(id, request),
            Incoming::Refused { line, .. } => self.write(line),
            Incoming::Answer { id, outcome, .. } => self.settle(&id, outcome),
            Incoming::Cancelled { id } => {
                if let Some(serving) = self.serving.remove(&id) {
                    serving.withdrawn.cancel();
                    if let Some(task) = serving.task {
                        task.abort();
                    }
                }
            }
            Incoming::Ignored { id, why } => {
                self.events.push(Event::Noise(Noise::Stray { id: id.as_str().to_owned(), why }));
            }
            _ => {}
        }
    }

    fn serve_request(&mut self, id: RequestId, request: AgentRequest<'static>) {
        // Each responder has its place in the channel from the beginning, so no answer can be lost.
        let Ok(place) = self.answers.clone().try_reserve_owned() else {
            trace::request_turned_away();
            let error =
                ControlError::new(TOO_MANY_REQUESTS, "The host still holds too many earlier requests");
            if let Some(line) = self.machine.refuse(&id, &error) {
                self.write(line);
            }
            return;
        };
        let withdrawn = CancellationToken::new();
        let responder = Responder::new(id.clone(), place, withdrawn.clone());
        let answering = self.handlers.serve(request, responder);
        let task = answering.map(|answering| self.tasks.spawn(answering));
        self.serving.insert(id, ServedRequest { withdrawn, task });
        self.take_answers();
    }

    /// Takes the answers that are there already.
    fn take_answers(&mut self) {
        while let Ok(responded) = self.answered.try_recv() {
            self.respond(responded);
        }
    }

    pub(super) fn respond(&mut self, SentReply { id, reply }: SentReply) {
        self.serving.remove(&id);
        let interrupts = matches!(&reply, ResponderReply::Payload { interrupts: true, .. });
        let line = match reply {
            ResponderReply::Payload { payload, .. } => self.machine.answer(&id, &payload),
            ResponderReply::Refusal(error) => self.machine.refuse(&id, &error),
            ResponderReply::Nothing => self.machine.decline(&id),
        };
        // An answer that came too late does nothing.
        let Some(line) = line else { return };
        if interrupts {
            self.runs.interrupt();
        }
        self.write(line);
        if interrupts && !self.profile.denial_interrupts {
            let request = HostRequest::Interrupt(InterruptRequest::new());
            let sent = self.machine.request(request, None);
            self.write(sent.line);
        }
        self.events.push(Event::Answered { id: id.as_str().to_owned() });
    }

    /// Writes what the agent waits for.
    pub(super) fn write(&mut self, line: String) {
        self.writer.push(OutgoingLine::new(line, LinePurpose::Answer, None));
    }

    /// Whether a callback is answering a request of the agent.
    pub(super) fn is_serving(&self) -> bool {
        !self.serving.is_empty()
    }

    /// Drops the callbacks that still run: their answers have no receiver.
    pub(super) async fn dismiss_callbacks(&mut self) {
        for (_, serving) in self.serving.drain() {
            serving.withdrawn.cancel();
        }
        let _ = tokio::time::timeout(CALLBACK_TIME, self.tasks.shutdown()).await;
    }
}
