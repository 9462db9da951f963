use super::ending::{commit_end, commit_event};
use crate::{
    Bridge, Closing, Decision, Delivery, Fault, Folder, InputState, KEEPERS, Line, Phase, Process, ROWS,
    System,
};

/// A step of the bridge. Steps with the client are among them: a message of the client that the bridge has
/// not handled leaves no trace, so receiving and handling are one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BridgeStep {
    /// Starts, or starts again.
    Start,
    /// Receives an input and commits it, unless the log knows its id.
    Receive(u8),
    /// Acknowledges a committed input.
    Acknowledge(u8),
    /// Commits an input that is acknowledged already. Only a faulty bridge does this.
    CommitLate(u8),
    /// Acknowledges a committed decision.
    AcknowledgeDecision,
    /// Commits a decision that is acknowledged already. Only a faulty bridge does this.
    CommitDecisionLate,
    /// Finds no keeper in the log.
    FindNone,
    /// Finds the keeper's folder missing: ends what its name leads to and commits the agent's end.
    FindMissing,
    /// Finds the folder's lock free and takes it.
    FindDead,
    /// Finds the lock held and connects.
    Attach,
    /// Declares a frozen keeper dead. Only a faulty bridge does this.
    GiveUpFrozen,
    /// Commits the name of a new keeper.
    Name(u8),
    /// Makes the folder of the new keeper.
    MakeFolder,
    /// Starts the process of the new keeper.
    Spawn,
    /// Notices that the keeper's process is gone.
    NoticeLoss,
    /// The agent answers `initialize`.
    BecomeReady,
    /// Commits an input as sent.
    Send(u8),
    /// Offers a sent input to the keeper.
    Offer(u8),
    /// Marks an offered input as done. Only a faulty bridge does this.
    MarkDone(u8),
    /// Offers the decision to the keeper.
    OfferDecision,
    /// Commits that the keeper has taken the decision.
    Settle,
    /// Commits the next frame of the spool.
    CommitEvent,
    /// Commits that the agent has ended, as its keeper reports, and dismisses the keeper.
    CommitExit,
    /// Marks the folder of a dead keeper as closed.
    MarkClosed,
    /// Commits the end of an agent whose keeper is dead.
    CommitRemains,
    /// Deletes the folder of a dead keeper and releases its lock.
    Delete,
    /// Deletes the folder of a dismissed keeper.
    DeleteDismissed,
    /// Deletes the folder of a keeper that the log does not name, under its lock.
    Sweep(u8),
}

impl BridgeStep {
    pub(super) fn collect(model: &Delivery, system: &System, add: &mut impl FnMut(BridgeStep)) {
        let bridge = &system.bridge;
        if bridge.phase == Phase::Down {
            return add(BridgeStep::Start);
        }
        collect_client(model, system, add);
        if let Some(index) = bridge.dismissing
            && system.keeper(index).process == Process::Gone
        {
            add(BridgeStep::DeleteDismissed);
        }
        for index in 0..KEEPERS as u8 {
            let keeper = system.keeper(index);
            let is_orphan = keeper.folder != Folder::Missing && !system.is_referenced(index);
            if is_orphan && !keeper.holds_lock() {
                add(BridgeStep::Sweep(index));
            }
        }
        match bridge.phase {
            Phase::Down => {}
            Phase::Looking => add_look(model, system, add),
            Phase::Idle => {
                let free = (0..KEEPERS as u8).find(|index| system.is_free(*index));
                if let (Some(_), Some(index)) = (system.log.next(), free) {
                    add(BridgeStep::Name(index));
                }
            }
            Phase::Named(_) => add(BridgeStep::MakeFolder),
            Phase::Prepared(_) => add(BridgeStep::Spawn),
            Phase::Starting(index) => match system.keeper(index) {
                keeper if keeper.process == Process::Gone => add(BridgeStep::NoticeLoss),
                keeper if keeper.holds_lock() && !keeper.is_frozen => add(BridgeStep::Attach),
                _ => {}
            },
            Phase::Attached { keeper, is_ready } => collect_attached(model, system, keeper, is_ready, add),
            Phase::Closing { keeper, stage } => match stage {
                Closing::Locked => add(BridgeStep::MarkClosed),
                Closing::Marked if has_output(system, keeper) => add(BridgeStep::CommitEvent),
                Closing::Marked => add(BridgeStep::CommitRemains),
                Closing::Committed => add(BridgeStep::Delete),
            },
        }
    }

