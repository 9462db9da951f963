use super::change::BlockPart;
use super::complete;
use super::text::GrowingText;
use crate::block::{ContentBlock, TextBlock, ThinkingBlock, ToolUseBlock};
use crate::citation::Citation;
use crate::event::Delta;
use crate::json::{IntoOwned, Raw, Str};

/// A block of a message, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockSoFar {
    /// The stream's number for it; `None` if an `assistant` frame had it or the number was none.
    index: Option<u64>,
    state: BlockState,
    /// The `uuid` of the `assistant` frame that held it.
    uuid: Option<Box<str>>,
    body: BlockContent,
    others: Vec<Delta<'static>>,
}

/// How far a block has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockState {
    /// More may come.
    Open,
    /// All of it is there.
    Done,
    /// The message ended before the block did, or the block's beginning was never seen.
    Incomplete,
}

#[derive(Debug, Clone, PartialEq)]
enum BlockContent {
    /// Built from deltas.
    Growing(Box<Growing>),
    /// As an `assistant` frame gave it.
    Whole(ContentBlock<'static>),
}

#[derive(Debug, Clone, PartialEq)]
struct Growing {
    /// The block as it began. What the deltas bring is kept apart, where it can grow.
    start: ContentBlock<'static>,
    text: GrowingText,
    signature: Option<Str<'static>>,
    json: GrowingText,
    citations: Vec<Citation<'static>>,
    /// Whether the beginning of the block was missed.
    joined: bool,
}

impl BlockSoFar {
    pub(super) fn started(index: Option<u64>, start: ContentBlock<'static>) -> Self {
        BlockSoFar::growing(index, start, false)
    }

    /// A block whose beginning was missed. What it is follows from what it grows by.
    pub(super) fn joined(index: Option<u64>, delta: &Delta<'_>) -> Self {
        let start = match delta {
            Delta::Thinking(_) | Delta::Signature(_) => ContentBlock::Thinking(ThinkingBlock::new("")),
            Delta::InputJson(_) => ContentBlock::ToolUse(ToolUseBlock::new("", "", Raw::checked("{}"))),
            _ => ContentBlock::Text(TextBlock::new("")),
        };
        BlockSoFar::growing(index, start, true)
    }

    fn growing(index: Option<u64>, start: ContentBlock<'static>, joined: bool) -> Self {
        let text = match &start {
            ContentBlock::Text(block) => GrowingText::from(&block.text),
            ContentBlock::Thinking(block) => GrowingText::from(&block.thinking),
            _ => GrowingText::default(),
        };
        let growing = Growing {
            start,
            text,
            signature: None,
            json: GrowingText::default(),
            citations: Vec::new(),
            joined,
        };
        let body = BlockContent::Growing(Box::new(growing));
        BlockSoFar { index, state: BlockState::Open, uuid: None, body, others: Vec::new() }
    }

    pub(super) fn whole(block: ContentBlock<'static>, uuid: Option<Box<str>>) -> Self {
        let body = BlockContent::Whole(block);
        BlockSoFar { index: None, state: BlockState::Done, uuid, body, others: Vec::new() }
    }

    /// Puts the block of an `assistant` frame in place of what the deltas gave.
    pub(super) fn replace(&mut self, block: ContentBlock<'static>, uuid: Option<Box<str>>) {
        self.body = BlockContent::Whole(block);
        self.uuid = uuid;
        if self.state == BlockState::Incomplete {
            self.state = BlockState::Done;
        }
    }

    /// Whether `block` can be the whole of this one.
    pub(super) fn awaits(&self, block: &ContentBlock<'_>) -> bool {
        let BlockContent::Growing(growing) = &self.body else { return false };
        let same_call = match (call_id(&growing.start), call_id(block)) {
            (Some(own), Some(other)) => own == other || (growing.joined && own.is_empty()),
            _ => true,
        };
        // What a block is whose beginning was missed is only a guess.
        let is_guess = growing.joined && self.state == BlockState::Open;
        same_call && (is_guess || growing.start.tag() == block.tag())
    }

