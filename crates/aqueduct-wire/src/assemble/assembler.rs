use std::collections::HashMap;

use super::change::{Change, ChangeKind};
use super::message::MessageSoFar;
use super::signs;
use super::thread::{AssembledThread, FinishedMessages};
use crate::FromAgent;
use crate::block::ContentBlock;
use crate::frame::{AssistantFrame, StreamEventFrame, UserFrame};
use crate::system::SystemFrame;

/// How many subagents are followed at a time. When one more begins, the one that has been silent longest
/// is dropped, one that is not writing before one that is; its message is handed out.
pub const MAX_THREADS: usize = 256;

/// Folds frames into messages.
///
/// ```
/// # use aqueduct_wire::FromAgent;
/// # use aqueduct_wire::assemble::Assembler;
/// let mut assembler = Assembler::new();
/// for line in [
///     r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","content":[]}}}"#,
///     r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#,
///     r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}}"#,
///     r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}}"#,
/// ] {
///     assembler.push(&FromAgent::parse(line)?);
/// }
/// assert_eq!(assembler.message(None).map(|message| message.text()).as_deref(), Some("Hello"));
/// # Ok::<(), aqueduct_wire::json::ParseError>(())
/// ```
///
/// A message that has ended stays until the next one of its thread begins or the turn ends, because its
/// `assistant` frames may come late. Then it is handed out with the [`Change`] and forgotten.
#[derive(Debug, Default)]
pub struct Assembler {
    main: AssembledThread,
    subagents: HashMap<Box<str>, AssembledThread>,
    pushed: u64,
}

impl Assembler {
    /// An assembler that has seen nothing.
    pub fn new() -> Self {
        Assembler::default()
    }

    /// The message that is being written, or the last one that was: of the main conversation (`None`) or of
    /// the subagent that runs under a tool call.
    pub fn message(&self, parent: Option<&str>) -> Option<&MessageSoFar> {
        let thread = match parent {
            None => Some(&self.main),
            Some(parent) => self.subagents.get(parent),
        };
        thread?.message.as_ref()
    }

    /// The messages of all threads, the main one first and the others in no order.
    pub fn messages(&self) -> impl Iterator<Item = &MessageSoFar> {
        std::iter::once(&self.main)
            .chain(self.subagents.values())
            .filter_map(|thread| thread.message.as_ref())
    }

