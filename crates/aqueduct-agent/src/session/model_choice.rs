//! Which model answers, and how: what user, host and the resumed conversation asked for.

use std::sync::Mutex;

use aqueduct_os::mutex::lock;
use aqueduct_wire::hook::{HookPermission, ModelSwitchSource};
use tokio_util::sync::CancellationToken;

use super::AgentSession;
use super::models::DEFAULT;
use crate::effort::EFFORTS;
use crate::hook::ModelSwitch;

/// The model of the session as it was asked for, and its settings that the host changed.
///
/// One lock covers both names of models: a model that is asked for replaces that of the resumed conversation.
#[derive(Debug)]
pub(crate) struct ModelChoice {
    state: Mutex<ModelChoiceState>,
}

#[derive(Debug)]
struct ModelChoiceState {
    /// The model that was asked for; `None` for the default.
    asked: Option<String>,
    /// The model of the resumed conversation; `None` once another one is asked for.
    resumed: Option<String>,
    thinking: ThinkingLimit,
    effort: EffortChoice,
}

/// A limit on thinking that the host set while the process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThinkingLimit {
    /// None: the command line decides.
    Unset,
    /// At most this many tokens; no thinking for 0.
    Tokens(u32),
}

/// The effort that the host set while the process runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EffortChoice {
    /// None: the command line and settings decide.
    Unset,
    /// None, and that of the command line does not apply any more.
    Cleared,
    /// This level.
    Level(String),
}

impl ModelChoice {
    /// The choice at the start of a session.
    pub(super) fn new(asked: Option<String>, resumed: Option<String>) -> Self {
        let (thinking, effort) = (ThinkingLimit::Unset, EffortChoice::Unset);
        ModelChoice { state: Mutex::new(ModelChoiceState { asked, resumed, thinking, effort }) }
    }

    /// The name of a model: the one that was asked for, else that of the session's role, else that of the resumed
    /// conversation. `None` for the default.
    fn name(&self, of_role: impl FnOnce() -> Option<String>) -> Option<String> {
        let (asked, resumed) = {
            let state = lock(&self.state);
            (state.asked.clone(), state.resumed.clone())
        };
        asked.or_else(of_role).or(resumed)
    }

    /// Chooses a model, also in place of that of the resumed conversation.
    fn choose(&self, asked: Option<String>) {
        let mut state = lock(&self.state);
        state.asked = asked;
        state.resumed = None;
    }

    /// Sets the model that is asked for. Without one, the resumed conversation's applies again.
    pub(crate) fn set_asked(&self, asked: Option<String>) {
        lock(&self.state).asked = asked;
    }

    /// Replaces the model that is asked for, and returns it, for [`ModelChoice::set_asked`].
    pub(crate) fn replace_asked(&self, model: String) -> Option<String> {
        lock(&self.state).asked.replace(model)
    }

    /// The limit on thinking.
    pub(crate) fn thinking(&self) -> ThinkingLimit {
        lock(&self.state).thinking
    }

    /// Sets the limit on thinking.
    pub(crate) fn limit_thinking(&self, limit: ThinkingLimit) {
        lock(&self.state).thinking = limit;
    }

    /// The effort.
    pub(super) fn effort(&self) -> EffortChoice {
        lock(&self.state).effort.clone()
    }

    /// Sets the effort from the next call on; `None` returns to that of settings and model. An unknown level changes
    /// nothing.
    pub(crate) fn choose_effort(&self, level: Option<String>) {
        let choice = match level {
            Some(level) if !EFFORTS.contains(&level.as_str()) => return,
            Some(level) => EffortChoice::Level(level),
            None => EffortChoice::Cleared,
        };
        lock(&self.state).effort = choice;
    }
}

/// A hook blocks the change of the model.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct ModelSwitchBlocked {
    /// The reason that the hook gives.
    reason: String,
}

impl AgentSession {
    /// The name of the model that is called now.
    pub(crate) fn model(&self) -> String {
        let name = self.model_choice.name(|| self.role()?.model.clone());
        self.models.resolve(name.as_deref())
    }

    /// Switches to another model from the next call on, if hooks allow it; `None` asks for the default.
    pub(crate) async fn switch_model(
        &self,
        asked: Option<String>,
        source: ModelSwitchSource<'static>,
        cancel: &CancellationToken,
    ) -> Result<(), ModelSwitchBlocked> {
        let asked = asked.filter(|name| name != DEFAULT && !name.is_empty());
        let (from, to) = (self.model(), self.models.resolve(asked.as_deref()));
        if from == to {
            self.model_choice.choose(asked);
            return Ok(());
        }
        let switch = ModelSwitch { from, to, requested: asked.clone(), source };
        let outcome = self.switching_model(&switch, cancel).await;
        // No user is asked about a model, so a hook that wants the user to be asked denies the switch.
        if let Some((HookPermission::Deny | HookPermission::Ask, reason)) = outcome.permission {
            return Err(ModelSwitchBlocked { reason });
        }
        self.model_choice.choose(asked);
        self.switched_model(&switch);
        Ok(())
    }
}
