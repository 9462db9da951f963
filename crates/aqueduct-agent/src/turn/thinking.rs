//! How much the model thinks: what was asked for, held against what the model can.

use aqueduct_model::Thinking;
use aqueduct_model::price::{Card, Thinks};
use serde_json::Value;

use super::Turn;
use crate::session::{Session, ThinkingLimit};

/// The least that a model may be asked to think.
const MIN_THINKING_TOKENS: u32 = 1024;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Nothing.
    Nothing,
    /// To think.
    Yes,
    /// Not to.
    No,
    /// To think at most this many tokens.
    Tokens(u32),
}

impl Turn<'_> {
    /// How much the model thinks, of a card or without one.
    pub(super) fn thinking(&self, max_tokens: u32, card: Option<&Card>) -> Thinking {
        let budget = |tokens: u32| {
            let most = max_tokens.saturating_sub(1).max(MIN_THINKING_TOKENS);
            Thinking::Budget(tokens.clamp(MIN_THINKING_TOKENS, most))
        };
        match (card.map(|card| card.thinks), self.session.asked_thinking()) {
            (Some(Thinks::Never), _) => Thinking::Off,
            (Some(Thinks::Always), _) => Thinking::Adaptive,
            (Some(_), Asked::No) => Thinking::Disabled,
            (Some(Thinks::Adaptive), _) => Thinking::Adaptive,
            (Some(Thinks::Budget), Asked::Tokens(tokens)) => budget(tokens),
            (Some(Thinks::Budget), _) => budget(max_tokens),
            // An unknown model receives no thinking settings that were not asked for.
            (None, Asked::Nothing | Asked::No) => Thinking::Off,
            (None, Asked::Yes) => Thinking::Adaptive,
            (None, Asked::Tokens(tokens)) => budget(tokens),
        }
    }
}

impl Session {
    fn asked_thinking(&self) -> Asked {
        if self.environment.flag("CLAUDE_CODE_DISABLE_THINKING") {
            return Asked::No;
        }
        let variable = || self.environment.variable("MAX_THINKING_TOKENS")?.parse().ok();
        let limit = match self.model_choice.thinking() {
            ThinkingLimit::Tokens(tokens) => Some(tokens),
            ThinkingLimit::Unset => self.options.max_thinking_tokens.or_else(variable),
        };
        match (limit, self.options.thinking.as_deref()) {
            (Some(0), _) | (None, Some("disabled")) => Asked::No,
            (Some(tokens), _) => Asked::Tokens(tokens),
            (None, Some(_)) => Asked::Yes,
            (None, None) => {
                match self.configuration().get("alwaysThinkingEnabled").and_then(Value::as_bool) {
                    Some(true) => Asked::Yes,
                    Some(false) => Asked::No,
                    None => Asked::Nothing,
                }
            }
        }
    }
}
