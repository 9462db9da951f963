//! How hard the model tries, and what is shown of its thinking.

use aqueduct_model::price;

use super::Session;
use crate::subagent::EFFORTS;

impl Session {
    /// How hard the session's model tries.
    pub(crate) fn effort(&self) -> Option<String> {
        self.effort_of(&self.model(), None)
    }

    /// How hard a model tries: what was asked for, then what `own` says, then its own way. Nothing, where it can't
    /// be told.
    pub(crate) fn effort_of(&self, model: &str, own: Option<&str>) -> Option<String> {
        let card = price::card(model);
        if card.is_some_and(|card| card.effort.is_none()) {
            return None;
        }
        let known = |level: &&str| EFFORTS.contains(level);
        let variable = self.environment.variable("CLAUDE_CODE_EFFORT_LEVEL").filter(known);
        let configuration = self.configuration();
        let asked = variable
            .or(own)
            .or(self.options.effort.as_deref().filter(known))
            .or_else(|| configuration.text("effortLevel").filter(known));
        asked.or_else(|| card?.effort).map(str::to_owned)
    }

    /// What is shown of the model's thinking. Where nobody reads frames, nobody reads it.
    pub(crate) fn thinking_display(&self) -> &str {
        let usual = if self.outbox.wants_frames() { "summarized" } else { "omitted" };
        self.options.thinking_display.as_deref().unwrap_or(usual)
    }
}

/// What is wrong with a level that was asked for at `place`.
pub(super) fn unknown_level(place: &str, level: Option<&str>) -> Option<String> {
    let level = level.filter(|level| !EFFORTS.contains(level))?;
    Some(format!(
        "Warning: {place}: there is no effort {level:?}; it is ignored. There are {}",
        EFFORTS.join(", ")
    ))
}
