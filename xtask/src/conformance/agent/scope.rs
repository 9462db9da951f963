//! Which scenarios the agent is not held to yet, and why.

pub(super) struct Later {
    pub(super) scenario: &'static str,
    pub(super) reason: &'static str,
}

const SUBAGENTS: &str = "the agent has no subagents yet";

pub(super) const LATER: &[Later] = &[
    Later { scenario: "subagent", reason: SUBAGENTS },
    Later { scenario: "subagent-in-background", reason: SUBAGENTS },
];

pub(super) fn later(scenario: &str) -> Option<&'static Later> {
    LATER.iter().find(|later| later.scenario == scenario)
}

#[cfg(test)]
mod tests {
    use super::super::super::scenarios;
    use super::*;

    #[test]
    fn what_comes_later_is_a_scenario() {
        for later in LATER {
            assert!(scenarios::all().any(|scenario| scenario.name == later.scenario), "{}", later.scenario);
        }
    }
}
