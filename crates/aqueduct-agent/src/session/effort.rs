//! The effort of the model, and what is shown of its thinking.

use aqueduct_model::price;
use aqueduct_wire::control::FastModeState;
use serde_json::Value;

use super::AgentSession;
use super::model_choice::EffortChoice;
use crate::diagnostic::Diagnostic;
use crate::effort::EFFORTS;

impl AgentSession {
    /// The effort of the session's model.
    pub(crate) fn effort(&self) -> Option<String> {
        self.effort_of(&self.model(), None)
    }

    /// The effort of a model: what was asked for, then `own`, then its default. `None` if the model has none.
    pub(crate) fn effort_of(&self, model: &str, own: Option<&str>) -> Option<String> {
        let card = price::card(model);
        if card.is_some_and(|card| card.effort.is_none()) {
            return None;
        }
        let known = |level: &&str| EFFORTS.contains(level);
        let variable = self.environment.variable("CLAUDE_CODE_EFFORT_LEVEL").filter(known);
        if let Some(level) = variable.or(own) {
            return Some(level.to_owned());
        }
        let asked = match self.model_choice.effort() {
            EffortChoice::Level(level) => return Some(level),
            EffortChoice::Cleared => None,
            EffortChoice::Unset => self.options.effort.as_deref().filter(known).map(str::to_owned),
        };
        let set = || self.configuration().text("effortLevel").filter(known).map(str::to_owned);
        asked.or_else(set).or_else(|| card?.effort.map(str::to_owned))
    }

    /// Whether calls of a model are served in fast mode: settings ask for it, and the model has it.
    pub(crate) fn is_fast(&self, model: &str) -> bool {
        let asked = self.configuration().get("fastMode").and_then(Value::as_bool) == Some(true);
        asked && price::card(model).is_some_and(|card| card.has_fast_mode())
    }

    /// Whether the session's model is served in fast mode.
    pub(crate) fn fast_mode(&self) -> FastModeState<'static> {
        if self.is_fast(&self.model()) { FastModeState::On } else { FastModeState::Off }
    }

    /// What is shown of the model's thinking: nothing if no frames are sent.
    pub(crate) fn thinking_display(&self) -> &str {
        let usual = if self.outbox.wants_frames() { "summarized" } else { "omitted" };
        self.options.thinking_display.as_deref().unwrap_or(usual)
    }
}

/// What is wrong with a level that was asked for at `place`.
pub(super) fn unknown_level(place: &str, level: Option<&str>) -> Option<Diagnostic> {
    let level = level.filter(|level| !EFFORTS.contains(level))?;
    let hint = format!("it is ignored. There are {}", EFFORTS.join(", "));
    Some(Diagnostic::warning(format!("there is no effort {level:?}")).of(place).clause(hint))
}
