use super::block::{BlockSoFar, BlockState};
use super::change::{BlockPart, ChangeKind};
use crate::block::ContentBlock;
use crate::error_name::ErrorDetail;
use crate::event::{ContentBlockDelta, Delta, MessageDelta, StreamEvent};
use crate::json::{IntoOwned, Json, Map, Number, Raw, Reader, Str};
use crate::message::AssistantMessage;
use crate::usage::Usage;

/// A message of the model, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageSoFar {
    parent: Option<Box<str>>,
    /// Everything but the content.
    head: AssistantMessage<'static>,
    blocks: Vec<BlockSoFar>,
    state: MessageState,
    /// Whether it comes from stream events and has not ended.
    streaming: bool,
    /// Whether its beginning was missed.
    joined: bool,
    interrupted: bool,
    /// Whether blocks of it were taken back.
    retracted: bool,
    error: Option<ErrorDetail<'static>>,
    others: Vec<StreamEvent<'static>>,
}

/// How far a message has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageState {
    /// More may come.
    Open,
    /// All of it is there.
    Complete,
    /// It ended before it was complete, or its beginning was never seen.
    Incomplete,
    /// The user interrupted it.
    Interrupted,
}

impl MessageSoFar {
    /// A message that begins in the stream.
    pub(super) fn started(parent: Option<&str>, message: &AssistantMessage<'_>) -> Self {
        let mut so_far = MessageSoFar::new(parent, message);
        so_far.streaming = true;
        let blocks = message.content.iter().enumerate();
        so_far.blocks = blocks
            .map(|(index, block)| BlockSoFar::started(Some(index as u64), block.clone().into_owned()))
            .collect();
        so_far
    }

    /// A message of which the middle is seen first.
    pub(super) fn joined(parent: Option<&str>) -> Self {
        MessageSoFar::new(parent, &AssistantMessage::new(Vec::new()))
    }

    /// A message that is sent in complete blocks.
    pub(super) fn new(parent: Option<&str>, message: &AssistantMessage<'_>) -> Self {
        let mut head = message.clone();
        head.content = Vec::new();
        MessageSoFar {
            parent: parent.map(Into::into),
            head: head.into_owned(),
            blocks: Vec::new(),
            state: MessageState::Open,
            streaming: false,
            joined: false,
            interrupted: false,
            retracted: false,
            error: None,
            others: Vec::new(),
        }
    }

    /// The `parent_tool_use_id`: the tool call that runs the subagent whose message this is.
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// The message's `id`, if it is known.
    pub fn id(&self) -> Option<&str> {
        self.head.id.as_deref()
    }

