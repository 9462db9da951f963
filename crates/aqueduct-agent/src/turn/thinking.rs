//! How much the model thinks: what was asked for, held against what the model can.

use aqueduct_model::ThinkingMode;
use aqueduct_model::price::{ModelCard, ThinkingSupport};
use serde_json::Value;

use super::Turn;
use crate::session::{AgentSession, ThinkingLimit};

/// The least that a model may be asked to think.
const MIN_THINKING_TOKENS: u32 = 1024;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestedThinking {
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
    pub(super) fn thinking(&self, max_tokens: u32, card: Option<&ModelCard>) -> ThinkingMode {
        let budget = |tokens: u32| {
            let most = max_tokens.saturating_sub(1).max(MIN_THINKING_TOKENS);
            ThinkingMode::Budget(tokens.clamp(MIN_THINKING_TOKENS, most))
        };
        match (card.map(|card| card.thinks), self.session.asked_thinking()) {
            (Some(ThinkingSupport::Never), _) => ThinkingMode::Off,
            (Some(ThinkingSupport::Always), _) => ThinkingMode::Adaptive,
            (Some(_), RequestedThinking::No) => ThinkingMode::Disabled,
            (Some(ThinkingSupport::Adaptive), _) => ThinkingMode::Adaptive,
            (Some(ThinkingSupport::Budget), RequestedThinking::Tokens(tokens)) => budget(tokens),
            (Some(ThinkingSupport::Budget), _) => budget(max_tokens),
            // An unknown model receives no thinking settings that were not asked for.
            (None, RequestedThinking::Nothing | RequestedThinking::No) => ThinkingMode::Off,
            (None, RequestedThinking::Yes) => ThinkingMode::Adaptive,
            (None, RequestedThinking::Tokens(tokens)) => budget(tokens),
        }
    }
}

impl AgentSession {
    fn asked_thinking(&self) -> RequestedThinking {
        if self.environment.flag("CLAUDE_CODE_DISABLE_THINKING") {
            return RequestedThinking::No;
        }
        let variable = || self.environment.variable("MAX_THINKING_TOKENS")?.parse().ok();
        let limit = match self.model_choice.thinking() {
            ThinkingLimit::Tokens(tokens) => Some(tokens),
            ThinkingLimit::Unset => self.options.max_thinking_tokens.or_else(variable),
        };
        match (limit, self.options.thinking.as_deref()) {
            (Some(0), _) | (None, Some("disabled")) => RequestedThinking::No,
            (Some(tokens), _) => RequestedThinking::Tokens(tokens),
            (None, Some(_)) => RequestedThinking::Yes,
            (None, None) => {
                match self.configuration().get("alwaysThinkingEnabled").and_then(Value::as_bool) {
                    Some(true) => RequestedThinking::Yes,
                    Some(false) => RequestedThinking::No,
                    None => RequestedThinking::Nothing,
                }
            }
        }
    }
}
