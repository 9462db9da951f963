//! The model's stream: text as it is written.

use std::io::{self, Write};

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::event::{Delta, StreamEvent};
use aqueduct_wire::frame::StreamEventFrame;

use super::conversation::Conversation;
use crate::terminal::Tone;

pub(super) fn show<W: Write>(view: &mut Conversation<W>, frame: &StreamEventFrame<'_>) -> io::Result<()> {
    let parent = frame.parent_tool_use_id.as_deref();
    let depth = view.threads.depth(parent);
    match &frame.event {
        StreamEvent::MessageStart(_) => view.threads.get(parent).message(),
        StreamEvent::ContentBlockStart(event) => match event.content_block {
            ContentBlock::Text(_) => view.threads.get(parent).block(false),
            ContentBlock::Thinking(_) => view.threads.get(parent).block(true),
            _ => {}
        },
        StreamEvent::ContentBlockDelta(event) => match &event.delta {
            Delta::Text(delta) => {
                view.threads.get(parent).grow(false, &delta.text);
                return view.page.stream(depth, Tone::Plain, &delta.text);
            }
            Delta::Thinking(delta) => {
                view.threads.get(parent).grow(true, &delta.thinking);
                if view.shows_thinking {
                    return view.page.stream(depth, Tone::Dim, &delta.thinking);
                }
            }
            _ => {}
        },
        StreamEvent::ContentBlockStop(_) => {
            if let Some(characters) = view.threads.get(parent).unreported_thinking()
                && !view.shows_thinking
            {
                return view.folded(depth, characters);
            }
        }
        StreamEvent::Error(event) => {
            let error = event.error.as_ref().map(|error| format!("{error:?}")).unwrap_or_default();
            return view
                .page
                .line(depth, &[(Tone::Red, "✗ the model's stream broke: "), (Tone::Red, &error)]);
        }
        _ => {}
    }
    Ok(())
}
