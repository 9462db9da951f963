//! The way to the agent's end, and to the end of everything that it started.

use std::time::{Duration, Instant};

use aqueduct_os::descendants;
use aqueduct_os::process::{Pid, Signal};

use crate::keeper::protocol::Ladder;

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
pub(super) enum Ending {
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

impl Ending {
    /// Someone asks for the end. Asking again can only make it come sooner.
    pub(super) fn begin(&mut self, ladder: Ladder, now: Instant) {
        let (close, all) = (now + ladder.close, now + ladder.close + ladder.terminate);
        *self = match *self {
            Ending::Running => Ending::Closing { until: close, terminate: ladder.terminate },
            Ending::Closing { until, terminate } => {
                Ending::Closing { until: until.min(close), terminate: terminate.min(ladder.terminate) }
            }
            Ending::Terminating { until } => Ending::Terminating { until: until.min(all) },
            killing => killing,
        };
    }

    /// The agent has ended by itself: who is left is asked to end.
    pub(super) fn end_leftovers(&mut self, group: Option<Pid>, now: Instant) {
        if let Ending::Running | Ending::Closing { .. } = self {
            descendants::signal(group, Signal::TERM);
            *self = Ending::Terminating { until: now + GRACE };
        }
    }

    /// Takes the steps whose time has come.
    pub(super) fn advance(&mut self, group: Option<Pid>, now: Instant) {
        if let Ending::Closing { until, terminate } = *self
            && now >= until
        {
            descendants::signal(group, Signal::TERM);
            *self = Ending::Terminating { until: now + terminate };
        }
        if let Ending::Terminating { until } = *self
            && now >= until
        {
            *self = Ending::Killing { since: now, look: now, pause: FIRST_LOOK };
        }
        if let Ending::Killing { since, look, pause } = *self
            && now >= look
        {
            descendants::signal(group, Signal::KILL);
            *self = Ending::Killing { since, look: now + pause, pause: (pause * 2).min(LAST_LOOK) };
        }
    }

    /// When there is something to do next.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match *self {
            Ending::Running => None,
            Ending::Closing { until, .. } | Ending::Terminating { until } => Some(until),
            Ending::Killing { look, .. } => Some(look),
        }
    }

    /// Whether the end has begun: no more input is taken.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self, Ending::Running)
    }

    /// Whether an input that is half-written may still be finished.
    pub(super) fn may_write(&self) -> bool {
        matches!(self, Ending::Running | Ending::Closing { .. })
    }

    /// Whether those who are still there can't be helped.
    pub(super) fn gives_up(&self, now: Instant) -> bool {
        matches!(self, Ending::Killing { since, .. } if now >= *since + PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(close: u64, terminate: u64) -> Ladder {
        Ladder { close: Duration::from_millis(close), terminate: Duration::from_millis(terminate) }
    }

    #[test]
    fn asking_again_makes_the_end_come_sooner_and_never_later() {
        let now = Instant::now();
        let mut ending = Ending::Running;
        assert_eq!(ending.deadline(), None);
        ending.begin(ladder(1000, 500), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(1000)));
        ending.begin(ladder(9000, 9000), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(1000)));
        ending.begin(ladder(20, 9000), now);
        assert_eq!(ending.deadline(), Some(now + Duration::from_millis(20)));
        let mut ending = Ending::Terminating { until: now + Duration::from_millis(700) };
        ending.begin(ladder(0, 0), now);
        assert_eq!(ending.deadline(), Some(now));
    }
}
