//! How long a process whose input has ended waits for subagents in the background. For commands it waits without a limit.

use std::time::Duration;

use crate::session::AgentSession;

/// The variable that sets it, in milliseconds; 0 for no limit.
const CEILING: &str = "CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS";

/// How long without it.
const USUAL_CEILING: Duration = Duration::from_mins(10);

impl AgentSession {
    /// How long the process waits for subagents after the last turn, once no command runs in the background; without an
    /// end, where there is none.
    pub(crate) fn background_ceiling(&self) -> Option<Duration> {
        if !self.tool_context.commands.background.running().is_empty() {
            return None;
        }
        let set = self.environment.variable(CEILING).and_then(|time| time.trim().parse::<u64>().ok());
        let ceiling = set.map_or(USUAL_CEILING, Duration::from_millis);
        (!ceiling.is_zero()).then_some(ceiling)
    }

    /// Stops the subagents that still run; returns the message for users.
    pub(crate) fn stop_waiting(&self, waited: Duration) -> String {
        let names: Vec<String> = self
            .tool_context
            .subagents
            .pool
            .in_background()
            .iter()
            .map(|member| format!("subagent {:?}", member.identity.description))
            .collect();
        self.tool_context.subagents.pool.stop_all();
        format!(
            "Background tasks still running {}s after the last turn ({}); stopping them. Set {CEILING}=0 to wait \
             without a limit.",
            waited.as_secs(),
            names.join(", ")
        )
    }
}
