use std::time::Duration;

/// What is said about notifications when a bridge starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PushSettings {
    /// What they may say at most.
    pub words: PushWords,
    /// How a push service reaches whoever runs this bridge: `mailto:` or `https:`.
    pub contact: Option<String>,
    /// Whether push services on this machine are good too, and there without TLS: for tests.
    pub loopback: bool,
    /// How long things may take.
    pub pace: PushPace,
}

/// What notifications may say at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PushWords {
    /// There are none.
    Off,
    /// That a session waits, is done or has failed.
    Events,
    /// What the session says, for devices that ask for it.
    #[default]
    Content,
}

/// How long deliveries may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushPace {
    /// One try, from the look at the name to the answer.
    pub attempt: Duration,
    /// How often a delivery is tried.
    pub tries: u32,
    /// How long to wait before the second try; each further one waits four times as long.
    pub pause: Duration,
    /// The longest wait that a push service can ask for. What has to wait longer is given up.
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
