//! Callback hooks: the agent calls the host and the host answers.

use std::time::Duration;

use aqueduct_wire::control::{AgentRequest, HookCallbackRequest};
use aqueduct_wire::hook::{HookFailure, HookInput, HookMatcher};
use aqueduct_wire::json;
use aqueduct_wire::json::{Json as _, LeftoverKind, Map, Raw, Walk};
use tokio_util::sync::CancellationToken;

use super::occasion::HookOccurrence;
use super::reply::{self, HookReply};
use super::run::HookContext;
use crate::clock::fresh_uuid;
use crate::diagnostic::Diagnostic;
use crate::hook_config::EventMatcher;
use crate::hook_config::HookEventRow;
use crate::host::HostRequestError;

/// The timeout of a callback for which the host sets none.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest accepted timeout: one day.
const MAX_SECONDS: f64 = 86_400.0;

/// Events whose hooks guard an action: a missing answer must not count as approval.
const GUARDED: &[&str] = &["PreToolUse", "UserPromptSubmit", "UserPromptExpansion", "PreModelSwitch"];

/// The consequence of a matcher that can't be parsed.
const RUN_FOR_ALL: &str = "its hooks run for all";

/// A callback hook of the host.
#[derive(Debug, Clone)]
pub(super) struct CallbackHook {
    /// When it runs.
    pub(super) event: &'static HookEventRow,
    /// For which occurrences.
    pub(super) matcher: EventMatcher,
    /// The matcher as it was written.
    pub(super) matcher_text: String,
    /// The id by which the host identifies it.
    pub(super) id: String,
    timeout: Duration,
    /// A missing or invalid answer counts as a refusal.
    blocks_on_failure: bool,
}

/// Parses the hooks that a host registers, and returns the errors in them. An error disables its own hooks at most.
pub(super) fn read(hooks: &Raw<'_>) -> (Vec<CallbackHook>, Vec<Diagnostic>) {
    let mut reading = CallbackReader::default();
    match json::read::<Map<'_, Raw<'_>>>(hooks.as_str()) {
        Some(events) => {
            for (name, matchers) in events.iter() {
                reading.event(name, matchers);
            }
        }
        None => reading.wrong("", "must be an object of events"),
    }
    (reading.found, reading.diagnostics)
}

#[derive(Default)]
struct CallbackReader {
    found: Vec<CallbackHook>,
    diagnostics: Vec<Diagnostic>,
}

impl CallbackReader {
    fn event(&mut self, name: &str, matchers: &Raw<'_>) {
        let Some(event) = HookEventRow::named(name) else {
            return self.wrong(
                &format!(".{name}"),
                Diagnostic::problem("is not an event").clause("its hooks never run"),
            );
        };
        let Some(matchers) = json::read::<Vec<Raw<'_>>>(matchers.as_str()) else {
            return self.wrong(&format!(".{name}"), "must be a list of matchers");
        };
        for (index, matcher) in matchers.iter().enumerate() {
            let at = format!(".{name}[{index}]");
            match json::read::<HookMatcher<'_>>(matcher.as_str()) {
                Some(matcher) => self.matcher(event, &at, &matcher),
                None => self.wrong(&at, "must be an object with \"hookCallbackIds\""),
            }
        }
    }

    fn matcher(&mut self, event: &'static HookEventRow, at: &str, registered: &HookMatcher<'_>) {
        self.leftovers(at, registered);
        let text = registered.matcher.as_deref().unwrap_or_default();
        let matcher = EventMatcher::new(text).unwrap_or_else(|error| {
            // The host asked for a notification: running the hook too often is better than never running it.
            let what = Diagnostic::problem(format!("is not a valid pattern: {error}"));
            self.wrong(&format!("{at}.matcher"), what.clause(RUN_FOR_ALL));
            EventMatcher::All
        });
        let seconds = registered.timeout.as_ref().map(|number| number.as_f64());
        if seconds.is_some_and(|seconds| seconds <= 0.0) {
            let what = Diagnostic::problem("must be a number of seconds");
            self.wrong(&format!("{at}.timeout"), what.ignored());
        }
        let seconds = seconds.filter(|seconds| *seconds > 0.0).map(|seconds| seconds.min(MAX_SECONDS));
        for id in registered.hook_callback_ids.iter().flatten() {
            self.found.push(CallbackHook {
                event,
                matcher: matcher.clone(),
                matcher_text: text.to_owned(),
                id: id.to_string(),
                timeout: seconds.map_or(PATIENCE, Duration::from_secs_f64),
                blocks_on_failure: matches!(registered.on_failure, Some(HookFailure::Block)),
            });
        }
    }

    /// Reports the members that have the wrong type.
    fn leftovers(&mut self, at: &str, registered: &HookMatcher<'_>) {
        let mut found = Vec::new();
        if registered.hook_callback_ids.is_none() {
            found.push(("hookCallbackIds".to_owned(), Diagnostic::problem("must be a list of ids")));
        }
        registered.leftovers(&mut Walk::new(&mut |leftover| match leftover.kind {
            LeftoverKind::Shape("hookCallbackIds") => (),
            LeftoverKind::Shape("matcher") => {
                found.push(("matcher".to_owned(), Diagnostic::problem("must be a text").clause(RUN_FOR_ALL)));
            }
            LeftoverKind::Shape(key) => {
                found.push((key.to_owned(), Diagnostic::problem("can't be that").ignored()))
            }
            LeftoverKind::Name { .. } => {
                let key = leftover.path.last().copied().unwrap_or_default().to_owned();
                found.push((key, Diagnostic::problem(format!("can't be {}", leftover.value)).ignored()));
            }
            _ => (),
        }));
        for (key, what) in found {
            self.wrong(&format!("{at}.{key}"), what);
        }
    }

    /// Reports an error; its message continues the path of the member.
    fn wrong(&mut self, at: &str, what: impl Into<Diagnostic>) {
        let what = what.into();
        let message = format!("hooks{at} {}", what.message);
        self.diagnostics.push(Diagnostic { message, ..what }.of("initialize"));
    }
}

