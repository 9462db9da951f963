//! What the agent's frames report about its inputs.

use aqueduct_wire::frame::CommandState;

use super::absorb::{Batch, notice};
use super::actor::SessionActor;
use super::translate::SessionOutput;
use crate::log::{SessionChange, StoredInputState};
use crate::trace;

impl SessionActor {
    /// The agent has begun with the input of this id.
    pub(super) fn began(&mut self, id: &str, batch: &mut Batch) {
        let named = self.sent.iter_mut().find(|sent| sent.input.id == id);
        if let Some(sent) = named.filter(|sent| sent.input.state == StoredInputState::Sent) {
            sent.input.state = StoredInputState::Taken;
            sent.is_given = true;
            self.has_worked = true;
            self.killed_starts = 0;
            trace::turn_begun(&self.id, id);
            self.turn_span = trace::turn_span(&self.id, id);
            batch
                .changes
                .push(SessionChange::Input { id: sent.input.id.clone(), to: StoredInputState::Taken });
        }
    }

    /// The agent is at work, and does not report on what: on the only input that it was given, if there is
    /// only one.
    pub(super) fn is_at_work(&mut self, batch: &mut Batch) {
        self.is_in_turn = true;
        let [sent] = &self.sent[..] else { return };
        if sent.is_given {
            let id = sent.input.id.clone();
            self.began(&id, batch);
        }
    }

    /// The agent repeats an input. In a turn it has begun with it; else it had answered it before it was resumed.
    pub(super) fn replayed(&mut self, id: &str, batch: &mut Batch) {
        match self.is_in_turn {
            true => self.began(id, batch),
            false => self.was_known(id, batch),
        }
    }

    /// The agent reports the state of an input.
    pub(super) fn lifecycle(&mut self, id: &str, state: &CommandState<'static>, batch: &mut Batch) {
        match state {
            CommandState::Started => {
                self.is_in_turn = true;
                self.began(id, batch);
            }
            CommandState::Completed if self.is_in_turn => self.began(id, batch),
            CommandState::Completed => self.was_known(id, batch),
            CommandState::Cancelled => self.finish_sent(id, None, batch),
            CommandState::Discarded => {
                let message = "The agent did not take a message: too many wait there. Send it again later.";
                self.finish_sent(id, Some(message), batch);
            }
            _ => {}
        }
    }

    /// The agent knew the input from before, and does not run it again: its transcript is ahead of the log.
    fn was_known(&mut self, id: &str, batch: &mut Batch) {
        let message = "The agent had worked on this message before, and does not run it again.";
        self.finish_sent(id, Some(message), batch);
    }

    /// Nothing more comes of an input that the agent has not begun with.
    fn finish_sent(&mut self, id: &str, message: Option<&str>, batch: &mut Batch) {
        let place = self
            .sent
            .iter()
            .position(|sent| sent.input.id == id && sent.input.state == StoredInputState::Sent);
        let Some(place) = place else { return };
        let sent = self.sent.remove(place);
        batch.changes.push(SessionChange::Input { id: sent.input.id, to: StoredInputState::Done });
        batch.outputs.extend(message.map(|message| SessionOutput::Stored(notice(message.to_owned()))));
    }
}
