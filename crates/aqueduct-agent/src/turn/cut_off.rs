//! An answer that ends before its end: the user interrupted it, or the stream broke.

use aqueduct_wire::FromAgent;
use aqueduct_wire::event::{ContentBlockStop, MessageChange, MessageDelta, MessageStop, StreamEvent};
use aqueduct_wire::frame::AbandonedBlocks;
use aqueduct_wire::json::Raw;
use aqueduct_wire::usage::Usage;

use super::answer::Streaming;
use super::{Interrupted, Turn, TurnEnd};
use crate::session::TurnTotals;

impl<'t> Turn<'t> {
    /// The user interrupted the answer: what has arrived is stored and sent, its calls get results, and the stream
    /// is closed.
    pub(super) async fn cut_off(&mut self, streaming: &mut Streaming<'t>) -> Result<(), TurnEnd> {
        let open = self.keep_open_block(streaming).await?;
        self.interrupt_calls(&mut streaming.calls).await?;
        if !self.session.run.is_preempted() {
            self.send_interruption(Interrupted::Streaming).await?;
        }
        self.close_stream(streaming, open).await;
        Ok(())
    }

    /// The stream broke after parts of the answer were shown: they are kept, and the stream is closed.
    pub(super) async fn break_off(&mut self, streaming: &mut Streaming<'t>) -> Result<(), TurnEnd> {
        let open = self.keep_open_block(streaming).await?;
        self.close_stream(streaming, open).await;
        Ok(())
    }

    /// Stores and sends the block that was being written, unless it is empty; whether it did.
    async fn keep_open_block(&mut self, streaming: &mut Streaming<'t>) -> Result<bool, TurnEnd> {
        let Some(message) = streaming.assembler.message(None) else { return Ok(false) };
        let Some(block) = message.blocks().get(streaming.reported) else { return Ok(false) };
        let has_content = match block.kind() {
            "text" => !block.text().is_empty(),
            // Half a call would be a call that never ran, and a thought without a signature can't be sent back.
            "tool_use" | "thinking" | "redacted_thinking" => false,
            _ => true,
        };
        if has_content {
            self.send_block(streaming, true).await?;
        }
        Ok(has_content)
    }

    /// Ends the stream of an answer of which no more comes: blocks that are not complete are no part of it.
    pub(super) async fn abandon(&self, streaming: &mut Streaming<'t>) {
        let Some(message) = streaming.assembler.message(None).filter(|_| self.streams()) else { return };
        let Some(id) = &streaming.message_id else { return };
        if message.blocks().get(streaming.reported).is_some_and(|open| open.kind() != "tool_use") {
            let stop = StreamEvent::ContentBlockStop(ContentBlockStop::new(streaming.reported as u64));
            let frame = self.event_frame(stop, streaming);
            self.send_frame(FromAgent::StreamEvent(Box::new(frame))).await;
        }
        let mut frame = self.event_frame(StreamEvent::MessageStop(MessageStop::new()), streaming);
        let mut abandoned = AbandonedBlocks::new(id.clone());
        abandoned.from_block_index = Some((streaming.reported as u64).into());
        frame.abandoned_blocks = Some(Box::new(abandoned));
        self.send_frame(FromAgent::StreamEvent(Box::new(frame))).await;
    }

    /// Sends the events that end the message, where its beginning was sent.
    async fn close_stream(&self, streaming: &mut Streaming<'t>, open: bool) {
        let (Some(message), Some(id)) = (streaming.assembler.message(None), &streaming.message_id) else {
            return;
        };
        if !self.streams() {
            return;
        }
        let kept = streaming.reported as u64;
        let is_call =
            message.blocks().get(streaming.reported).is_some_and(|block| block.kind() == "tool_use");
        if open || message.blocks().len() > streaming.reported && !is_call {
            let last = message.blocks().len() as u64;
            let stop = StreamEvent::ContentBlockStop(ContentBlockStop::new(last.saturating_sub(1)));
            let frame = self.event_frame(stop, streaming);
            self.send_frame(FromAgent::StreamEvent(Box::new(frame))).await;
        }
        let mut change = MessageChange::new();
        change.stop_details = Some(Raw::NULL);
        change.extra.push("container", Raw::NULL);
        let mut delta = MessageDelta::new(change);
        delta.context_management = Some(Raw::NULL);
        delta.usage = streaming.usage.clone().map(|usage| Box::new(closing(usage)));
        let frame = self.event_frame(StreamEvent::MessageDelta(Box::new(delta)), streaming);
        self.send_frame(FromAgent::StreamEvent(Box::new(frame))).await;
        let mut frame = self.event_frame(StreamEvent::MessageStop(MessageStop::new()), streaming);
        let mut abandoned = AbandonedBlocks::new(id.clone());
        abandoned.from_block_index = Some(kept.into());
        frame.abandoned_blocks = Some(Box::new(abandoned));
        self.send_frame(FromAgent::StreamEvent(Box::new(frame))).await;
    }
}

/// The usage that closes a message which was cut off: what was reported at its start.
fn closing(mut usage: Usage<'static>) -> Usage<'static> {
    let all = TurnTotals::default().to_usage();
    usage.service_tier = None;
    usage.cache_creation = None;
    usage.output_tokens_details = usage.output_tokens_details.or(all.output_tokens_details);
    usage.server_tool_use = usage.server_tool_use.or(all.server_tool_use);
    usage.iterations = usage.iterations.or(all.iterations);
    usage.fallback_credit = usage.fallback_credit.or(all.fallback_credit);
    usage
}
