//! Hooks of the host: it is called, and answers.

use std::time::Duration;

use aqueduct_wire::control::{AgentRequest, HookCallbackRequest};
use aqueduct_wire::hook::{HookFailure, HookInput, HookMatcher};
use aqueduct_wire::json::{Map, Raw};

use super::event::Event;
use super::matcher::Matcher;
use super::occasion::Occasion;
use super::reply::{self, Reply};
use super::run::Stand;
use crate::host::Unanswered;
use crate::moment::fresh_uuid;

/// How long the host may take, where it does not say.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest time that counts: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Events at which a guard that says nothing must not be taken for one that lets pass.
const GUARDED: &[&str] = &["PreToolUse", "UserPromptSubmit", "UserPromptExpansion", "PreModelSwitch"];

/// A hook of the host.
#[derive(Debug, Clone)]
pub(super) struct CallbackHook {
    /// When it runs.
    pub(super) event: &'static Event,
    /// For which occurrences.
    pub(super) matcher: Matcher,
    /// What the host knows it by.
    id: String,
    timeout: Duration,
    /// An answer that can't be had or understood counts as a no.
    blocks_on_failure: bool,
}

/// Reads what a host registers, and what is wrong with it.
pub(super) fn read(hooks: &Map<'_, Vec<HookMatcher<'_>>>) -> (Vec<CallbackHook>, Vec<String>) {
    let (mut found, mut mistakes) = (Vec::new(), Vec::new());
    for (name, matchers) in hooks.iter() {
        let Some(event) = Event::named(name) else {
            mistakes.push(format!("initialize: hooks.{name} is no event; its hooks never run"));
            continue;
        };
        for (index, registered) in matchers.iter().enumerate() {
            let text = registered.matcher.as_deref().unwrap_or_default();
            let matcher = match Matcher::new(text) {
                Ok(matcher) => matcher,
                Err(error) => {
                    // The host wants to hear of something; better of too much than of nothing.
                    let what = format!("is no pattern: {error}; its hooks run for all");
                    mistakes.push(format!("initialize: hooks.{name}[{index}].matcher {what}"));
                    Matcher::All
                }
            };
            let seconds = registered.timeout.as_ref().map(|number| number.as_f64());
            let seconds = seconds.filter(|seconds| *seconds > 0.0).map(|seconds| seconds.min(MAX_SECONDS));
            for id in registered.hook_callback_ids.iter().flatten() {
                found.push(CallbackHook {
                    event,
                    matcher: matcher.clone(),
                    id: id.to_string(),
                    timeout: seconds.map_or(PATIENCE, Duration::from_secs_f64),
                    blocks_on_failure: matches!(registered.on_failure, Some(HookFailure::Block)),
                });
            }
        }
    }
    (found, mistakes)
}

impl CallbackHook {
    /// Calls the host and waits for its answer.
    pub(super) async fn run(&self, stand: &Stand, occasion: &Occasion, input: &HookInput<'static>) -> Reply {
        let mut request = HookCallbackRequest::new(self.id.clone(), input.clone());
        request.tool_use_id = Some(occasion.tool_use_id.clone().unwrap_or_else(fresh_uuid).into());
        let asked = stand.host.ask_within(AgentRequest::HookCallback(Box::new(request)), self.timeout);
        let is_guard = GUARDED.contains(&self.event.name);
        let (why, blocks) = match asked.await {
            Ok(answer) if answer == Raw::NULL => return Reply::Nothing,
            Ok(answer) => match reply::understand(self.event, &answer) {
                Reply::Failed { why, blocks, .. } => (why, blocks || self.blocks_on_failure),
                reply => return reply,
            },
            Err(Unanswered::Refused(error)) => (format!("the host says: {error}"), self.blocks_on_failure),
            Err(Unanswered::Late) => {
                (format!("the host did not answer within {} s", self.timeout.as_secs_f64()), is_guard)
            }
            Err(Unanswered::Gone) => ("the host is gone".to_owned(), is_guard),
            Err(Unanswered::Withdrawn) => return Reply::Nothing,
        };
        let blocks = blocks && self.event.can_block;
        Reply::Failed {
            why: format!("callback {}: {why}", self.id),
            blocks,
            tag: Some("hook_callback_failed"),
        }
    }
}
