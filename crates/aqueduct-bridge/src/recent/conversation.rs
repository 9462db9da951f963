//! A transcript as the messages that clients get.

use std::ops::ControlFlow;

use aqueduct_client::transcript::{ConversationStep, Message, ReadOptions, Speaker};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::frame::{FrameWithLine, UserFrame};

use super::list::milliseconds;
use super::recents::{FoundTranscript, failed};
use crate::Failure;
use crate::log::{NewEvent, Time};
use crate::message::bridge::{UserInput, UserInputSource};
use crate::outbox::Stored;
use crate::session::{SessionOutput, Translator, image};
use crate::work::Deadline;

/// How much of the newest text lists show.
const LAST_TEXT: usize = 200;

/// What is known once a conversation was gone through.
#[derive(Debug, Default)]
pub(super) struct ConversationEnd {
    /// The model of the last answer.
    pub(super) model: Option<String>,
    /// The beginning of its last text.
    pub(super) last_text: Option<String>,
}

/// Goes through a conversation, subagents where they were called, and hands out its messages in order, each with the
/// time at which it was sent. `visit` may stop early.
pub(super) fn each(
    shown: &FoundTranscript,
    deadline: Deadline,
    mut visit: impl FnMut(NewEvent) -> ControlFlow<()>,
) -> Result<ConversationEnd, Failure> {
    let mut reading = ConversationReader {
        translator: Translator::default(),
        // A message without a time has the time of the one before.
        time: time(milliseconds(shown.summary.created.unwrap_or(shown.summary.modified))),
        ending: ConversationEnd::default(),
    };
    let mut late = Ok(());
    let mut outputs = Vec::new();
    let _ = shown
        .session
        .walk(&ReadOptions::default(), |step| {
            late = deadline.check();
            if late.is_err() {
                return ControlFlow::Break(());
            }
            if let ConversationStep::Message { message, depth } = step {
                reading.message(message, depth, &mut outputs);
            }
            outputs.drain(..).try_for_each(&mut visit)
        })
        .map_err(failed)?;
    late.map(|()| reading.ending)
}

struct ConversationReader {
    translator: Translator,
    time: Time,
    ending: ConversationEnd,
}

impl ConversationReader {
    fn message(&mut self, message: &Message, depth: usize, out: &mut Vec<NewEvent>) {
        self.time = message.time().map_or(self.time, |at| time(milliseconds(at)));
        let Some(frame) = message.frame() else { return };
        let is_main = depth == 0;
        // In a subagent's conversation the model is in the user's role.
        if let FromAgent::User(frame) = &frame
            && is_main
            && message.speaker() == Speaker::User
        {
            out.push(prompt(frame).at(self.time).event());
            return;
        }
        if let FromAgent::Assistant(frame) = &frame
            && is_main
            && message.speaker() == Speaker::Assistant
        {
            self.ending.model =
                frame.message.model.as_deref().map(str::to_owned).or(self.ending.model.take());
            let text = frame.message.content.iter().find_map(|block| match block {
                ContentBlock::Text(block) if !block.text.trim().is_empty() => Some(block.text.trim()),
                _ => None,
            });
            let beginning = text.map(|text| text.chars().take(LAST_TEXT).collect());
            self.ending.last_text = beginning.or(self.ending.last_text.take());
        }
        let kept = FrameWithLine { line: frame.to_line().into(), frame };
        let mut outputs = Vec::new();
        self.translator.frame(kept, 0, &mut outputs);
        for outputs in outputs {
            if let SessionOutput::Stored(stored) = outputs {
                out.push(stored.at(self.time).event());
            }
        }
    }
}

/// An input of a user in a terminal.
fn prompt(frame: &UserFrame<'static>) -> Stored {
    let content = &frame.message.content;
    let mut input = UserInput::new(content.text());
    input.id = frame.uuid.clone();
    input.source = Some(UserInputSource::Terminal);
    let images: Vec<_> = content.blocks().iter().filter_map(image).collect();
    input.images = Some(images).filter(|images| !images.is_empty());
    let is_other = |block: &&ContentBlock<'_>| !matches!(block, ContentBlock::Text(_));
    let others = content.blocks().iter().filter(is_other).filter(|block| image(block).is_none());
    let others: Vec<_> = others.cloned().collect();
    input.blocks = Some(others).filter(|others| !others.is_empty());
    let stored = Stored::new(&input);
    match &frame.uuid {
        Some(uuid) => stored.with_uuid(uuid),
        None => stored,
    }
}

fn time(milliseconds: u64) -> Time {
    Time(i64::try_from(milliseconds).unwrap_or(i64::MAX))
}
