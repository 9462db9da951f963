//! The answer to a permission request.

use aqueduct_rules::Decision;
use aqueduct_tools::OfferedTool;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::control::{PermissionAllow, PermissionDeny, PermissionReply};
use aqueduct_wire::frame::ToolDecisionKind;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::permission::PermissionUpdate;
use serde_json::{Map, Value};

use super::{Gate, Permit, meta};
use crate::trace;

impl Gate<'_> {
    /// Applies the host's answer.
    pub(super) async fn answered(
        &self,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
        decision: Decision,
        payload: &Raw<'_>,
    ) -> Permit {
        match payload.view::<PermissionReply<'_>>() {
            Some(PermissionReply::Allow(allow)) => match updated_input(&allow) {
                Ok(input) => self.allowed(call, allow, input, decision).await,
                Err(why) => self.unanswered(tool, why),
            },
            Some(PermissionReply::Deny(deny)) => self.refused(tool, deny),
            Some(other) if !other.tag().is_empty() => {
                self.unanswered(tool, &format!("behavior must be allow or deny, not {:?}", other.tag()))
            }
            _ => self.unanswered(tool, "the answer is not valid: it has no behavior"),
        }
    }

    /// The denial of a call about which the host gave no answer that can be used. The user has not decided anything.
    pub(super) fn unanswered(&self, tool: &OfferedTool, why: &str) -> Permit {
        let message = format!("The permission request for {} failed: {why}", tool.name());
        self.denied(message, "config", Some("other"), false, "permission-rule")
    }

    fn refused(&self, tool: &OfferedTool, deny: PermissionDeny<'_>) -> Permit {
        if let Some(member) = ["message", "interrupt"].iter().find(|name| deny.extra.get(name).is_some()) {
            return self.unanswered(tool, &format!("the answer is not valid: {member} has another type"));
        }
        match deny.message.map(Str::into_string) {
            Some(message) => {
                let interrupts = deny.interrupt == Some(true);
                self.denied(message, "user_reject", None, interrupts, "permission-rule")
            }
            None => self.unanswered(tool, "a denial needs a message"),
        }
    }

    /// `updatedPermissions` is what the reference takes, `applyPermissionSuggestion` what some documents name. Anything
    /// but a list of updates changes nothing.
    async fn allowed(
        &self,
        call: &ToolUseBlock<'static>,
        allow: PermissionAllow<'_>,
        input: Option<Raw<'static>>,
        decision: Decision,
    ) -> Permit {
        let updates = allow.updated_permissions.into_iter().flatten();
        for update in updates.chain(allow.apply_permission_suggestion) {
            match suggestion(&update) {
                None => self.apply(&update).await,
                Some(index) => match decision.suggestions.get(index) {
                    Some(suggested) => self.apply(suggested).await,
                    None => trace::suggestion_unknown(index as u64),
                },
            }
        }
        let input = input.unwrap_or_else(|| call.input.clone());
        Permit::Allowed { input, meta: meta(ToolDecisionKind::Accept, "user_temporary", None, None) }
    }
}

/// The input that an answer changes the call's to, if it does: an empty object does not.
fn updated_input(allow: &PermissionAllow<'_>) -> Result<Option<Raw<'static>>, &'static str> {
    const NO_OBJECT: &str = "updatedInput must be an object";
    let Some(input) = &allow.updated_input else {
        return if allow.is_null("updatedInput") { Err(NO_OBJECT) } else { Ok(None) };
    };
    let members: Map<String, Value> = input.to().map_err(|_| NO_OBJECT)?;
    Ok((!members.is_empty()).then(|| input.clone().into_owned()))
}

/// Old hosts say which suggestion they mean by its number.
fn suggestion(update: &PermissionUpdate<'_>) -> Option<usize> {
    match update {
        PermissionUpdate::Unknown(unknown) => unknown.raw.as_str().parse().ok(),
        _ => None,
    }
}
