//! Times and sizes for people.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

/// How long ago something was, in the largest unit that applies.
pub(crate) fn ago(time: SystemTime, now: SystemTime) -> String {
    let Ok(age) = now.duration_since(time) else { return "just now".to_owned() };
    let seconds = age.as_secs();
    let (count, unit) = match seconds {
        0..=44 => return "just now".to_owned(),
        45..=3569 => ((seconds + 30) / 60, "min"),
        3570..=84_599 => ((seconds + 1800) / 3600, "h"),
        84_600..=2_591_999 => ((seconds + 43_200) / 86_400, "d"),
        2_592_000..=31_535_999 => (seconds / 2_592_000, "mo"),
        _ => (seconds / 31_536_000, "y"),
    };
    format!("{count} {unit} ago")
}

/// A time in ISO 8601.
pub(super) fn iso(time: SystemTime) -> Option<String> {
    Timestamp::try_from(time).ok().map(|time| format!("{time:.3}"))
}

/// A time in the user's time zone.
pub(super) fn local(time: SystemTime) -> Option<String> {
    let zoned = Timestamp::try_from(time).ok()?.to_zoned(jiff::tz::TimeZone::system());
    Some(zoned.strftime("%Y-%m-%d %H:%M").to_string())
}

/// A size in the unit that fits.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..=999 => format!("{bytes} B"),
        1_000..=999_499 => format!("{} kB", (bytes + 500) / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// How long something took.
pub(super) fn took(time: Duration) -> String {
    match time.as_millis() {
        short @ 0..=999 => format!("{short} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_rounded_to_what_matters() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(100_000_000);
        let ages = [0, 50, 119, 3569, 3570, 84_599, 84_600, 2_591_999, 2_592_000, 31_536_000, 90_000_000];
        let reported: Vec<String> =
            ages.iter().map(|age| ago(now - Duration::from_secs(*age), now)).collect();
        insta::assert_snapshot!(reported.join(", "), @"just now, 1 min ago, 2 min ago, 59 min ago, 1 h ago, 23 h ago, 1 d ago, 30 d ago, 1 mo ago, 1 y ago, 2 y ago");
        assert_eq!(ago(now + Duration::from_secs(5), now), "just now");
    }

    #[test]
    fn sizes_have_their_unit() {
        assert_eq!(
            [size(999), size(1_500), size(999_499), size(12_345_678)],
            ["999 B", "2 kB", "999 kB", "12.3 MB"]
        );
    }
}