impl CallbackHook {
    /// Calls the host and waits for its answer.
    pub(super) async fn run(
        &self,
        hook_context: &HookContext,
        occasion: &HookOccurrence,
        input: &HookInput<'static>,
        cancel: &CancellationToken,
    ) -> HookReply {
        let mut request = HookCallbackRequest::new(self.id.clone(), input.clone());
        request.tool_use_id = Some(occasion.tool_use_id.clone().unwrap_or_else(fresh_uuid).into());
        let asked =
            hook_context.host.ask_within(AgentRequest::HookCallback(Box::new(request)), self.timeout, cancel);
        let is_guard = GUARDED.contains(&self.event.name);
        let mut tag = Some("hook_callback_failed");
        let (why, blocks) = match asked.await {
            Ok(answer) => match reply::understand(self.event, &answer) {
                HookReply::Failed { why, blocks, .. } => (why, blocks || self.blocks_on_failure),
                reply => return reply,
            },
            Err(HostRequestError::Refused(error)) => {
                (format!("the host returned an error: {error}"), self.blocks_on_failure)
            }
            Err(HostRequestError::Late) => {
                // If nothing depends on the answer, a timeout is not a failure.
                tag = tag.filter(|_| is_guard || self.blocks_on_failure);
                (format!("the host did not answer within {} s", self.timeout.as_secs_f64()), is_guard)
            }
            Err(HostRequestError::Gone) => ("the host is gone".to_owned(), is_guard),
            Err(HostRequestError::Withdrawn) => return HookReply::Nothing,
        };
        let blocks = blocks && self.event.can_block;
        HookReply::Failed { why: format!("callback {}: {why}", self.id), blocks, tag }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_reported_and_the_rest_is_kept() {
        let hooks = Raw::parse(
            r#"{"Bogus":[],"Stop":{},"PreToolUse":[7,{"matcher":"(","hookCallbackIds":["a"]},
                {"matcher":7,"hookCallbackIds":["b"]},{"hookCallbackIds":"c"},{},
                {"hookCallbackIds":["d"],"timeout":-1,"onFailure":"explode"}]}"#,
        );
        let (found, diagnostics) = read(&hooks.unwrap());
        let ids: Vec<&str> = found.iter().map(|hook| hook.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "d"]);
        let shown: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        initialize: hooks.Bogus is not an event; its hooks never run
        initialize: hooks.Stop must be a list of matchers
        initialize: hooks.PreToolUse[0] must be an object with "hookCallbackIds"
        initialize: hooks.PreToolUse[1].matcher is not a valid pattern: unclosed group; its hooks run for all
        initialize: hooks.PreToolUse[2].matcher must be a text; its hooks run for all
        initialize: hooks.PreToolUse[3].hookCallbackIds must be a list of ids
        initialize: hooks.PreToolUse[4].hookCallbackIds must be a list of ids
        initialize: hooks.PreToolUse[5].onFailure can't be explode; it is ignored
        initialize: hooks.PreToolUse[5].timeout must be a number of seconds; it is ignored
        "#);
        let none = read(&Raw::NULL).1;
        assert_eq!(none[0].to_string(), "initialize: hooks must be an object of events");
    }
}
