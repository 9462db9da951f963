//! The state of all processes, durable and volatile.

use crate::{
    Activity, Decision, Entry, Folder, INPUTS, InputState, KEEPERS, Keeper, Line, Log, Process, ROWS,
};

/// What the bridge does about the session's agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Not running.
    #[default]
    Down,
    /// Reads the log to find the keeper.
    Looking,
    /// No keeper is needed so far.
    Idle,
    /// The name of a new keeper is committed.
    Named(u8),
    /// Its folder is made.
    Prepared(u8),
    /// Its process is started.
    Starting(u8),
    /// Connected to the keeper.
    Attached {
        /// Which keeper.
        keeper: u8,
        /// The agent has answered `initialize` on this connection.
        is_ready: bool,
    },
    /// Holds the lock of a dead keeper's folder.
    Closing {
        /// Which keeper.
        keeper: u8,
        /// How far it is.
        stage: Closing,
    },
}

/// How far the bridge is with a dead keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Closing {
    /// It has the lock.
    Locked,
    /// The folder has its mark; the remains are being read.
    Marked,
    /// All is committed; the folder is to be deleted.
    Committed,
}

/// The volatile state of the bridge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bridge {
    /// What it does about the agent.
    pub phase: Phase,
    /// Inputs that are committed and not acknowledged on this connection.
    pub to_acknowledge: [bool; INPUTS],
    /// Inputs that were acknowledged and are to be committed. Only a faulty bridge has these.
    pub to_commit: [bool; INPUTS],
    /// Rows that were offered to the keeper on this connection.
    pub offered: [bool; ROWS],
    /// The decision was offered to the keeper on this connection.
    pub has_offered_decision: bool,
    /// The bridge was restarted, or attached again, since the decision was made.
    pub has_reattached: bool,
    /// A decision is committed and not acknowledged.
    pub decision_to_acknowledge: bool,
    /// A decision was acknowledged and is to be committed. Only a faulty bridge has this.
    pub decision_to_commit: bool,
    /// A keeper whose agent has ended and which is to leave.
    pub dismissing: Option<u8>,
    /// A frame that is in the log while the cursor is behind it. Only a faulty bridge has this.
    pub cursor_is_behind: bool,
    /// A frame that left the spool and is not in the log. Only a faulty bridge has this.
    pub in_hand: Option<Entry>,
}

/// The client: sends each input until it is acknowledged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// Which inputs were acknowledged.
    pub acknowledged: [bool; INPUTS],
    /// The decision was acknowledged.
    pub decision_acknowledged: bool,
}

/// What really happened. No process reads it, except for the transcript of an agent that remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct History {
    /// How often an agent ran each row.
    pub runs: [u8; ROWS],
    /// How often the user resent each input of the client.
    pub resends: [u8; INPUTS],
    /// How often an agent read a decision.
    pub decisions: u8,
    /// A frame was committed twice or out of order.
    pub is_misordered: bool,
    /// A spooled frame was deleted before it was committed.
    pub has_lost_output: bool,
}

/// How many more accidents may happen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Deaths of bridge, keeper and agent, and keepers that are given up.
    pub crashes: u8,
    /// Freezes of a keeper.
    pub freezes: u8,
    /// Removals of a keeper's folder.
    pub removals: u8,
    /// Replacements of the log by an old copy.
    pub restores: u8,
}

/// The whole system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct System {
    /// The client.
    pub client: Client,
    /// The durable log.
    pub log: Log,
    /// The bridge.
    pub bridge: Bridge,
    /// Keepers with their folders and agents.
    pub keepers: [Keeper; KEEPERS],
    /// What really happened.
    pub history: History,
    /// What may still happen.
    pub budget: Budget,
}

impl System {
    /// The keeper at this index.
    pub fn keeper(&self, index: u8) -> &Keeper {
        &self.keepers[usize::from(index)]
    }

    /// The keeper at this index.
    pub fn keeper_mut(&mut self, index: u8) -> &mut Keeper {
        &mut self.keepers[usize::from(index)]
    }

    /// The keeper that the bridge is attached to.
    pub fn attached(&self) -> Option<u8> {
        match self.bridge.phase {
            Phase::Attached { keeper, .. } => Some(keeper),
            _ => None,
        }
    }

    /// Whether the bridge runs.
    pub fn is_up(&self) -> bool {
        self.bridge.phase != Phase::Down
    }

    /// Whether the log or the bridge refers to this keeper.
    pub fn is_referenced(&self, index: u8) -> bool {
        let in_phase = match self.bridge.phase {
            Phase::Down | Phase::Looking | Phase::Idle => None,
            Phase::Named(keeper) | Phase::Prepared(keeper) | Phase::Starting(keeper) => Some(keeper),
            Phase::Attached { keeper, .. } | Phase::Closing { keeper, .. } => Some(keeper),
        };
        [self.log.keeper, self.bridge.dismissing, in_phase].contains(&Some(index))
    }

    /// Whether nothing of this keeper is left, so that its index can be reused.
    pub fn is_free(&self, index: u8) -> bool {
        let keeper = self.keeper(index);
        keeper.process == Process::Gone && keeper.folder == Folder::Missing && !self.is_referenced(index)
    }

    /// How many agents run.
    pub fn agents(&self) -> usize {
        self.keepers.iter().filter(|keeper| keeper.agent.activity != Activity::Dead).count()
    }

    /// States that differ only in what no process can read any more become equal: keepers of which nothing is
    /// left, records of inputs that are never offered again, positions in an empty spool.
    pub fn forget_unreachable(&mut self) {
        for index in 0..KEEPERS as u8 {
            if self.is_free(index) {
                *self.keeper_mut(index) = Keeper::default();
            }
        }
        let settled = !matches!(self.log.decision, Decision::None | Decision::Asked | Decision::Decided);
        for (row, input) in self.log.rows.iter().enumerate() {
            if !matches!(input.state, InputState::Sent | InputState::Returned) {
                self.bridge.offered[row] = false;
            }
            if matches!(input.state, InputState::Done | InputState::Cancelled | InputState::Unconfirmed) {
                self.keepers.iter_mut().for_each(|keeper| keeper.forget(Line::Input(row as u8)));
            }
        }
        if settled {
            self.keepers.iter_mut().for_each(|keeper| keeper.forget(Line::Decision));
            self.bridge.has_offered_decision = false;
        }
        let in_hand = self.bridge.in_hand.is_some();
        for keeper in self.keepers.iter_mut().filter(|keeper| keeper.spool.is_empty() && !in_hand) {
            (keeper.spooled, keeper.committed) = (0, 0);
        }
    }
}
