//! The queue of prompts, and what the transcript records of it.

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::block::Content;
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::transcript::{QueueOperationLine, TranscriptLine};

use super::{Dialogue, Session};
use crate::clock;
use crate::prompt_queue::Prompt;

/// Why a prompt left the queue without a turn of its own.
const ABSORBED: &str = "absorbed_mid_turn";
const CANCELLED: &str = "cleared_on_cancel";

impl Session {
    /// Adds a prompt behind those of its priority and of a higher one.
    pub(crate) fn enqueue(&self, prompt: Prompt) {
        let mut line = operation("enqueue");
        line.content = self.recorded(&prompt);
        self.record(line);
        self.queue().push(prompt);
    }

    /// Takes the prompts of the next turn.
    pub(crate) fn dequeue(&self) -> Vec<Prompt> {
        let together = !self.state().input_ended;
        let prompts = self.queue().take(together);
        prompts.iter().for_each(|_| self.record(operation("dequeue")));
        prompts
    }

    /// Takes the next prompt that can join the turn that runs. A host that closes stdin behind several prompts wants
    /// an answer to each.
    pub(crate) fn take_joining(&self) -> Option<Prompt> {
        let with_prompts = !self.state().input_ended;
        self.queue().take_joining(with_prompts)
    }

    /// Records that a turn took a prompt in. `delivery_id` is that of the line that keeps it; `None` where hooks
    /// refused the prompt, whose text is then not recorded.
    pub(crate) fn record_absorbed(&self, prompt: &Prompt, delivery_id: Option<&str>) {
        let mut line = operation("remove");
        line.content = delivery_id.map(|_| Raw::written(&Str::from(prompt.text())));
        line.reason = Some(ABSORBED.into());
        line.command_uuid = Some(prompt.uuid.clone().into());
        line.delivery_id = delivery_id.map(|id| id.to_owned().into());
        self.record(line);
    }

    /// Takes a prompt back that waits.
    pub(crate) fn cancel_prompt(&self, uuid: &str) -> Option<Prompt> {
        let prompt = self.queue().cancel(uuid)?;
        self.record(operation("dequeue"));
        Some(prompt)
    }

    /// Takes all prompts back that wait.
    pub(crate) fn cancel_prompts(&self) -> Vec<Prompt> {
        let prompts = self.queue().cancel_all();
        for prompt in &prompts {
            let mut line = operation("remove");
            line.content = self.recorded(prompt);
            line.reason = Some(CANCELLED.into());
            line.command_uuid = Some(prompt.uuid.clone().into());
            self.record(line);
        }
        prompts
    }

    /// The content of a prompt as the queue's lines have it: only text that is not split into blocks. A prompt that
    /// hooks may refuse is not recorded before they have seen it.
    fn recorded(&self, prompt: &Prompt) -> Option<Raw<'static>> {
        let Content::Text(text) = &prompt.frame.message.content else { return None };
        let may_be_refused = !prompt.is_notification() && self.has_hooks(&HookEvent::UserPromptSubmit);
        (!may_be_refused).then(|| Raw::written(text).into_owned())
    }

    fn record(&self, line: QueueOperationLine<'_>) {
        let text = TranscriptLine::QueueOperation(Box::new(line)).to_line();
        let line = Raw::parse(&text).map_or(Raw::NULL, Raw::into_owned);
        self.state().queue_lines.push(line);
    }
}

impl Dialogue {
    /// Appends what became of the queue. It is written within turns only: between them the transcript may be another
    /// process's, and a turn that can't be kept takes the text of its prompts along. Where a line can't be written,
    /// nothing else is lost.
    pub(crate) fn write_queue(&mut self, session: &Session) {
        let lines = std::mem::take(&mut session.state().queue_lines);
        for line in lines {
            let _ = self.note(&line);
        }
    }
}

fn operation(name: &'static str) -> QueueOperationLine<'static> {
    let mut line = QueueOperationLine::new(name);
    line.timestamp = Some(clock::now().into());
    line
}
