//! The lines that a bridge writes to the operator's log.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use aqueduct_tracing::{LogFilter, LogFormat, LogSink, subscriber};
use tracing::subscriber::DefaultGuard;

/// Collects the lines of this thread, without their ends, until the guard is dropped.
pub(crate) fn collect(lines: &Arc<Mutex<Vec<String>>>) -> DefaultGuard {
    let sink = LogSink::writer(Lines(Arc::clone(lines)));
    let filter = LogFilter::parse("info").unwrap();
    tracing::subscriber::set_default(subscriber(filter, LogFormat::Text, sink))
}

struct Lines(Arc<Mutex<Vec<String>>>);

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(line.to_vec()).unwrap();
        self.0.lock().unwrap().push(text.trim_end_matches('\n').to_owned());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
