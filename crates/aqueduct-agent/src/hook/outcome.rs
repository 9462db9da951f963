//! The combined outcome of all hooks of an occurrence.

use std::path::PathBuf;

use aqueduct_wire::control::ElicitationReply;
use aqueduct_wire::hook::{
    HookDecision, HookOutput, HookPermission, HookPermissionDecision, HookSpecificOutput,
};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::system::Informational;

use super::reply::HookReply;
use crate::hook_config::HookEventRow;

/// The reason of a refusal that gives none.
const NO_REASON: &str = "Blocked by hook";

/// The combined outcome of all hooks of an occurrence.
#[derive(Debug, Default)]
pub(crate) struct HooksOutcome {
    /// The strictest decision on the call, and its reason.
    pub(crate) permission: Option<(HookPermission<'static>, String)>,
    /// Why hooks refused, one text each.
    pub(crate) blocks: Vec<String>,
    /// The reason that the first of them gave, without the command that gave it.
    pub(crate) reason: Option<String>,
    /// The turn is to end, for this reason.
    pub(crate) stop: Option<String>,
    /// Context for the model.
    pub(crate) contexts: Vec<String>,
    /// The input that the call runs with instead.
    pub(crate) updated_input: Option<Raw<'static>>,
    /// The result that takes the place of the tool's.
    pub(crate) updated_output: Option<Raw<'static>>,
    /// The result that takes the place of an MCP tool's.
    pub(crate) updated_mcp_output: Option<Raw<'static>>,
    /// An answer in the user's place.
    pub(crate) decision: Option<HookPermissionDecision<'static>>,
    /// What an MCP server is answered in the user's place.
    pub(crate) elicited: Option<Raw<'static>>,
    /// What people see in place of an answer.
    pub(crate) shown: Option<String>,
    /// Files that a hook watches.
    pub(super) watch: Vec<PathBuf>,
    /// A title for the conversation.
    pub(crate) title: Option<String>,
    /// The first prompt of the session, as if the user had entered it.
    pub(crate) first_prompt: Option<String>,
    /// The model may try a denied call again.
    pub(crate) may_retry: bool,
    /// Where the prompt is refused, people do not read it again.
    pub(crate) hides_prompt: bool,
    /// What people are to be shown.
    pub(crate) messages: Vec<String>,
    /// Notices that the turn has yet to send.
    pub(crate) notices: Vec<Informational<'static>>,
    /// Hooks that failed.
    pub(super) failures: Vec<FailedHook>,
    /// The user interrupted the turn before all hooks were done.
    pub(crate) interrupted: bool,
}

/// A hook that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailedHook {
    /// Why.
    pub(super) why: String,
    /// What hosts know this kind of failure by.
    pub(super) tag: Option<&'static str>,
}

impl HooksOutcome {
    /// The reasons of all refusals.
    pub(crate) fn refusal(&self) -> Option<String> {
        (!self.blocks.is_empty()).then(|| self.blocks.join("\n"))
    }

    /// Adds the reply of one hook.
    pub(super) fn take(&mut self, event: &HookEventRow, reply: HookReply) {
        match reply {
            HookReply::Nothing => (),
            HookReply::Printed(text) if event.adds_output => self.contexts.push(text),
            HookReply::Printed(_) => (),
            HookReply::Blocked { .. } if event.has_own_decision => (),
            HookReply::Blocked { why, reason } => {
                self.reason = self.reason.take().or(reason.filter(|_| self.blocks.is_empty()));
                self.block(event, why);
            }
            HookReply::Judged { why, stop } => {
                // A prompt that is only stopped stays in the conversation.
                if stop.is_none() || event.name != "UserPromptSubmit" {
                    self.block(event, why);
                }
                self.stop = self.stop.take().or(stop);
            }
            HookReply::Failed { why, blocks, tag } => {
                if blocks {
                    self.block(event, why.clone());
                }
                self.failures.push(FailedHook { why, tag });
            }
            HookReply::Output(output) => self.take_output(event, *output),
        }
    }

