//! The operator's log: where it is written, and the events of the program itself.

use std::fmt::Arguments;

use anyhow::Context;
use aqueduct_tracing::{LogFile, LogSink, install};

use crate::config::LogConfig;
use crate::explained::advice;

aqueduct_tracing::events! {
    /// The events of `aqueduct serve`.
    pub(crate) const SERVE_EVENTS = "aqueduct::bridge";

    /// The bridge takes connections.
    pub(super) fn bridge_started(version: &str, sessions: u64, addresses: Arguments<'_>) = INFO "bridge.started": "the bridge takes connections";
    /// A signal stops the bridge.
    pub(super) fn bridge_stopping(sessions: u64) = INFO "bridge.stopping": "the bridge stops; agents at work continue";
    /// The bridge has stopped.
    pub(super) fn bridge_stopped() = INFO "bridge.stopped": "the bridge has stopped; everything is stored";
    /// Certificates were read again.
    pub(super) fn certificates_reloaded() = INFO "certificates.reloaded": "the certificates were read again; new connections use them";
    /// A session was deleted for its age, or because the log is too large.
    pub(super) fn session_expired(session_id: &str, reason: &str, days: u64, bytes: u64) = INFO "session.expired": "a session that had ended was deleted, as retain_age or retain_size asks";
    /// Sessions that are too old could not be deleted.
    pub(super) fn retention_failed(error: &str) = ERROR "retention.failed": "sessions that are too old could not be deleted; this is tried again in an hour";
    /// The file of the log can't be opened again.
    pub(super) fn log_file_unusable(error: &str) = ERROR "log.file_unusable": "the log file could not be opened again; lines continue in the old one";
}

/// Writes events from now on. The handle opens the file again.
pub(super) fn begin(config: &LogConfig) -> anyhow::Result<LogSink> {
    let sink = match &config.file {
        Some(path) => {
            let size = u64::try_from(config.file_size).unwrap_or(u64::MAX);
            let file = LogFile::open(path, size, config.file_count).with_context(|| {
                advice(
                    format!("the log file {} can't be written", path.display()),
                    "name another with --log-file",
                )
            })?;
            LogSink::file(file)
        }
        None => LogSink::stderr(),
    };
    install(config.filter.clone(), config.format, sink.clone()).context("the log can't be started")?;
    Ok(sink)
}

/// Opens the log file again, after another program may have renamed it.
pub(super) fn reopen(sink: &LogSink) {
    if let Err(error) = sink.reopen() {
        log_file_unusable(&error.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use aqueduct_agent::trace::AGENT_EVENTS;
    use aqueduct_bridge::failures::FAILURE_EVENTS;
    use aqueduct_bridge::trace::BRIDGE_EVENTS;
    use aqueduct_client::trace::CLIENT_EVENTS;
    use aqueduct_tracing::EventRow;

    use super::SERVE_EVENTS;

    fn table(rows: &[&[EventRow]]) -> String {
        let mut table =
            "| event | level | what happened, and what was done | fields |\n|---|---|---|---|\n".to_owned();
        for row in rows.iter().copied().flatten() {
            let level = row.level.as_str().to_ascii_lowercase();
            let fields: Vec<String> = row.fields.iter().map(|field| format!("`{field}`")).collect();
            let _ = writeln!(table, "| `{}` | {level} | {} | {} |", row.name, row.message, fields.join(", "));
        }
        table
    }

    fn failures() -> String {
        let mut table = "| event | level | what happened, and what was done |\n|---|---|---|\n".to_owned();
        for row in FAILURE_EVENTS {
            let level = row.level.as_str().to_ascii_lowercase();
            let _ = writeln!(table, "| `{}` | {level} | {} |", row.name, row.message);
        }
        table
    }

    /// When this fails, it prints what the page should have.
    #[test]
    fn the_page_lists_all_events() {
        let page = include_str!("../../../../../docs/operations.md");
        for table in [
            failures(),
            table(&[SERVE_EVENTS, BRIDGE_EVENTS]),
            table(&[AGENT_EVENTS]),
            table(&[CLIENT_EVENTS]),
        ] {
            assert!(page.contains(&table), "docs/operations.md should have:\n{table}");
        }
    }

    /// So that a line is found by its name alone.
    #[test]
    fn a_name_is_that_of_one_event_of_a_program() {
        let mut names: Vec<&str> = [SERVE_EVENTS, BRIDGE_EVENTS, FAILURE_EVENTS]
            .iter()
            .copied()
            .flatten()
            .map(|row| row.name)
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
