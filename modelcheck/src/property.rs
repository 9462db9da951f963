//! What must hold in every reachable state.

use stateright::Property;

use crate::{Action, Decision, Delivery, Frame, InputState, KEEPERS, Keeper, Phase, Process, System};

/// No input runs twice unless the user resent it.
pub const RUNS_ONCE: &str = "an input runs at most once for each time the user sent it";
/// Nothing acknowledged disappears from the log.
pub const NOTHING_LOST: &str = "what was acknowledged is in the log";
/// Each event is committed once and in order.
pub const ORDERED: &str = "each event is committed once and in order";
/// No output is deleted before it is committed.
pub const NO_OUTPUT_LOST: &str = "no spooled output is deleted before it is committed";
/// A decision reaches the agent at most once.
pub const DECIDED_ONCE: &str = "a decision reaches the agent at most once";
/// A session has one agent at most.
pub const ONE_AGENT: &str = "a session never has two agents at once";
/// An input that is reported as done was given to an agent.
pub const DONE_WAS_GIVEN: &str = "an input that is done was given to an agent";
/// No session is stuck.
pub const AT_REST: &str = "where nothing more is bound to happen, every input is at rest";

type Rule = Property<Delivery>;

pub(crate) fn all(model: &Delivery) -> Vec<Rule> {
    let mut rules = vec![
        Rule::always(RUNS_ONCE, |_, system| runs_once(system)),
        Rule::always(NOTHING_LOST, |_, system| nothing_is_lost(system)),
        Rule::always(ORDERED, |_, system| !system.history.is_misordered),
        Rule::always(NO_OUTPUT_LOST, |_, system| !system.history.has_lost_output),
        Rule::always(DECIDED_ONCE, |_, system| system.history.decisions <= 1),
        Rule::always(ONE_AGENT, |_, system| system.agents() <= 1),
        Rule::always(DONE_WAS_GIVEN, |_, system| done_was_given(system)),
        Rule::always(AT_REST, |model, system| can_continue(model, system) || is_at_rest(model, system)),
    ];
    if model.fault.is_none() {
        rules.extend(examples(model));
    }
    rules
}

/// What the model must be able to show within its bounds, so that no rule holds for want of an occasion.
fn examples(model: &Delivery) -> Vec<Rule> {
    let bounds = model.bounds;
    let mut rules = vec![Rule::sometimes("everything is done without an accident", |model, system| {
        system.budget.crashes == model.bounds.crashes && is_at_rest(model, system)
    })];
    if bounds.crashes > 0 {
        rules.extend([
            Rule::sometimes("an input is returned", |_, system| has(system, InputState::Returned)),
            Rule::sometimes("an input is unconfirmed", |_, system| has(system, InputState::Unconfirmed)),
            Rule::sometimes("a resent input is done", |_, system| {
                let is_resent = system.history.resends.iter().any(|count| *count > 0);
                is_resent && has(system, InputState::Cancelled) && has(system, InputState::Done)
            }),
            Rule::sometimes("a keeper starts after it was declared dead", |_, system| {
                let is_late =
                    |index| system.keeper(index).process == Process::Opened && !system.is_referenced(index);
                (0..KEEPERS as u8).any(is_late)
            }),
        ]);
    }
    if bounds.crashes > 0 && bounds.asks {
        rules.push(Rule::sometimes("a decision is withdrawn", |_, system| {
            system.log.decision == Decision::Withdrawn
        }));
    }
    if bounds.crashes > 0 && bounds.freezes > 0 {
        rules.push(Rule::sometimes("the bridge waits for a frozen keeper", |_, system| {
            let is_waiting = system.bridge.phase == Phase::Looking;
            is_waiting && system.keepers.iter().any(|keeper| keeper.is_frozen && keeper.holds_lock())
        }));
    }
    if bounds.restores > 0 {
        rules.push(Rule::sometimes("an agent knows an input that the log has as sent", |_, system| {
            let known = |keeper: &Keeper| matches!(keeper.agent.stdout.first(), Some(Frame::Known(_)));
            system.keepers.iter().any(known) && has(system, InputState::Sent)
        }));
    }
    rules
}

fn has(system: &System, state: InputState) -> bool {
    system.log.rows.iter().any(|row| row.state == state)
}

fn runs_once(system: &System) -> bool {
    let history = &system.history;
    let is_row_run_once = history.runs.iter().all(|runs| *runs <= 1);
    is_row_run_once
        && history.resends.iter().enumerate().all(|(input, resends)| {
            let of_input = system
                .log
                .rows
                .iter()
                .zip(history.runs)
                .filter(|(row, _)| row.state != InputState::Absent && usize::from(row.origin) == input);
            of_input.map(|(_, runs)| runs).sum::<u8>() <= 1 + resends
        })
}

fn nothing_is_lost(system: &System) -> bool {
    let acknowledged = system.client.acknowledged.iter().enumerate();
    let are_inputs_kept = acknowledged.filter(|(_, is)| **is).all(|(input, _)| system.log.knows(input as u8));
    let is_decision_kept = !system.client.decision_acknowledged
        || matches!(system.log.decision, Decision::Decided | Decision::Settled | Decision::Withdrawn);
    are_inputs_kept && is_decision_kept
}

fn done_was_given(system: &System) -> bool {
    let rows = system.log.rows.iter().zip(system.history.runs);
    rows.filter(|(row, _)| row.state == InputState::Done).all(|(_, runs)| runs > 0)
}

/// Whether a step is bound to happen.
fn can_continue(model: &Delivery, system: &System) -> bool {
    let mut actions = Vec::new();
    Action::collect(model, system, &mut actions);
    actions.into_iter().any(Action::is_bound_to_happen)
}

/// Every input is acknowledged and done, cancelled or unconfirmed; the user knows of the decision; no keeper
/// is left except for the session's own.
fn is_at_rest(model: &Delivery, system: &System) -> bool {
    let inputs = system.log.rows.iter().all(|row| {
        use InputState::{Absent, Cancelled, Done, Unconfirmed};
        matches!(row.state, Absent | Done | Cancelled | Unconfirmed)
    });
    let decision = !matches!(system.log.decision, Decision::Asked | Decision::Decided);
    let keepers = (0..KEEPERS as u8).all(|index| system.is_free(index) || system.log.keeper == Some(index));
    let acknowledged = system.client.acknowledged[..usize::from(model.bounds.inputs)].iter().all(|is| *is);
    inputs && decision && keepers && acknowledged
}
