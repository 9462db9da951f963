//! The steps of the processes. Each module has the steps of one process: when they are possible, and what
//! they do.

mod accident;
mod agent;
mod bridge;
mod ending;
mod keeper;
mod user;

pub use accident::Accident;
pub use agent::AgentStep;
pub use bridge::BridgeStep;
pub use keeper::KeeperStep;
pub use user::UserStep;

use crate::{Delivery, KEEPERS, System};

/// A transition of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The bridge takes a step, some of them with the client.
    Bridge(BridgeStep),
    /// The keeper at this index takes a step.
    Keeper(u8, KeeperStep),
    /// The agent of the keeper at this index takes a step.
    Agent(u8, AgentStep),
    /// The user decides.
    User(UserStep),
    /// Something fails.
    Accident(Accident),
}

impl Action {
    /// Whether the system is bound to take this step at some time. Accidents may happen or not, and the
    /// user may leave an unconfirmed input as it is; a permission is decided at some time, and a frozen
    /// process continues at some time.
    pub fn is_bound_to_happen(self) -> bool {
        match self {
            Action::Bridge(_) | Action::Keeper(..) | Action::Agent(..) => true,
            Action::User(step) => step == UserStep::Decide,
            Action::Accident(accident) => matches!(accident, Accident::Thaw(_)),
        }
    }

    /// Collects what can happen next.
    pub(crate) fn collect(model: &Delivery, system: &System, actions: &mut Vec<Action>) {
        BridgeStep::collect(model, system, &mut |step| actions.push(Action::Bridge(step)));
        for index in 0..KEEPERS as u8 {
            KeeperStep::collect(model, system, index, &mut |step| actions.push(Action::Keeper(index, step)));
            AgentStep::collect(model, system.keeper(index), &mut |step| {
                actions.push(Action::Agent(index, step))
            });
        }
        UserStep::collect(model, system, &mut |step| actions.push(Action::User(step)));
        Accident::collect(system, &mut |accident| actions.push(Action::Accident(accident)));
    }

    /// Carries the step out.
    pub(crate) fn apply(self, model: &Delivery, system: &mut System) {
        match self {
            Action::Bridge(step) => step.apply(model, system),
            Action::Keeper(index, step) => step.apply(model, system, index),
            Action::Agent(index, step) => step.apply(model, system, index),
            Action::User(step) => step.apply(model, system),
            Action::Accident(accident) => accident.apply(system),
        }
    }
}
