//! Which conversation the session has, and what it knows of its messages.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Instant;

use aqueduct_os::mutex::lock;

/// The ids of the conversation, its prompts and its messages. The messages themselves are in the `Dialogue`, which
/// the running turn has.
#[derive(Debug)]
pub(crate) struct ConversationState {
    state: Mutex<ConversationData>,
}

#[derive(Debug)]
struct ConversationData {
    /// The session's id.
    id: String,
    /// The prompt that is being answered, or was last.
    prompt_id: Option<String>,
    /// The ids of all prompts and messages so far: a prompt is served once.
    known: HashSet<String>,
    /// When the model last answered.
    answered: Option<Instant>,
}

impl ConversationState {
    /// A conversation whose messages have these ids.
    pub(super) fn new(id: String, known: HashSet<String>) -> Self {
        ConversationState {
            state: Mutex::new(ConversationData { id, prompt_id: None, known, answered: None }),
        }
    }

    /// The session's id.
    pub(super) fn id(&self) -> String {
        lock(&self.state).id.clone()
    }

    /// Changes the session's id for a new conversation.
    pub(super) fn set_id(&self, id: &str) {
        id.clone_into(&mut lock(&self.state).id);
    }

    /// The prompt that is being answered, or was last.
    pub(crate) fn prompt_id(&self) -> Option<String> {
        lock(&self.state).prompt_id.clone()
    }

    /// Sets the prompt that is being answered.
    pub(crate) fn set_prompt_id(&self, id: Option<String>) {
        lock(&self.state).prompt_id = id;
    }

    /// Adds the id of a prompt to those that are known; whether it is new.
    pub(crate) fn learn(&self, uuid: &str) -> bool {
        lock(&self.state).known.insert(uuid.to_owned())
    }

    /// Adds the ids of messages that another process wrote.
    pub(super) fn learn_all<'i>(&self, ids: impl IntoIterator<Item = &'i String>) {
        lock(&self.state).known.extend(ids.into_iter().cloned());
    }

    /// Removes ids from those that are known: prompts with them are served again.
    pub(crate) fn forget<'i>(&self, ids: impl IntoIterator<Item = &'i str>) {
        let mut state = lock(&self.state);
        for id in ids {
            state.known.remove(id);
        }
    }

    /// Notes that the model has answered.
    pub(crate) fn note_answer(&self) {
        lock(&self.state).answered = Some(Instant::now());
    }

    /// When the model last answered.
    pub(crate) fn answered(&self) -> Option<Instant> {
        lock(&self.state).answered
    }
}
