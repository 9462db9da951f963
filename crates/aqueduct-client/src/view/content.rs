use aqueduct_wire::assemble::BlockSoFar;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::{Json, Raw};

use super::ShownResult;

/// What an item weighs beside its text.
const EMPTY_WEIGHT: usize = 128;

/// Something in a thread, in the order in which it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub(super) key: u64,
    /// The `uuid` of the frame that confirmed it.
    pub(super) uuid: Option<Box<str>>,
    pub(super) is_whole: bool,
    pub(super) content: ItemContent,
}

impl Item {
    /// Identifies the item among all that the view has had. It stays the same while the item grows.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whether nothing more will come of it. What is not whole may still grow.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What it is.
    pub fn content(&self) -> &ItemContent {
        &self.content
    }
}

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ItemContent {
    /// It is from the model.
    Text(String),
    /// The model thought it.
    Thinking(String),
    /// The agent reports an error in place of the model's answer.
    Error(String),
    /// A tool was called. [`Run::call`](super::Run::call) has the call by this id.
    Call(Box<str>),
    /// It was sent to the model: a prompt that is echoed, or a subagent's task.
    User {
        /// The text.
        text: String,
        /// The agent put it in, not a person.
        is_synthetic: bool,
    },
    /// Something else in the model's message, as it came.
    Block(Box<ContentBlock<'static>>),
}

impl ItemContent {
    /// How much memory it takes, roughly.
    pub(super) fn weight(&self) -> usize {
        let weight = match self {
            ItemContent::Text(text) | ItemContent::Thinking(text) | ItemContent::Error(text) => text.len(),
            ItemContent::User { text, .. } => text.len(),
            // The call itself is weighed where it is kept.
            ItemContent::Call(id) => id.len(),
            ItemContent::Block(block) => {
                let mut json = String::new();
                block.write(&mut json);
                json.len()
            }
        };
        EMPTY_WEIGHT + weight
    }

    /// What a block of a message shows. `None` where it shows nothing of its own: a call whose beginning was
    /// missed has no id yet, and a result belongs to its call.
    pub(super) fn of(block: &BlockSoFar, is_error: bool) -> Option<ItemContent> {
        match block.base() {
            ContentBlock::Text(_) if is_error => Some(ItemContent::Error(block.text().to_owned())),
            ContentBlock::Text(_) => Some(ItemContent::Text(block.text().to_owned())),
            ContentBlock::Thinking(_) => Some(ItemContent::Thinking(block.text().to_owned())),
            base => match called(base) {
                Some(("", _)) => None,
                Some((id, _)) => Some(ItemContent::Call(id.into())),
                None if ShownResult::in_message(base).is_some() => None,
                None => Some(ItemContent::Block(Box::new(block.to_block()))),
            },
        }
    }
}

/// The id and the name of the tool that a block calls.
pub(super) fn called<'b>(block: &'b ContentBlock<'_>) -> Option<(&'b str, &'b str)> {
    match block {
        ContentBlock::ToolUse(block) | ContentBlock::ServerToolUse(block) => Some((&block.id, &block.name)),
        ContentBlock::McpToolUse(block) => Some((&block.id, &block.name)),
        _ => None,
    }
}

/// What a block calls its tool with.
pub(super) fn input<'b, 'a>(block: &'b ContentBlock<'a>) -> Option<&'b Raw<'a>> {
    match block {
        ContentBlock::ToolUse(block) | ContentBlock::ServerToolUse(block) => Some(&block.input),
        ContentBlock::McpToolUse(block) => Some(&block.input),
        _ => None,
    }
}
