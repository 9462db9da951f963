use std::collections::{HashSet, VecDeque};

use crate::Error;

/// How many ids of prompts are remembered.
const IDS_BOUND: usize = 1024;

/// The ids of the last prompts. Agents pass over a prompt that they have served before silently, and a caller that
/// waited for its outcome would wait for ever.
#[derive(Debug, Default)]
pub(super) struct SentPrompts {
    order: VecDeque<String>,
    ids: HashSet<String>,
}

impl SentPrompts {
    /// Remembers an id; an error if it was here before. No id at all is none.
    pub(super) fn repeated(&mut self, id: &str) -> Option<Error> {
        if id.is_empty() {
            return None;
        }
        if !self.ids.insert(id.to_owned()) {
            return Some(Error::Options {
                problem: format!("the prompt {id} was sent before, and agents serve each id once"),
                hint: Some("Make a new prompt, or give it another id"),
            });
        }
        self.order.push_back(id.to_owned());
        if self.order.len() > IDS_BOUND
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        None
    }
}
