//! The prompts that wait for a turn, and what the transcript records of them.

use std::sync::Mutex;

use aqueduct_os::mutex::lock;
use aqueduct_wire::block::Content;
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::transcript::{QueueOperationLine, TranscriptLine};

use super::{AgentSession, Dialogue};
use crate::clock;
use crate::prompt_queue::{PromptQueue, QueuedPrompt};

/// Why a prompt left the queue without a turn of its own.
const ABSORBED: &str = "absorbed_mid_turn";
const CANCELLED: &str = "cleared_on_cancel";

/// The prompts that wait for a turn.
///
/// One lock covers the queue and its lines for the transcript, so that these are in the order of the changes.
#[derive(Debug, Default)]
pub(crate) struct WaitingPrompts {
    state: Mutex<QueueState>,
}

#[derive(Debug, Default)]
struct QueueState {
    queue: PromptQueue,
    /// Lines for the transcript about the queue.
    lines: Vec<Raw<'static>>,
    /// Prompts whose turn was interrupted before it began.
    interrupted: Vec<QueuedPrompt>,
    /// Stdin has ended: each prompt gets a turn of its own.
    input_ended: bool,
}

impl WaitingPrompts {
    /// Adds a prompt after those of its priority and of a higher one.
    fn push(&self, prompt: QueuedPrompt, has_hooks: bool) {
        let mut line = operation("enqueue");
        line.content = recorded(&prompt, has_hooks);
        let mut state = lock(&self.state);
        state.record(line);
        state.queue.push(prompt);
    }

    /// Takes the prompts of the next turn.
    pub(crate) fn take(&self) -> Vec<QueuedPrompt> {
        lock(&self.state).take()
    }

    /// Takes the next prompt that can join the running turn. A host that closes stdin after several prompts expects an
    /// answer to each, so only notifications join then.
    pub(crate) fn take_joining(&self) -> Option<QueuedPrompt> {
        let mut state = lock(&self.state);
        let with_prompts = !state.input_ended;
        state.queue.take_joining(with_prompts)
    }

    /// Takes the prompts of the next turn, which was interrupted before it began.
    pub(crate) fn interrupt(&self) {
        let mut state = lock(&self.state);
        let prompts = state.take();
        state.interrupted.extend(prompts);
    }

    /// Takes the prompts whose turn was interrupted before it began.
    pub(crate) fn take_interrupted(&self) -> Vec<QueuedPrompt> {
        std::mem::take(&mut lock(&self.state).interrupted)
    }

    /// Records that the running turn took a prompt in. `delivery_id` is that of the transcript line with the prompt;
    /// `None` if hooks refused the prompt, whose text is then not recorded.
    pub(crate) fn record_absorbed(&self, prompt: &QueuedPrompt, delivery_id: Option<&str>) {
        let mut line = operation("remove");
        line.content = delivery_id.map(|_| Raw::written(&Str::from(prompt.text())));
        line.reason = Some(ABSORBED.into());
        line.command_uuid = Some(prompt.uuid.clone().into());
        line.delivery_id = delivery_id.map(|id| id.to_owned().into());
        lock(&self.state).record(line);
    }

    /// Cancels a prompt by its id.
    pub(crate) fn cancel(&self, uuid: &str) -> Option<QueuedPrompt> {
        let mut state = lock(&self.state);
        let prompt = state.queue.cancel(uuid)?;
        state.record(operation("dequeue"));
        Some(prompt)
    }

    /// Cancels all prompts.
    fn cancel_all(&self, has_hooks: bool) -> Vec<QueuedPrompt> {
        let mut state = lock(&self.state);
        let prompts = state.queue.cancel_all();
        for prompt in &prompts {
            let mut line = operation("remove");
            line.content = recorded(prompt, has_hooks);
            line.reason = Some(CANCELLED.into());
            line.command_uuid = Some(prompt.uuid.clone().into());
            state.record(line);
        }
        prompts
    }

    /// Drops all prompts at the end of the session, without a record.
    pub(crate) fn drop_all(&self) {
        lock(&self.state).queue.cancel_all();
    }

    /// Notes that stdin has ended.
    pub(crate) fn end_input(&self) {
        lock(&self.state).input_ended = true;
    }

    /// Whether the next turn is about the end of a background task.
    pub(crate) fn begins_with_notification(&self) -> bool {
        lock(&self.state).queue.begins_with_notification()
    }

    /// Whether no more prompts may wait.
    pub(crate) fn is_full(&self) -> bool {
        lock(&self.state).queue.is_full()
    }

