use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use aqueduct_tracing::{LogFilter, LogFormat, LogSink, subscriber};

/// Lines that were written, to be looked at.
#[derive(Clone, Default)]
pub(super) struct Kept {
    text: Arc<Mutex<String>>,
    /// Whether writing fails.
    pub(super) is_full: Arc<Mutex<bool>>,
}

impl Kept {
    /// The lines of the events that this emits.
    pub(super) fn of(filter: &str, format: LogFormat, emit: impl FnOnce()) -> String {
        let kept = Kept::default();
        kept.during(filter, format, emit);
        kept.text()
    }

    pub(super) fn during(&self, filter: &str, format: LogFormat, emit: impl FnOnce()) {
        let sink = LogSink::writer(self.clone());
        tracing::subscriber::with_default(subscriber(LogFilter::parse(filter).unwrap(), format, sink), emit);
    }

    /// All lines, without their times.
    pub(super) fn text(&self) -> String {
        let text = self.text.lock().unwrap();
        let lines = text.lines().map(|line| match line.strip_prefix("{\"time\":\"") {
            Some(rest) => format!("{{\"time\":\"TIME{}\n", &rest[TIME..]),
            None => format!("TIME{}\n", &line[TIME..]),
        });
        lines.collect()
    }
}

/// How long a time is: `2026-01-02T03:04:05.678Z`.
const TIME: usize = 24;

impl Write for Kept {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if *self.is_full.lock().unwrap() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.text.lock().unwrap().push_str(std::str::from_utf8(line).unwrap());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
