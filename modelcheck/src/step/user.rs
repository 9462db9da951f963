use crate::{Decision, Delivery, Fault, InputState, ROWS, System};

/// What the user decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserStep {
    /// Resends an unconfirmed input under a new id.
    Resend(u8),
    /// Drops an unconfirmed input.
    Drop(u8),
    /// Answers the permission request. The bridge commits the decision before it acknowledges it.
    Decide,
}

impl UserStep {
    pub(super) fn collect(model: &Delivery, system: &System, add: &mut impl FnMut(UserStep)) {
        if !system.is_up() {
            return;
        }
        for row in 0..ROWS as u8 {
            if system.log.rows[usize::from(row)].state == InputState::Unconfirmed {
                add(UserStep::Drop(row));
                if system.log.has_room_for_resend(model.bounds.inputs) {
                    add(UserStep::Resend(row));
                }
            }
        }
        if system.log.decision == Decision::Asked && !system.bridge.decision_to_commit {
            add(UserStep::Decide);
        }
    }

    pub(super) fn apply(self, model: &Delivery, system: &mut System) {
        match self {
            UserStep::Resend(row) => {
                let row = &mut system.log.rows[usize::from(row)];
                row.state = InputState::Cancelled;
                let origin = row.origin;
                if system.log.enqueue(origin) {
                    system.history.resends[usize::from(origin)] += 1;
                }
            }
            UserStep::Drop(row) => system.log.rows[usize::from(row)].state = InputState::Cancelled,
            UserStep::Decide if model.has(Fault::AcknowledgesDecisionBeforeCommit) => {
                system.client.decision_acknowledged = true;
                system.bridge.decision_to_commit = true;
            }
            UserStep::Decide => {
                system.log.decision = Decision::Decided;
                system.bridge.decision_to_acknowledge = true;
            }
        }
    }
}
