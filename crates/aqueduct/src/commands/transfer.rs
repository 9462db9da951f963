//! What `backup` and `restore` print.

use std::path::Path;

use aqueduct_bridge::backup::archive::{BackupHeader, Manifest};
use aqueduct_bridge::backup::{BackupProgress, BackupStep};
use aqueduct_bridge::log::LogCounts;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::output::{self, TerminalInfo};
use crate::terminal::{bytes, grouped, plain};

/// Shows how far a backup or a restore is, on a terminal.
pub(super) struct TransferProgress {
    is_shown: bool,
    /// How many bytes are to be read, where the archive's size is known.
    size: Option<u64>,
    /// What was shown last.
    shown: String,
}

impl TransferProgress {
    pub(super) fn new(screen: &TerminalInfo, is_json: bool) -> Self {
        TransferProgress { is_shown: screen.progress && !is_json, size: None, shown: String::new() }
    }

    /// Notes how large the archive is that is read.
    pub(super) fn expect(&mut self, size: Option<u64>) {
        self.size = size;
    }

    pub(super) fn show(&mut self, progress: BackupProgress) {
        if !self.is_shown {
            return;
        }
        let text = describe(progress, self.size);
        if text != self.shown {
            output::progress(&text);
            self.shown = text;
        }
    }

    pub(super) fn clear(&mut self) {
        if !self.shown.is_empty() {
            output::progress("");
        }
    }
}

fn describe(progress: BackupProgress, size: Option<u64>) -> String {
    let doing = match progress.step {
        BackupStep::Copy => "copying the log",
        BackupStep::Write => "writing",
        BackupStep::Read => "reading",
        BackupStep::Examine => return "examining the log".to_owned(),
    };
    match progress.total.or(size).filter(|total| *total > 0) {
        Some(total) => {
            let percent = (progress.done.min(total) as f64 / total as f64 * 100.0) as u64;
            format!("{doing}: {percent} % of {}", bytes(total))
        }
        // In steps, so that it does not flicker.
        None => format!("{doing}: {}", bytes(progress.done >> 20 << 20)),
    }
}

/// A backup in a line.
pub(super) fn summary(counts: &LogCounts, manifest: &Manifest, with_size: bool) -> String {
    let mut parts = vec![
        counted(counts.sessions, "session", "sessions"),
        counted(counts.messages, "message", "messages"),
        counted(counts.devices, "device", "devices"),
    ];
    if with_size {
        parts.push(bytes(manifest.files.iter().map(|file| file.size).sum()));
    }
    parts.join(", ")
}

/// A backup for programs.
pub(super) fn json(header: &BackupHeader, manifest: &Manifest, counts: &LogCounts) -> Value {
    json!({
        "version": header.version(),
        "program": header.program,
        "created": header.created,
        "logId": header.log_id,
        "sessions": counts.sessions,
        "messages": counts.messages,
        "devices": counts.devices,
        "bytes": manifest.files.iter().map(|file| file.size).sum::<u64>(),
        "files": manifest.files.iter().map(|file| {
            json!({ "path": file.path, "size": file.size, "sha256": file.sha256 })
        }).collect::<Vec<_>>(),
    })
}

/// A count with its noun.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A path for people.
pub(super) fn shown(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// Names for people; the first ones of many.
pub(super) fn listed(names: &[String]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST).map(|name| plain(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// A time in the user's time zone.
pub(super) fn when(millis: i64) -> String {
    let zoned = |time: Timestamp| time.to_zoned(jiff::tz::TimeZone::system());
    let time =
        Timestamp::from_millisecond(millis).map(|time| zoned(time).strftime("%Y-%m-%d %H:%M").to_string());
    time.unwrap_or_else(|_| "an unknown time".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_share_where_the_total_is_known() {
        let progress = |step, done, total| BackupProgress { step, done, total };
        let of = |progress, size| describe(progress, size);
        assert_eq!(
            of(progress(BackupStep::Copy, 1 << 20, Some(4 << 20)), None),
            "copying the log: 25 % of 4.0 MiB"
        );
        assert_eq!(of(progress(BackupStep::Read, 9, None), Some(8)), "reading: 100 % of 8 bytes");
        assert_eq!(of(progress(BackupStep::Read, (3 << 20) + 5, None), None), "reading: 3.0 MiB");
        assert_eq!(of(progress(BackupStep::Write, 0, Some(0)), None), "writing: 0 bytes");
        assert_eq!(of(progress(BackupStep::Examine, 7, None), None), "examining the log");
    }

    #[test]
    fn many_names_are_cut() {
        let names: Vec<String> = (1..=7).map(|number| format!("file{number}")).collect();
        assert_eq!(listed(&names), "file1, file2, file3, file4, file5 and 2 more");
        assert_eq!(listed(&names[..1]), "file1");
    }
}
