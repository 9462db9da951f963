//! Answers that are being written, as far as they have come: what a client that connects now has to see of them.

use std::collections::HashMap;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::event::{Delta as EventDelta, StreamEvent};
use aqueduct_wire::frame::{AssistantFrame, StreamEventFrame, UserFrame};
use aqueduct_wire::json::Str;
use aqueduct_wire::system::SystemFrame;

use super::translate::REMEMBERED_BYTES;
use crate::message::bridge::{PartialAnswer, PartialBlock, PartialKind};
use crate::outbox::{AnswerDelta, DeltaKind};

/// How many bytes are kept of the unfinished blocks of a session together. An answer that would go beyond is not kept:
/// clients still get each piece of it, and its whole blocks from the log.
pub(super) const PARTIAL_BYTES: usize = 512 * 1024;

/// How many answers are followed at a time, the main one and those of subagents. One that is over goes first.
const ANSWERS: usize = 64;

/// What a block takes beside its text, about.
const EMPTY_BLOCK: usize = 128;

/// The answers of a session that are being written, by the call of the subagent that writes.
#[derive(Debug, Default)]
pub(super) struct Partials {
    answers: HashMap<Option<String>, StreamedAnswer>,
    /// How much all blocks take.
    bytes: usize,
    /// How many answers have begun.
    begun: u64,
}

#[derive(Debug, Default)]
struct StreamedAnswer {
    id: Option<String>,
    model: Option<Str<'static>>,
    /// Blocks that no `assistant` frame has completed.
    blocks: Vec<StreamedBlock>,
    /// The last block that came whole.
    whole: Option<u64>,
    /// Where the answer begins in the output, unless its beginning was missed.
    offset: Option<u64>,
    /// Its end has not come.
    is_open: bool,
    /// It is too large: only its last block is known, without its text.
    is_cut: bool,
    /// Which answer it is of all.
    number: u64,
}

#[derive(Debug)]
struct StreamedBlock {
    index: u64,
    /// What sort of block it is, as frames have it.
    tag: String,
    /// The call's id and tool, of a block that is one.
    call: Option<(String, String)>,
    text: String,
}

impl StreamedBlock {
    fn weight(&self) -> usize {
        let call = self.call.as_ref().map_or(0, |(id, name)| id.len() + name.len());
        EMPTY_BLOCK + self.text.len() + self.tag.len() + call
    }

    /// Which part of the answer it is; nothing of what clients see.
    fn kind(&self) -> Option<(DeltaKind, PartialKind<'static>)> {
        match self.tag.as_str() {
            "text" => Some((DeltaKind::Text, PartialKind::Text)),
            "thinking" => Some((DeltaKind::Thinking, PartialKind::Thinking)),
            "tool_use" => Some((DeltaKind::ToolInput, PartialKind::ToolInput)),
            _ => None,
        }
    }

    /// Whether a whole block is this one.
    fn awaits(&self, block: &ContentBlock<'_>) -> bool {
        match (block, &self.call) {
            (ContentBlock::ToolUse(call), Some((id, _))) => *call.id == **id,
            _ => block.tag() == self.tag,
        }
    }
}

impl StreamedAnswer {
    fn weight(&self) -> usize {
        self.blocks.iter().map(StreamedBlock::weight).sum()
    }

    fn is_same(&self, id: Option<&str>) -> bool {
        match (self.id.as_deref(), id) {
            (Some(own), Some(id)) => own == id,
            _ => self.is_open,
        }
    }

    fn delta(&self, block: &StreamedBlock, thread: Option<&str>, added: &str) -> Option<AnswerDelta> {
        let (kind, _) = block.kind()?;
        Some(AnswerDelta {
            kind,
            message_id: self.id.clone(),
            index: block.index,
            parent: thread.map(str::to_owned),
            call: block.call.clone(),
            text: added.to_owned(),
        })
    }