    pub(super) fn apply(self, model: &Delivery, system: &mut System) {
        let keeper = system.log.keeper.unwrap_or_default();
        match self {
            BridgeStep::Start => system.bridge = Bridge { phase: Phase::Looking, ..Bridge::default() },
            BridgeStep::Receive(input) => receive(model, system, input),
            BridgeStep::Acknowledge(input) => {
                system.bridge.to_acknowledge[usize::from(input)] = false;
                system.client.acknowledged[usize::from(input)] = true;
            }
            BridgeStep::CommitLate(input) => {
                system.bridge.to_commit[usize::from(input)] = false;
                system.log.enqueue(input);
            }
            BridgeStep::AcknowledgeDecision => {
                system.bridge.decision_to_acknowledge = false;
                system.client.decision_acknowledged = true;
            }
            BridgeStep::CommitDecisionLate => {
                system.bridge.decision_to_commit = false;
                if system.log.decision == Decision::Asked {
                    system.log.decision = Decision::Decided;
                }
            }
            BridgeStep::FindNone => system.bridge.phase = Phase::Idle,
            BridgeStep::FindMissing => {
                if !model.has(Fault::LeavesAgentOfMissingFolder) {
                    system.keeper_mut(keeper).die();
                }
                commit_end(model, system, keeper, true);
                system.bridge.phase = Phase::Idle;
            }
            BridgeStep::FindDead => {
                system.bridge.phase = Phase::Closing { keeper, stage: Closing::Locked };
                if model.has(Fault::DeletesUnreadFolder) {
                    delete(system, keeper);
                }
            }
            BridgeStep::Attach => {
                let is_again = system.bridge.phase == Phase::Looking;
                system.bridge.has_reattached |= is_again && model.has(Fault::RenamesDecision);
                system.bridge.phase = Phase::Attached { keeper, is_ready: false };
                system.bridge.offered = Default::default();
                system.bridge.has_offered_decision = false;
            }
            BridgeStep::GiveUpFrozen => {
                commit_end(model, system, keeper, true);
                system.bridge.phase = Phase::Idle;
            }
            BridgeStep::Name(index) => {
                system.log.keeper = Some(index);
                system.bridge.phase = Phase::Named(index);
            }
            BridgeStep::MakeFolder => {
                system.keeper_mut(keeper).folder = Folder::Present;
                system.bridge.phase = Phase::Prepared(keeper);
            }
            BridgeStep::Spawn => {
                system.keeper_mut(keeper).process = Process::Spawned;
                system.bridge.phase = Phase::Starting(keeper);
            }
            BridgeStep::NoticeLoss => {
                system.bridge.phase = Phase::Looking;
                system.bridge.cursor_is_behind = false;
                system.bridge.in_hand = None;
            }
            BridgeStep::BecomeReady => system.bridge.phase = Phase::Attached { keeper, is_ready: true },
            BridgeStep::Send(row) => send(model, system, keeper, row),
            BridgeStep::Offer(row) => offer(system, keeper, row),
            BridgeStep::MarkDone(row) => system.log.rows[usize::from(row)].state = InputState::Done,
            BridgeStep::OfferDecision => {
                let is_renamed = system.bridge.has_reattached;
                let line = if is_renamed { Line::DecisionAgain } else { Line::Decision };
                system.bridge.has_offered_decision = true;
                system.keeper_mut(keeper).inbox.push(line);
            }
            BridgeStep::Settle => {
                system.keeper_mut(keeper).has_taken_decision = false;
                system.log.decision = Decision::Settled;
            }
            BridgeStep::CommitEvent => commit_event(model, system, keeper),
            BridgeStep::CommitExit => {
                let is_ready = matches!(system.bridge.phase, Phase::Attached { is_ready: true, .. });
                if has_output(system, keeper) {
                    system.history.has_lost_output = true;
                }
                commit_end(model, system, keeper, is_ready);
                system.keeper_mut(keeper).disconnect();
                system.bridge.phase = Phase::Idle;
                system.bridge.dismissing = Some(keeper);
            }
            BridgeStep::MarkClosed => {
                if system.keeper(keeper).folder == Folder::Present && !model.has(Fault::ClosesWithoutMark) {
                    system.keeper_mut(keeper).folder = Folder::Closed;
                }
                system.bridge.phase = Phase::Closing { keeper, stage: Closing::Marked };
            }
            BridgeStep::CommitRemains => {
                commit_end(model, system, keeper, true);
                system.bridge.phase = Phase::Closing { keeper, stage: Closing::Committed };
            }
            BridgeStep::Delete => {
                let Phase::Closing { keeper, .. } = system.bridge.phase else { return };
                delete(system, keeper);
                system.bridge.phase = Phase::Idle;
            }
            BridgeStep::DeleteDismissed => {
                let Some(dismissed) = system.bridge.dismissing.take() else { return };
                delete(system, dismissed);
            }
            BridgeStep::Sweep(index) => delete(system, index),
        }
    }
}

