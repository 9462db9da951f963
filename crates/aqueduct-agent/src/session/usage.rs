//! What a session has used: tokens and cost.

use std::sync::Mutex;
use std::time::Duration;

use aqueduct_os::mutex::lock;
use aqueduct_wire::json::Map;
use aqueduct_wire::usage::{ModelUsage, Usage};

use super::Totals;

/// The tokens and the cost of a session, with those of its subagents, and the size of its context.
///
/// One lock covers the totals and what was used since the newest result: each call counts for both.
#[derive(Debug)]
pub(crate) struct ConversationUsage {
    state: Mutex<UsageState>,
}

#[derive(Debug)]
struct UsageState {
    /// Since the conversation began.
    totals: Totals,
    /// Since the newest result.
    since_result: Totals,
    /// About how many tokens the conversation has.
    context_tokens: u64,
}

impl ConversationUsage {
    /// The usage at the start of a process, with that of the conversation that it resumes.
    pub(super) fn new(totals: Totals, context_tokens: u64) -> Self {
        let state = UsageState { totals, since_result: Totals::default(), context_tokens };
        ConversationUsage { state: Mutex::new(state) }
    }

    /// Counts a call of a model.
    pub(crate) fn count(&self, model: &str, usage: &Usage<'_>, duration: Duration) {
        let mut state = lock(&self.state);
        state.totals.add(model, usage, duration);
        state.since_result.add(model, usage, duration);
    }

    /// What the conversation has used so far.
    pub(crate) fn totals(&self) -> Totals {
        lock(&self.state).totals.clone()
    }

    /// What the conversation has cost so far, in dollars.
    pub(crate) fn cost(&self) -> f64 {
        lock(&self.state).totals.cost()
    }

    /// How long models have worked for the conversation so far.
    pub(crate) fn api_time(&self) -> Duration {
        lock(&self.state).totals.api_time
    }

    /// What each model was used for since the newest result.
    pub(crate) fn since_result(&self) -> Map<'static, ModelUsage<'static>> {
        lock(&self.state).since_result.by_model()
    }

    /// The same for a result that is sent now: the next one counts from here.
    pub(crate) fn take_since_result(&self) -> Map<'static, ModelUsage<'static>> {
        std::mem::take(&mut lock(&self.state).since_result).by_model()
    }

    /// Ends the count for a result whose conversation has so many tokens, and returns the totals.
    pub(crate) fn end_result(&self, context_tokens: u64) -> Totals {
        let mut state = lock(&self.state);
        state.context_tokens = context_tokens;
        state.since_result = Totals::default();
        state.totals.clone()
    }

    /// Resets the totals for a new conversation.
    pub(super) fn reset_totals(&self) {
        lock(&self.state).totals = Totals::default();
    }

    /// About how many tokens the conversation has.
    pub(crate) fn context_tokens(&self) -> u64 {
        lock(&self.state).context_tokens
    }

    /// Stores how many tokens the conversation has.
    pub(super) fn set_context_tokens(&self, tokens: u64) {
        lock(&self.state).context_tokens = tokens;
    }
}
