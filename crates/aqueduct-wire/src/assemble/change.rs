use super::MessageSoFar;

/// What a frame changed.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Change<'f> {
    /// Where: the `parent_tool_use_id` of a subagent's message, `None` in the main conversation.
    pub thread: Option<&'f str>,
    /// What, in the message that [`Assembler::message`](super::Assembler::message) gives for that thread.
    pub kind: ChangeKind<'f>,
    /// The `uuid`s of frames that were taken back. The assembler has removed their blocks from the messages
    /// it still has; those it has returned must be corrected by the caller.
    pub retracted: Vec<&'f str>,
    /// The messages that this frame completed, in any thread. The assembler keeps no copy.
    pub finished: Vec<MessageSoFar>,
}

/// The kind of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind<'f> {
    /// Nothing that a message shows.
    Nothing,
    /// A message began; it has no blocks yet.
    Started,
    /// A block began.
    BlockStarted {
        /// Its place among the message's blocks.
        block: usize,
    },
    /// A block grew.
    Grew {
        /// Its place among the message's blocks.
        block: usize,
        /// Which part of it.
        part: BlockPart,
        /// What was added, where the part is text.
        added: &'f str,
    },
    /// Blocks came as a whole, in place of what was there of them.
    Whole {
        /// Their places among the message's blocks.
        blocks: Vec<usize>,
    },
    /// A block ended.
    BlockDone {
        /// Its place among the message's blocks.
        block: usize,
    },
    /// Something beside the blocks changed: why the model stopped, what it used.
    MessageChanged,
    /// The message ended. It stays to be looked at until the next one begins or the turn ends.
    MessageDone,
    /// The user interrupted the message. What is there of it stays.
    Interrupted,
    /// Blocks were retracted without a replacement.
    Retracted,
    /// The turn ended.
    TurnEnded,
    /// The conversation began anew.
    Reset,
}

/// A part of a block that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockPart {
    /// The text.
    Text,
    /// The thinking.
    Thinking,
    /// The signature of the thinking.
    Signature,
    /// The input of a tool, as JSON text.
    Input,
    /// The list of citations.
    Citations,
    /// Something this crate has no type for, kept as it came.
    Other,
}

impl<'f> Change<'f> {
    pub(super) fn new(thread: Option<&'f str>, kind: ChangeKind<'f>) -> Self {
        Change { thread, kind, retracted: Vec::new(), finished: Vec::new() }
    }
}
