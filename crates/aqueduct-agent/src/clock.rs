//! Times and ids, as frames and transcripts write them.

use std::time::Duration;

use jiff::Timestamp;

/// The time now: `2026-11-15T19:24:54.447Z`.
pub(crate) fn now() -> String {
    let now = Timestamp::now();
    format!("{:.3}", now)
}

/// The time now in milliseconds since 1970.
pub(crate) fn unix_ms() -> u64 {
    Timestamp::now().as_millisecond().unsigned_abs()
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A fresh id.
pub(crate) fn fresh_uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}
