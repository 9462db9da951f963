//! The correct model keeps every rule, within several bounds. The numbers of states are written down so that a
//! step that disappears from the model, or one that is never possible, is noticed.

use aqueduct_modelcheck::{Bounds, Delivery};
use stateright::{Checker, Model};

/// Explores everything; returns the number of states, of transitions, and the length of the longest of the
/// shortest ways to a state.
fn explored(model: Delivery) -> (usize, usize, usize) {
    let checker = model.checker().spawn_bfs().join();
    checker.assert_properties();
    (checker.unique_state_count(), checker.state_count(), checker.max_depth())
}

fn correct(bounds: Bounds) -> Delivery {
    Delivery { bounds, ..Delivery::default() }
}

#[test]
fn without_accidents() {
    let bounds = Bounds { inputs: 2, asks: true, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (941, 3_034, 52));
}

#[test]
fn two_inputs_a_permission_a_crash_and_a_freeze() {
    let bounds = Bounds { inputs: 2, asks: true, crashes: 1, freezes: 1, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (210_790, 929_178, 72));
}

#[test]
fn two_inputs_and_two_crashes() {
    let bounds = Bounds { inputs: 2, crashes: 2, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (768_581, 3_786_033, 73));
}

#[test]
fn three_crashes() {
    let bounds = Bounds { inputs: 1, crashes: 3, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (473_317, 2_343_940, 71));
}

#[test]
fn a_permission_two_crashes_and_a_freeze() {
    let bounds = Bounds { inputs: 1, asks: true, crashes: 2, freezes: 1, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (293_564, 1_341_297, 66));
}

#[test]
fn a_removed_folder_a_permission_a_crash_and_a_freeze() {
    let bounds = Bounds { inputs: 1, asks: true, crashes: 1, freezes: 1, removals: 1, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (74_091, 288_078, 59));
}

#[test]
fn an_agent_that_remembers_and_a_restored_log() {
    let bounds = Bounds { inputs: 1, asks: true, crashes: 2, restores: 1, ..Bounds::default() };
    assert_eq!(explored(Delivery { agent_remembers: true, ..correct(bounds) }), (162_672, 661_140, 69));
}

#[test]
#[ignore = "takes half a minute on an idle machine"]
fn four_crashes() {
    let bounds = Bounds { inputs: 1, crashes: 4, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (2_213_932, 12_657_953, 81));
}

#[test]
#[ignore = "takes half a minute on an idle machine"]
fn two_inputs_a_permission_and_two_crashes() {
    let bounds = Bounds { inputs: 2, asks: true, crashes: 2, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (1_790_038, 8_946_285, 85));
}

#[test]
#[ignore = "takes half a minute on an idle machine"]
fn a_removed_folder_two_crashes_and_a_freeze() {
    let bounds = Bounds { inputs: 1, crashes: 2, freezes: 1, removals: 1, ..Bounds::default() };
    assert_eq!(explored(correct(bounds)), (902_908, 4_700_458, 72));
}