    /// Everything but the content: model, stop reason, usage. The content is in [`MessageSoFar::blocks`].
    pub fn head(&self) -> &AssistantMessage<'static> {
        &self.head
    }

    /// The blocks in their order.
    pub fn blocks(&self) -> &[BlockSoFar] {
        &self.blocks
    }

    /// Takes the content of a block out, without a copy of it.
    pub(super) fn take_block(&mut self, number: usize) -> Option<ContentBlock<'static>> {
        self.blocks.get_mut(number).map(BlockSoFar::take)
    }

    /// How far the message has come.
    pub fn state(&self) -> MessageState {
        self.state
    }

    /// Whether the beginning of the message was missed.
    pub fn is_joined(&self) -> bool {
        self.joined
    }

    /// Whether the user has interrupted the message, also when its last events have not come yet.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// The error that broke the stream.
    pub fn error(&self) -> Option<&ErrorDetail<'static>> {
        self.error.as_ref()
    }

    /// Events of the stream that this crate has no type for, in their order.
    pub fn other_events(&self) -> &[StreamEvent<'static>] {
        &self.others
    }

    /// The text so far: that of all text blocks.
    pub fn text(&self) -> String {
        self.blocks.iter().filter(|block| block.kind() == "text").map(BlockSoFar::text).collect()
    }

    /// The message as it is now, in the form in which it would be sent.
    pub fn to_message(&self) -> AssistantMessage<'static> {
        let mut message = self.head.clone();
        message.content = self.blocks.iter().map(BlockSoFar::to_block).collect();
        message
    }

    pub(super) fn is_streaming(&self) -> bool {
        self.streaming
    }

    /// Continues a message of which the stream has more. If the stream did not carry it up to
    /// here, something was missed.
    pub(super) fn resume(&mut self, id: Option<&str>) {
        if !self.streaming {
            self.streaming = true;
            self.joined = true;
            self.state = MessageState::Open;
        }
        if let (None, Some(id)) = (&self.head.id, id) {
            self.head.id = Some(Str::from(id.to_owned()));
        }
    }

    pub(super) fn start_block(
        &mut self,
        index: &Number<'_>,
        block: &ContentBlock<'_>,
    ) -> ChangeKind<'static> {
        let index = index.as_u64();
        if let Some(before) = self.position(index) {
            self.blocks[before].break_off();
        }
        let block = BlockSoFar::started(index, block.clone().into_owned());
        ChangeKind::BlockStarted { block: self.add(block) }
    }

    pub(super) fn grow_block<'f>(&mut self, event: &'f ContentBlockDelta<'_>) -> ChangeKind<'f> {
        let index = event.index.as_u64();
        let block = self.position(index).unwrap_or_else(|| self.add(BlockSoFar::joined(index, &event.delta)));
        let Some(part) = self.blocks[block].grow(&event.delta) else { return ChangeKind::Nothing };
        let added = match (part, &event.delta) {
            (BlockPart::Text, Delta::Text(delta)) => delta.text.as_str(),
            (BlockPart::Thinking, Delta::Thinking(delta)) => &delta.thinking,
            (BlockPart::Input, Delta::InputJson(delta)) => &delta.partial_json,
            _ => "",
        };
        ChangeKind::Grew { block, part, added }
    }

    pub(super) fn stop_block(&mut self, index: &Number<'_>) -> ChangeKind<'static> {
        match self.position(index.as_u64()) {
            Some(block) => {
                self.blocks[block].stop();
                ChangeKind::BlockDone { block }
            }
            None => ChangeKind::Nothing,
        }
    }

    /// Takes what a `message_delta` has about the message: members that are not `null` count.
    pub(super) fn change(&mut self, event: &MessageDelta<'_>) {
        let change = event.delta.clone().into_owned();
        let head = &mut self.head;
        keep_new(&mut head.stop_reason, change.stop_reason);
        keep_new(&mut head.stop_sequence, change.stop_sequence);
        keep_new(&mut head.container, change.container);
        keep_new(&mut head.stop_details, change.stop_details);
        keep_new(&mut head.context_management, event.context_management.clone().into_owned());
        for (key, value) in change.extra.iter().chain(event.extra.iter()) {
            head.extra.push(key.to_owned(), value.clone().into_owned());
        }
        if let Some(usage) = &event.usage {
            head.usage = Some(Box::new(match &head.usage {
                Some(opening) => merged(opening, usage),
                None => (**usage).clone().into_owned(),
            }));
        }
    }

    /// Takes a block that came whole: in place of the one that was being built, else at `place`, else at the
    /// end. Returns its position.
    pub(super) fn take_whole(
        &mut self,
        block: ContentBlock<'static>,
        uuid: Option<&str>,
        place: Option<usize>,
    ) -> usize {
        let uuid = uuid.map(Box::from);
        let is_open = |so_far: &BlockSoFar| so_far.state() == BlockState::Open;
        let open = self.blocks.iter().position(|so_far| is_open(so_far) && so_far.awaits(&block));
        let awaiting = open.or_else(|| self.blocks.iter().position(|so_far| so_far.awaits(&block)));
        match (awaiting, place) {
            (Some(position), _) => {
                self.blocks[position].replace(block, uuid);
                position
            }
            (None, Some(position)) if position < self.blocks.len() => {
                self.blocks.insert(position, BlockSoFar::whole(block, uuid));
                position
            }
            (None, _) => self.add(BlockSoFar::whole(block, uuid)),
        }
    }

    /// Takes what an `assistant` frame has besides the block. In the reference's frames that is what was
    /// known when the message began, so it never replaces what came at the end.
    pub(super) fn take_head(&mut self, message: &AssistantMessage<'_>) {
        learn(&mut self.head.id, &message.id);
        learn(&mut self.head.kind, &message.kind);
        learn(&mut self.head.role, &message.role);
        learn(&mut self.head.model, &message.model);
        let is_final = message.stop_reason.is_some();
        if is_final {
            self.head.stop_reason = message.stop_reason.clone().into_owned();
            self.head.stop_sequence = message.stop_sequence.clone().into_owned();
        }
        if message.usage.is_some() && (is_final || self.head.usage.is_none()) {
            self.head.usage = message.usage.clone().into_owned();
        }
    }

    /// Removes the blocks that came with these `uuid`s: how many, and where the first was.
    pub(super) fn retract(&mut self, uuids: &[&str]) -> Option<(usize, usize)> {
        let is_retracted = |block: &BlockSoFar| block.uuid().is_some_and(|uuid| uuids.contains(&uuid));
        let first = self.blocks.iter().position(is_retracted)?;
        let before = self.blocks.len();
        self.blocks.retain(|block| !is_retracted(block));
        self.retracted = true;
        Some((before - self.blocks.len(), first))
    }

    /// Whether the message was taken back: blocks were, and no other has been confirmed by an `assistant`
    /// frame.
    pub(super) fn is_retracted(&self) -> bool {
        self.retracted && !self.blocks.iter().any(BlockSoFar::is_whole)
    }

    /// Notes that the user interrupted the turn, and returns whether that was in the middle of this message.
    pub(super) fn interrupt(&mut self) -> bool {
        self.interrupted |= self.streaming;
        self.streaming
    }

    /// Notes that a frame gave a block only as far as the user let it come.
    pub(super) fn abort(&mut self) {
        self.interrupted = true;
        if self.state != MessageState::Open {
            self.state = MessageState::Interrupted;
        }
    }

    pub(super) fn fail(&mut self, error: Option<&ErrorDetail<'_>>) {
        self.error = error.cloned().map(IntoOwned::into_owned);
        self.break_off();
    }

    pub(super) fn keep_event(&mut self, event: &StreamEvent<'_>) {
        self.others.push(event.clone().into_owned());
    }

    /// The stream reports that the message is complete.
    pub(super) fn stop(&mut self) {
        self.streaming = false;
        self.break_off();
    }

    /// Ends the message with what is there of it.
    pub(super) fn break_off(&mut self) {
        if self.state != MessageState::Open {
            return;
        }
        for block in &mut self.blocks {
            block.break_off();
        }
        let is_cut = self.streaming
            || self.joined
            || self.error.is_some()
            || self.blocks.iter().any(|block| block.state() == BlockState::Incomplete);
        self.streaming = false;
        self.state = match (self.interrupted, is_cut) {
            (true, _) => MessageState::Interrupted,
            (false, true) => MessageState::Incomplete,
            (false, false) => MessageState::Complete,
        };
    }

    /// The block with the stream's number; without a number, the last one.
    fn position(&self, index: Option<u64>) -> Option<usize> {
        match index {
            Some(_) => self.blocks.iter().rposition(|block| block.index() == index),
            None => self.blocks.len().checked_sub(1),
        }
    }

    fn add(&mut self, block: BlockSoFar) -> usize {
        self.blocks.push(block);
        self.blocks.len() - 1
    }
}

