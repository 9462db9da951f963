//! The conversation and its subagents, each with the message that is being written.

use std::collections::HashMap;

/// How many subagents and tool calls are remembered.
const REMEMBERED: usize = 4096;

/// A line of conversation: the main one, or a subagent's.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// The blocks that have come as deltas and not yet as a whole.
    blocks: Vec<Block>,
}

#[derive(Debug, Default)]
struct Block {
    is_thinking: bool,
    text: String,
    /// Whether the thinking has been shown.
    is_reported: bool,
}

/// How much of a block has been seen.
#[derive(Debug)]
pub(super) struct Seen<'t> {
    /// What has not.
    pub(super) rest: &'t str,
    /// Whether its thinking has been shown.
    pub(super) is_reported: bool,
}

impl Thread {
    /// A message begins.
    pub(super) fn message(&mut self) {
        self.blocks.clear();
    }

    pub(super) fn block(&mut self, is_thinking: bool) {
        self.blocks.push(Block { is_thinking, ..Block::default() });
    }

    pub(super) fn grow(&mut self, is_thinking: bool, text: &str) {
        if self.blocks.last().is_none_or(|block| block.is_thinking != is_thinking) {
            self.block(is_thinking);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.text.push_str(text);
        }
    }

    /// A block came as a whole: what has been seen of it before. `None` if it was not seen at all.
    pub(super) fn seen<'t>(&mut self, is_thinking: bool, text: &'t str) -> Option<Seen<'t>> {
        let is_it = |block: &Block| {
            block.is_thinking == is_thinking && !block.text.is_empty() && text.starts_with(&block.text)
        };
        let at = self.blocks.iter().position(is_it)?;
        let block = self.blocks.remove(at);
        Some(Seen { rest: &text[block.text.len()..], is_reported: block.is_reported })
    }

    /// A block ended: the length of its thinking, unless that has been shown.
    pub(super) fn unreported_thinking(&mut self) -> Option<usize> {
        let block = self.blocks.last_mut().filter(|block| block.is_thinking && !block.is_reported)?;
        block.is_reported = true;
        Some(block.text.chars().count())
    }
}

/// All threads and their state.
#[derive(Debug, Default)]
pub(super) struct Threads {
    threads: HashMap<String, Thread>,
    /// The tool calls: name, and how deep the conversation is that made them.
    calls: HashMap<String, (String, usize)>,
}

impl Threads {
    /// The thread of a subagent by the call that started it; the main one without.
    pub(super) fn get(&mut self, parent: Option<&str>) -> &mut Thread {
        if self.threads.len() > REMEMBERED {
            self.threads.clear();
        }
        self.threads.entry(parent.unwrap_or_default().to_owned()).or_default()
    }

    /// How deep a thread is: 0 is the main conversation.
    pub(super) fn depth(&self, parent: Option<&str>) -> usize {
        match parent {
            Some(parent) => self.calls.get(parent).map_or(1, |(_, depth)| depth + 1),
            None => 0,
        }
    }

    pub(super) fn call(&mut self, id: &str, name: &str, depth: usize) {
        if self.calls.len() > REMEMBERED {
            self.calls.clear();
        }
        self.calls.insert(id.to_owned(), (name.to_owned(), depth));
    }

    /// The tool that was called, and how deep.
    pub(super) fn called(&self, id: &str) -> Option<(&str, usize)> {
        self.calls.get(id).map(|(name, depth)| (name.as_str(), *depth))
    }
}
