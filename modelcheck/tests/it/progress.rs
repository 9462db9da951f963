//! Nothing goes in circles.
//!
//! The rule about states in which nothing more is bound to happen states that none of them is a stuck
//! session. It shows that every input comes to rest only if every run reaches such a state. This is shown
//! here, because the `eventually` of stateright does not see cycles: every accident uses up a part of a
//! budget, and no sequence of other steps leads back to a state, so every run ends.

use std::collections::HashMap;

use aqueduct_modelcheck::{Bounds, Delivery, System};
use stateright::Model;

/// Whether some sequence of steps leads from a state back to it.
fn has_cycle(model: &Delivery) -> bool {
    enum Task {
        Enter(System),
        Leave(System),
    }
    // Each visited state, with whether it is on the path to the state that is looked at.
    let mut is_on_path: HashMap<System, bool> = HashMap::new();
    let mut tasks: Vec<Task> = model.init_states().into_iter().map(Task::Enter).collect();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Leave(system) => {
                is_on_path.insert(system, false);
            }
            Task::Enter(system) => match is_on_path.get(&system) {
                Some(true) => return true,
                Some(false) => {}
                None => {
                    is_on_path.insert(system, true);
                    tasks.push(Task::Leave(system));
                    tasks.extend(model.next_states(&system).into_iter().map(Task::Enter));
                }
            },
        }
    }
    false
}

#[test]
fn every_run_ends() {
    let bounds = Bounds { inputs: 1, asks: true, crashes: 1, freezes: 1, removals: 1, restores: 1 };
    for agent_remembers in [false, true] {
        // A forgetful agent runs inputs of a restored log again, which no rule forbids here.
        assert!(!has_cycle(&Delivery { bounds, agent_remembers, fault: None }));
    }
    let bounds = Bounds { inputs: 2, crashes: 1, ..Bounds::default() };
    assert!(!has_cycle(&Delivery { bounds, ..Delivery::default() }));
}