fn learn<T: Clone + IntoOwned>(slot: &mut Option<T::Owned>, known: &Option<T>) {
    if slot.is_none() {
        *slot = known.clone().into_owned();
    }
}

fn keep_new<T>(slot: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *slot = new;
    }
}

/// The opening usage with every member that the closing one knows better.
fn merged(opening: &Usage<'_>, closing: &Usage<'_>) -> Usage<'static> {
    let (mut before, mut after) = (String::new(), String::new());
    opening.write(&mut before);
    closing.write(&mut after);
    let members = |json| Map::<Raw<'_>>::read(&mut Reader::new(json)).unwrap_or_default();
    let (before, after) = (members(&before), members(&after));
    let known = |key: &str| after.get(key).filter(|value| **value != Raw::NULL);
    let kept = before.iter().filter(|(key, _)| known(key).is_none());
    let new = after.iter().filter(|(key, _)| known(key).is_some() || before.get(key).is_none());
    let all: Map<'_, Raw<'_>> = kept.chain(new).map(|(key, value)| (key, value.clone())).collect();
    let mut json = String::new();
    all.write(&mut json);
    match Usage::read(&mut Reader::new(&json)) {
        Ok(usage) => usage.into_owned(),
        Err(_) => closing.clone().into_owned(),
    }
}
