use crate::{ASKING, Activity, Delivery, Frame, Keeper, Line, System};

/// A step of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgentStep {
    /// Reads a line from stdin. An input begins to have effects with this step.
    Read,
    /// Writes the first frame about the input.
    Announce,
    /// Asks for permission.
    Ask,
    /// Writes the result.
    Finish,
}

impl AgentStep {
    pub(super) fn collect(model: &Delivery, keeper: &Keeper, add: &mut impl FnMut(AgentStep)) {
        let agent = &keeper.agent;
        let next = agent.stdin.first();
        match agent.activity {
            Activity::Dead => return,
            Activity::Idle => {}
            Activity::Begun(_) => add(AgentStep::Announce),
            Activity::Announced(ASKING) if model.bounds.asks => add(AgentStep::Ask),
            Activity::Announced(_) | Activity::Decided(_) => add(AgentStep::Finish),
            Activity::Waiting(_) => {}
        }
        // The next input waits until the turn is over; a decision is read at once.
        let is_readable = match next {
            None => false,
            Some(Line::Input(_)) => agent.activity == Activity::Idle,
            Some(Line::Decision | Line::DecisionAgain) => true,
        };
        if is_readable {
            add(AgentStep::Read);
        }
    }

    pub(super) fn apply(self, model: &Delivery, system: &mut System, index: u8) {
        let history = &mut system.history;
        let agent = &mut system.keepers[usize::from(index)].agent;
        match (self, agent.activity) {
            (AgentStep::Read, activity) => match agent.stdin.pop() {
                Some(Line::Input(row)) => {
                    let runs = &mut history.runs[usize::from(row)];
                    if model.agent_remembers && *runs > 0 {
                        agent.stdout.push(Frame::Known(row));
                    } else {
                        *runs = (*runs + 1).min(2);
                        agent.activity = Activity::Begun(row);
                    }
                }
                Some(Line::Decision | Line::DecisionAgain) => {
                    history.decisions = (history.decisions + 1).min(2);
                    if let Activity::Waiting(row) = activity {
                        agent.activity = Activity::Decided(row);
                    }
                }
                None => {}
            },
            (AgentStep::Announce, Activity::Begun(row)) => {
                agent.stdout.push(Frame::Began(row));
                agent.activity = Activity::Announced(row);
            }
            (AgentStep::Ask, Activity::Announced(row)) => {
                agent.stdout.push(Frame::Asked(row));
                agent.activity = Activity::Waiting(row);
            }
            (AgentStep::Finish, Activity::Announced(row) | Activity::Decided(row)) => {
                agent.stdout.push(Frame::Finished(row));
                agent.activity = Activity::Idle;
            }
            _ => {}
        }
    }
}
