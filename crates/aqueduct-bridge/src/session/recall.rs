//! Inputs that a keeper has been given and that the log does not know to be sent: the log was set back.

use std::collections::VecDeque;
use std::path::Path;

use super::absorb::notice;
use super::actor::{SentInput, SessionActor};
use super::queue::user_input;
use super::translate::SessionOutput;
use crate::failure::Failure;
use crate::keeper::{self, InputDelivery as WriteState, InputId};
use crate::log::{SessionChange, StoredInput, StoredInputState};
use crate::outbox::Stored;

impl SessionActor {
    /// Notes the inputs of the queue that the journal in this folder has: they are not sent again, and what the agent has
    /// reported about them follows in its output. Where a part of that `is_lost`, nothing more may come: then
    /// those that the keeper was given are over.
    pub(super) async fn recall_given(&mut self, folder: &Path, is_lost: bool) -> Result<(), Failure> {
        let queued = self.queue.iter().map(|input| input.id.as_str());
        let sent = self.sent.iter().filter(|_| is_lost).map(|sent| sent.input.id.as_str());
        let given = given(folder, queued.chain(sent)).await;
        if given.is_empty() && !is_lost {
            return Ok(());
        }
        // An agent that still asks offers its questions again.
        let (mut outputs, mut changes) = if is_lost { self.withdraw_all() } else { Default::default() };
        let is_given = |input: &StoredInput| given.contains(&input.id);
        let (known, waiting): (VecDeque<StoredInput>, VecDeque<StoredInput>) =
            std::mem::take(&mut self.queue).into_iter().partition(is_given);
        self.queue = waiting;
        for mut input in known {
            outputs.push(SessionOutput::Stored(Stored::new(&user_input(&input))));
            changes.push(SessionChange::Input { id: input.id.clone(), to: StoredInputState::Sent });
            input.state = StoredInputState::Sent;
            self.sent.push(SentInput { input, is_given: true });
        }
        for sent in self.sent.extract_if(.., |sent| is_lost && is_given(&sent.input)) {
            let message = "The agent had this message before the log was set back: what became of it is in the \
                           agent's own transcript.";
            outputs.push(SessionOutput::Stored(notice(message.to_owned())));
            changes.push(SessionChange::Input { id: sent.input.id, to: StoredInputState::Done });
        }
        self.append_and_publish(outputs, changes).await?;
        self.show_queue();
        Ok(())
    }
}

/// Those of the inputs that the journal in a keeper's folder has; none where it can't be read.
async fn given<'i>(folder: &Path, ids: impl Iterator<Item = &'i str>) -> Vec<String> {
    let ids: Vec<InputId> = ids.filter_map(|id| InputId::new(id).ok()).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let folder = folder.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let write_states = keeper::sent(&folder, &ids).unwrap_or_default();
        let known = ids.iter().zip(write_states);
        let known = known
            .filter(|(_, write_state)| matches!(write_state, WriteState::Written | WriteState::Unconfirmed));
        known.map(|(id, _)| id.as_str().to_owned()).collect()
    });
    read.await.unwrap_or_default()
}
