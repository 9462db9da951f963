//! Prompts that wait for their turn.

use std::collections::VecDeque;

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::{Priority, UserFrame};

/// How many prompts may wait. A host that sends more without reading is told.
pub(crate) const MAX_WAITING: usize = 1024;

/// Something the user said.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    /// The id under which it is kept; the host's own where it sent one.
    pub(crate) uuid: String,
    /// Whether the host gave the id, and so wants to hear what becomes of the prompt.
    pub(crate) is_named: bool,
    /// What was said.
    pub(crate) frame: UserFrame<'static>,
}

impl Prompt {
    /// A prompt of the host.
    pub(crate) fn new(frame: UserFrame<'_>) -> Self {
        let frame = frame.into_owned();
        let named = frame.uuid.as_ref().map(|uuid| uuid.to_string()).filter(|uuid| !uuid.is_empty());
        Prompt { is_named: named.is_some(), uuid: named.unwrap_or_else(crate::moment::fresh_uuid), frame }
    }

    /// The content as text.
    pub(crate) fn text(&self) -> String {
        match &self.frame.message.content {
            Content::Text(text) => text.to_string(),
            content => content.text(),
        }
    }

    /// Whether the model is to be asked.
    pub(crate) fn asks(&self) -> bool {
        self.frame.should_query != Some(false)
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let role = self.frame.message.role.as_deref();
        if role.is_some_and(|role| role != "user") {
            return Some(format!("message.role must be \"user\", not {:?}", role.unwrap_or_default()));
        }
        None
    }

    /// Whether the text means what it says, also where it looks like a command.
    pub(crate) fn is_literal(&self) -> bool {
        self.frame.client_composed == Some(true)
    }

    /// Whether it may share a turn with others: no command, nothing urgent.
    fn joins(&self) -> bool {
        !self.is_urgent() && self.asks() && !self.text().starts_with('/')
    }

    /// Whether it pushes the running turn aside.
    pub(crate) fn is_urgent(&self) -> bool {
        matches!(self.frame.priority, Some(Priority::Now))
    }

    /// Its place among others: the lower the sooner.
    fn rank(&self) -> u8 {
        match self.frame.priority {
            Some(Priority::Now) => 0,
            Some(Priority::Later) => 2,
            _ => 1,
        }
    }
}

/// The prompts that wait, in the order in which they are served.
#[derive(Debug, Default)]
pub(crate) struct PromptQueue {
    waiting: VecDeque<Prompt>,
}

impl PromptQueue {
    /// Adds a prompt behind those of its priority and of a higher one.
    pub(crate) fn push(&mut self, prompt: Prompt) {
        let rank = prompt.rank();
        let index = self.waiting.partition_point(|waiting| waiting.rank() <= rank);
        self.waiting.insert(index, prompt);
    }

    /// Whether no more may wait.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING
    }

    /// Adds prompts at the end.
    pub(crate) fn extend(&mut self, prompts: impl IntoIterator<Item = Prompt>) {
        self.waiting.extend(prompts);
    }

    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The prompts of the next turn: the first, and `together` with it those behind it that can share its
    /// turn.
    pub(crate) fn take(&mut self, together: bool) -> Vec<Prompt> {
        let Some(first) = self.waiting.pop_front() else { return Vec::new() };
        let mut taken = vec![first];
        if together && taken.iter().all(Prompt::joins) {
            taken.extend(std::iter::from_fn(|| self.take_joining()));
        }
        taken
    }

    /// The next prompt, if it can join a turn that runs.
    pub(crate) fn take_joining(&mut self) -> Option<Prompt> {
        self.waiting.pop_front_if(|prompt| prompt.joins())
    }

    /// Takes a prompt back by its id.
    pub(crate) fn cancel(&mut self, uuid: &str) -> Option<Prompt> {
        let index = self.waiting.iter().position(|prompt| prompt.uuid == uuid)?;
        self.waiting.remove(index)
    }

    /// Takes all back.
    pub(crate) fn cancel_all(&mut self) -> Vec<Prompt> {
        self.waiting.drain(..).collect()
    }

    /// The ids of the prompts that wait.
    pub(crate) fn uuids(&self) -> Vec<String> {
        self.waiting.iter().map(|prompt| prompt.uuid.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::message::UserMessage;

    use super::*;

    fn prompt(text: &'static str, priority: Option<Priority<'static>>) -> Prompt {
        let mut frame = UserFrame::new(UserMessage::new(Content::Text(text.into())));
        frame.priority = priority;
        Prompt::new(frame)
    }

    #[test]
    fn prompts_are_served_by_priority_and_then_in_order() {
        let mut queue = PromptQueue::default();
        for (text, priority) in [
            ("later", Some(Priority::Later)),
            ("first", None),
            ("urgent", Some(Priority::Now)),
            ("second", Some(Priority::Next)),
            ("urgent too", Some(Priority::Now)),
        ] {
            queue.push(prompt(text, priority));
        }
        let order: Vec<String> =
            std::iter::from_fn(|| queue.take(false).pop()).map(|prompt| prompt.text()).collect();
        assert_eq!(order, ["urgent", "urgent too", "first", "second", "later"]);
    }
}
