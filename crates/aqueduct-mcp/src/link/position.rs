use std::time::Duration;

use reqwest::header::HeaderValue;

/// How long to wait before a stream is opened again, where the server sets nothing else.
const PAUSE: Duration = Duration::from_secs(1);

/// The shortest wait, whatever the server sets: it must not make us ask without end.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);

/// The longest wait that repeated failures lead to.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How many attempts in a row may fail before a stream is given up.
const MOST_FAILURES: u32 = 5;

/// Where a stream of events was cut, and when it is opened again.
#[derive(Debug, Default)]
pub(super) struct StreamPosition {
    /// The id of the last event, by which the stream is resumed.
    last: Option<HeaderValue>,
    /// How long the server wants us to wait.
    retry: Option<Duration>,
    /// Attempts since the last event without one.
    quiet: u32,
    /// Attempts since the last success that failed.
    failures: u32,
}

impl StreamPosition {
    /// An event has arrived.
    pub(super) fn pass(&mut self, id: Option<&str>) {
        self.quiet = 0;
        if let Some(id) = id {
            // An empty id means that the stream can't be resumed; one that can't be sent means the same.
            self.last = (!id.is_empty()).then(|| HeaderValue::from_str(id).ok()).flatten();
        }
    }

    /// The server sets how long to wait.
    pub(super) fn set_retry(&mut self, retry: Option<Duration>) {
        self.retry = retry.or(self.retry);
    }

    /// The stream was opened.
    pub(super) fn open(&mut self) {
        self.failures = 0;
        self.quiet = self.quiet.saturating_add(1);
    }

    /// The stream could not be opened.
    pub(super) fn fail(&mut self) {
        self.failures += 1;
    }

    /// Whether another attempt makes sense.
    pub(super) fn may_retry(&self) -> bool {
        self.failures < MOST_FAILURES
    }

    /// The event after which the stream is resumed; none, where it can't be.
    pub(super) fn last(&self) -> Option<&HeaderValue> {
        self.last.as_ref()
    }

    /// How long to wait before the next attempt.
    pub(super) fn pause(&self) -> Duration {
        // A server that sets a time polls on purpose: only failures make it longer.
        let (pause, doublings) = match self.retry {
            Some(retry) => (retry.max(SHORTEST_PAUSE), self.failures),
            None => (PAUSE, self.failures.max(self.quiet.saturating_sub(1))),
        };
        match doublings {
            0 => pause,
            count => pause.saturating_mul(1 << count.min(8)).min(LONGEST_PAUSE.max(pause)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_sets_the_pause_within_limits() {
        let mut position = StreamPosition::default();
        assert_eq!(position.pause(), PAUSE);
        position.set_retry(Some(Duration::ZERO));
        assert_eq!(position.pause(), SHORTEST_PAUSE);
        position.set_retry(Some(Duration::from_secs(90)));
        position.set_retry(None);
        assert_eq!(position.pause(), Duration::from_secs(90));
        position.fail();
        assert_eq!(position.pause(), Duration::from_secs(90));
    }

    #[test]
    fn a_stream_without_events_is_opened_less_often() {
        let mut position = StreamPosition::default();
        position.open();
        assert_eq!(position.pause(), PAUSE);
        position.open();
        assert_eq!(position.pause(), 2 * PAUSE);
        (0..40).for_each(|_| position.open());
        assert_eq!(position.pause(), LONGEST_PAUSE);
        position.pass(None);
        assert_eq!(position.pause(), PAUSE);
    }

    #[test]
    fn a_stream_that_fails_again_and_again_is_given_up() {
        let mut position = StreamPosition::default();
        (1..MOST_FAILURES).for_each(|_| position.fail());
        assert!(position.may_retry());
        position.fail();
        assert!(!position.may_retry());
        position.open();
        assert!(position.may_retry());
    }

    #[test]
    fn an_id_that_cannot_be_sent_ends_resumption() {
        let mut position = StreamPosition::default();
        position.pass(Some("7"));
        position.pass(None);
        assert_eq!(position.last(), Some(&HeaderValue::from_static("7")));
        position.pass(Some("a\nb"));
        assert_eq!(position.last(), None);
        position.pass(Some(""));
        assert_eq!(position.last(), None);
    }
}
