//! The body of a streamed answer: server-sent events, made as they are asked for.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Frame};
use tokio::time::{Sleep, sleep};

use crate::script::{MessagePlan, PlaybackStep, ScriptedFailure, StreamBreak, to_json};

/// The body of any answer.
pub(super) type AnswerBody = http_body_util::combinators::BoxBody<Bytes, io::Error>;

/// A body that is complete.
pub(super) fn whole(text: impl Into<Bytes>) -> AnswerBody {
    let never = |error: Infallible| match error {};
    Full::new(text.into()).map_err(never).boxed()
}

/// A body that breaks before anything came.
pub(super) fn broken() -> AnswerBody {
    Playing {
        times: Box::new(std::iter::once(PlaybackStep::Break(StreamBreak::Drop))),
        sleep: None,
        is_flushed: false,
    }
    .boxed()
}

/// A message as it is played.
pub(super) fn playing(plan: MessagePlan) -> AnswerBody {
    Playing { times: Box::new(plan.play()), sleep: None, is_flushed: false }.boxed()
}

/// Plays a message. It goes no faster than its reader, and ends with it.
struct Playing {
    times: Box<dyn Iterator<Item = PlaybackStep> + Send + Sync>,
    sleep: Option<Pin<Box<Sleep>>>,
    /// Whether everything before a cut has been handed to the socket.
    is_flushed: bool,
}

impl Body for Playing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        loop {
            if let Some(sleep) = &mut self.sleep {
                ready!(sleep.as_mut().poll(context));
                self.sleep = None;
            }
            let text = match self.times.next() {
                None => return Poll::Ready(None),
                Some(PlaybackStep::Pause(pause)) => {
                    self.sleep = Some(Box::pin(sleep(pause)));
                    continue;
                }
                Some(PlaybackStep::Say(event)) => sse(event.tag(), &to_json(&event)),
                Some(PlaybackStep::Break(StreamBreak::Error(name))) => {
                    sse("error", &ScriptedFailure::named(&name).to_json())
                }
                Some(PlaybackStep::Break(StreamBreak::Drop)) if self.is_flushed => {
                    return Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into())));
                }
                // What was sent before is flushed first: that happens when nothing more is ready.
                Some(PlaybackStep::Break(StreamBreak::Drop)) => {
                    self.times = Box::new(std::iter::once(PlaybackStep::Break(StreamBreak::Drop)));
                    self.is_flushed = true;
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                // Nothing wakes this up again: it is over when the reader goes away.
                Some(PlaybackStep::Break(StreamBreak::Stall)) => return Poll::Pending,
            };
            return Poll::Ready(Some(Ok(Frame::data(text.into()))));
        }
    }
}

fn sse(name: &str, json: &str) -> String {
    format!("event: {name}\ndata: {json}\n\n")
}
