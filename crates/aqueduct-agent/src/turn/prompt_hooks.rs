//! Hooks before a prompt reaches the model: they may block it, add to it, or end the turn.

use aqueduct_wire::FromAgent;
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::StopReason;
use aqueduct_wire::system::{Informational, NoticeLevel, SystemFrame};
use serde_json::json;

use super::Turn;
use crate::clock::fresh_uuid;
use crate::hook::HooksOutcome;
use crate::prompt_queue::QueuedPrompt;
use crate::session::synthetic;

/// What becomes of a prompt.
pub(super) enum PromptVerdict {
    /// It goes to the model.
    Passed,
    /// It goes nowhere.
    Refused(RefusedPrompt),
    /// The user interrupted the turn before hooks had decided: it goes nowhere.
    Interrupted,
}

/// A prompt that does not go to the model.
#[derive(Debug, Clone)]
pub(crate) struct RefusedPrompt {
    /// The message for users.
    pub(super) text: String,
    /// Whether it is part of the conversation all the same.
    pub(super) is_kept: bool,
    /// Whether it was a command that did not become a prompt.
    pub(super) is_command: bool,
    /// Why hooks reject it, as hosts receive it.
    verdict: Option<(&'static str, String)>,
}

impl Turn<'_> {
    /// Asks hooks about a prompt.
    pub(super) async fn submit(&mut self, prompt: &QueuedPrompt) -> PromptVerdict {
        let text = prompt.text();
        let mut outcome = self.session.prompt_submitted(&text, &self.cancel).await;
        self.notices.append(&mut outcome.notices);
        if outcome.interrupted {
            return PromptVerdict::Interrupted;
        }
        if let Some(refused) = RefusedPrompt::by(&outcome, "UserPromptSubmit", &text) {
            return PromptVerdict::Refused(refused);
        }
        if let Some(title) = &outcome.title {
            self.dialogue.rename(self.session, title).await;
        }
        self.add_contexts("UserPromptSubmit", &outcome, false);
        PromptVerdict::Passed
    }
}

impl RefusedPrompt {
    /// What hooks have against a prompt.
    fn by(outcome: &HooksOutcome, event: &str, prompt: &str) -> Option<Self> {
        if let Some(reason) = outcome.blocks.first() {
            let mut text = format!("{event} operation blocked by hook:\n{reason}");
            if !outcome.hides_prompt {
                text = format!("{text}\n\nOriginal prompt: {prompt}");
            }
            let verdict = Some(("blocked_by_hook", outcome.reason.clone().unwrap_or_default()));
            return Some(RefusedPrompt { text, is_kept: false, is_command: false, verdict });
        }
        let reason = outcome.stop.clone()?;
        let text = match reason.is_empty() {
            true => "Operation stopped by hook".to_owned(),
            false => format!("Operation stopped by hook: {reason}"),
        };
        let verdict = Some(("stopped_by_hook", reason));
        Some(RefusedPrompt { text, is_kept: true, is_command: false, verdict })
    }

    /// What hooks have against a command that is to become a prompt.
    pub(super) fn expansion(outcome: &HooksOutcome, prompt: &str) -> Option<Self> {
        let refused = Self::by(outcome, "UserPromptExpansion", prompt)?;
        Some(RefusedPrompt { is_kept: false, is_command: true, ..refused })
    }

    /// Why a command can't become a prompt.
    pub(super) fn because(text: String) -> Self {
        RefusedPrompt { text, is_kept: false, is_command: true, verdict: None }
    }
}

impl Turn<'_> {
    /// Reports that a prompt does not go to the model: as a note if a hook has decided so, else as an answer.
    pub(super) async fn send_refused(&self, refused: &RefusedPrompt) {
        let Some((kind, reason)) = &refused.verdict else {
            let frame = self.assistant_frame(synthetic(&refused.text, StopReason::EndTurn), &fresh_uuid());
            return self.session.send(FromAgent::Assistant(Box::new(frame))).await;
        };
        let mut outcome = json!({ "kind": kind, "prompt_kept": refused.is_kept });
        if !reason.is_empty() {
            outcome["reason"] = reason.as_str().into();
        }
        let mut frame = Informational::new(refused.text.clone());
        frame.level = Some(NoticeLevel::Warning);
        frame.prevent_continuation = Some(true);
        frame.prompt_submit_outcome = Some(Raw::from(&outcome)).filter(|_| !refused.is_command);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        self.session.send(FromAgent::System(SystemFrame::Informational(Box::new(frame)))).await;
    }
}
