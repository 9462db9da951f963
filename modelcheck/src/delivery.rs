use stateright::{Model, Property};

use crate::{Action, Budget, Fault, System, property};

/// What happens in one run, and how much may go wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Inputs of the client, at most [`INPUTS`](crate::INPUTS).
    pub inputs: u8,
    /// Whether the turn of the first one asks for permission.
    pub asks: bool,
    /// Deaths of bridge, keeper and agent, and keepers that are given up.
    pub crashes: u8,
    /// Freezes of a keeper.
    pub freezes: u8,
    /// Removals of a keeper's folder.
    pub removals: u8,
    /// Replacements of the log by an old copy.
    pub restores: u8,
}

/// The model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Delivery {
    /// What happens, and how much may go wrong.
    pub bounds: Bounds,
    /// Whether the agent keeps the ids of inputs in its transcript and runs none twice by itself.
    pub agent_remembers: bool,
    /// A deliberate error.
    pub fault: Option<Fault>,
}

impl Delivery {
    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

impl Model for Delivery {
    type State = System;
    type Action = Action;

    fn init_states(&self) -> Vec<System> {
        let Bounds { crashes, freezes, removals, restores, .. } = self.bounds;
        vec![System { budget: Budget { crashes, freezes, removals, restores }, ..System::default() }]
    }

    fn actions(&self, system: &System, actions: &mut Vec<Action>) {
        Action::collect(self, system, actions);
    }

    fn next_state(&self, last: &System, action: Action) -> Option<System> {
        let mut next = *last;
        action.apply(self, &mut next);
        next.forget_unreachable();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Delivery>> {
        property::all(self)
    }
}
