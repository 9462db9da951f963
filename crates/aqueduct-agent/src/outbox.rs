//! The agent's output on stdout: frames, or the answer alone.

use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{ResultFrame, ResultSubtype};
use aqueduct_wire::origin::Origin;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::options::OutputFormat;

/// How many lines wait for a host that does not read, before the agent waits for it.
const LINES_AHEAD: usize = 256;

/// How many bytes are gathered before they are written, where lines come faster than they go.
const WRITE_BYTES: usize = 64 * 1024;

/// The way to stdout. Clones write to the same place, one line after the other.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<String>,
    /// Whether frames are written, and not only the answer.
    wants_frames: bool,
    /// A write has failed.
    gone: CancellationToken,
}

/// The task that writes. It ends when all outboxes are dropped, or when a write fails.
#[derive(Debug)]
pub(crate) struct OutputWriter {
    task: JoinHandle<()>,
}

impl OutputWriter {
    /// Waits until everything is written.
    pub(crate) async fn finish(mut self) {
        let _ = (&mut self.task).await;
    }
}

impl Drop for OutputWriter {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Outbox {
    /// An outbox and its writer. `max_turns` is the limit that a printed answer names where it was reached.
    pub(crate) fn open(
        output: impl AsyncWrite + Send + Unpin + 'static,
        format: OutputFormat,
        verbose: bool,
        max_turns: Option<u32>,
    ) -> (Outbox, OutputWriter) {
        let (lines, waiting) = mpsc::channel(LINES_AHEAD);
        let gone = CancellationToken::new();
        let report = PrintedReport { max_turns, ..PrintedReport::default() };
        let task = tokio::spawn(write(output, format, verbose, report, waiting, gone.clone()));
        let wants_frames = format == OutputFormat::StreamJson || (format == OutputFormat::Json && verbose);
        (Outbox { lines, wants_frames, gone }, OutputWriter { task })
    }

    /// Sends a frame. It waits while the host does not read.
    pub(crate) async fn send(&self, frame: &FromAgent<'_>) {
        self.line(frame.to_line()).await;
    }

    /// Sends a line that is a frame. After a failed write the line is lost; [`Outbox::watch`] reports such a failure.
    pub(crate) async fn line(&self, line: String) {
        let _ = self.lines.send(line).await;
    }

    /// Whether frames are wanted at all, and not only the answer.
    pub(crate) fn wants_frames(&self) -> bool {
        self.wants_frames
    }

    /// Returns when a write has failed: stdout has no reader any more.
    pub(crate) fn watch(&self) -> impl Future<Output = ()> + use<> {
        self.gone.clone().cancelled_owned()
    }
}

async fn write(
    mut output: impl AsyncWrite + Send + Unpin,
    format: OutputFormat,
    verbose: bool,
    mut report: PrintedReport,
    mut lines: mpsc::Receiver<String>,
    gone: CancellationToken,
) {
    let mut next: Option<String> = None;
    loop {
        let line = match next.take() {
            Some(line) => line,
            None => match lines.recv().await {
                Some(line) => line,
                None => break,
            },
        };
        if format != OutputFormat::StreamJson {
            report.note(line, format == OutputFormat::Json && verbose);
            continue;
        }
        let mut bytes = line.into_bytes();
        bytes.push(b'\n');
        while bytes.len() < WRITE_BYTES
            && let Ok(line) = lines.try_recv()
        {
            if line.len() >= WRITE_BYTES {
                // It is written by itself: there may be megabytes of it, which need not be copied.
                next = Some(line);
                break;
            }
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        if output.write_all(&bytes).await.is_err() || output.flush().await.is_err() {
            gone.cancel();
            return;
        }
    }
    let text = report.text(format, verbose);
    let _ = output.write_all(text.as_bytes()).await;
    let _ = output.flush().await;
}

/// What is printed at the end where no frames are wanted.
#[derive(Debug, Default)]
struct PrintedReport {
    /// How many turns the model may take.
    max_turns: Option<u32>,
    all: Vec<String>,
    result: Option<String>,
    /// The answers as text: of the prompt, and of turns that the ends of background tasks began.
    answers: Vec<String>,
}

impl PrintedReport {
    fn note(&mut self, line: String, keep_all: bool) {
        if aqueduct_wire::peek(&line).is_ok_and(|peek| peek.kind.as_deref() == Some("result")) {
            if let Ok(FromAgent::Result(result)) = FromAgent::parse(&line)
                && !is_silent(&result)
            {
                self.answers.push(answer(&result, self.max_turns));
            }
            self.result = Some(line.clone());
        }
        if keep_all {
            self.all.push(line);
        }
    }

    fn text(&self, format: OutputFormat, verbose: bool) -> String {
        match format {
            OutputFormat::StreamJson => String::new(),
            OutputFormat::Json if verbose => format!("[{}]\n", self.all.join(",")),
            OutputFormat::Json => self.result.as_ref().map(|line| format!("{line}\n")).unwrap_or_default(),
            OutputFormat::Text => self.answers.join("\n"),
        }
    }
}

/// Whether a result is that of a notification about which the model was not asked.
fn is_silent(result: &ResultFrame<'_>) -> bool {
    let is_notification = matches!(result.origin.as_deref(), Some(Origin::TaskNotification(_)));
    is_notification && result.num_turns.as_ref().and_then(|turns| turns.as_u64()) == Some(0)
}

/// The answer as text: what the model said last, or why there is nothing.
fn answer(result: &ResultFrame<'_>, max_turns: Option<u32>) -> String {
    if let (ResultSubtype::ErrorMaxTurns, Some(max)) = (&result.subtype, max_turns) {
        return format!("Error: Reached max turns ({max})");
    }
    let mut text = match (&result.result, &result.errors) {
        (Some(text), _) => text.to_string(),
        (None, Some(errors)) => {
            let message = errors.join("; ");
            // The error of a session that did not begin is what is printed on stderr, with its introduction.
            match result.startup_failure_reason {
                Some(_) => message,
                None => format!("Error: {message}"),
            }
        }
        (None, None) => String::new(),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
