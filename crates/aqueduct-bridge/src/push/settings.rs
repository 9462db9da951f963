use std::time::Duration;

/// Settings of notifications.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PushSettings {
    /// The most that they may contain.
    pub words: PushWords,
    /// How a push service reaches the operator of this bridge: `mailto:` or `https:`.
    pub contact: Option<String>,
    /// Whether push services on this machine are allowed, without TLS: for tests.
    pub loopback: bool,
    /// Timeouts and retries.
    pub pace: PushPace,
}

/// The most that notifications may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PushWords {
    /// No notifications.
    Off,
    /// That a session waits, is done or has failed.
    Events,
    /// Text of the session, for devices that ask for it.
    #[default]
    Content,
}

/// Timeouts and retries of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushPace {
    /// One attempt, from name resolution to the response.
    pub attempt: Duration,
    /// The number of attempts.
    pub tries: u32,
    /// The wait before the second attempt; it is multiplied by four for each further one.
    pub pause: Duration,
    /// The longest wait that a push service can request. Longer ones are given up.
    pub longest: Duration,
}

impl Default for PushPace {
    fn default() -> Self {
        PushPace {
            attempt: Duration::from_secs(15),
            tries: 5,
            pause: Duration::from_secs(2),
            longest: Duration::from_secs(10 * 60),
        }
    }
}
