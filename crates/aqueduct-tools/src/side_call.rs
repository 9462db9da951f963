//! Calls of a model beside the conversation: it is asked one thing and answers in one message.

use std::time::{Duration, Instant};

use aqueduct_model::{Model, ModelEvent, Request};
use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::event::StreamEvent;
use aqueduct_wire::frame::StreamEventFrame;
use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::json::read;
use aqueduct_wire::message::AssistantMessage;
use aqueduct_wire::usage::Usage;
use tokio_util::sync::CancellationToken;

/// What a call used.
#[derive(Debug, Clone)]
pub struct CallUsage {
    /// The model that was called.
    pub model: String,
    /// What it counted.
    pub usage: Usage<'static>,
    /// How long it took.
    pub took: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SideCallError {
    /// The user did not want to wait.
    #[error("Interrupted")]
    Interrupted,
    /// The call failed.
    #[error(transparent)]
    Failed(#[from] aqueduct_model::Error),
    /// There was no message.
    #[error("The model returned no text")]
    Silent,
}

impl HintedError for SideCallError {
    fn hint(&self) -> Option<Hint> {
        match self {
            SideCallError::Failed(error) => error.hint(),
            SideCallError::Interrupted | SideCallError::Silent => None,
        }
    }
}

/// Calls a model. The usage is reported in any case: a call that is aborted has a price, too.
pub async fn ask(
    model: &Model,
    request: Request,
    cancel: &CancellationToken,
) -> (Result<AssistantMessage<'static>, SideCallError>, Option<CallUsage>) {
    let (name, started) = (request.model.clone(), Instant::now());
    let mut assembler = Assembler::new();
    let mut stream = model.stream(request);
    let ended = loop {
        let next = tokio::select! {
            biased;
            () = cancel.cancelled() => break Err(SideCallError::Interrupted),
            next = stream.next() => next,
        };
        match next {
            Some(Ok(ModelEvent::Stream(line))) => {
                if let Some(event) = read::<StreamEvent<'_>>(&line) {
                    assembler.push(&FromAgent::StreamEvent(Box::new(StreamEventFrame::new(event))));
                }
            }
            // What came of the failed attempt is void.
            Some(Ok(ModelEvent::Retry(_))) => assembler = Assembler::new(),
            Some(Ok(_)) => (),
            Some(Err(error)) => break Err(error.into()),
            None => break Ok(()),
        }
    };
    let message = assembler.message(None);
    let usage = message.and_then(|message| message.head().usage.as_deref().cloned());
    let spent = usage.map(|usage| CallUsage { model: name, usage, took: started.elapsed() });
    let answer =
        ended.and_then(|()| message.map(|message| message.to_message()).ok_or(SideCallError::Silent));
    (answer, spent)
}

/// The words of an answer.
pub fn text_of(message: &AssistantMessage<'_>) -> String {
    let texts = message.content.iter().filter_map(|block| match block {
        ContentBlock::Text(block) => Some(block.text.as_str()),
        _ => None,
    });
    texts.collect()
}
