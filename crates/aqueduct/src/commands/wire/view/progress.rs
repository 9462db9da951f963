//! The assembled view of the session, and how much of it has been shown.

use std::collections::{HashMap, HashSet};

use aqueduct_client::view::{CallState, Item, ItemContent, View};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::Raw;

/// How many calls above a thread are followed to find its depth.
const DEEPEST: usize = 64;

/// What is not shown yet is near the end: the search stops after so many items that are.
const SETTLED: usize = 64;

/// Something that has not been shown.
#[derive(Debug)]
pub(super) enum News {
    /// The model said it.
    Text(Passage),
    /// The model thought it.
    Thinking(Passage),
    /// A block of thinking is complete, with so many characters.
    Thought(usize),
    /// The agent reports an error in place of the model.
    Error(String),
    /// A tool is called.
    Call { id: String, name: String, input: Raw<'static> },
    /// Another block of the model's message.
    Block(Box<ContentBlock<'static>>),
}

/// A text, or a part of one.
#[derive(Debug)]
pub(super) struct Passage {
    pub(super) text: String,
    /// Whether it belongs to a text that is shown as it is written.
    pub(super) is_part: bool,
}

/// The state of the session, and how much of it has been shown.
#[derive(Debug, Default)]
pub(super) struct Progress {
    view: View,
    /// What has been shown of items that may still grow, by their keys.
    growing: HashMap<u64, String>,
    /// The thinking that has been reported as complete.
    reported: HashSet<u64>,
    /// The items that have been shown completely.
    finished: HashSet<u64>,
}

impl Progress {
    /// Takes a frame of the agent.
    pub(super) fn push(&mut self, frame: &FromAgent<'_>) {
        if self.view.push(frame).is_some() {
            self.growing.clear();
            self.reported.clear();
            self.finished.clear();
        }
    }

    /// How deep a thread is: 0 is the main conversation, and a subagent is below the thread that called it.
    pub(super) fn depth(&self, parent: Option<&str>) -> usize {
        let mut depth = 0;
        let mut next = parent;
        while let Some(call) = next.filter(|_| depth < DEEPEST) {
            depth += 1;
            next = self.view.run().call(call).and_then(|call| call.parent());
        }
        depth
    }

    /// The tool that was called, and how deep the thread is that called it.
    pub(super) fn called(&self, id: &str) -> Option<(&str, usize)> {
        let call = self.view.run().call(id).filter(|call| !call.name().is_empty())?;
        Some((call.name(), self.depth(call.parent())))
    }

    /// What has not been shown of a thread: that of a subagent by the call that started it, or the main one.
    /// `block_ended` means that the last block of the message is complete.
    pub(super) fn news(&mut self, parent: Option<&str>, block_ended: bool) -> Vec<News> {
        let run = self.view.run();
        let thread = match parent {
            Some(parent) => run.subagent(parent),
            None => Some(run.main()),
        };
        let items = thread.map(|thread| thread.items()).unwrap_or_default();
        let last = items.last().map(Item::key);
        let mut news = Vec::new();
        for item in unshown(items, &self.finished) {
            let key = item.key();
            match item.content() {
                ItemContent::Text(text) => {
                    news.extend(passage(&mut self.growing, item, text).map(News::Text));
                }
                ItemContent::Thinking(text) => {
                    news.extend(passage(&mut self.growing, item, text).map(News::Thinking));
                    let is_complete = item.is_whole() || (block_ended && last == Some(key));
                    if is_complete && self.reported.insert(key) {
                        news.push(News::Thought(text.chars().count()));
                    }
                }
                ItemContent::Error(text) => news.push(News::Error(text.clone())),
                ItemContent::Call(id) => {
                    let call = run.call(id).filter(|call| !call.name().is_empty());
                    let Some(call) = call.filter(|_| item.is_whole()) else { continue };
                    if !call.is_carried() && call.state() != CallState::Abandoned {
                        let (id, name) = (call.id().to_owned(), call.name().to_owned());
                        news.push(News::Call { id, name, input: call.input() });
                    }
                }
                ItemContent::Block(block) if item.is_whole() => news.push(News::Block(block.clone())),
                _ => {}
            }
            if item.is_whole() {
                self.growing.remove(&key);
                self.finished.insert(key);
            }
        }
        news
    }
}

/// The items that have not been shown completely, in their order.
fn unshown<'i>(items: &'i [Item], finished: &HashSet<u64>) -> Vec<&'i Item> {
    let mut found = Vec::new();
    let mut passed = 0;
    for item in items.iter().rev() {
        if finished.contains(&item.key()) {
            passed += 1;
            if passed > SETTLED {
                break;
            }
        } else {
            passed = 0;
            found.push(item);
        }
    }
    found.reverse();
    found
}

/// What has not been shown of a text.
fn passage(growing: &mut HashMap<u64, String>, item: &Item, text: &str) -> Option<Passage> {
    let shown = growing.entry(item.key()).or_default();
    let rest = text.strip_prefix(shown.as_str());
    let is_part = !item.is_whole() || (!shown.is_empty() && rest.is_some());
    let added = rest.unwrap_or(text).to_owned();
    shown.clear();
    shown.push_str(text);
    (!added.is_empty()).then_some(Passage { text: added, is_part })
}