    /// Whether no prompt waits.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.state).queue.is_empty()
    }

    /// The number of prompts that wait.
    pub(crate) fn len(&self) -> usize {
        lock(&self.state).queue.len()
    }

    /// The ids of the prompts that wait, of those that the host gave one.
    pub(crate) fn named(&self) -> Vec<String> {
        lock(&self.state).queue.named()
    }

    fn take_lines(&self) -> Vec<Raw<'static>> {
        std::mem::take(&mut lock(&self.state).lines)
    }
}

impl QueueState {
    fn take(&mut self) -> Vec<QueuedPrompt> {
        let together = !self.input_ended;
        let prompts = self.queue.take(together);
        prompts.iter().for_each(|_| self.record(operation("dequeue")));
        prompts
    }

    fn record(&mut self, line: QueueOperationLine<'_>) {
        let text = TranscriptLine::QueueOperation(Box::new(line)).to_line();
        self.lines.push(Raw::parse(&text).map_or(Raw::NULL, Raw::into_owned));
    }
}

impl AgentSession {
    /// Adds a prompt after those of its priority and of a higher one.
    pub(crate) fn enqueue(&self, prompt: QueuedPrompt) {
        self.prompts.push(prompt, self.has_hooks(&HookEvent::UserPromptSubmit));
    }

    /// Cancels all prompts that wait.
    pub(crate) fn cancel_prompts(&self) -> Vec<QueuedPrompt> {
        self.prompts.cancel_all(self.has_hooks(&HookEvent::UserPromptSubmit))
    }
}

impl Dialogue {
    /// Writes the changes of the queue to the transcript. They are written within turns only: between turns the
    /// transcript may belong to another process, and a turn that can't be stored removes the text of its prompts too.
    /// If a line can't be written, nothing else is lost.
    pub(crate) fn write_queue(&mut self, session: &AgentSession) {
        for line in session.prompts.take_lines() {
            let _ = self.note(&line);
        }
    }
}

/// The content of a prompt as lines about the queue have it: text that is not split into blocks. A prompt that hooks
/// may refuse is not recorded before they have received it.
fn recorded(prompt: &QueuedPrompt, has_hooks: bool) -> Option<Raw<'static>> {
    let Content::Text(text) = &prompt.frame.message.content else { return None };
    let may_be_refused = has_hooks && !prompt.is_notification();
    (!may_be_refused).then(|| Raw::written(text).into_owned())
}

fn operation(name: &'static str) -> QueueOperationLine<'static> {
    let mut line = QueueOperationLine::new(name);
    line.timestamp = Some(clock::now().into());
    line
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::frame::UserFrame;
    use aqueduct_wire::message::UserMessage;

    use super::*;

    fn prompt(text: &'static str) -> QueuedPrompt {
        QueuedPrompt::new(UserFrame::new(UserMessage::new(Content::Text(text.into()))))
    }

    fn operations(prompts: &WaitingPrompts) -> Vec<(String, Option<String>)> {
        let lines = prompts.take_lines().into_iter().map(|line| {
            let line: serde_json::Value = line.to().unwrap();
            let text = |name: &str| line[name].as_str().map(str::to_owned);
            (text("operation").unwrap(), text("content"))
        });
        lines.collect()
    }

    #[test]
    fn lines_have_the_order_of_the_changes() {
        let prompts = WaitingPrompts::default();
        prompts.push(prompt("one"), false);
        prompts.push(prompt("two"), true);
        assert_eq!(prompts.take().len(), 2);
        let recorded = |name: &str, text: Option<&str>| (name.to_owned(), text.map(str::to_owned));
        let expected = [
            recorded("enqueue", Some("one")),
            recorded("enqueue", None),
            recorded("dequeue", None),
            recorded("dequeue", None),
        ];
        assert_eq!(operations(&prompts), expected);
        assert_eq!(operations(&prompts), [], "a line is written once");
    }

    #[test]
    fn prompts_of_an_interrupted_start_leave_the_queue() {
        let prompts = WaitingPrompts::default();
        prompts.push(prompt("one"), false);
        prompts.interrupt();
        assert!(prompts.is_empty());
        assert_eq!(prompts.take_interrupted().len(), 1);
        assert!(prompts.take_interrupted().is_empty());
    }

    #[test]
    fn after_the_end_of_input_each_prompt_has_its_own_turn() {
        let prompts = WaitingPrompts::default();
        prompts.push(prompt("one"), false);
        prompts.push(prompt("two"), false);
        prompts.end_input();
        assert!(prompts.take_joining().is_none());
        assert_eq!(prompts.take().len(), 1);
    }
}