    /// Adds a delta and returns to which part; `None` if the block is whole and has that already.
    pub(super) fn grow(&mut self, delta: &Delta<'_>) -> Option<BlockPart> {
        let part = match &mut self.body {
            BlockContent::Growing(growing) => growing.add(delta),
            BlockContent::Whole(_) if matches!(delta, Delta::Unknown(_)) => None,
            BlockContent::Whole(_) => return None,
        };
        if part.is_none() {
            self.others.push(delta.clone().into_owned());
        }
        Some(part.unwrap_or(BlockPart::Other))
    }

    pub(super) fn stop(&mut self) {
        if self.state == BlockState::Open {
            let missing = matches!(&self.body, BlockContent::Growing(growing) if growing.joined);
            self.state = if missing { BlockState::Incomplete } else { BlockState::Done };
        }
    }

    /// Ends the block because its message ended.
    pub(super) fn break_off(&mut self) {
        if self.state == BlockState::Open {
            self.state = if self.is_whole() { BlockState::Done } else { BlockState::Incomplete };
        }
    }

    /// The stream's number for the block, if it was streamed.
    pub fn index(&self) -> Option<u64> {
        self.index
    }

    /// How far the block has come.
    pub fn state(&self) -> BlockState {
        self.state
    }

    /// The `uuid` of the `assistant` frame that held the block, once there was one.
    pub fn uuid(&self) -> Option<&str> {
        self.uuid.as_deref()
    }

    /// Whether an `assistant` frame has given the block as a whole.
    pub fn is_whole(&self) -> bool {
        matches!(self.body, BlockContent::Whole(_))
    }

    /// The block's `type`.
    pub fn kind(&self) -> &str {
        self.base().tag()
    }

    /// The block as it came: whole, or as it was when it began. It has the name of a tool.
    pub fn base(&self) -> &ContentBlock<'static> {
        match &self.body {
            BlockContent::Growing(growing) => &growing.start,
            BlockContent::Whole(block) => block,
        }
    }

    /// The text or the thinking so far.
    pub fn text(&self) -> &str {
        match &self.body {
            BlockContent::Growing(growing) => growing.text.as_str(),
            BlockContent::Whole(ContentBlock::Text(block)) => &block.text,
            BlockContent::Whole(ContentBlock::Thinking(block)) => &block.thinking,
            BlockContent::Whole(_) => "",
        }
    }

    /// The text of a tool's input so far, which may end anywhere.
    pub fn input_json(&self) -> &str {
        match &self.body {
            BlockContent::Growing(growing) if !growing.json.is_empty() => growing.json.as_str(),
            BlockContent::Growing(growing) => input(&growing.start).map_or("", Raw::as_str),
            BlockContent::Whole(block) => input(block).map_or("", Raw::as_str),
        }
    }

    /// A tool's input so far as valid JSON: see [`complete`]. An empty object when nothing has come.
    pub fn input_so_far(&self) -> Raw<'static> {
        match &self.body {
            BlockContent::Growing(growing) => growing.input(),
            BlockContent::Whole(block) => input(block).cloned().unwrap_or(Raw::checked("{}")),
        }
    }

    /// Deltas that have no place in a block of this kind, in their order.
    pub fn other_deltas(&self) -> &[Delta<'static>] {
        &self.others
    }

    /// The block as it is now, in the form in which it would be sent.
    pub fn to_block(&self) -> ContentBlock<'static> {
        match &self.body {
            BlockContent::Growing(growing) => (**growing).clone().into_block(),
            BlockContent::Whole(block) => block.clone(),
        }
    }

    /// Takes the content out, without a copy of it. An empty block of the same kind stays.
    pub(super) fn take(&mut self) -> ContentBlock<'static> {
        match &mut self.body {
            BlockContent::Growing(growing) => {
                let empty = Growing {
                    start: growing.start.clone(),
                    text: GrowingText::default(),
                    signature: None,
                    json: GrowingText::default(),
                    citations: Vec::new(),
                    joined: growing.joined,
                };
                std::mem::replace(&mut **growing, empty).into_block()
            }
            BlockContent::Whole(block) => block.clone(),
        }
    }
}

