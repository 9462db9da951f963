//! Lines to the agent, one after the other, in a task of its own: a stuck agent must not keep its host from
//! reading.

use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::Error;
use crate::transport::Input;

/// How many lines wait to be written at most; further ones wait with those who send them.
pub(super) const LINES_BOUND: usize = 16;

/// A line to be written.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) line: String,
    /// The prompt that the line is, by its id.
    pub(super) prompt: Option<String>,
    /// Told when it is written, or why it can't be.
    pub(super) written: Option<oneshot::Sender<Result<(), Error>>>,
}

impl From<String> for Outgoing {
    fn from(line: String) -> Self {
        Outgoing { line, prompt: None, written: None }
    }
}

/// The task that writes.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` once the input is to be closed.
    pub(super) lines: Option<mpsc::Sender<Outgoing>>,
    /// Prompts that could not be written, and why.
    pub(super) unwritten: mpsc::Receiver<(String, String)>,
    task: JoinHandle<()>,
}

impl Writer {
    pub(super) fn start(input: Input) -> Self {
        let (lines, queue) = mpsc::channel(LINES_BOUND);
        let (failures, unwritten) = mpsc::channel(LINES_BOUND);
        Writer { lines: Some(lines), unwritten, task: tokio::spawn(write(input, queue, failures)) }
    }

    /// Closes the agent's input once all that waits is written.
    pub(super) fn close(&mut self) {
        self.lines = None;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn write(
    mut input: Input,
    mut queue: mpsc::Receiver<Outgoing>,
    failures: mpsc::Sender<(String, String)>,
) {
    let mut broken = None;
    while let Some(Outgoing { mut line, prompt, written }) = queue.recv().await {
        line.push('\n');
        if broken.is_none() {
            let done = async {
                input.write_all(line.as_bytes()).await?;
                input.flush().await
            };
            broken = done.await.err().map(|error| error.to_string());
        }
        if let (Some(prompt), Some(why)) = (prompt, &broken) {
            // A driver that is gone has told everybody already.
            let _ = failures.send((prompt, why.clone())).await;
        }
        if let Some(written) = written {
            // Whoever sent the line may have stopped waiting.
            let _ = written.send(match &broken {
                None => Ok(()),
                Some(why) => Err(Error::InputClosed(why.clone())),
            });
        }
    }
    // Dropping the input would do for a pipe; a socket has to be told. One that is broken can't be.
    let _ = input.shutdown().await;
}
