//! What a session measures of its agent.

use std::time::{Duration, Instant};

use super::actor::SessionActor;
use crate::log::{SessionChange, Time};
use crate::metrics::{Metrics, UsageTotals};

/// When what is being measured began.
#[derive(Debug, Default)]
pub(super) struct SessionTiming {
    /// When the lines were read that are being processed.
    read: Option<Instant>,
    /// When the agent got an input whose answer has not begun.
    given: Option<Instant>,
}

impl SessionTiming {
    /// Lines of the agent were read.
    pub(super) fn lines_read(&mut self) {
        self.read = Some(Instant::now());
    }

    /// All that followed from those lines was done.
    pub(super) fn lines_done(&mut self) {
        self.read = None;
    }

    /// The agent got the first input of a turn.
    pub(super) fn turn_begins(&mut self) {
        self.given.get_or_insert_with(Instant::now);
    }

    /// The turn has ended. An agent that does not stream has sent no delta.
    pub(super) fn turn_ends(&mut self) {
        self.given = None;
    }

    /// A delta was queued for the clients that watch, if any do.
    pub(super) fn delta_queued(&mut self, metrics: &Metrics, is_watched: bool) {
        if let Some(given) = self.given.take() {
            metrics.first_delta.record_time(given.elapsed());
        }
        if let Some(read) = self.read.filter(|_| is_watched) {
            metrics.delta_latency.record_time(read.elapsed());
        }
    }
}

impl SessionActor {
    /// Counts the usage in changes that were committed.
    pub(super) fn count_usage(&self, used: &[(String, UsageTotals)]) {
        for (model, used) in used {
            self.services.metrics.usage.add(&self.row.agent, model, *used);
        }
    }

    /// A decision was made about a request of this time. Clocks may be set back meanwhile.
    pub(super) fn count_wait(&self, asked: Time, decided: Time) {
        let waited = u64::try_from(decided.0.saturating_sub(asked.0)).unwrap_or_default();
        self.services.metrics.permission_wait.record_time(Duration::from_millis(waited));
    }
}

/// The usage in changes, by model.
pub(super) fn usage_in(changes: &[SessionChange]) -> Vec<(String, UsageTotals)> {
    let used = changes.iter().filter_map(|change| match change {
        SessionChange::Usage(turn) => Some(turn),
        _ => None,
    });
    let totals = used.map(|turn| {
        let totals = UsageTotals {
            turns: turn.turns,
            input: turn.tokens.input,
            output: turn.tokens.output,
            cache_read: turn.tokens.cache_read,
            cache_write: turn.tokens.cache_write,
            cost: turn.cost,
        };
        (turn.model.clone(), totals)
    });
    totals.collect()
}
