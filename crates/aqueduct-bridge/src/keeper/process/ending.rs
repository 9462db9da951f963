//! The way to the agent's end, and to the end of everything that it started.

use std::time::{Duration, Instant};

use aqueduct_os::descendants;
use aqueduct_os::process::{Pid, Signal};

use crate::keeper::protocol::ShutdownLadder;

/// How long those have to end whom the agent left behind, between the request and their end.
const GRACE: Duration = Duration::from_millis(500);
/// How long to wait before looking again at processes that were killed and are not gone yet.
const FIRST_LOOK: Duration = Duration::from_millis(1);
/// The same, at most: a process in the middle of a slow system call may take its time.
const LAST_LOOK: Duration = Duration::from_millis(200);
/// How long those who can't be killed are waited for, when the agent itself is gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// A step on the way.
#[derive(Debug, Clone, Copy)]
pub(super) enum AgentEnding {
    /// No end was requested.
    Running,
    /// Stdin is closed as soon as the input that is being written is.
    Closing {
        /// When the next step comes.
        until: Instant,
        /// How long that one lasts.
        terminate: Duration,
    },
    /// Everyone has been asked to end.
    Terminating {
        /// When the next step comes.
        until: Instant,
    },
    /// All processes are killed, repeatedly until none is left.
    Killing {
        /// Since when.
        since: Instant,
        /// When to look again.
        look: Instant,
        /// And how long after that.
        pause: Duration,
    },
}

impl AgentEnding {
    /// Someone asks for the end. Asking again can only make it come sooner.
    pub(super) fn begin(&mut self, ladder: ShutdownLadder, now: Instant) {
        let (close, all) = (now + ladder.close, now + ladder.close + ladder.terminate);
        *self = match *self {
            AgentEnding::Running => AgentEnding::Closing { until: close, terminate: ladder.terminate },
            AgentEnding::Closing { until, terminate } => {
                AgentEnding::Closing { until: until.min(close), terminate: terminate.min(ladder.terminate) }
            }
            AgentEnding::Terminating { until } => AgentEnding::Terminating { until: until.min(all) },
            killing => killing,
        };
    }

    /// The agent has ended by itself: who is left is asked to end.
    pub(super) fn end_leftovers(&mut self, group: Option<Pid>, now: Instant) {
        if let AgentEnding::Running | AgentEnding::Closing { .. } = self {
            descendants::signal(group, Signal::TERM);
            *self = AgentEnding::Terminating { until: now + GRACE };
        }
    }

    /// Takes the steps whose time has come.
    pub(super) fn advance(&mut self, group: Option<Pid>, now: Instant) {
        if let AgentEnding::Closing { until, terminate } = *self
            && now >= until
        {
            descendants::signal(group, Signal::TERM);
            *self = AgentEnding::Terminating { until: now + terminate };
        }
        if let AgentEnding::Terminating { until } = *self
            && now >= until
        {
            *self = AgentEnding::Killing { since: now, look: now, pause: FIRST_LOOK };
        }
        if let AgentEnding::Killing { since, look, pause } = *self
            && now >= look
        {
            descendants::signal(group, Signal::KILL);
            *self = AgentEnding::Killing { since, look: now + pause, pause: (pause * 2).min(LAST_LOOK) };
        }
    }

    /// When there is something to do next.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match *self {
            AgentEnding::Running => None,
            AgentEnding::Closing { until, .. } | AgentEnding::Terminating { until } => Some(until),
            AgentEnding::Killing { look, .. } => Some(look),
        }
    }

    /// Whether the end has begun: no more input is taken.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self, AgentEnding::Running)
    }

    /// Whether an input that is half-written may still be finished.
    pub(super) fn may_write(&self) -> bool {
        matches!(self, AgentEnding::Running | AgentEnding::Closing { .. })
    }

    /// Whether those who are still there can't be helped.
    pub(super) fn gives_up(&self, now: Instant) -> bool {
        matches!(self, AgentEnding::Killing { since, .. } if now >= *since + PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(close: u64, terminate: u64) -> ShutdownLadder {
        ShutdownLadder { close: Duration::from_millis(close), terminate: Duration::from_millis(terminate) }
    }

    #[test]
    fn asking_again_makes_the_end_come_sooner_and_never_later() {
        let now = Instant::now();
        let mut ending = AgentEnding::Running;
        assert_eq!(ending.deadline(), None);
        ending.begin(ladder(1000, 500), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(1000)));
        ending.begin(ladder(9000, 9000), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(1000)));
        ending.begin(ladder(20, 9000), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(20)));
        let mut ending = AgentEnding::Terminating { until: now + Duration::from_millis(700) };
        ending.begin(ladder(0, 0), now);
        assert_eq!(ending.deadline(), Some(now));
    }
}
