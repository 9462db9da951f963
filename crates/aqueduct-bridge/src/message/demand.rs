//! What a message needs beyond the shapes of its members.

use aqueduct_wire::json::Number;
use aqueduct_wire::permission::Destination;

use super::ClientMessage;

/// The member that is not as it has to be, and what it has to be.
pub(super) fn unmet(message: &ClientMessage<'_>) -> Option<(&'static str, &'static str)> {
    match message {
        ClientMessage::Input(input) => {
            let is_empty = input.text.trim().is_empty()
                && input.images.as_ref().is_none_or(Vec::is_empty)
                && input.blocks.as_ref().is_none_or(Vec::is_empty);
            is_empty.then_some(("text", "is empty, and there are neither images nor blocks"))
        }
        ClientMessage::Answer(answer) => {
            let has_answer = answer.result.is_some() || answer.answers.is_some() || answer.content.is_some();
            (!has_answer).then_some(("answers", "is missing, and so are `result` and `content`"))
        }
        ClientMessage::ApproveAlways(approval) => {
            let writable = approval.destination.as_ref().is_none_or(is_writable);
            let demand = "must be session, localSettings, projectSettings or userSettings";
            (!writable).then_some(("destination", demand))
        }
        ClientMessage::RenameDevice(rename) => rename.name.trim().is_empty().then_some(("name", "is empty")),
        ClientMessage::Start(start) => budget(start.budget_usd.as_ref()),
        ClientMessage::SetBudget(set) => budget(set.budget_usd.as_ref()),
        ClientMessage::Approve(approval) => budget(approval.budget_usd.as_ref()),
        _ => None,
    }
}

/// Whether people can put rules there.
fn is_writable(destination: &Destination<'_>) -> bool {
    matches!(
        destination,
        Destination::Session
            | Destination::LocalSettings
            | Destination::ProjectSettings
            | Destination::UserSettings
    )
}

fn budget(dollars: Option<&Number<'_>>) -> Option<(&'static str, &'static str)> {
    let dollars = dollars?.as_f64();
    let is_amount = dollars.is_finite() && dollars > 0.0;
    (!is_amount).then_some(("budgetUsd", "must be more than 0"))
}
