use super::change::ChangeKind;
use super::message::{MessageSoFar, MessageState};
use crate::event::StreamEvent;
use crate::frame::{AssistantFrame, StreamEventFrame};
use crate::message::AssistantMessage;

/// The messages of one agent: the main one or a subagent. There is one message at a time.
#[derive(Debug, Default)]
pub(super) struct AssembledThread {
    pub(super) message: Option<MessageSoFar>,
    /// The id of the message before. Its last events can come late, and must not begin a new one.
    past: Option<Box<str>>,
    /// When something last happened, by the assembler's count.
    pub(super) touched: u64,
}

/// Where messages that ended go.
pub(super) type FinishedMessages = Vec<MessageSoFar>;

impl AssembledThread {
    /// Whether a message is being written.
    pub(super) fn is_open(&self) -> bool {
        self.message.as_ref().is_some_and(|message| message.state() == MessageState::Open)
    }

    /// Whether there never was a message.
    pub(super) fn is_unused(&self) -> bool {
        self.message.is_none() && self.past.is_none()
    }

    /// Ends the message, if there is one, and hands it out unless it was taken back.
    pub(super) fn hand_out(&mut self, finished: &mut FinishedMessages) {
        if let Some(mut message) = self.message.take() {
            message.break_off();
            self.past = message.id().map(Box::from);
            if !message.is_retracted() {
                finished.push(message);
            }
        }
    }

    /// Removes the blocks that came with these `uuid`s: how many, and where the first was. A message that
    /// has ended and of which nothing confirmed is left goes with them.
    pub(super) fn retract(&mut self, uuids: &[&str]) -> Option<(usize, usize)> {
        let message = self.message.as_mut()?;
        let removed = message.retract(uuids)?;
        if !message.is_streaming() && message.is_retracted() {
            self.hand_out(&mut Vec::new());
        }
        Some(removed)
    }

    pub(super) fn event<'f>(
        &mut self,
        frame: &'f StreamEventFrame<'_>,
        finished: &mut FinishedMessages,
    ) -> ChangeKind<'f> {
        let id = frame.api_message_id.as_deref();
        let parent = frame.parent_tool_use_id.as_deref();
        match &frame.event {
            StreamEvent::MessageStart(event) => {
                self.hand_out(finished);
                self.message = Some(MessageSoFar::started(parent, &event.message));
                ChangeKind::Started
            }
            StreamEvent::ContentBlockStart(event) => match self.writable(parent, id, finished) {
                Some(message) => message.start_block(&event.index, &event.content_block),
                None => ChangeKind::Nothing,
            },
            StreamEvent::ContentBlockDelta(event) => match self.writable(parent, id, finished) {
                Some(message) => message.grow_block(event),
                None => ChangeKind::Nothing,
            },
            event => match self.current(id) {
                Some(message) => close(message, event),
                None => ChangeKind::Nothing,
            },
        }
    }

    /// The message that an event with content belongs to. If its beginning was missed it begins here.
    /// `None` if it has been handed out already.
    fn writable(
        &mut self,
        parent: Option<&str>,
        id: Option<&str>,
        finished: &mut FinishedMessages,
    ) -> Option<&mut MessageSoFar> {
        let is_current = self.message.as_ref().is_some_and(|message| match (message.id(), id) {
            (Some(own), Some(id)) => own == id,
            _ => message.state() == MessageState::Open,
        });
        if !is_current {
            if id.is_some() && id == self.past.as_deref() {
                return None;
            }
            self.hand_out(finished);
            self.message = Some(MessageSoFar::joined(parent));
        }
        let message = self.message.as_mut()?;
        message.resume(id);
        Some(message)
    }

    /// The message that an event without content belongs to.
    fn current(&mut self, id: Option<&str>) -> Option<&mut MessageSoFar> {
        let message = self.message.as_mut()?;
        let is_other = matches!((message.id(), id), (Some(own), Some(id)) if own != id);
        (!is_other).then_some(message)
    }

    pub(super) fn assistant(
        &mut self,
        frame: &AssistantFrame<'_>,
        place: Option<usize>,
        finished: &mut FinishedMessages,
    ) -> ChangeKind<'static> {
        let place = if self.is_same(&frame.message) { place } else { None };
        let message = self.message_of(frame, finished);
        let uuid = frame.uuid.as_deref();
        message.take_head(&frame.message);
        let blocks = frame.message.content.iter().enumerate();
        let blocks = blocks
            .map(|(nth, block)| {
                message.take_whole(block.clone().into_owned(), uuid, place.map(|place| place + nth))
            })
            .collect();
        if frame.aborted == Some(true) {
            message.abort();
        }
        ChangeKind::Whole { blocks }
    }

    /// Whether a frame's message is the one that is being written.
    fn is_same(&self, message: &AssistantMessage<'_>) -> bool {
        let Some(current) = &self.message else { return false };
        match (current.id(), message.id.as_deref()) {
            (Some(own), Some(id)) => own == id,
            _ => current.is_streaming(),
        }
    }

    fn message_of(
        &mut self,
        frame: &AssistantFrame<'_>,
        finished: &mut FinishedMessages,
    ) -> &mut MessageSoFar {
        if !self.is_same(&frame.message) {
            self.hand_out(finished);
        }
        let parent = frame.parent_tool_use_id.as_deref();
        self.message.get_or_insert_with(|| MessageSoFar::new(parent, &frame.message))
    }
}

/// Takes an event that brings no content.
fn close(message: &mut MessageSoFar, event: &StreamEvent<'_>) -> ChangeKind<'static> {
    match event {
        StreamEvent::ContentBlockStop(event) => message.stop_block(&event.index),
        StreamEvent::MessageDelta(event) => {
            message.change(event);
            ChangeKind::MessageChanged
        }
        StreamEvent::MessageStop(_) if message.state() == MessageState::Open => {
            message.stop();
            ChangeKind::MessageDone
        }
        StreamEvent::Error(event) => {
            message.fail(event.error.as_deref());
            ChangeKind::MessageDone
        }
        StreamEvent::Unknown(_) => {
            message.keep_event(event);
            ChangeKind::MessageChanged
        }
        _ => ChangeKind::Nothing,
    }
}
