//! The host's input on stdin.

use std::io;

use aqueduct_wire::codec::{LineDecoder, LineError};
use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::{ParseError, ToAgent};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many frames wait while the agent is busy; the host's writes wait after that.
const FRAMES_AHEAD: usize = 64;

/// How much is read at once.
const READ_BYTES: usize = 64 * 1024;

/// What was received.
#[derive(Debug)]
pub(crate) enum InboxItem {
    /// A frame.
    Frame(ToAgent<'static>),
    /// A line that is none.
    Bad(InboxError),
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPrompt {
    /// Stdin can't be read.
    #[error("stdin can't be read: {0}")]
    Stdin(io::Error),
    /// Neither the command line nor stdin has one.
    #[error("Input must be provided either through stdin or as a prompt argument when using --print")]
    Missing,
}

/// Frames from the host. Dropping it ends the reading.
#[derive(Debug)]
pub(crate) struct Inbox {
    inputs: mpsc::Receiver<InboxItem>,
    task: JoinHandle<()>,
}

impl Inbox {
    /// Reads frames from `input`.
    pub(crate) fn open(input: impl AsyncRead + Send + Unpin + 'static) -> Self {
        let (sender, inputs) = mpsc::channel(FRAMES_AHEAD);
        Inbox { inputs, task: tokio::spawn(read(input, sender)) }
    }

    /// The next input; `None` at the end of stdin.
    pub(crate) async fn next(&mut self) -> Option<InboxItem> {
        self.inputs.recv().await
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(mut input: impl AsyncRead + Unpin, sender: mpsc::Sender<InboxItem>) {
    let mut decoder = LineDecoder::default();
    let mut buffer = vec![0; READ_BYTES];
    loop {
        let count = match input.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        let mut bytes = buffer.get(..count).unwrap_or_default();
        while let Some(line) = decoder.next_line(&mut bytes) {
            let parsed = line.map(|line| (line.number, parse(line.text)));
            if !pass_on(parsed, &sender).await {
                return;
            }
        }
    }
    if let Some(rest) = decoder.finish() {
        let parsed = rest.map(|line| (line.number, parse(line.text)));
        pass_on(parsed, &sender).await;
    }
}

/// A line of stdin that is no frame.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InboxError {
    /// It is no line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is no frame.
    #[error("line {number} of stdin is not a frame: {error}")]
    Frame {
        /// The line, from 1.
        number: u64,
        /// Why.
        error: ParseError,
    },
}

impl HintedError for InboxError {
    fn hint(&self) -> Option<Hint> {
        match self {
            InboxError::Line(error) => error.hint(),
            InboxError::Frame { .. } => Some(Hint::sentence("Send one JSON object a line, with a \"type\"")),
        }
    }
}

type ParsedLine = Result<(u64, Result<ToAgent<'static>, ParseError>), LineError>;

/// Passes a line on; returns whether the receiver still exists.
async fn pass_on(parsed: ParsedLine, sender: &mpsc::Sender<InboxItem>) -> bool {
    let input = match parsed {
        Ok((_, Ok(frame))) => InboxItem::Frame(frame),
        Ok((number, Err(error))) => InboxItem::Bad(InboxError::Frame { number, error }),
        Err(error) => InboxItem::Bad(error.into()),
    };
    sender.send(input).await.is_ok()
}

fn parse(line: &str) -> Result<ToAgent<'static>, ParseError> {
    ToAgent::parse(line).map(|frame| frame.into_owned())
}

/// What is wrong with a frame that has no type, another one than those that are known, or not what its type
/// needs.
pub(crate) fn unknown_frame(kind: Option<&str>) -> String {
    match kind {
        None => "the frame has no \"type\": it was ignored".to_owned(),
        Some("user") => {
            "a frame of the type \"user\" needs \"message\" with \"role\" and \"content\": it was ignored"
                .to_owned()
        }
        Some(known) if known.starts_with("control_") => {
            format!(
                "the frame of the type {known:?} lacks what it needs, or it has another shape: it was ignored"
            )
        }
        Some(other) => format!("there are no frames of the type {other:?}: it was ignored"),
    }
}
