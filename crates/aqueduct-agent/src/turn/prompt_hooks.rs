//! Hooks before a prompt reaches the model: they may block it, add to it, or end the turn.

use aqueduct_wire::FromAgent;
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::{Informational, NoticeLevel, SystemFrame};
use serde_json::json;

use super::Turn;
use crate::hook::Outcome;
use crate::moment::fresh_uuid;
use crate::prompt_queue::Prompt;
use crate::session::Session;

/// What becomes of a prompt.
pub(super) enum Submitted {
    /// It goes to the model.
    Passed,
    /// Only what hooks said goes to the model.
    Hidden,
    /// It goes nowhere.
    Refused(Refused),
    /// The user interrupted the turn before hooks had decided: it goes nowhere.
    Interrupted,
}

/// A prompt that hooks did not let pass.
#[derive(Debug, Clone)]
pub(super) struct Refused {
    /// What people are told.
    pub(super) text: String,
    kind: &'static str,
    reason: String,
    /// Whether it is part of the conversation all the same.
    pub(super) is_kept: bool,
}

impl Turn<'_> {
    /// Asks hooks about a prompt.
    pub(super) async fn submit(&mut self, prompt: &Prompt) -> Submitted {
        let text = prompt.text();
        let outcome = self.session.prompt_submitted(&text, &self.cancel).await;
        if outcome.interrupted {
            return Submitted::Interrupted;
        }
        if let Some(refused) = Refused::by(&outcome, &text) {
            return Submitted::Refused(refused);
        }
        if let Some(title) = &outcome.title {
            self.dialogue.rename(self.session, title).await;
        }
        self.hear("UserPromptSubmit", &outcome, false);
        if outcome.hides_prompt { Submitted::Hidden } else { Submitted::Passed }
    }
}

impl Refused {
    /// What hooks have against a prompt.
    pub(super) fn by(outcome: &Outcome, prompt: &str) -> Option<Self> {
        if let Some(reason) = outcome.refusal() {
            let text = format!("A hook blocked the prompt: {reason}\n\nThe prompt was: {prompt}");
            return Some(Refused { text, kind: "blocked_by_hook", reason, is_kept: false });
        }
        let reason = outcome.stop.clone()?;
        let text = match reason.is_empty() {
            true => "A hook stopped the turn before the model was asked".to_owned(),
            false => format!("A hook stopped the turn before the model was asked: {reason}"),
        };
        Some(Refused { text, kind: "stopped_by_hook", reason, is_kept: true })
    }
}

impl Session {
    /// Tells that a prompt did not pass.
    pub(super) async fn send_refused(&self, refused: &Refused) {
        let mut outcome = json!({ "kind": refused.kind, "prompt_kept": refused.is_kept });
        if !refused.reason.is_empty() {
            outcome["reason"] = refused.reason.as_str().into();
        }
        let mut frame = Informational::new(refused.text.clone());
        frame.level = Some(NoticeLevel::Warning);
        frame.prevent_continuation = Some(true);
        frame.prompt_submit_outcome = Some(Raw::from(&outcome));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Informational(Box::new(frame)))).await;
    }
}
