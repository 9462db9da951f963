//! What a message needs beyond the scope in its row, where that depends on its content.
//!
//! The row of a message in `client_messages!` names the least scope, and may name one of these functions, which
//! raises it. An unknown mode or destination counts as the most powerful one.

use std::fmt;

use aqueduct_wire::permission::{Destination, PermissionMode, PermissionUpdate};

use super::Scope;
use super::bridge::PermissionKind;
use super::client::{Approve, ApproveAlways, PairDevice, ResumeSession, SetPermissionMode, Start};

/// What a message needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageNeed {
    /// The least scope.
    pub scope: Scope,
    /// What has to be confirmed first, by repeating the request with the value of `confirmation_required`.
    pub consequence: Option<Consequence>,
}

/// What happens if the request is carried out, for the person who confirms it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consequence {
    /// Another device or program gets access.
    Pairing(Scope),
    /// The user settings change.
    UserSettings,
    /// An agent stops asking.
    Bypass,
    /// An agent enters a mode that the bridge does not know.
    UnknownMode(String),
}

impl MessageNeed {
    /// A scope and nothing else.
    pub fn scope(scope: Scope) -> Self {
        MessageNeed { scope, consequence: None }
    }

    fn confirmed(consequence: Consequence) -> Self {
        MessageNeed { scope: Scope::Admin, consequence: Some(consequence) }
    }

    /// The larger of two needs.
    pub(super) fn and(self, other: MessageNeed) -> Self {
        MessageNeed {
            scope: self.scope.max(other.scope),
            consequence: self.consequence.or(other.consequence),
        }
    }
}

impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Consequence::Pairing(scope) => {
                let can = match scope {
                    Scope::Watch => "can read every session, its files and its history",
                    Scope::Decide => "can read every session and approve what agents ask for",
                    Scope::Operate => "can run commands on this machine in your name",
                    Scope::Admin => "can run commands on this machine in your name and give access to others",
                };
                write!(f, "The first device that opens the link gets the scope `{}` and {can}", scope.as_str())
            }
            Consequence::UserSettings => f.write_str(
                "The change goes to your user settings: agents follow it in every project on this machine, also \
                 outside this bridge, until you remove it",
            ),
            Consequence::Bypass => f.write_str(
                "The agent runs every command and changes every file without asking anyone, until the mode is \
                 changed",
            ),
            Consequence::UnknownMode(mode) => write!(
                f,
                "The bridge does not know the permission mode `{mode:.40}`: the agent may stop asking before it \
                 runs commands"
            ),
        }
    }
}

/// What entering a mode needs.
fn mode(mode: &PermissionMode<'_>) -> MessageNeed {
    match mode {
        PermissionMode::Default | PermissionMode::Plan | PermissionMode::Manual => {
            MessageNeed::scope(Scope::Decide)
        }
        PermissionMode::AcceptEdits
        | PermissionMode::DontAsk
        | PermissionMode::Delegate
        | PermissionMode::Auto => MessageNeed::scope(Scope::Operate),
        PermissionMode::BypassPermissions => MessageNeed::confirmed(Consequence::Bypass),
        other => MessageNeed::confirmed(Consequence::UnknownMode(other.as_str().to_owned())),
    }
}

/// What a change with this destination needs.
fn destination(destination: Option<&Destination<'_>>) -> MessageNeed {
    match destination {
        Some(Destination::Session | Destination::LocalSettings | Destination::ProjectSettings) => {
            MessageNeed::scope(Scope::Operate)
        }
        _ => MessageNeed::confirmed(Consequence::UserSettings),
    }
}

fn update(update: &PermissionUpdate<'_>) -> MessageNeed {
    match update {
        PermissionUpdate::AddRules(rules)
        | PermissionUpdate::ReplaceRules(rules)
        | PermissionUpdate::RemoveRules(rules) => destination(rules.destination.as_ref()),
        PermissionUpdate::SetMode(set) => mode(&set.mode).and(destination(set.destination.as_ref())),
        PermissionUpdate::AddDirectories(directories) | PermissionUpdate::RemoveDirectories(directories) => {
            destination(directories.destination.as_ref())
        }
        _ => MessageNeed::confirmed(Consequence::UserSettings),
    }
}

pub(super) fn start(message: &Start<'_>) -> MessageNeed {
    message.permission_mode.as_ref().map_or(MessageNeed::scope(Scope::Operate), mode)
}

pub(super) fn resume(message: &ResumeSession<'_>) -> MessageNeed {
    message.permission_mode.as_ref().map_or(MessageNeed::scope(Scope::Operate), mode)
}

pub(super) fn set_mode(message: &SetPermissionMode<'_>) -> MessageNeed {
    mode(&message.mode)
}

/// Another input is another command, a mode and a budget last longer than the question.
pub(super) fn approve(message: &Approve<'_>) -> MessageNeed {
    let changes = message.updated_input.is_some() || message.budget_usd.is_some();
    let need = MessageNeed::scope(if changes { Scope::Operate } else { Scope::Decide });
    message.mode.as_ref().map(mode).into_iter().fold(need, MessageNeed::and)
}

/// Without `updates` and `destination` the rules are the session's.
pub(super) fn approve_always(message: &ApproveAlways<'_>) -> MessageNeed {
    let named = message.destination.as_ref().map(|named| destination(Some(named)));
    let updates = message.updates.iter().flatten().map(update);
    named.into_iter().chain(updates).fold(MessageNeed::scope(Scope::Operate), MessageNeed::and)
}

pub(super) fn pair(message: &PairDevice<'_>) -> MessageNeed {
    MessageNeed::confirmed(Consequence::Pairing(message.granted_scope()))
}

/// What a decision about an open question needs, once the question is known. Approving a retry adds a rule to the session
/// and starts its agent again; approving a resend gives the agent an input. The message of a rejection becomes an input if the bridge itself asked.
pub(crate) fn of_decision(kind: &PermissionKind<'_>, approves: bool, is_input: bool) -> Scope {
    match kind {
        PermissionKind::Retry | PermissionKind::Resend if approves => Scope::Operate,
        _ if is_input => Scope::Operate,
        _ => Scope::Decide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_that_starts_something_is_more_than_a_decision() {
        use PermissionKind as K;
        for kind in [K::Permission, K::Question, K::Plan, K::Elicitation, K::Budget] {
            assert_eq!(of_decision(&kind, true, false), Scope::Decide, "{kind:?}");
            assert_eq!(of_decision(&kind, false, false), Scope::Decide, "{kind:?}");
        }
        assert_eq!(of_decision(&K::Retry, true, false), Scope::Operate, "a rule for the session");
        assert_eq!(of_decision(&K::Resend, true, false), Scope::Operate, "an input to the agent");
        assert_eq!(of_decision(&K::Retry, false, false), Scope::Decide);
        assert_eq!(of_decision(&K::Resend, false, false), Scope::Decide);
        assert_eq!(of_decision(&K::Budget, false, true), Scope::Operate, "an input to the agent");
    }
}
