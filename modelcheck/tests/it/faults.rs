//! Each seeded fault breaks a rule, and the checker finds it.

use std::collections::BTreeSet;

use aqueduct_modelcheck::{
    AT_REST, Bounds, DECIDED_ONCE, DONE_WAS_GIVEN, Delivery, Fault, NO_OUTPUT_LOST, NOTHING_LOST, ONE_AGENT,
    ORDERED, RUNS_ONCE,
};
use stateright::{Checker, HasDiscoveries, Model};

/// One input and as many crashes.
const fn crashes(crashes: u8) -> Bounds {
    Bounds { inputs: 1, asks: false, crashes, freezes: 0, removals: 0, restores: 0 }
}

/// Each fault, what has to happen for it to do harm, and the rule that it breaks.
const FAULTS: &[(Fault, Bounds, &str)] = &[
    (Fault::AcknowledgesInputBeforeCommit, crashes(1), NOTHING_LOST),
    (Fault::AcknowledgesDecisionBeforeCommit, Bounds { asks: true, ..crashes(1) }, NOTHING_LOST),
    (Fault::AcknowledgesOutputBeforeCommit, crashes(1), NO_OUTPUT_LOST),
    (Fault::CommitsWithoutCursor, crashes(1), ORDERED),
    (Fault::EnqueuesResentInput, crashes(1), RUNS_ONCE),
    (Fault::MarksSentAsDone, crashes(0), DONE_WAS_GIVEN),
    (Fault::OffersReturnedWithoutCommit, crashes(2), RUNS_ONCE),
    (Fault::TrustsReadiness, crashes(2), RUNS_ONCE),
    (Fault::GivesUnconfirmedAgain, crashes(1), RUNS_ONCE),
    (Fault::LeavesUnconfirmedSent, crashes(1), AT_REST),
    (Fault::TakesMissingFolderAsProof, Bounds { removals: 1, ..crashes(0) }, RUNS_ONCE),
    (Fault::LeavesAgentOfMissingFolder, Bounds { removals: 1, ..crashes(1) }, ONE_AGENT),
    (Fault::HandlesExitBeforeOutput, crashes(1), NO_OUTPUT_LOST),
    (Fault::DeletesUnreadFolder, crashes(1), NO_OUTPUT_LOST),
    (Fault::GivesUpFrozenKeeper, Bounds { freezes: 1, ..crashes(1) }, ONE_AGENT),
    (Fault::ClosesWithoutLock, crashes(1), ONE_AGENT),
    (Fault::ClosesWithoutMark, crashes(2), ONE_AGENT),
    (Fault::StartsInRemovedFolder, crashes(1), ONE_AGENT),
    (Fault::RecordsAfterWrite, crashes(1), RUNS_ONCE),
    (Fault::IgnoresJournal, crashes(1), RUNS_ONCE),
    (Fault::RenamesDecision, Bounds { asks: true, ..crashes(1) }, DECIDED_ONCE),
    (Fault::IgnoresKnownInput, Bounds { restores: 1, ..crashes(2) }, AT_REST),
];

/// Whether the checker finds a state in which the rule is broken.
fn is_broken(model: Delivery, rule: &'static str) -> bool {
    let checker =
        model.checker().finish_when(HasDiscoveries::AnyOf(BTreeSet::from([rule]))).spawn_bfs().join();
    checker.discovery(rule).is_some()
}

#[test]
fn every_fault_is_seeded() {
    let seeded: Vec<_> = FAULTS.iter().map(|(fault, ..)| *fault).collect();
    assert_eq!(seeded, Fault::ALL);
}

#[test]
fn every_fault_is_found() {
    let missed = FAULTS.iter().filter(|(fault, bounds, rule)| {
        let agent_remembers = bounds.restores > 0;
        !is_broken(Delivery { bounds: *bounds, agent_remembers, fault: Some(*fault) }, rule)
    });
    assert_eq!(missed.collect::<Vec<_>>(), Vec::<&(Fault, Bounds, &str)>::new());
}
