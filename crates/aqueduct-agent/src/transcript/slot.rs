//! What is known of a message only when it ends: why it ended, and what it used.
//!
//! A block's line is written as soon as the block is complete, so that a crash loses nothing that was shown. The
//! line reserves room for the two members that the end of the message decides, and they are written again in
//! their place when it comes.

use std::ops::Range;
use std::path::PathBuf;

use aqueduct_wire::json::{Json, Map, Raw, Str};
use aqueduct_wire::usage::Usage;

use super::Mirror;

/// The size of the smallest page that systems have.
pub(super) const PAGE: usize = 4096;

/// The members in question.
const STOP_REASON: &str = "stop_reason";
const USAGE: &str = "usage";

/// How much longer the members may become, in bytes: the name of a reason, larger numbers, further members.
const ROOM: usize = 512;

/// A part of a line that is written again.
#[derive(Debug)]
pub(super) struct Slot {
    /// Where it is in the file.
    pub(super) offset: u64,
    /// What is there.
    pub(super) text: String,
}

/// A message with the two members at its end and room behind them; gives where they are. `None` where that would
/// not fit a page.
pub(super) fn reserve(message: &Raw<'_>) -> Option<(String, Range<usize>)> {
    let members = message.view::<Map<'_, Raw<'_>>>()?;
    let mut head: Map<'_, Raw<'_>> = Map::default();
    for (key, value) in members.iter().filter(|(key, _)| ![STOP_REASON, USAGE].contains(key)) {
        head.push(key, value.borrowed());
    }
    let reason = members.get(STOP_REASON).map_or("null", Raw::as_str);
    let usage = members.get(USAGE).map_or("{}", Raw::as_str);
    let tail = format!("\"{STOP_REASON}\":{reason},\"{USAGE}\":{usage}");
    let length = tail.len() + ROOM;
    if length > PAGE {
        return None;
    }
    let mut text = String::with_capacity(message.as_str().len() + ROOM + 2);
    head.write(&mut text);
    text.pop();
    if text.len() > 1 {
        text.push(',');
    }
    let start = text.len();
    text.push_str(&padded(tail, length));
    text.push('}');
    Some((text, start..start + length))
}

/// The members of a message that has ended, as long as the slot is. What does not fit is left out, the counts last.
pub(super) fn settled(reason: Option<&str>, usage: &Usage<'_>, length: usize) -> Option<String> {
    let mut reduced = usage.clone();
    reduced.iterations = None;
    reduced.extra = Default::default();
    let mut counts = Usage::new();
    counts.input_tokens.clone_from(&usage.input_tokens);
    counts.output_tokens.clone_from(&usage.output_tokens);
    counts.cache_creation_input_tokens.clone_from(&usage.cache_creation_input_tokens);
    counts.cache_read_input_tokens.clone_from(&usage.cache_read_input_tokens);
    let mut quoted = String::from("null");
    if let Some(reason) = reason {
        quoted.clear();
        Str::from(reason).write(&mut quoted);
    }
    [usage, &reduced, &counts].into_iter().find_map(|usage| {
        let mut text = format!("\"{STOP_REASON}\":{quoted},\"{USAGE}\":");
        usage.write(&mut text);
        (text.len() <= length).then(|| padded(text, length))
    })
}

fn padded(mut text: String, length: usize) -> String {
    let missing = length.saturating_sub(text.len());
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// The message whose lines wait for its end. A host that has a copy of the transcript is sent them then.
#[derive(Debug)]
pub(super) struct OpenMessage {
    /// The model's id of the message.
    pub(super) id: String,
    /// The slots of its lines, with the number of the line in `held`.
    pub(super) slots: Vec<(Slot, Option<usize>)>,
    /// Its lines and those behind them, until they are sent.
    pub(super) held: Vec<(PathBuf, String)>,
    mirror: Option<Mirror>,
}

impl OpenMessage {
    pub(super) fn new(id: &str, mirror: Option<Mirror>) -> Self {
        OpenMessage { id: id.to_owned(), slots: Vec::new(), held: Vec::new(), mirror }
    }

    /// Sends the lines that were held back.
    pub(super) fn release(&mut self) {
        for (path, line) in self.held.drain(..) {
            if let Some(mirror) = &self.mirror {
                mirror.note(&path, line);
            }
        }
        self.slots.iter_mut().for_each(|(_, line)| *line = None);
    }
}

impl Drop for OpenMessage {
    fn drop(&mut self) {
        self.release();
    }
}
