//! Decisions of clients, as sessions take them.

use aqueduct_wire::permission::{Destination, PermissionUpdate, RuleBehavior, RuleSyntaxError, RuleValue};

use crate::failure::Failure;
use crate::message::client::ApproveAlways;
use crate::message::{ClientMessage, ErrorCode};
use crate::session::ClientDecision;

/// The decision in a message.
pub(super) fn decision(message: ClientMessage<'static>) -> Result<ClientDecision, Failure> {
    match message {
        ClientMessage::Approve(message) => Ok(ClientDecision::Approve(message)),
        ClientMessage::ApproveAlways(mut message) => {
            message.updates = updates(&message)?;
            Ok(ClientDecision::ApproveAlways(message))
        }
        ClientMessage::Reject(message) => Ok(ClientDecision::Reject(message)),
        ClientMessage::Answer(message) => Ok(ClientDecision::Answer(message)),
        _ => Err(Failure::new(ErrorCode::Internal, "this is not a decision")),
    }
}

/// Refuses a decision that does not name both its session and the input that was shown.
pub(super) fn require_names(decision: &ClientDecision) -> Result<(), Failure> {
    let missing = match (decision.session(), decision.input_hash()) {
        (Some(_), Some(_)) => return Ok(()),
        (None, _) => "sessionId",
        (_, None) => "inputHash",
    };
    let message = format!(
        "`{missing}` is missing: this bridge (--strict-decisions) takes decisions only with the request's \
         `sessionId` and `inputHash`"
    );
    Err(Failure::new(ErrorCode::InvalidMessage, message))
}

/// The updates that "always" makes; none where the narrowest suggestion is meant.
fn updates(message: &ApproveAlways<'static>) -> Result<Option<Vec<PermissionUpdate<'static>>>, Failure> {
    if message.updates.is_some() {
        return Ok(message.updates.clone());
    }
    let Some(rules) = message.rules.as_ref().filter(|rules| !rules.is_empty()) else { return Ok(None) };
    let rules: Result<Vec<RuleValue<'static>>, RuleSyntaxError> =
        rules.iter().map(|rule| rule.parse()).collect();
    let rules = rules.map_err(|error| Failure::of(ErrorCode::InvalidMessage, &error))?;
    let destination = message.destination.clone().unwrap_or(Destination::Session);
    Ok(Some(vec![PermissionUpdate::add_rules(rules, RuleBehavior::Allow, destination)]))
}