impl Growing {
    fn add(&mut self, delta: &Delta<'_>) -> Option<BlockPart> {
        use ContentBlock as Block;
        match (delta, &self.start) {
            (Delta::Text(delta), Block::Text(_) | Block::Unknown(_)) => {
                self.text.push(&delta.text);
                Some(BlockPart::Text)
            }
            (Delta::Thinking(delta), Block::Thinking(_) | Block::Unknown(_)) => {
                self.text.push(&delta.thinking);
                Some(BlockPart::Thinking)
            }
            // A signature is sent in one piece: a second one would be another.
            (Delta::Signature(delta), Block::Thinking(_)) => {
                self.signature = Some(delta.signature.clone().into_owned());
                Some(BlockPart::Signature)
            }
            (
                Delta::InputJson(delta),
                Block::ToolUse(_) | Block::ServerToolUse(_) | Block::McpToolUse(_) | Block::Unknown(_),
            ) => {
                self.json.push(&delta.partial_json);
                Some(BlockPart::Input)
            }
            (Delta::Citations(delta), Block::Text(_)) => {
                self.citations.push((*delta.citation).clone().into_owned());
                Some(BlockPart::Citations)
            }
            _ => None,
        }
    }

    fn input(&self) -> Raw<'static> {
        let began_with = || input(&self.start).cloned().unwrap_or(Raw::checked("{}"));
        if self.json.is_empty() {
            return began_with();
        }
        Raw::parse(&complete(self.json.as_str())).map(IntoOwned::into_owned).unwrap_or_else(|_| began_with())
    }

    fn into_block(self) -> ContentBlock<'static> {
        match self.start {
            ContentBlock::Text(mut block) => {
                block.text = self.text.into_str();
                if !self.citations.is_empty() {
                    block.citations.get_or_insert_default().extend(self.citations);
                }
                ContentBlock::Text(block)
            }
            ContentBlock::Thinking(mut block) => {
                block.thinking = self.text.into_str();
                if self.signature.is_some() {
                    block.signature = self.signature;
                }
                ContentBlock::Thinking(block)
            }
            ContentBlock::ToolUse(mut block) => {
                block.input = into_input(block.input, self.json);
                ContentBlock::ToolUse(block)
            }
            ContentBlock::ServerToolUse(mut block) => {
                block.input = into_input(block.input, self.json);
                ContentBlock::ServerToolUse(block)
            }
            ContentBlock::McpToolUse(mut block) => {
                block.input = into_input(block.input, self.json);
                ContentBlock::McpToolUse(block)
            }
            other => other,
        }
    }
}

/// The input of a call that began with `start` and grew by `json`.
fn into_input(start: Raw<'static>, json: GrowingText) -> Raw<'static> {
    if json.is_empty() {
        return start;
    }
    Raw::parse(&complete(json.as_str())).map(IntoOwned::into_owned).unwrap_or(start)
}

/// The id of a tool's call.
fn call_id<'b>(block: &'b ContentBlock<'_>) -> Option<&'b str> {
    match block {
        ContentBlock::ToolUse(block) | ContentBlock::ServerToolUse(block) => Some(&block.id),
        ContentBlock::McpToolUse(block) => Some(&block.id),
        _ => None,
    }
}

/// The input of a tool's call.
fn input<'b, 'a>(block: &'b ContentBlock<'a>) -> Option<&'b Raw<'a>> {
    match block {
        ContentBlock::ToolUse(block) | ContentBlock::ServerToolUse(block) => Some(&block.input),
        ContentBlock::McpToolUse(block) => Some(&block.input),
        _ => None,
    }
}
