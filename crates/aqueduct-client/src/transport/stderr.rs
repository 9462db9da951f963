use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

/// How many lines of stderr are kept.
const KEPT_LINES: usize = 40;

/// How much of a line is kept.
const KEPT_LINE_BYTES: usize = 2 << 10;

/// The last lines of a process's stderr. All of it is read, so that the process never waits.
#[derive(Debug)]
pub(super) struct StderrTail {
    lines: Arc<Mutex<TailLines>>,
    reader: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct TailLines {
    whole: VecDeque<Vec<u8>>,
    current: Vec<u8>,
}

impl TailLines {
    fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                _ if self.current.len() < KEPT_LINE_BYTES => self.current.push(byte),
                _ => {}
            }
        }
    }

    fn end_line(&mut self) {
        if self.whole.len() == KEPT_LINES {
            self.whole.pop_front();
        }
        self.whole.push_back(std::mem::take(&mut self.current));
    }
}

impl StderrTail {
    pub(super) fn read(stderr: ChildStderr) -> Self {
        let lines = Arc::new(Mutex::new(TailLines::default()));
        let reader = tokio::spawn(read(stderr, lines.clone()));
        StderrTail { lines, reader }
    }

    /// Waits until all has been read, for as long as `patience` lasts, and gives the lines.
    pub(super) async fn finish(mut self, patience: std::time::Duration) -> Vec<String> {
        // A descendant may hold the pipe open; the process itself has written everything.
        let _ = tokio::time::timeout(patience, &mut self.reader).await;
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if !lines.current.is_empty() {
            lines.end_line();
        }
        lines.whole.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect()
    }
}

impl Drop for StderrTail {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

async fn read(stderr: ChildStderr, lines: Arc<Mutex<TailLines>>) {
    let mut stderr = BufReader::new(stderr);
    let mut bytes = [0; 4 << 10];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        lines.lock().unwrap_or_else(PoisonError::into_inner).push(&bytes[..count]);
    }
}
