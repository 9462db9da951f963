//! Failures of the model's stream: what is tried again, what is kept, and who takes over.

use aqueduct_model::{Error, ErrorKind, RetryNotice};
use aqueduct_wire::FromAgent;
use aqueduct_wire::hook::ModelSwitchSource;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::StopReason;
use aqueduct_wire::system::{ApiRetry, FallbackTrigger, ModelFallback, SystemFrame};

use super::answer::Streaming;
use super::failure::{failure_name, failure_text};
use super::{Turn, TurnEnd};
use crate::clock::{fresh_uuid, millis};
use crate::hook::ModelSwitch;
use crate::trace;

/// After how many overloaded answers the fallback model takes over.
const PATIENCE_WITH_OVERLOAD: u32 = 3;

/// How many answers in a row may be cut off before the turn fails.
const MOST_CUTS: u32 = 3;

/// The prompt for a model whose answer was cut off.
const RESUME: &str = "The connection broke in the middle of your answer. Continue exactly where it ends, without \
    repeating it and without a remark about this. If nothing of it is left, answer from the beginning.";

/// The message for users about an answer that ends too early.
const INCOMPLETE: &str = "The answer above may be incomplete.";

/// What is done about an answer that failed after parts of it were shown.
pub(super) enum Recovery {
    /// Its calls are enough to continue with.
    Kept,
    /// The model is to continue it.
    Resumed,
}

impl<'t> Turn<'t> {
    /// Keeps what is there of an answer that failed, where something is and the failure may pass: its calls run, or
    /// the model is asked to continue. Fails where neither is possible.
    pub(super) async fn recover(
        &mut self,
        streaming: &mut Streaming<'t>,
        error: Error,
    ) -> Result<Recovery, TurnEnd> {
        let Some(what) = cut(&error).filter(|_| error.streamed) else {
            self.end_calls(&mut streaming.calls).await?;
            self.break_off(streaming).await?;
            return Err(TurnEnd::Failed(error));
        };
        self.abandon(streaming).await;
        let error = Error::plain(error.kind, what).with_hint(INCOMPLETE);
        if !streaming.calls.is_empty() {
            streaming.stop_reason = Some(StopReason::ToolUse);
            self.send_cut(&error).await;
            return Ok(Recovery::Kept);
        }
        if self.cuts >= MOST_CUTS {
            return Err(TurnEnd::Failed(error));
        }
        self.cuts += 1;
        streaming.stop_reason = Some(StopReason::EndTurn);
        self.say_for_user(RESUME).await?;
        Ok(Recovery::Resumed)
    }

    /// Reports that an answer ends after calls that were complete.
    async fn send_cut(&mut self, error: &Error) {
        let (text, name) = (failure_text(error, &self.model()), failure_name(error));
        self.send_error(&text, Some(name), StopReason::ToolUse, |frame| {
            frame.message.stop_sequence = None;
            frame.api_error =
                (error.kind == ErrorKind::Connection).then(|| Raw::written(&Str::from("connection_failed")));
        })
        .await;
    }

    /// Whether the fallback model takes over instead of another attempt.
    pub(super) fn gives_way(&self, retry: &RetryNotice) -> bool {
        retry.kind == ErrorKind::Overloaded
            && retry.attempt >= PATIENCE_WITH_OVERLOAD
            && self.other_model().is_some()
    }

    /// Another attempt follows one that failed before a part of its answer was complete.
    pub(super) async fn begin_again(&mut self, retry: &RetryNotice, streaming: &mut Streaming<'t>) {
        self.abandon(streaming).await;
        self.count_attempt(streaming);
        streaming.begin_again();
        if !retry.is_quiet {
            self.send_retry(retry).await;
        }
    }

    /// Counts what an attempt used that failed: the service has counted it too.
    fn count_attempt(&mut self, streaming: &Streaming<'t>) {
        if let Some(usage) = &streaming.usage {
            self.usage.add(usage);
            self.session.usage.count(&self.model(), usage, streaming.lasted());
        }
    }

    async fn send_retry(&self, retry: &RetryNotice) {
        let (kind, status) = (retry.kind.wire_name(), retry.status.map(u64::from));
        let (attempt, delay) = (retry.attempt.into(), millis(retry.delay));
        trace::model_retried(&self.session.id(), kind.as_str(), status, attempt, delay);
        let mut frame = ApiRetry::new(u64::from(retry.attempt));
        frame.max_retries = Some(u64::from(retry.max_retries).into());
        frame.retry_delay_ms = Some((retry.delay.as_millis() as u64).into());
        frame.error_status = retry.status.map(|status| u64::from(status).into());
        frame.error = Some(retry.kind.wire_name());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        self.send_frame(FromAgent::System(SystemFrame::ApiRetry(Box::new(frame)))).await;
    }

    /// The fallback model, unless it is the one that is overloaded.
    fn other_model(&self) -> Option<String> {
        let fallback = self.session.options.fallback_model.as_deref()?;
        let resolved = self.session.models.resolve(Some(fallback));
        (resolved != self.model()).then_some(resolved)
    }

    /// Whether the fallback model is asked in place of one that does not exist.
    pub(super) fn replaces(&self, error: &Error) -> bool {
        error.kind == ErrorKind::NotFound && error.status == Some(404) && self.other_model().is_some()
    }

    /// Lets the fallback model take over from an attempt that failed, for the rest of the turn.
    pub(super) async fn fall_back(
        &mut self,
        streaming: &mut Streaming<'t>,
        trigger: FallbackTrigger<'static>,
    ) {
        let Some(fallback) = self.other_model() else { return };
        self.abandon(streaming).await;
        self.count_attempt(streaming);
        let from = self.model();
        let why = match trigger {
            FallbackTrigger::ModelNotFound => "is not available",
            _ => "is overloaded",
        };
        match self.by {
            Some(by) => by.switch_model(fallback.clone()),
            None => self.fallback = Some(fallback.clone()),
        }
        let mut frame = ModelFallback::new(from.clone(), fallback.clone());
        frame.trigger = Some(trigger);
        frame.content = Some(format!("{from} {why}: {fallback} answers in this turn.").into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        self.session.send(FromAgent::System(SystemFrame::ModelFallback(Box::new(frame)))).await;
        let (to, requested) = (fallback.clone(), Some(fallback));
        self.session.switched_model(&ModelSwitch { from, to, requested, source: ModelSwitchSource::Auto });
    }
}

/// How an answer was cut off, for people; `None` where asking again would fail again.
fn cut(error: &Error) -> Option<&'static str> {
    match (error.name.as_deref(), error.kind) {
        (Some("overloaded_error" | "api_error" | "timeout_error"), _) => {
            Some("The server failed in the middle of the answer")
        }
        (Some(_), _) => None,
        (None, ErrorKind::Connection) => Some("The connection was lost in the middle of the answer"),
        (None, ErrorKind::Stalled) => Some("The answer stopped arriving"),
        (None, ErrorKind::Server) => Some("The stream of the answer was malformed"),
        (None, _) => None,
    }
}
