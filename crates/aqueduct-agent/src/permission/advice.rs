//! What hooks have to say about a call: before the rules, and in the user's place.

use std::time::Duration;

use aqueduct_rules::{Behavior, Decision, Stage};
use aqueduct_tools::OfferedTool;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::frame::ToolDecisionKind;
use aqueduct_wire::hook::{HookPermission, HookPermissionDecision};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::permission::PermissionUpdate;
use tokio::sync::oneshot;

use super::{Gate, Permit, meta};
use crate::hook::{HookedCall, HooksOutcome};

/// How long the host may take before hooks are notified that the user's attention is needed.
const NOTIFY_AFTER: Duration = Duration::from_secs(6);

/// What hosts know a hook's decision by.
pub(super) const HOOK: &str = "hook";

impl Gate<'_> {
    /// What hooks change about the decision of rules and mode: a permit, or the reason why the user is asked.
    pub(super) fn advised(
        &self,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
        advice: &HooksOutcome,
        decision: &Decision,
    ) -> AdvisedDecision {
        let Some((word, reason)) = &advice.permission else { return AdvisedDecision::Nothing };
        // A rule that forbids is above what hooks allow, and so is one that asks.
        let is_forbidden = decision.behavior == Behavior::Deny;
        let is_asked = decision.behavior == Behavior::Ask
            && decision.trace.iter().any(|step| step.step == Stage::Ask && step.behavior == Behavior::Ask);
        // A question to the user needs an answer; a hook can bring one along.
        let is_open = tool.is(|facts| facts.asks_user) && advice.updated_input.is_none();
        match word {
            HookPermission::Allow if !is_forbidden && !is_asked && !is_open => {
                AdvisedDecision::Settled(Permit::Allowed {
                    input: call.input.clone(),
                    meta: meta(ToolDecisionKind::Accept, HOOK, Some(HOOK), None),
                })
            }
            HookPermission::Ask if !is_forbidden => AdvisedDecision::Ask(reason.clone()),
            HookPermission::Defer if !is_forbidden => AdvisedDecision::Settled(Permit::Deferred),
            HookPermission::Deny => {
                let text = format!("PreToolUse:{} hook error: {reason}", tool.name());
                AdvisedDecision::Settled(self.denied(text, HOOK, Some(HOOK), false, "permission-rule"))
            }
            _ => AdvisedDecision::Nothing,
        }
    }

    /// Waits for a hook to decide in the user's place, forever if none does. If no decision is made for a while,
    /// notification hooks run.
    pub(super) async fn decided_by_hook(
        &self,
        tool: &str,
        hooks: &mut Option<oneshot::Receiver<HooksOutcome>>,
    ) -> Ruling {
        let notify = async {
            tokio::time::sleep(NOTIFY_AFTER).await;
            self.session.notified("permission_prompt", &format!("{tool} needs your permission"));
            std::future::pending().await
        };
        let decide = async {
            match ruling(hooks).await {
                Some(ruling) => ruling,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            ruling = decide => ruling,
            never = notify => never,
        }
    }

    /// Does what a hook decided in the user's place. A host that was not asked is notified of a denial.
    pub(super) async fn ruled(
        &self,
        tool: &str,
        call: &ToolUseBlock<'static>,
        ruling: Ruling,
        host_was_asked: bool,
    ) -> Permit {
        match ruling {
            Ruling::Allow { input, updates } => {
                for update in &updates {
                    self.apply(update).await;
                }
                let input = input.unwrap_or_else(|| call.input.clone());
                Permit::Allowed { input, meta: meta(ToolDecisionKind::Accept, HOOK, Some(HOOK), None) }
            }
            Ruling::Deny { message, interrupts } => {
                let text = message.clone().unwrap_or_else(|| format!("A hook denied {tool}"));
                if !host_was_asked {
                    self.send_denied(tool, call, Some(HOOK), message.as_deref(), &text).await;
                }
                self.denied(text, HOOK, Some(HOOK), interrupts, "permission-rule")
            }
        }
    }

    /// Lets hooks answer in the user's place, where there are any.
    pub(super) fn ask_hooks(
        &self,
        call: &ToolUseBlock<'static>,
        suggestions: &[PermissionUpdate<'static>],
    ) -> Option<oneshot::Receiver<HooksOutcome>> {
        self.session.permission_requested(
            HookedCall::of(call, self.agent()),
            suggestions.to_vec(),
            self.cancel,
        )
    }
}

/// What hooks change about the decision of rules and mode.
pub(super) enum AdvisedDecision {
    /// Nothing: the decision is unchanged.
    Nothing,
    /// The user is to be asked, for this reason.
    Ask(String),
    /// It is settled.
    Settled(Permit),
}

/// What a hook decided in the user's place.
pub(super) enum Ruling {
    /// It may run.
    Allow {
        /// With this input instead.
        input: Option<Raw<'static>>,
        /// And this is allowed from now on.
        updates: Vec<PermissionUpdate<'static>>,
    },
    /// It may not.
    Deny {
        /// Why.
        message: Option<String>,
        /// The turn ends with it.
        interrupts: bool,
    },
}

/// What hooks decided; `None` where there are none, or none has decided.
pub(super) async fn ruling(hooks: &mut Option<oneshot::Receiver<HooksOutcome>>) -> Option<Ruling> {
    let outcome = hooks.as_mut()?.await;
    *hooks = None;
    let outcome = outcome.ok()?;
    if let Some(message) = outcome.refusal() {
        return Some(Ruling::Deny { message: Some(message), interrupts: false });
    }
    match outcome.decision? {
        HookPermissionDecision::Allow(allow) => {
            let updates = allow.updated_permissions.unwrap_or_default();
            Some(Ruling::Allow { input: allow.updated_input, updates })
        }
        HookPermissionDecision::Deny(deny) => Some(Ruling::Deny {
            message: deny.message.map(Str::into_string),
            interrupts: deny.interrupt == Some(true),
        }),
        _ => None,
    }
}