    fn partial(&self, thread: Option<&str>) -> Option<PartialAnswer<'static>> {
        if self.is_cut {
            return None;
        }
        let partial = |block: &StreamedBlock| {
            let mut partial = PartialBlock::new(block.index, block.kind()?.1, block.text.clone());
            if let Some((id, name)) = &block.call {
                partial.tool_use_id = Some(id.clone().into());
                partial.tool_name = Some(name.clone().into());
            }
            Some(partial)
        };
        let blocks: Vec<PartialBlock<'static>> = self.blocks.iter().filter_map(partial).collect();
        if blocks.is_empty() {
            return None;
        }
        let mut answer = PartialAnswer::new(blocks);
        answer.message_id = self.id.clone().map(Into::into);
        answer.model = self.model.clone();
        answer.parent_tool_use_id = thread.map(|thread| thread.to_owned().into());
        Some(answer)
    }
}

impl Partials {
    /// Takes a frame of the output that begins at `offset`, and gives what an answer grows by.
    pub(super) fn frame(&mut self, frame: &FromAgent<'_>, offset: u64) -> Option<AnswerDelta> {
        match frame {
            FromAgent::StreamEvent(frame) => return self.event(frame, offset),
            FromAgent::Assistant(frame) => self.whole(frame),
            FromAgent::User(frame) => self.answered(frame),
            FromAgent::System(SystemFrame::TaskNotification(frame)) => {
                if let Some(call) = frame.tool_use_id.as_deref() {
                    self.remove(&Some(call.to_owned()));
                }
            }
            // By name: also one that lacks something ends what it ends.
            other => match other.tag() {
                "result" => self.end_turn(),
                "conversation_reset" => self.reset(),
                _ => {}
            },
        }
        None
    }

