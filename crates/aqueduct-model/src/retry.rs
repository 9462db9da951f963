//! When a call is made again, and after how long.

use std::time::Duration;

/// How often a call is made again at most, unless the endpoint sets another limit.
pub const MAX_RETRIES: u32 = 10;

/// The longest wait that a server may ask for. A server that asks for more will not answer this turn, so the error
/// is returned at once.
pub const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How long to wait before a call is made again: longer each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The first wait; each further one is twice as long.
    pub first: Duration,
    /// No wait is longer, but for the jitter.
    pub longest: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff { first: Duration::from_millis(500), longest: Duration::from_secs(32) }
    }
}

impl Backoff {
    /// The wait after the given failed attempt, which counts from 1. `jitter`, from 0 to 1, adds up to a quarter:
    /// clients that failed at once shall not all come back at once.
    pub fn delay(&self, attempt: u32, jitter: f64) -> Duration {
        let doubled = 2u32.checked_pow(attempt.saturating_sub(1)).and_then(|by| self.first.checked_mul(by));
        doubled
            .map_or(self.longest, |delay| delay.min(self.longest))
            .mul_f64(1.0 + jitter.clamp(0.0, 1.0) / 4.0)
    }
}

/// What an answer's headers have about another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Advice {
    /// `x-should-retry`: the server knows better than the status.
    pub should_retry: Option<bool>,
    /// `retry-after-ms`, or else `retry-after` in seconds.
    pub after: Option<Duration>,
}

impl Advice {
    /// Reads the headers; `header` looks one up. Dates in `retry-after` are skipped: they are only as good as
    /// the clocks on both sides.
    pub fn read<'h>(header: impl Fn(&str) -> Option<&'h str>) -> Self {
        let number = |name: &str| header(name)?.trim().parse::<f64>().ok();
        let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"));
        Advice {
            should_retry: match header("x-should-retry") {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            // What is too large for a duration is the longest one, and so too long to wait for.
            after: seconds
                .filter(|seconds| *seconds > 0.0)
                .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        }
    }
}

/// Whether a call that got this status may do better at another time. 401 is among them: keys of gateways are
/// renewed, and the reference retries it too.
pub fn passes(status: u16) -> bool {
    matches!(status, 401 | 408 | 409 | 429 | 500..)
}
