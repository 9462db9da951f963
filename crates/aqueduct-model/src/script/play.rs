//! A plan as a sequence of playback steps.

use std::iter::once;
use std::time::Duration;

use aqueduct_wire::block::{ContentBlock, TextBlock};
use aqueduct_wire::event::{
    CitationsDelta, ContentBlockDelta, ContentBlockStart, ContentBlockStop, Delta, InputJsonDelta,
    MessageChange, MessageDelta, MessageStart, MessageStop, Ping, SignatureDelta, StreamEvent, TextDelta,
    ThinkingDelta,
};
use aqueduct_wire::json::{Json, Raw, Str};
use aqueduct_wire::message::StopReason;

use super::plan::{MessagePlan, PlannedBlock, Size, StreamBreak, flood};

/// The default size of the deltas of text and of a tool's input.
const TEXT_DELTA: Size = Size::Chars(8);
const INPUT_DELTA: Size = Size::Chars(20);

/// What happens next.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaybackStep {
    /// An event comes.
    Say(StreamEvent<'static>),
    /// Nothing comes for a while.
    Pause(Duration),
    /// The stream breaks; nothing follows.
    Break(StreamBreak),
}

type Deltas = Box<dyn Iterator<Item = Delta<'static>> + Send + Sync>;

impl MessagePlan {
    /// Plays the message. Events are made when they are asked for, so a flood takes no memory.
    pub fn play(mut self) -> impl Iterator<Item = PlaybackStep> + Send + Sync {
        let opening =
            [StreamEvent::MessageStart(MessageStart::new(self.opening())), StreamEvent::Ping(Ping::new())];
        let closing = [self.closing(), StreamEvent::MessageStop(MessageStop::new())];
        let (size, pause) = (self.size, self.pause);
        let blocks = std::mem::take(&mut self.blocks).into_iter().enumerate();
        let content = blocks.flat_map(move |(index, block)| {
            let (start, deltas) = begin(block, size);
            let start = StreamEvent::ContentBlockStart(Box::new(ContentBlockStart::new(index, start)));
            let deltas = deltas.flat_map(move |delta| {
                let event = StreamEvent::ContentBlockDelta(ContentBlockDelta::new(index, delta));
                once(PlaybackStep::Say(event)).chain((!pause.is_zero()).then_some(PlaybackStep::Pause(pause)))
            });
            let stop = StreamEvent::ContentBlockStop(ContentBlockStop::new(index));
            once(PlaybackStep::Say(start)).chain(deltas).chain(once(PlaybackStep::Say(stop)))
        });
        let whole = opening
            .into_iter()
            .map(PlaybackStep::Say)
            .chain(content)
            .chain(closing.into_iter().map(PlaybackStep::Say));
        CutPlayback { times: whole, breaks: self.breaks, has_begun: false, is_over: false }
    }

    fn closing(&self) -> StreamEvent<'static> {
        let mut change = MessageChange::new();
        change.stop_reason = Some(StopReason::from(Str::from(self.stop.reason.clone())));
        change.stop_sequence = self.stop.sequence.clone().map(Into::into);
        let mut delta = MessageDelta::new(change);
        delta.usage = Some(Box::new(self.closing_usage()));
        StreamEvent::MessageDelta(Box::new(delta))
    }
}

/// A value as one line of JSON.
pub(crate) fn to_json<'a>(value: &impl Json<'a>) -> String {
    let mut json = String::new();
    value.write(&mut json);
    json
}

/// Moments that end after some deltas, or before the message ends if it has fewer.
struct CutPlayback<I> {
    times: I,
    breaks: Option<(u64, StreamBreak)>,
    has_begun: bool,
    is_over: bool,
}

impl<I> CutPlayback<I> {
    fn break_off(&mut self) -> Option<PlaybackStep> {
        self.is_over = true;
        self.breaks.take().map(|(_, how)| PlaybackStep::Break(how))
    }
}

impl<I: Iterator<Item = PlaybackStep>> Iterator for CutPlayback<I> {
    type Item = PlaybackStep;