    fn take_output(&mut self, event: &HookEventRow, output: HookOutput<'static>) {
        let reason = output.reason.map(Str::into_string);
        match output.decision {
            Some(HookDecision::Block) if !event.has_own_decision => {
                let given = reason.clone().filter(|text| self.blocks.is_empty() && !text.trim().is_empty());
                self.reason = self.reason.take().or(given);
                self.block(event, reason.unwrap_or_default());
            }
            Some(HookDecision::Approve) if event.name == "PreToolUse" => {
                self.judge(HookPermission::Allow, reason.unwrap_or_default());
            }
            _ => (),
        }
        if output.goes_on == Some(false) {
            let why = output.stop_reason.map(Str::into_string).unwrap_or_default();
            self.stop.get_or_insert(why);
        }
        self.messages.extend(output.system_message.map(Str::into_string));
        if let Some(specific) = output.specific {
            self.take_specific(event, *specific);
        }
    }

    fn take_specific(&mut self, event: &HookEventRow, specific: HookSpecificOutput<'static>) {
        let mut context = None;
        match specific {
            HookSpecificOutput::PreToolUse(output) => {
                context = output.additional_context;
                self.updated_input = output.updated_input.or(self.updated_input.take());
                self.permit(event, output.permission_decision, output.permission_decision_reason);
            }
            HookSpecificOutput::PostToolUse(output) => {
                context = output.additional_context;
                self.updated_output = output.updated_tool_output.or(self.updated_output.take());
                self.updated_mcp_output = output.updated_mcp_tool_output.or(self.updated_mcp_output.take());
            }
            HookSpecificOutput::PermissionRequest(output) => self.decide(output.decision),
            HookSpecificOutput::PermissionDenied(output) => self.may_retry |= output.retry == Some(true),
            HookSpecificOutput::UserPromptSubmit(output) => {
                context = output.additional_context;
                self.title = output.session_title.map(Str::into_string).or(self.title.take());
                self.hides_prompt |= output.suppress_original_prompt == Some(true);
            }
            HookSpecificOutput::UserPromptExpansion(output) => {
                context = output.additional_context;
                self.hides_prompt |= output.suppress_original_prompt == Some(true);
            }
            HookSpecificOutput::SessionStart(output) => {
                context = output.additional_context;
                self.title = output.session_title.map(Str::into_string).or(self.title.take());
                let first = output.initial_user_message.map(Str::into_string);
                self.first_prompt = first.or(self.first_prompt.take());
                self.watch(output.watch_paths);
            }
            HookSpecificOutput::Elicitation(output) | HookSpecificOutput::ElicitationResult(output) => {
                let answer = output.action.map(|action| {
                    let mut answer = ElicitationReply::new(action);
                    answer.content = output.content;
                    Raw::written(&answer)
                });
                self.elicited = self.elicited.take().or(answer);
            }
            HookSpecificOutput::CwdChanged(output) | HookSpecificOutput::FileChanged(output) => {
                self.watch(output.watch_paths);
            }
            HookSpecificOutput::MessageDisplay(output) => {
                self.shown = output.display_content.map(Str::into_string).or(self.shown.take());
            }
            HookSpecificOutput::PreModelSwitch(output) => {
                self.permit(event, output.permission_decision, output.permission_decision_reason);
            }
            HookSpecificOutput::PostToolUseFailure(output)
            | HookSpecificOutput::PostToolBatch(output)
            | HookSpecificOutput::Stop(output)
            | HookSpecificOutput::SubagentStart(output)
            | HookSpecificOutput::SubagentStop(output)
            | HookSpecificOutput::PostModelSwitch(output)
            | HookSpecificOutput::Notification(output)
            | HookSpecificOutput::Setup(output) => context = output.additional_context,
            _ => (),
        }
        self.contexts.extend(context.map(Str::into_string).filter(|text| !text.trim().is_empty()));
    }

    fn watch(&mut self, paths: Option<Vec<Str<'_>>>) {
        self.watch.extend(paths.into_iter().flatten().map(|path| PathBuf::from(path.as_str())));
    }

    fn permit(
        &mut self,
        event: &HookEventRow,
        word: Option<HookPermission<'static>>,
        reason: Option<Str<'_>>,
    ) {
        let reason = reason.map(Str::into_string).unwrap_or_default();
        match word {
            Some(HookPermission::Deny) => self.block(event, reason),
            Some(word) => self.judge(word, reason),
            None => (),
        }
    }

    /// A refusal is also the strictest decision.
    fn block(&mut self, event: &HookEventRow, why: String) {
        if !event.can_block {
            return;
        }
        let why = if why.trim().is_empty() { NO_REASON.to_owned() } else { why };
        self.judge(HookPermission::Deny, why.clone());
        self.blocks.push(why);
    }

