use crate::{
    Activity, Bridge, Decision, Folder, InputState, KEEPERS, Keeper, Log, Phase, Process, Queue, System,
};

/// Something that fails. Each costs a part of the budget, except for the end of a freeze.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accident {
    /// The bridge dies. A separate step starts it again.
    KillBridge,
    /// The process of a keeper dies, and its agent with it.
    KillKeeper(u8),
    /// An agent dies alone.
    KillAgent(u8),
    /// A keeper stops taking steps.
    Freeze(u8),
    /// A frozen keeper continues.
    Thaw(u8),
    /// Someone removes a keeper's folder.
    RemoveFolder(u8),
    /// A new keeper takes so long that the bridge kills it.
    GiveUpStart,
    /// Someone replaces the data folder by an older copy while nothing runs.
    RestoreLog,
}

impl Accident {
    pub(super) fn collect(system: &System, add: &mut impl FnMut(Accident)) {
        let budget = system.budget;
        for index in 0..KEEPERS as u8 {
            let keeper = system.keeper(index);
            let is_running = keeper.process != Process::Gone;
            if keeper.is_frozen {
                add(Accident::Thaw(index));
            } else if is_running && budget.freezes > 0 {
                add(Accident::Freeze(index));
            }
            if is_running && budget.crashes > 0 {
                add(Accident::KillKeeper(index));
            }
            if keeper.agent.is_alive() && budget.crashes > 0 {
                add(Accident::KillAgent(index));
            }
            let is_locked_by_bridge =
                matches!(system.bridge.phase, Phase::Closing { keeper, .. } if keeper == index);
            if keeper.folder != Folder::Missing && !is_locked_by_bridge && budget.removals > 0 {
                add(Accident::RemoveFolder(index));
            }
        }
        if budget.crashes > 0 && system.is_up() {
            add(Accident::KillBridge);
            if matches!(system.bridge.phase, Phase::Starting(_)) {
                add(Accident::GiveUpStart);
            }
        }
        let is_all_down = !system.is_up() && system.keepers.iter().all(|k| k.process == Process::Gone);
        if budget.restores > 0 && is_all_down {
            add(Accident::RestoreLog);
        }
    }

    pub(super) fn apply(self, system: &mut System) {
        match self {
            Accident::Freeze(_) => system.budget.freezes -= 1,
            Accident::Thaw(_) => {}
            Accident::RemoveFolder(_) => system.budget.removals -= 1,
            Accident::RestoreLog => system.budget.restores -= 1,
            _ => system.budget.crashes -= 1,
        }
        match self {
            Accident::KillBridge => {
                system.history.has_lost_output |= system.bridge.in_hand.is_some();
                system.bridge = Bridge::default();
                system.keepers.iter_mut().for_each(Keeper::disconnect);
            }
            Accident::KillKeeper(index) => system.keeper_mut(index).die(),
            Accident::KillAgent(index) => {
                let agent = &mut system.keeper_mut(index).agent;
                agent.activity = Activity::Dead;
                agent.stdin = Queue::default();
            }
            Accident::Freeze(index) => system.keeper_mut(index).is_frozen = true,
            Accident::Thaw(index) => system.keeper_mut(index).is_frozen = false,
            Accident::RemoveFolder(index) => system.keeper_mut(index).folder = Folder::Missing,
            Accident::GiveUpStart => {
                let Phase::Starting(index) = system.bridge.phase else { return };
                system.keeper_mut(index).die();
                system.bridge.phase = Phase::Looking;
            }
            Accident::RestoreLog => {
                let rows = system.log.rows.map(|mut row| {
                    if row.state != InputState::Absent {
                        row.state = InputState::Queued;
                    }
                    row
                });
                system.log = Log { rows, keeper: None, decision: Decision::None };
                system.keepers = Default::default();
                // The copy is older than the decision. Its inputs are those of the client, since clients send
                // again what an older log lacks.
                system.client.decision_acknowledged = false;
            }
        }
    }
}
