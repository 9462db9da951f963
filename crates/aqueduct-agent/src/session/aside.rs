//! Questions to a model beside the conversation.

use std::time::Instant;

use aqueduct_model::{Event, Request};
use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::frame::StreamEventFrame;
use tokio_util::sync::CancellationToken;

use super::Session;
use crate::json_text::read;

impl Session {
    /// Asks a model something, and gives its words, or why there are none. What it costs counts as the session's.
    pub(crate) async fn ask_aside(
        &self,
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<String, String> {
        let model = request.model.clone();
        let started = Instant::now();
        let mut assembler = Assembler::new();
        let mut stream = self.models.get(&model).stream(request);
        loop {
            let next = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err("Interrupted".to_owned()),
                next = stream.next() => next,
            };
            match next {
                Some(Ok(Event::Stream(line))) => {
                    if let Some(event) = read::<StreamEvent<'_>>(&line) {
                        assembler.push(&FromAgent::StreamEvent(Box::new(StreamEventFrame::new(event))));
                    }
                }
                Some(Ok(_)) => (),
                Some(Err(error)) => return Err(error.to_string()),
                None => break,
            }
        }
        let nothing = || "The model said nothing".to_owned();
        let message = assembler.message(None).ok_or_else(nothing)?;
        if let Some(usage) = &message.head().usage {
            self.count(&model, usage, started.elapsed());
        }
        Some(message.text()).filter(|text| !text.trim().is_empty()).ok_or_else(nothing)
    }
}
