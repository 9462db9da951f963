use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tracing::Level;

use super::LogFile;
use super::format::{FieldValue, LogFormat, LogLine};

/// Where lines go. Clones are handles to the same place.
#[derive(Clone)]
pub struct LogSink {
    state: Arc<Mutex<SinkState>>,
}

struct SinkState {
    place: SinkPlace,
    /// How many lines could not be written, and why the last could not.
    lost: u64,
    why: String,
}

enum SinkPlace {
    Stderr,
    File(LogFile),
    Writer(Box<dyn Write + Send>),
}

impl LogSink {
    /// Lines go to standard error.
    pub fn stderr() -> Self {
        LogSink::new(SinkPlace::Stderr)
    }

    /// Lines go to a file.
    pub fn file(file: LogFile) -> Self {
        LogSink::new(SinkPlace::File(file))
    }

    /// Lines go to a writer, one in each call of `write_all`.
    pub fn writer(writer: impl Write + Send + 'static) -> Self {
        LogSink::new(SinkPlace::Writer(Box::new(writer)))
    }

    fn new(place: SinkPlace) -> Self {
        LogSink { state: Arc::new(Mutex::new(SinkState { place, lost: 0, why: String::new() })) }
    }

    /// Opens the file again, if lines go to one: another program may have renamed it.
    pub fn reopen(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut state.place {
            SinkPlace::File(file) => file.reopen(),
            SinkPlace::Stderr | SinkPlace::Writer(_) => Ok(()),
        }
    }

    /// Writes a line. One that can't be written is counted, and the next line that can be is preceded by the count.
    pub(crate) fn write(&self, line: &str, format: LogFormat) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let report = (state.lost > 0).then(|| state.report().written(format));
        if let Some(report) = report
            && state.place.write(&report).is_ok()
        {
            state.lost = 0;
        }
        if let Err(error) = state.place.write(line) {
            state.lost = state.lost.saturating_add(1);
            state.why = error.to_string();
        }
    }
}

impl SinkState {
    fn report(&self) -> LogLine<'static> {
        let lost = FieldValue::Plain(self.lost.to_string());
        LogLine {
            time: Timestamp::now(),
            level: Level::WARN,
            event: "log.lines_lost",
            target: "aqueduct::log",
            message: "lines could not be written and were dropped".to_owned(),
            fields: vec![("lines", lost), ("error", FieldValue::Text(self.why.clone()))],
            spans: Vec::new(),
        }
    }
}

impl SinkPlace {
    fn write(&mut self, line: &str) -> io::Result<()> {
        match self {
            SinkPlace::Stderr => io::stderr().write_all(line.as_bytes()),
            SinkPlace::File(file) => file.write_all(line.as_bytes()),
            SinkPlace::Writer(writer) => writer.write_all(line.as_bytes()),
        }
    }
}
