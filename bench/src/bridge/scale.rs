//! How much of everything.

use std::time::Duration;

/// The sizes of the measurements.
pub(super) struct Scale {
    pub(super) starts: usize,
    /// Deltas of one session for one client.
    pub(super) deltas: usize,
    pub(super) sessions: usize,
    /// How many of them stream at once.
    pub(super) streaming: usize,
    pub(super) clients: usize,
    /// Deltas of each session among many, and for each client among many.
    pub(super) crowd_deltas: usize,
    /// How many sessions stream while clients ask, and how often they ask.
    pub(super) pinged: usize,
    pub(super) pings: usize,
    pub(super) flood_bytes: usize,
    pub(super) frame_bytes: usize,
    /// How much comes under one message id.
    pub(super) same_id_bytes: usize,
    pub(super) messages: usize,
    /// How often a client comes to the session with many messages.
    pub(super) visits: usize,
}

impl Scale {
    pub(super) const FULL: Scale = Scale {
        starts: 21,
        deltas: 2_000,
        sessions: 500,
        streaming: 50,
        clients: 1_000,
        crowd_deltas: 100,
        pinged: 300,
        pings: 200,
        flood_bytes: 300_000_000,
        frame_bytes: 30_000_000,
        same_id_bytes: 1_000_000_000,
        messages: 100_000,
        visits: 21,
    };

    /// To see that it works.
    pub(super) const QUICK: Scale = Scale {
        starts: 3,
        deltas: 200,
        sessions: 10,
        streaming: 5,
        clients: 50,
        crowd_deltas: 20,
        pinged: 10,
        pings: 10,
        flood_bytes: 10_000_000,
        frame_bytes: 5_000_000,
        same_id_bytes: 10_000_000,
        messages: 2_000,
        visits: 3,
    };
}

/// Between the deltas of one session for one client.
pub(super) const PAUSE: Duration = Duration::from_millis(5);

/// Between the deltas of each session where many stream, and of the one that many listen to: about as fast as a
/// model generates.
pub(super) const CROWD_PAUSE: Duration = Duration::from_millis(100);
