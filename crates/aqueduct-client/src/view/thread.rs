use aqueduct_wire::assemble::MessageSoFar;

use super::{Item, ItemContent};

/// A conversation: the main one, or that of a subagent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thread {
    items: Vec<Item>,
    /// The blocks of the message that may still grow, in their order.
    open: Vec<OpenBlock>,
}

/// A block of the message that may still grow.
#[derive(Debug, Clone, PartialEq)]
struct OpenBlock {
    /// Its item; `None` where it shows nothing.
    key: Option<u64>,
    /// The frame that has it as a whole.
    uuid: Option<Box<str>>,
    is_whole: bool,
}

impl Thread {
    /// Messages and calls, in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The model's text so far: all its texts, with an empty line between them.
    pub fn text(&self) -> String {
        self.join(|content| match content {
            ItemContent::Text(text) => Some(text),
            _ => None,
        })
    }

    /// What the model has thought so far, with an empty line between its thoughts.
    pub fn thinking(&self) -> String {
        self.join(|content| match content {
            ItemContent::Thinking(text) => Some(text),
            _ => None,
        })
    }

    fn join(&self, part: impl Fn(&ItemContent) -> Option<&String>) -> String {
        let parts = self.items.iter().filter_map(|item| part(&item.content));
        parts.filter(|text| !text.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n\n")
    }

    /// The ids of the calls that were made here, in their order.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match &item.content {
            ItemContent::Call(id) => Some(&**id),
            _ => None,
        })
    }

    /// Shows the message that is being written as it is now. Items keep their keys; new ones get theirs from
    /// `keys`.
    pub(super) fn sync(&mut self, message: &MessageSoFar, errors: &[Box<str>], keys: &mut u64) {
        let mut before = std::mem::take(&mut self.open);
        let slots = self.slots(&before);
        let mut shown = Vec::new();
        for block in message.blocks() {
            let is_error = block.uuid().is_some_and(|uuid| errors.iter().any(|error| &**error == uuid));
            let (uuid, is_whole): (Option<Box<str>>, bool) = (block.uuid().map(Into::into), block.is_whole());
            let Some(content) = ItemContent::of(block, is_error) else {
                self.open.push(OpenBlock { key: None, uuid, is_whole });
                continue;
            };
            let same = |open: &OpenBlock| is_whole && open.is_whole && open.uuid == uuid;
            let known = before.iter().position(|open| open.key.is_some() && same(open));
            let known = known.or_else(|| before.iter().position(|open| open.key.is_some() && !open.is_whole));
            let key = known.and_then(|known| before.remove(known).key).unwrap_or_else(|| next(keys));
            self.open.push(OpenBlock { key: Some(key), uuid: uuid.clone(), is_whole });
            shown.push(Item { key, uuid, is_whole, content });
        }
        let spare = slots.get(shown.len()..).unwrap_or_default();
        let mut free = slots.iter();
        for item in shown {
            match free.next() {
                Some(slot) => self.items[*slot] = item,
                None => self.items.push(item),
            }
        }
        for slot in spare.iter().rev() {
            self.items.remove(*slot);
        }
    }

    /// The positions of a message's items. They are near the end.
    fn slots(&self, open: &[OpenBlock]) -> Vec<usize> {
        let mut slots = Vec::with_capacity(open.len());
        let wanted = open.iter().filter(|open| open.key.is_some()).count();
        for (place, item) in self.items.iter().enumerate().rev() {
            if slots.len() == wanted {
                break;
            }
            if open.iter().any(|open| open.key == Some(item.key)) {
                slots.push(place);
            }
        }
        slots.reverse();
        slots
    }

    /// Whether the message that is being written has been shown up to this block.
    pub(super) fn has_block(&self, block: usize) -> bool {
        block < self.open.len()
    }

    /// The item of a block of the message that is being written.
    pub(super) fn growing(&mut self, block: usize) -> Option<&mut ItemContent> {
        let key = self.open.get(block)?.key?;
        self.items.iter_mut().rev().find(|item| item.key == key).map(|item| &mut item.content)
    }

    /// Adds something that is not part of the model's message. It is placed before what the model has not
    /// completed yet, as if that arrived in one piece.
    pub(super) fn add(&mut self, content: ItemContent, uuid: Option<&str>, keys: &mut u64) {
        let item = Item { key: next(keys), uuid: uuid.map(Into::into), is_whole: true, content };
        let unfinished = self.open.iter().filter(|open| !open.is_whole).find_map(|open| open.key);
        let place = unfinished.and_then(|key| self.items.iter().rposition(|item| item.key == key));
        self.items.insert(place.unwrap_or(self.items.len()), item);
    }

    /// The message has come to its end. What was begun in it and never filled goes. Returns the calls that were
    /// not written to their end.
    pub(super) fn close(&mut self) -> Vec<Box<str>> {
        let is_empty = |content: &ItemContent| matches!(content, ItemContent::Text(text) | ItemContent::Thinking(text) if text.is_empty());
        let mut calls = Vec::new();
        for open in std::mem::take(&mut self.open).into_iter().filter(|open| !open.is_whole) {
            let place = self.items.iter().rposition(|item| open.key == Some(item.key));
            let Some(place) = place else { continue };
            self.items[place].is_whole = true;
            match &self.items[place].content {
                ItemContent::Call(id) => calls.push(id.clone()),
                content if is_empty(content) => {
                    self.items.remove(place);
                }
                _ => {}
            }
        }
        calls
    }

    /// Takes back what came with these `uuid`s. Returns the calls that went with it.
    pub(super) fn retract(&mut self, uuids: &[&str]) -> Vec<Box<str>> {
        let is_meant = |uuid: &Option<Box<str>>| uuid.as_deref().is_some_and(|uuid| uuids.contains(&uuid));
        self.open.retain(|open| !is_meant(&open.uuid));
        self.take_out(|item| is_meant(&item.uuid))
    }

    /// Forgets the message that is being written, apart from what has been confirmed of it.
    pub(super) fn drop_unconfirmed(&mut self) -> Vec<Box<str>> {
        let open = std::mem::take(&mut self.open);
        let is_meant = |item: &Item| open.iter().any(|open| open.key == Some(item.key) && !open.is_whole);
        self.take_out(is_meant)
    }

    /// Removes items, oldest first, as `goes` decides. Those of the message that is being written stay.
    /// Returns the calls among them.
    pub(super) fn let_go(&mut self, mut goes: impl FnMut(&Item) -> bool) -> Vec<Box<str>> {
        let open = std::mem::take(&mut self.open);
        let is_open = |item: &Item| open.iter().any(|open| open.key == Some(item.key));
        let calls = self.take_out(|item| !is_open(item) && goes(item));
        self.open = open;
        calls
    }

    fn take_out(&mut self, mut goes: impl FnMut(&Item) -> bool) -> Vec<Box<str>> {
        let mut calls = Vec::new();
        self.items.retain_mut(|item| {
            let goes = goes(item);
            if goes && let ItemContent::Call(id) = &mut item.content {
                calls.push(std::mem::take(id));
            }
            !goes
        });
        calls
    }

    /// Takes the item of a call out.
    pub(super) fn remove_call(&mut self, id: &str) {
        self.items.retain(|item| !matches!(&item.content, ItemContent::Call(call) if &**call == id));
    }
}

fn next(keys: &mut u64) -> u64 {
    *keys += 1;
    *keys
}