    /// The answers, for a client that connects now.
    pub(super) fn all(&self) -> Vec<PartialAnswer<'static>> {
        let mut answers: Vec<(&Option<String>, &StreamedAnswer)> = self.answers.iter().collect();
        answers.sort_by_key(|(thread, answer)| (thread.is_some(), answer.number));
        answers.into_iter().filter_map(|(thread, answer)| answer.partial(thread.as_deref())).collect()
    }

    /// Where the oldest answer begins that is being written: from there on the output is needed to write on.
    pub(super) fn anchor(&self) -> Option<u64> {
        let open = self.answers.values().filter(|answer| answer.is_open && !answer.is_cut);
        open.filter_map(|answer| answer.offset).min()
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        self.answers.clear();
        self.bytes = 0;
    }

    /// The turn of the main conversation is over. What subagents in the background write continues, and is not needed
    /// from where it began.
    fn end_turn(&mut self) {
        self.remove(&None);
        for answer in self.answers.values_mut() {
            answer.offset = None;
        }
    }

    fn event(&mut self, frame: &StreamEventFrame<'_>, offset: u64) -> Option<AnswerDelta> {
        let is_long = |id: &Option<Str<'_>>| id.as_ref().is_some_and(|id| id.len() > REMEMBERED_BYTES);
        if is_long(&frame.parent_tool_use_id) || is_long(&frame.api_message_id) {
            return None;
        }
        let thread = frame.parent_tool_use_id.as_deref().map(str::to_owned);
        let id = frame.api_message_id.as_deref();
        match &frame.event {
            StreamEvent::MessageStart(event) => {
                self.remove(&thread);
                let answer = self.begin(thread);
                let is_short = |text: &&str| text.len() <= REMEMBERED_BYTES;
                answer.id = event.message.id.as_deref().filter(is_short).or(id).map(str::to_owned);
                let model = event.message.model.as_deref().filter(is_short);
                answer.model = model.map(|model| model.to_owned().into());
                answer.offset = Some(offset);
                None
            }
            StreamEvent::ContentBlockStart(event) => {
                let index = event.index.as_u64()?;
                let (call, text) = match &event.content_block {
                    ContentBlock::ToolUse(call) if call.id.len().max(call.name.len()) > REMEMBERED_BYTES => {
                        return None;
                    }
                    ContentBlock::ToolUse(call) => {
                        (Some((call.id.as_str().to_owned(), call.name.as_str().to_owned())), "")
                    }
                    ContentBlock::Text(block) => (None, block.text.as_str()),
                    ContentBlock::Thinking(block) => (None, block.thinking.as_str()),
                    _ => (None, ""),
                };
                let tag = event.content_block.tag().to_owned();
                let block = StreamedBlock { index, tag, call, text: text.to_owned() };
                self.add(thread.clone(), id, block);
                let answer = self.answers.get(&thread)?;
                let block = answer.blocks.last().filter(|block| block.call.is_some())?;
                // A call is reported as soon as its tool is known.
                answer.delta(block, thread.as_deref(), "")
            }
            StreamEvent::ContentBlockDelta(event) => {
                let index = event.index.as_u64()?;
                self.grow(thread, id, index, &event.delta)
            }
            StreamEvent::MessageStop(_) | StreamEvent::Error(_) => {
                if let Some(answer) = self.answers.get_mut(&thread)
                    && (id.is_none() || answer.id.is_none() || answer.id.as_deref() == id)
                {
                    answer.is_open = false;
                }
                None
            }
            _ => None,
        }
    }

    fn grow(
        &mut self,
        thread: Option<String>,
        id: Option<&str>,
        index: u64,
        delta: &EventDelta<'_>,
    ) -> Option<AnswerDelta> {
        let (tag, added) = match delta {
            EventDelta::Text(delta) => ("text", delta.text.as_str()),
            EventDelta::Thinking(delta) => ("thinking", delta.thinking.as_str()),
            EventDelta::InputJson(delta) => ("tool_use", delta.partial_json.as_str()),
            _ => return None,
        };
        let is_known = self.answers.get(&thread).is_some_and(|answer| {
            answer.is_same(id) && answer.blocks.iter().any(|block| block.index == index)
        });
        if !is_known {
            let is_whole = |answer: &StreamedAnswer| {
                answer.is_same(id) && answer.whole.is_some_and(|last| index <= last)
            };
            // The tool of a call whose beginning was missed is not known.
            if tag == "tool_use" || self.answers.get(&thread).is_some_and(is_whole) {
                return None;
            }
            self.add(
                thread.clone(),
                id,
                StreamedBlock { index, tag: tag.to_owned(), call: None, text: String::new() },
            );
        }
        let answer = self.answers.get_mut(&thread)?;
        let place = answer.blocks.iter().rposition(|block| block.index == index)?;
        let block = &answer.blocks[place];
        if block.tag != tag {
            return None;
        }
        let delta = answer.delta(block, thread.as_deref(), added);
        if added.len() > PARTIAL_BYTES {
            // What would be cut is not even copied.
            self.cut(&thread);
        } else if !answer.is_cut {
            answer.blocks[place].text.push_str(added);
            self.bytes += added.len();
            self.cut_if_large(&thread);
        }
        delta
    }

    /// An answer begins, in the place of the one before.
    fn begin(&mut self, thread: Option<String>) -> &mut StreamedAnswer {
        if self.answers.len() >= ANSWERS && !self.answers.contains_key(&thread) {
            let others = self.answers.iter().filter(|(thread, _)| thread.is_some());
            let oldest = others.min_by_key(|(_, answer)| (answer.is_open, answer.number));
            if let Some(oldest) = oldest.map(|(thread, _)| thread.clone()) {
                self.remove(&oldest);
            }
        }
        self.begun += 1;
        let answer = StreamedAnswer { is_open: true, number: self.begun, ..StreamedAnswer::default() };
        let place = self.answers.entry(thread).or_default();
        *place = answer;
        place
    }

    /// A block begins. If the beginning of its answer was missed, that begins here.
    fn add(&mut self, thread: Option<String>, id: Option<&str>, block: StreamedBlock) {
        if !self.answers.get(&thread).is_some_and(|answer| answer.is_same(id)) {
            self.remove(&thread);
            self.begin(thread.clone()).id = id.map(str::to_owned);
        }
        let Some(answer) = self.answers.get_mut(&thread) else { return };
        self.bytes -= answer.weight();
        answer.is_open = true;
        answer.blocks.retain(|known| known.index != block.index && !answer.is_cut);
        answer.blocks.push(block);
        self.bytes += answer.weight();
        self.cut_if_large(&thread);
    }

    /// Drops the text of an answer if there is too much.
    fn cut_if_large(&mut self, thread: &Option<String>) {
        if self.bytes > PARTIAL_BYTES {
            self.cut(thread);
        }
    }

    fn cut(&mut self, thread: &Option<String>) {
        let Some(answer) = self.answers.get_mut(thread) else { return };
        self.bytes -= answer.weight();
        answer.is_cut = true;
        answer.blocks = answer.blocks.pop().into_iter().collect();
        for block in &mut answer.blocks {
            block.text = String::new();
        }
        self.bytes += answer.weight();
    }

    /// Blocks came whole: they are in the log.
    fn whole(&mut self, frame: &AssistantFrame<'_>) {
        let thread = frame.parent_tool_use_id.as_deref().map(str::to_owned);
        let Some(answer) = self.answers.get_mut(&thread) else { return };
        if !answer.is_same(frame.message.id.as_deref()) {
            return self.remove(&thread);
        }
        self.bytes -= answer.weight();
        for block in &frame.message.content {
            if let Some(place) = answer.blocks.iter().position(|known| known.awaits(block)) {
                let index = answer.blocks.remove(place).index;
                answer.whole = answer.whole.max(Some(index));
            }
        }
        self.bytes += answer.weight();
    }

    /// Calls were answered. Unless one failed, a subagent that still writes continues: the call of one in the background
    /// is answered when it starts.
    fn answered(&mut self, frame: &UserFrame<'_>) {
        for block in frame.message.content.blocks() {
            let ContentBlock::ToolResult(result) = block else { continue };
            let thread = Some(result.tool_use_id.as_str().to_owned());
            let is_over = result.is_error == Some(true)
                || self.answers.get(&thread).is_some_and(|answer| !answer.is_open);
            if is_over {
                self.remove(&thread);
            }
        }
    }

    fn remove(&mut self, thread: &Option<String>) {
        if let Some(answer) = self.answers.remove(thread) {
            self.bytes -= answer.weight();
        }
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::FromAgent;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{PARTIAL_BYTES, Partials};

    fn push(partials: &mut Partials, frame: Value) -> Option<String> {
        let line = frame.to_string();
        let frame = FromAgent::parse(&line).unwrap().into_owned();
        partials.frame(&frame, 7).map(|delta| delta.text)
    }

    fn event(thread: Option<&str>, event: Value) -> Value {
        json!({"type": "stream_event", "event": event, "parent_tool_use_id": thread, "session_id": "s", "uuid": "u"})
    }

    fn start(thread: Option<&str>, id: &str) -> Value {
        let message = json!({"id": id, "role": "assistant", "model": "m", "content": []});
        event(thread, json!({"type": "message_start", "message": message}))
    }

    fn block(index: u64, block: Value) -> Value {
        event(None, json!({"type": "content_block_start", "index": index, "content_block": block}))
    }

    fn delta(index: u64, text: &str) -> Value {
        let delta = json!({"type": "text_delta", "text": text});
        event(None, json!({"type": "content_block_delta", "index": index, "delta": delta}))
    }

    fn whole(id: &str, blocks: Value) -> Value {
        json!({"type": "assistant", "message": {"id": id, "role": "assistant", "content": blocks}, "session_id": "s"})
    }

    #[test]
    fn what_is_not_whole_is_shown() {
        let mut partials = Partials::default();
        push(&mut partials, start(None, "m1"));
        push(&mut partials, block(0, json!({"type": "text", "text": ""})));
        assert_eq!(push(&mut partials, delta(0, "Hel")).as_deref(), Some("Hel"));
        push(&mut partials, delta(0, "lo"));
        let call = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {}});
        assert_eq!(push(&mut partials, block(1, call)).as_deref(), Some(""));
        let texts = |partials: &Partials| -> Vec<String> {
            let blocks = partials.all().into_iter().flat_map(|answer| answer.blocks);
            blocks.map(|block| block.text.into_string()).collect()
        };
        assert_eq!(texts(&partials), ["Hello", ""]);
        assert_eq!(partials.anchor(), Some(7));
        push(&mut partials, whole("m1", json!([{"type": "text", "text": "Hello"}])));
        assert_eq!(texts(&partials), [""]);
        // A piece of a block that is whole is not sent again.
        assert_eq!(push(&mut partials, delta(0, "!")), None);
        push(&mut partials, event(None, json!({"type": "message_stop"})));
        assert_eq!((partials.anchor(), texts(&partials).len()), (None, 1));
        push(&mut partials, json!({"type": "result", "subtype": "success", "session_id": "s"}));
        assert_eq!((partials.all().len(), partials.bytes), (0, 0));
    }

    /// Pieces of an answer without an end still reach subscribed clients; they are not stored.
    #[test]
    fn an_answer_without_an_end_takes_bounded_memory() {
        let mut partials = Partials::default();
        push(&mut partials, start(None, "m1"));
        push(&mut partials, block(0, json!({"type": "text", "text": ""})));
        let piece = "x".repeat(10_000);
        for _ in 0..200 {
            assert_eq!(push(&mut partials, delta(0, &piece)).as_deref(), Some(&*piece));
            assert!(partials.bytes <= PARTIAL_BYTES);
        }
        // Nothing before is needed to write on.
        assert_eq!((partials.all().len(), partials.anchor()), (0, None));
        for index in 1..20 {
            push(&mut partials, block(index, json!({"type": "text", "text": piece})));
            assert_eq!(push(&mut partials, delta(index, "more")).as_deref(), Some("more"));
        }
        push(&mut partials, start(None, "m2"));
        push(&mut partials, block(0, json!({"type": "text", "text": ""})));
        push(&mut partials, delta(0, "again"));
        assert_eq!(partials.all().len(), 1);
    }

    /// Whole frames, however many and of whatever ids, leave nothing behind.
    #[test]
    fn whole_frames_are_not_kept() {
        let mut partials = Partials::default();
        push(&mut partials, start(None, "m1"));
        for _ in 0..100 {
            push(&mut partials, whole("m1", json!([{"type": "text", "text": "x".repeat(100_000)}])));
        }
        assert_eq!(partials.bytes, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// For any input in any order, the count of bytes is right and bounded.
        #[test]
        fn memory_is_counted_and_bounded(steps in proptest::collection::vec((0..7u8, 0..3usize, 0..4u64, 0..200_000usize), 0..60)) {
            let threads = [None, Some("t1"), Some("t2")];
            let mut partials = Partials::default();
            for (what, thread, index, size) in steps {
                let thread = threads[thread];
                let text = "x".repeat(size);
                let mut frame = match what {
                    0 => start(thread, &format!("m{index}")),
                    1 => block(index, json!({"type": "text", "text": text})),
                    2 | 3 => delta(index, &text),
                    4 => whole(&format!("m{index}"), json!([{"type": "text", "text": text}])),
                    5 => event(thread, json!({"type": "message_stop"})),
                    _ => json!({"type": "result", "subtype": "success", "session_id": "s"}),
                };
                frame["parent_tool_use_id"] = json!(thread);
                push(&mut partials, frame);
                let counted: usize = partials.answers.values().map(super::StreamedAnswer::weight).sum();
                prop_assert_eq!(counted, partials.bytes);
                prop_assert!(partials.bytes <= PARTIAL_BYTES + 4096);
            }
        }
    }
}