    /// Takes the content of a block out of the message of a thread, for those who keep it elsewhere: a large block is
    /// not held twice. An empty block stays in its place.
    pub fn take_block(&mut self, parent: Option<&str>, number: usize) -> Option<ContentBlock<'static>> {
        self.existing(parent)?.message.as_mut()?.take_block(number)
    }

    /// Takes the next frame and returns what it changed.
    pub fn push<'f>(&mut self, frame: &'f FromAgent<'_>) -> Change<'f> {
        self.pushed += 1;
        match frame {
            FromAgent::StreamEvent(frame) => self.event(frame),
            FromAgent::Assistant(frame) => self.assistant(frame),
            FromAgent::User(frame) => self.user(frame),
            FromAgent::System(frame) => self.system(frame),
            // By name: also one that lacks something ends what it ends.
            other => match other.tag() {
                "result" => self.end_turn(),
                "conversation_reset" => {
                    let mut change = Change::new(None, ChangeKind::Reset);
                    change.finished = self.reset();
                    change
                }
                _ => Change::new(None, ChangeKind::Nothing),
            },
        }
    }

    /// Removes the blocks that came with these `uuid`s from the messages that are still here, and returns how
    /// many there were.
    pub fn retract(&mut self, uuids: &[&str]) -> usize {
        let threads = std::iter::once(&mut self.main).chain(self.subagents.values_mut());
        threads.filter_map(|thread| thread.retract(uuids)).map(|(count, _)| count).sum()
    }

    /// Ends all messages and hands them out, the main one first: at the end of the stream, or when the
    /// conversation begins anew.
    pub fn reset(&mut self) -> Vec<MessageSoFar> {
        let mut finished = Vec::new();
        self.main.hand_out(&mut finished);
        let mut subagents: Vec<AssembledThread> = self.subagents.drain().map(|(_, thread)| thread).collect();
        subagents.sort_by_key(|thread| thread.touched);
        for mut thread in subagents {
            thread.hand_out(&mut finished);
        }
        *self = Assembler { pushed: self.pushed, ..Assembler::default() };
        finished
    }

    fn event<'f>(&mut self, frame: &'f StreamEventFrame<'_>) -> Change<'f> {
        let parent = frame.parent_tool_use_id.as_deref();
        let mut finished = Vec::new();
        let kind = self.thread(parent, &mut finished).event(frame, &mut finished);
        if let Some(parent) = parent
            && kind == ChangeKind::Nothing
            && self.subagents.get(parent).is_some_and(AssembledThread::is_unused)
        {
            self.subagents.remove(parent);
        }
        Change { finished, ..Change::new(parent, kind) }
    }

    fn assistant<'f>(&mut self, frame: &'f AssistantFrame<'_>) -> Change<'f> {
        let parent = frame.parent_tool_use_id.as_deref();
        let mut change = Change::new(parent, ChangeKind::Nothing);
        change.retracted = signs::superseded(frame);
        let mut place = None;
        if !change.retracted.is_empty() {
            let removed = self.thread(parent, &mut change.finished).retract(&change.retracted);
            place = removed.map(|(_, first)| first);
            self.retract(&change.retracted);
        }
        let thread = self.thread(parent, &mut change.finished);
        change.kind = thread.assistant(frame, place, &mut change.finished);
        change
    }

    fn user<'f>(&mut self, frame: &'f UserFrame<'_>) -> Change<'f> {
        let parent = frame.parent_tool_use_id.as_deref();
        let mut change = Change::new(parent, ChangeKind::Nothing);
        for (call, failed) in signs::answered_calls(frame) {
            self.end_subagent(call, failed, &mut change.finished);
        }
        if signs::is_interruption(frame)
            && let Some(thread) = self.existing(parent)
            && thread.message.as_mut().is_some_and(MessageSoFar::interrupt)
        {
            change.kind = ChangeKind::Interrupted;
        }
        change
    }

    fn system<'f>(&mut self, frame: &'f SystemFrame<'_>) -> Change<'f> {
        let mut change = Change::new(None, ChangeKind::Nothing);
        change.retracted = signs::retracted(frame);
        if !change.retracted.is_empty() {
            self.retract(&change.retracted);
            change.kind = ChangeKind::Retracted;
        }
        if let Some(call) = signs::ended_subagent(frame) {
            self.end_subagent(call, true, &mut change.finished);
        }
        change
    }

    /// A subagent's call was answered. Unless that means that it is over for sure, a message that is still
    /// being streamed continues: the call of a subagent in the background is answered when it starts.
    fn end_subagent(&mut self, call: &str, is_over: bool, finished: &mut FinishedMessages) {
        if let Some(thread) = self.subagents.get_mut(call)
            && (is_over || !thread.message.as_ref().is_some_and(MessageSoFar::is_streaming))
        {
            thread.hand_out(finished);
            self.subagents.remove(call);
        }
    }

    /// The turn of the main conversation is over. Subagents in the background continue.
    fn end_turn(&mut self) -> Change<'static> {
        let mut change = Change::new(None, ChangeKind::TurnEnded);
        self.main.hand_out(&mut change.finished);
        change
    }

    fn existing(&mut self, parent: Option<&str>) -> Option<&mut AssembledThread> {
        match parent {
            None => Some(&mut self.main),
            Some(parent) => self.subagents.get_mut(parent),
        }
    }

    fn thread(&mut self, parent: Option<&str>, finished: &mut FinishedMessages) -> &mut AssembledThread {
        let Some(parent) = parent else { return &mut self.main };
        if !self.subagents.contains_key(parent) && self.subagents.len() >= MAX_THREADS {
            self.evict(finished);
        }
        let thread = self.subagents.entry(parent.into()).or_default();
        thread.touched = self.pushed;
        thread
    }

    fn evict(&mut self, finished: &mut FinishedMessages) {
        let silent = self.subagents.iter().min_by_key(|(_, thread)| (thread.is_open(), thread.touched));
        if let Some(parent) = silent.map(|(parent, _)| parent.clone())
            && let Some(mut thread) = self.subagents.remove(&parent)
        {
            thread.hand_out(finished);
        }
    }
}
