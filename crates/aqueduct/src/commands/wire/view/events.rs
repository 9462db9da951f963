//! The model's stream: text as it is written.

use std::io::{self, Write};

use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::frame::StreamEventFrame;

use super::conversation::ViewedConversation;
use crate::terminal::Tone;

pub(super) fn show<W: Write>(
    view: &mut ViewedConversation<W>,
    frame: &StreamEventFrame<'_>,
) -> io::Result<()> {
    let parent = frame.parent_tool_use_id.as_deref();
    if let StreamEvent::Error(event) = &frame.event {
        let depth = view.progress.depth(parent);
        let error = event.error.as_ref().map(|error| format!("{error:?}")).unwrap_or_default();
        return view.page.line(depth, &[(Tone::Red, "✗ the model's stream broke: "), (Tone::Red, &error)]);
    }
    let block_ended = matches!(frame.event, StreamEvent::ContentBlockStop(_));
    for news in view.progress.news(parent, block_ended) {
        view.news(parent, news)?;
    }
    Ok(())
}
