use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::config;

/// A time from which on something is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Since(u64);

impl Since {
    /// In milliseconds since 1970.
    pub(super) fn milliseconds(self) -> u64 {
        self.0
    }
}

/// Reads a time: how long ago, or a date with or without a time zone.
pub(super) fn parse(text: &str) -> anyhow::Result<Since> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let text = text.trim();
    if let Some(ago) = config::time(text).filter(|_| !text.is_empty() && text != "never") {
        return Ok(Since(milliseconds(now.saturating_sub(ago).as_millis())));
    }
    let zoned = text.parse::<Timestamp>().ok().or_else(|| {
        let date: DateTime = text.parse().ok()?;
        Some(date.to_zoned(TimeZone::system()).ok()?.timestamp())
    });
    match zoned {
        Some(time) => Ok(Since(u64::try_from(time.as_millisecond()).unwrap_or_default())),
        None => bail!("use a time ago such as 90s, 10m or 2h, or a date such as 2026-11-19T14:00"),
    }
}

fn milliseconds(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(parse("2026-11-19T14:00:00Z").unwrap(), Since(1_795_096_800_000));
        assert_eq!(parse("1970-01-01T00:00:01+00:00").unwrap(), Since(1000));
        assert!(parse("2026-11-19T14:00").is_ok() && parse("2026-11-19").is_ok());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let ago = parse("10m").unwrap().milliseconds();
        assert!(u128::from(ago) + 600_000 <= now + 60_000);
        for wrong in ["", "soon", "never", "2026-13-40"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
