//! The event log of the bridge: durable, changed by one commit at a time.

use crate::ROWS;

/// The state of an input in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum InputState {
    /// The row does not exist.
    #[default]
    Absent,
    /// Committed; no agent has it.
    Queued,
    /// Committed before it is offered to a keeper.
    Sent,
    /// An event shows that the agent began with it.
    Taken,
    /// Its turn is over, or was cut off by the agent's end.
    Done,
    /// The keeper's journal shows that no agent has it. The next agent gets it first.
    Returned,
    /// Whether an agent has it is unknown. The user is asked.
    Unconfirmed,
    /// The user dropped it, or resent it under a new id.
    Cancelled,
}

/// A permission decision in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The agent has not asked.
    #[default]
    None,
    /// The agent waits for it.
    Asked,
    /// The user has decided; whether the agent knows is open.
    Decided,
    /// The keeper has confirmed that the agent was given it.
    Settled,
    /// The agent is gone.
    Withdrawn,
}

/// An input in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Row {
    /// How far it is.
    pub state: InputState,
    /// Which input of the client it came from.
    pub origin: u8,
}

/// The log. Every change is one transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Log {
    /// The inputs, in the order of their arrival.
    pub rows: [Row; ROWS],
    /// The keeper of the session's agent.
    pub keeper: Option<u8>,
    /// The permission decision of the one turn that needs one.
    pub decision: Decision,
}

impl Log {
    /// Whether an input of the client is in the log.
    pub fn knows(&self, input: u8) -> bool {
        self.rows.iter().any(|row| row.state != InputState::Absent && row.origin == input)
    }

    /// Adds an input at the end of the queue. Returns false where the bound of rows is reached.
    pub fn enqueue(&mut self, origin: u8) -> bool {
        let free = self.rows.iter_mut().find(|row| row.state == InputState::Absent);
        let Some(row) = free else { return false };
        *row = Row { state: InputState::Queued, origin };
        true
    }

    /// Whether a row is left for another input, and for each one that the client has not sent yet.
    pub fn has_room_for_resend(&self, inputs: u8) -> bool {
        let used = self.rows.iter().filter(|row| row.state != InputState::Absent).count();
        let expected = (0..inputs).filter(|input| !self.knows(*input)).count();
        used + expected < ROWS.min(usize::from(inputs) + 1)
    }

    /// The input to send next: a returned one before all others.
    pub fn next(&self) -> Option<u8> {
        let first = |state| self.rows.iter().position(|row| row.state == state);
        first(InputState::Returned).or_else(|| first(InputState::Queued)).map(|row| row as u8)
    }

    /// Whether an agent has an input.
    pub fn is_busy(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.state, InputState::Sent | InputState::Taken))
    }
}