    /// The strictest decision counts; of equal ones, the first.
    fn judge(&mut self, word: HookPermission<'static>, reason: String) {
        let known = self.permission.as_ref().map_or(0, |(known, _)| strictness(known));
        if strictness(&word) > known {
            self.permission = Some((word, reason));
        }
    }

    /// A refusal on the user's behalf overrides an approval.
    fn decide(&mut self, decision: Option<HookPermissionDecision<'static>>) {
        let is_no =
            |decision: &HookPermissionDecision<'_>| matches!(decision, HookPermissionDecision::Deny(_));
        if let Some(decision) = decision
            && (self.decision.is_none() || is_no(&decision) && !self.decision.as_ref().is_some_and(is_no))
        {
            self.decision = Some(decision);
        }
    }
}

/// The rank of a hook's decision by strictness, from 1; an unknown decision has no effect.
fn strictness(word: &HookPermission<'_>) -> u8 {
    match word {
        HookPermission::Allow => 1,
        HookPermission::Ask => 2,
        // The turn ends, and the call is left to the host.
        HookPermission::Defer => 3,
        HookPermission::Deny => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply;
    use super::*;

    fn outcome(event: &str, answers: &[&str]) -> HooksOutcome {
        let event = HookEventRow::named(event).unwrap();
        let mut outcome = HooksOutcome::default();
        for answer in answers {
            outcome.take(event, reply::read(event, answer));
        }
        assert_eq!(outcome.failures, []);
        outcome
    }

    fn word(decision: &str) -> String {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{decision}","permissionDecisionReason":"r-{decision}"}}}}"#
        )
    }

    #[test]
    fn the_strictest_decision_counts_in_any_order() {
        let words = ["allow", "ask", "defer", "deny"].map(word);
        for strictest in 0..words.len() {
            let mut decisions: Vec<&str> = words[..=strictest].iter().map(String::as_str).collect();
            let forwards = outcome("PreToolUse", &decisions).permission.unwrap();
            decisions.reverse();
            let backwards = outcome("PreToolUse", &decisions).permission.unwrap();
            assert_eq!(forwards, backwards);
            assert_eq!(forwards.1, ["r-allow", "r-ask", "r-defer", "r-deny"][strictest]);
        }
    }

    #[test]
    fn the_old_decisions_are_understood() {
        let blocked = outcome("PreToolUse", &[r#"{"decision":"block","reason":"no"}"#]);
        assert_eq!(blocked.permission, Some((HookPermission::Deny, "no".to_owned())));
        let approved = outcome("PreToolUse", &[r#"{"decision":"approve"}"#]);
        assert_eq!(approved.permission, Some((HookPermission::Allow, String::new())));
        // A refusal has no effect on an event that can't be blocked.
        assert_eq!(outcome("SessionEnd", &[r#"{"decision":"block","reason":"no"}"#]).refusal(), None);
        // Nor on one that has a decision of its own.
        assert_eq!(outcome("PermissionRequest", &[r#"{"decision":"block","reason":"no"}"#]).refusal(), None);
    }

    #[test]
    fn the_reason_is_that_of_the_first_refusal() {
        let (with, without) = (r#"{"decision":"block","reason":"no"}"#, r#"{"decision":"block"}"#);
        assert_eq!(outcome("UserPromptSubmit", &[with, without]).reason.as_deref(), Some("no"));
        assert_eq!(outcome("UserPromptSubmit", &[without, with]).reason, None);
    }

    #[test]
    fn a_refusal_on_the_users_behalf_overrides_an_approval() {
        let decision = |behavior: &str| {
            format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":"PermissionRequest","decision":{{"behavior":"{behavior}"}}}}}}"#
            )
        };
        for order in [["allow", "deny"], ["deny", "allow"]] {
            let answers = order.map(decision);
            let outcome = outcome("PermissionRequest", &[&answers[0], &answers[1]]);
            assert!(matches!(outcome.decision, Some(HookPermissionDecision::Deny(_))));
        }
    }

    #[test]
    fn printed_text_is_added_where_it_is_meant_for_the_model() {
        assert_eq!(outcome("UserPromptSubmit", &["mind the gap\n"]).contexts, ["mind the gap"]);
        assert!(outcome("PreToolUse", &["mind the gap\n"]).contexts.is_empty());
    }
}
