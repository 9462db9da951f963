//! What the bridge commits when the agent is gone.

use crate::{Decision, Delivery, Fate, Fault, Folder, Frame, InputState, Line, System};

/// Commits the end of an agent in one transaction: the state of each input, the open permission request, and
/// that the session has no keeper. The journal decides about inputs that were sent; a missing journal
/// decides nothing.
pub(super) fn commit_end(model: &Delivery, system: &mut System, index: u8, was_ready: bool) {
    let keeper = *system.keeper(index);
    for (row, input) in system.log.rows.iter_mut().enumerate() {
        let fate = match keeper.folder {
            Folder::Missing if model.has(Fault::TakesMissingFolderAsProof) => Fate::None,
            Folder::Missing => Fate::Begun,
            Folder::Present | Folder::Closed => keeper.fate(Line::Input(row as u8)),
        };
        input.state = match input.state {
            InputState::Taken => InputState::Done,
            InputState::Sent if !was_ready && model.has(Fault::TrustsReadiness) => InputState::Returned,
            InputState::Sent if fate == Fate::None => InputState::Returned,
            InputState::Sent if model.has(Fault::GivesUnconfirmedAgain) => InputState::Returned,
            InputState::Sent if model.has(Fault::LeavesUnconfirmedSent) => InputState::Sent,
            InputState::Sent => InputState::Unconfirmed,
            other => other,
        };
    }
    if matches!(system.log.decision, Decision::Asked | Decision::Decided) {
        system.log.decision = Decision::Withdrawn;
    }
    system.log.keeper = None;
    system.bridge.offered = Default::default();
    system.bridge.has_offered_decision = false;
    system.bridge.cursor_is_behind = false;
    system.bridge.in_hand = None;
}

/// Commits the oldest frame of the spool, what follows from it, and the cursor behind it in one transaction,
/// then acknowledges it.
pub(super) fn commit_event(model: &Delivery, system: &mut System, index: u8) {
    if model.has(Fault::AcknowledgesOutputBeforeCommit) {
        // The first step takes the frame from the spool, the second commits it.
        if system.bridge.in_hand.is_none() {
            system.bridge.in_hand = system.keeper_mut(index).spool.pop();
            return;
        }
    }
    if system.bridge.cursor_is_behind {
        system.bridge.cursor_is_behind = false;
        system.keeper_mut(index).spool.pop();
        return;
    }
    let entry = match system.bridge.in_hand.take() {
        Some(entry) => Some(entry),
        None if model.has(Fault::CommitsWithoutCursor) => {
            system.bridge.cursor_is_behind = true;
            system.keeper(index).spool.first()
        }
        None => system.keeper_mut(index).spool.pop(),
    };
    let Some(entry) = entry else { return };
    let keeper = system.keeper_mut(index);
    let is_next = entry.position == keeper.committed;
    keeper.committed = entry.position + 1;
    system.history.is_misordered |= !is_next;
    match entry.frame {
        Frame::Began(row) => advance(system, row, InputState::Taken),
        Frame::Finished(row) => advance(system, row, InputState::Done),
        Frame::Known(_) if model.has(Fault::IgnoresKnownInput) => {}
        Frame::Known(row) => advance(system, row, InputState::Done),
        Frame::Asked(_) if system.log.decision == Decision::None => system.log.decision = Decision::Asked,
        Frame::Asked(_) => {}
    }
}

fn advance(system: &mut System, row: u8, to: InputState) {
    let state = &mut system.log.rows[usize::from(row)].state;
    if matches!(state, InputState::Sent | InputState::Taken | InputState::Returned) {
        *state = to;
    }
}
