//! What becomes of inputs whose agent is gone.

use aqueduct_wire::json::Raw;
use tracing::Span;

use super::actor::{SentInput, SessionActor};
use super::pending;
use super::queue::text_of;
use super::translate::SessionOutput;
use crate::keeper::InputDelivery as WriteState;
use crate::log::{SessionChange, StoredInputState};
use crate::message::bridge::{PermissionKind, PermissionRequest};

impl SessionActor {
    /// Decides what becomes of the inputs that the agent had or was to get. `write_states` is what the
    /// keeper's journal has of each, or nothing if the journal is missing. An input that the agent may have
    /// read is not asked about if the session was stopped.
    pub(super) fn settle_sent(
        &mut self,
        write_states: Option<&[WriteState]>,
    ) -> (Vec<SessionOutput>, Vec<SessionChange>) {
        self.is_in_turn = false;
        self.turn_span = Span::none();
        let (mut outputs, mut changes) = (Vec::new(), Vec::new());
        for (place, mut sent) in std::mem::take(&mut self.sent).into_iter().enumerate() {
            let write_state = write_states.and_then(|write_states| write_states.get(place).copied());
            let id = sent.input.id.clone();
            match (sent.input.state, write_state) {
                (StoredInputState::Taken, _) => {
                    changes.push(SessionChange::Input { id, to: StoredInputState::Done })
                }
                (StoredInputState::Returned, _) | (_, Some(WriteState::Not)) => {
                    sent.return_to_queue(&mut changes);
                    self.sent.push(sent);
                }
                _ if self.details.held => {
                    changes.push(SessionChange::Input { id, to: StoredInputState::Done })
                }
                _ => {
                    changes.push(SessionChange::Input { id, to: StoredInputState::Unconfirmed });
                    outputs.extend(self.ask_to_resend(&sent, &mut changes));
                }
            }
        }
        (outputs, changes)
    }

    /// Asks whether to send an input again that may have been read or not.
    fn ask_to_resend(&mut self, sent: &SentInput, changes: &mut Vec<SessionChange>) -> Option<SessionOutput> {
        let text = text_of(&sent.input);
        let input = serde_json::json!({"inputId": sent.input.id, "text": text});
        let input = Raw::from_serialize(&input).ok()?;
        let id = pending::fresh_id();
        let mut message = PermissionRequest::new(id.clone(), "resend", input);
        message.id = Some(id.clone().into());
        message.kind = Some(PermissionKind::Resend);
        message.title = Some("Sent, but not confirmed: send again?".into());
        message.description = Some(
            "The agent ended before it confirmed this message. It may have begun to work on it, or never have read it."
                .into(),
        );
        let (pending, stored) = pending::keep(&id, None, &mut message);
        changes.push(SessionChange::Ask(pending.request.clone()));
        self.pending.push(pending);
        self.services.metrics.asked.add(1);
        Some(SessionOutput::Stored(stored))
    }
}
