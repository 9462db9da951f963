use std::time::Duration;

/// How an agent is ended: stdin is closed, then SIGTERM is sent, then SIGKILL, each after the time
/// that the step before it has. Signals go to the whole process group.
///
/// ```
/// use std::time::Duration;
///
/// use aqueduct_client::{Ladder, Session};
///
/// let patient = Ladder { after_input: Duration::from_secs(60), ..Ladder::default() };
/// let builder = Session::builder().ladder(patient);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// How long the agent may take to end by itself once stdin is closed: it finishes its turn.
    pub after_input: Duration,
    /// How long it may take once SIGTERM was sent.
    pub after_term: Duration,
}

impl Default for Ladder {
    fn default() -> Self {
        Ladder { after_input: Duration::from_secs(2), after_term: Duration::from_secs(5) }
    }
}

impl Ladder {
    /// The ladder with one step: SIGKILL, at once.
    pub const KILL: Ladder = Ladder { after_input: Duration::ZERO, after_term: Duration::ZERO };
}
