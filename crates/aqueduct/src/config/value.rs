//! Values as people write them.

use std::time::Duration;

use aqueduct_bridge::message::Scope;
use aqueduct_bridge::push::PushWords;

/// As good as never.
pub(super) const NEVER: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// Reads a time: `90s`, `15m`, `1h30m`, `2d`, a number of seconds, or `never`.
pub(crate) fn time(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text == "never" {
        return Some(NEVER);
    }
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds).min(NEVER));
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let count: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let unit = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let length = match rest[..unit].trim() {
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_secs(60),
            "h" => Duration::from_secs(60 * 60),
            "d" => Duration::from_secs(24 * 60 * 60),
            _ => return None,
        };
        total = total.saturating_add(length.saturating_mul(u32::try_from(count).ok()?));
        rest = rest[unit..].trim_start();
    }
    (!text.is_empty()).then(|| total.min(NEVER))
}

/// Writes a time as it is read.
pub(super) fn show_time(time: Duration) -> String {
    if time >= NEVER {
        return "never".to_owned();
    }
    let millis = u64::from(time.subsec_millis());
    let seconds = time.as_secs();
    let parts = [(seconds / 3600, "h"), (seconds % 3600 / 60, "m"), (seconds % 60, "s"), (millis, "ms")];
    let text: String =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// The units of sizes, the largest first.
const UNITS: [(&str, usize); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// Reads a size: `32MiB`, `512KiB`, or a number of bytes.
pub(super) fn size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (number, unit) = UNITS
        .iter()
        .find_map(|(name, unit)| {
            let short = &name[..1];
            let number = text.strip_suffix(name).or_else(|| text.strip_suffix(short))?;
            Some((number, *unit))
        })
        .unwrap_or((text.strip_suffix('B').unwrap_or(text), 1));
    number.trim_end().parse::<usize>().ok()?.checked_mul(unit)
}

/// Writes a size as it is read.
pub(super) fn show_size(size: usize) -> String {
    let unit = UNITS.iter().find(|(_, unit)| size >= *unit && size.is_multiple_of(*unit));
    unit.map_or_else(|| size.to_string(), |(name, unit)| format!("{}{name}", size / unit))
}

/// Reads yes or no.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// What notifications may contain, by name.
const WORDS: [(&str, PushWords); 3] =
    [("content", PushWords::Content), ("events", PushWords::Events), ("off", PushWords::Off)];

/// Reads what notifications may contain.
pub(super) fn words(text: &str) -> Option<PushWords> {
    WORDS.iter().find(|(name, _)| *name == text.trim()).map(|(_, words)| *words)
}

/// Writes what notifications may contain, in the form that is read.
pub(super) fn show_words(words: PushWords) -> &'static str {
    WORDS.iter().find(|(_, known)| *known == words).map_or("off", |(name, _)| name)
}

/// Reads a scope.
pub(super) fn scope(text: &str) -> Option<Scope> {
    Scope::parse(text.trim())
}

/// Reads a contact address: `mailto:ada@example.org` or `https://example.org`.
pub(super) fn contact(text: &str) -> Option<String> {
    let text = text.trim();
    let is_address =
        |rest: &str| rest.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    let is_known = text.strip_prefix("mailto:").is_some_and(is_address)
        || text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty());
    let is_plain = text.chars().all(|character| character.is_ascii_graphic());
    (is_known && is_plain).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in
            [("90s", 90), ("15m", 900), ("1h30m", 5400), ("2d", 172_800), ("45", 45), ("1h 5s", 3605)]
        {
            assert_eq!(time(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        assert_eq!(time("never"), Some(NEVER));
        assert_eq!(time("250ms"), Some(Duration::from_millis(250)));
        for text in ["", "m", "15 minutes", "-1s", "1x", "s15", "99999999999h"] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_and_switches_are_read_as_people_write_them() {
        for (text, bytes) in
            [("32MiB", 32 << 20), ("32M", 32 << 20), ("1 GiB", 1 << 30), ("512", 512), ("7B", 7)]
        {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in ["", "MiB", "1.5MiB", "-1", "1TiB", "99999999999999GiB"] {
            assert_eq!(size(text), None, "{text}");
        }
        assert_eq!((switch("Yes"), switch("0"), switch("perhaps")), (Some(true), Some(false), None));
    }

    #[test]
    fn words_and_contacts_are_read_as_people_write_them() {
        for (name, known) in WORDS {
            assert_eq!((words(name), show_words(known)), (Some(known), name));
        }
        assert_eq!(words("everything"), None);
        for text in ["mailto:ada@example.org", "https://example.org/contact"] {
            assert_eq!(contact(text).as_deref(), Some(text));
        }
        for text in [
            "",
            "ada@example.org",
            "mailto:ada",
            "mailto:@example.org",
            "http://example.org",
            "https://",
            "mailto:ada @example.org",
        ] {
            assert_eq!(contact(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(millis in 0_u64..1 << 40, bytes in any::<usize>()) {
            let length = Duration::from_millis(millis);
            prop_assert_eq!(time(&show_time(length)), Some(length.min(NEVER)));
            prop_assert_eq!(size(&show_size(bytes)), Some(bytes));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,20}") {
            let _ = (time(&text), size(&text), switch(&text));
        }
    }
}