/// Steps with the client.
fn collect_client(model: &Delivery, system: &System, add: &mut impl FnMut(BridgeStep)) {
    let (bridge, client) = (&system.bridge, &system.client);
    for input in 0..model.bounds.inputs {
        let at = usize::from(input);
        let is_first_known = input == 0 || system.log.knows(input - 1);
        if bridge.to_acknowledge[at] {
            add(BridgeStep::Acknowledge(input));
        } else if bridge.to_commit[at] {
            add(BridgeStep::CommitLate(input));
        } else if !client.acknowledged[at] && is_first_known {
            add(BridgeStep::Receive(input));
        }
    }
    if bridge.decision_to_acknowledge {
        add(BridgeStep::AcknowledgeDecision);
    }
    if bridge.decision_to_commit {
        add(BridgeStep::CommitDecisionLate);
    }
}

/// What the log and the keeper's folder contain after a start, or after the keeper was lost.
fn add_look(model: &Delivery, system: &System, add: &mut impl FnMut(BridgeStep)) {
    let Some(index) = system.log.keeper else { return add(BridgeStep::FindNone) };
    let keeper = system.keeper(index);
    if keeper.folder == Folder::Missing {
        add(BridgeStep::FindMissing);
    } else if !keeper.holds_lock() {
        add(BridgeStep::FindDead);
    } else if !keeper.is_frozen {
        add(BridgeStep::Attach);
    } else if model.has(Fault::GivesUpFrozenKeeper) {
        add(BridgeStep::GiveUpFrozen);
    }
}

fn collect_attached(
    model: &Delivery,
    system: &System,
    index: u8,
    is_ready: bool,
    add: &mut impl FnMut(BridgeStep),
) {
    let (bridge, log, keeper) = (&system.bridge, &system.log, system.keeper(index));
    if keeper.process == Process::Gone {
        return add(BridgeStep::NoticeLoss);
    }
    if !is_ready && keeper.agent.is_alive() && !keeper.is_frozen {
        add(BridgeStep::BecomeReady);
    }
    let is_busy = log.is_busy() || bridge.offered.contains(&true);
    if let Some(row) = log.next().filter(|_| is_ready && !is_busy) {
        add(BridgeStep::Send(row));
    }
    for row in 0..ROWS as u8 {
        let at = usize::from(row);
        match log.rows[at].state {
            InputState::Sent if !bridge.offered[at] => add(BridgeStep::Offer(row)),
            InputState::Sent if model.has(Fault::MarksSentAsDone) => add(BridgeStep::MarkDone(row)),
            _ => {}
        }
    }
    if log.decision == Decision::Decided && !bridge.has_offered_decision {
        add(BridgeStep::OfferDecision);
    }
    if keeper.has_taken_decision && log.decision == Decision::Decided {
        add(BridgeStep::Settle);
    }
    if has_output(system, index) {
        add(BridgeStep::CommitEvent);
    }
    let is_read = !has_output(system, index) || model.has(Fault::HandlesExitBeforeOutput);
    if keeper.has_exited() && !keeper.is_frozen && is_read {
        add(BridgeStep::CommitExit);
    }
}

/// Whether there is output that the log lacks, or a cursor to move.
fn has_output(system: &System, index: u8) -> bool {
    !system.keeper(index).spool.is_empty() || system.bridge.in_hand.is_some()
}

fn receive(model: &Delivery, system: &mut System, input: u8) {
    let at = usize::from(input);
    let is_known = system.log.knows(input);
    if model.has(Fault::AcknowledgesInputBeforeCommit) && !is_known {
        system.client.acknowledged[at] = true;
        system.bridge.to_commit[at] = true;
        return;
    }
    if !is_known || model.has(Fault::EnqueuesResentInput) {
        system.log.enqueue(input);
    }
    system.bridge.to_acknowledge[at] = true;
}

fn send(model: &Delivery, system: &mut System, keeper: u8, row: u8) {
    let state = &mut system.log.rows[usize::from(row)].state;
    if *state == InputState::Returned && model.has(Fault::OffersReturnedWithoutCommit) {
        return offer(system, keeper, row);
    }
    *state = InputState::Sent;
}

fn offer(system: &mut System, keeper: u8, row: u8) {
    system.bridge.offered[usize::from(row)] = true;
    system.keeper_mut(keeper).inbox.push(Line::Input(row));
}

fn delete(system: &mut System, index: u8) {
    let keeper = system.keeper_mut(index);
    keeper.folder = Folder::Missing;
    let has_unread = !keeper.spool.is_empty();
    system.history.has_lost_output |= has_unread;
}