    fn next(&mut self) -> Option<PlaybackStep> {
        if self.is_over {
            return None;
        }
        if self.has_begun && matches!(self.breaks, Some((0, _))) {
            return self.break_off();
        }
        let time = self.times.next()?;
        match (&time, &mut self.breaks) {
            (PlaybackStep::Say(StreamEvent::Ping(_)), _) => self.has_begun = true,
            (PlaybackStep::Say(StreamEvent::ContentBlockDelta(_)), Some((left, _))) => *left -= 1,
            (PlaybackStep::Say(StreamEvent::MessageDelta(_)), Some(_)) => return self.break_off(),
            _ => {}
        }
        Some(time)
    }
}

/// A block as it begins, and what it grows by.
fn begin(block: PlannedBlock, size: Option<Size>) -> (ContentBlock<'static>, Deltas) {
    let block = match block {
        PlannedBlock::Content(block) => *block,
        PlannedBlock::Flood { bytes, delta } => {
            return (ContentBlock::Text(TextBlock::new("")), flooding(bytes, delta));
        }
    };
    match block {
        ContentBlock::Text(mut block) => {
            let text = std::mem::take(&mut block.text).into_string();
            let citations = block.citations.take_if(|citations| !citations.is_empty()).unwrap_or_default();
            let text = pieces(text, size.unwrap_or(TEXT_DELTA)).map(|text| Delta::Text(TextDelta::new(text)));
            let citations = citations.into_iter().map(|one| Delta::Citations(CitationsDelta::new(one)));
            (ContentBlock::Text(block), Box::new(text.chain(citations)))
        }
        ContentBlock::Thinking(mut block) => {
            let thinking = std::mem::take(&mut block.thinking).into_string();
            let signature = block.signature.replace("".into());
            let thinking = pieces(thinking, size.unwrap_or(Size::Word))
                .map(|thinking| Delta::Thinking(ThinkingDelta::new(thinking)));
            let signature = signature.map(|signature| Delta::Signature(SignatureDelta::new(signature)));
            (ContentBlock::Thinking(block), Box::new(thinking.chain(signature)))
        }
        ContentBlock::ToolUse(mut block) => {
            let deltas = input(&mut block.input, size);
            (ContentBlock::ToolUse(block), deltas)
        }
        ContentBlock::ServerToolUse(mut block) => {
            let deltas = input(&mut block.input, size);
            (ContentBlock::ServerToolUse(block), deltas)
        }
        ContentBlock::McpToolUse(mut block) => {
            let deltas = input(&mut block.input, size);
            (ContentBlock::McpToolUse(block), deltas)
        }
        whole => (whole, Box::new(std::iter::empty())),
    }
}

/// The deltas of a tool's input. The block begins with an empty one.
fn input(input: &mut Raw<'static>, size: Option<Size>) -> Deltas {
    let json = std::mem::replace(input, Raw::from(&serde_json::json!({})));
    let pieces = pieces(json.as_str().to_owned(), size.unwrap_or(INPUT_DELTA));
    Box::new(pieces.map(|json| Delta::InputJson(InputJsonDelta::new(json))))
}

/// The pieces of a text. A text that is empty has none.
fn pieces(text: String, size: Size) -> impl Iterator<Item = String> + Send + Sync {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = match size {
            Size::Chars(count) => rest.char_indices().nth(count.max(1)).map(|(end, _)| end),
            Size::Word => rest.find(' ').map(|space| space + 1),
        };
        let end = end.unwrap_or(rest.len());
        start += end;
        Some(rest[..end].to_owned())
    })
}

fn flooding(bytes: u64, delta: usize) -> Deltas {
    let mut sent = 0;
    Box::new(std::iter::from_fn(move || {
        let left = usize::try_from(bytes - sent).unwrap_or(usize::MAX);
        let length = delta.max(1).min(left);
        let text = flood(sent, length);
        sent += length as u64;
        (length > 0).then(|| Delta::Text(TextDelta::new(text)))
    }))
}
