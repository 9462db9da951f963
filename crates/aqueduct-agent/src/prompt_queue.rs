//! Prompts that wait for their turn.

use std::collections::VecDeque;

use aqueduct_wire::block::Content;
use aqueduct_wire::frame::{Priority, UserFrame};
use aqueduct_wire::origin::Origin;

/// How many prompts may wait. A host that sends more without reading receives an error.
pub(crate) const MAX_WAITING: usize = 1024;

/// A prompt of the user.
#[derive(Debug, Clone)]
pub(crate) struct QueuedPrompt {
    /// The id under which it is kept; the host's own where it sent one.
    pub(crate) uuid: String,
    /// Whether the host set the id, and so receives the state of the prompt.
    pub(crate) is_named: bool,
    /// Its content.
    pub(crate) frame: UserFrame<'static>,
}

impl QueuedPrompt {
    /// A prompt of the host.
    pub(crate) fn new(frame: UserFrame<'_>) -> Self {
        let frame = frame.into_owned();
        let named = frame.uuid.as_ref().map(|uuid| uuid.to_string()).filter(|uuid| !uuid.is_empty());
        QueuedPrompt {
            is_named: named.is_some(),
            uuid: named.unwrap_or_else(crate::clock::fresh_uuid),
            frame,
        }
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

    /// Whether the text is taken literally, even if it looks like a command.
    pub(crate) fn is_literal(&self) -> bool {
        self.frame.client_composed == Some(true)
    }

    /// Whether it reports the end of a background task.
    pub(crate) fn is_notification(&self) -> bool {
        matches!(self.frame.origin.as_deref(), Some(Origin::TaskNotification(_)))
    }

    /// Whether it may share a turn with others: no command, nothing urgent, no notification.
    fn joins(&self) -> bool {
        !self.is_urgent() && self.asks() && !self.is_notification() && !self.text().starts_with('/')
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
    waiting: VecDeque<QueuedPrompt>,
}

impl PromptQueue {
    /// Adds a prompt behind those of its priority and of a higher one.
    pub(crate) fn push(&mut self, prompt: QueuedPrompt) {
        let rank = prompt.rank();
        let index = self.waiting.partition_point(|waiting| waiting.rank() <= rank);
        self.waiting.insert(index, prompt);
    }

    /// Whether no more may wait.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING
    }

    /// Whether the next turn is about the end of a background task.
    pub(crate) fn begins_with_notification(&self) -> bool {
        self.waiting.front().is_some_and(|prompt| prompt.is_notification() && prompt.asks())
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
    /// turn. Of several notifications in a row only the last one asks the model.
    pub(crate) fn take(&mut self, together: bool) -> Vec<QueuedPrompt> {
        let Some(mut first) = self.waiting.pop_front() else { return Vec::new() };
        if first.is_notification() && self.waiting.front().is_some_and(QueuedPrompt::is_notification) {
            first.frame.should_query = Some(false);
        }
        let mut taken = vec![first];
        if together && taken.iter().all(QueuedPrompt::joins) {
            taken.extend(std::iter::from_fn(|| self.waiting.pop_front_if(|prompt| prompt.joins())));
        }
        taken
    }

    /// The next prompt that can join a turn that runs; the next notification where prompts may not.
    pub(crate) fn take_joining(&mut self, with_prompts: bool) -> Option<QueuedPrompt> {
        let is_next = |prompt: &QueuedPrompt| prompt.is_notification() && prompt.asks();
        match with_prompts {
            true => self.waiting.pop_front_if(|prompt| prompt.joins() || is_next(prompt)),
            false => {
                let index = self.waiting.iter().position(is_next)?;
                self.waiting.remove(index)
            }
        }
    }

    /// Takes a prompt back by its id.
    pub(crate) fn cancel(&mut self, uuid: &str) -> Option<QueuedPrompt> {
        let index = self.waiting.iter().position(|prompt| prompt.uuid == uuid)?;
        self.waiting.remove(index)
    }

    /// Takes all back.
    pub(crate) fn cancel_all(&mut self) -> Vec<QueuedPrompt> {
        self.waiting.drain(..).collect()
    }

    /// The ids of the prompts that wait.
    pub(crate) fn named(&self) -> Vec<String> {
        self.waiting.iter().filter(|prompt| prompt.is_named).map(|prompt| prompt.uuid.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::message::UserMessage;
    use aqueduct_wire::origin::TaskNotificationOrigin;

    use super::*;

    fn prompt(text: &'static str, priority: Option<Priority<'static>>) -> QueuedPrompt {
        let mut frame = UserFrame::new(UserMessage::new(Content::Text(text.into())));
        frame.priority = priority;
        QueuedPrompt::new(frame)
    }

    fn notification(text: &'static str) -> QueuedPrompt {
        let mut prompt = prompt(text, None);
        let origin = Origin::TaskNotification(TaskNotificationOrigin::new());
        prompt.frame.origin = Some(Box::new(origin));
        prompt
    }

    #[test]
    fn of_notifications_in_a_row_the_last_one_asks() {
        let mut queue = PromptQueue::default();
        for waiting in [notification("one"), notification("two"), prompt("said", None), notification("three")]
        {
            queue.push(waiting);
        }
        let turns: Vec<Vec<(String, bool)>> = std::iter::from_fn(|| {
            let taken = queue.take(true);
            let turn: Vec<_> = taken.iter().map(|prompt| (prompt.text(), prompt.asks())).collect();
            (!turn.is_empty()).then_some(turn)
        })
        .collect();
        let turn = |text: &str, asks| vec![(text.to_owned(), asks)];
        assert_eq!(turns, [turn("one", false), turn("two", true), turn("said", true), turn("three", true)]);
    }

    #[test]
    fn a_turn_takes_in_notifications_also_where_prompts_wait_for_their_own() {
        let mut queue = PromptQueue::default();
        for waiting in [prompt("said", None), notification("one")] {
            queue.push(waiting);
        }
        assert_eq!(queue.take_joining(false).map(|prompt| prompt.text()).as_deref(), Some("one"));
        assert!(queue.take_joining(false).is_none());
        assert_eq!(queue.take_joining(true).map(|prompt| prompt.text()).as_deref(), Some("said"));
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
