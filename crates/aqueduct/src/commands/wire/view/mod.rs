//! `aqueduct wire view`: a stream for people.

mod conversation;
mod dialogue;
mod events;
mod gemini;
mod page;
mod progress;
mod turn;

pub(crate) use conversation::ViewedConversation;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use aqueduct_wire::codec::{DEFAULT_LINE_LIMIT, Line, LineError};
use aqueduct_wire::hint::HintedError as _;

use crate::input::{InputStream, LineSink};
use crate::output::TerminalInfo;

/// Show a stream to people, as it comes
///
/// Reads a stream of frames or a recording made by `aqueduct record` and shows the conversation: text as it
/// is written, tools with what they gave back, permission requests and how they were decided, retries, and at
/// the end of each turn what it took. Subagents are indented under the call that started them. Control
/// characters in what is shown are made visible, so nothing in a stream can take over the terminal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct wire view session.jsonl
  claude -p hello --output-format stream-json --verbose --include-partial-messages | aqueduct wire view
  tail -f session.jsonl | aqueduct wire view --thinking
  gemini -p hello -o stream-json | aqueduct wire view

Colours are used on a terminal only, and not if NO_COLOR is set. COLUMNS sets the width.

Exit code: 0, whatever the stream holds; 2 if it can't be read.")]
pub(crate) struct Args {
    /// A stream or a recording; - is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Show what the model thought, in place of how much
    #[arg(long)]
    thinking: bool,
}

pub(super) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let out = io::BufWriter::new(io::stdout().lock());
    let mut view = StreamView { conversation: ViewedConversation::new(out, screen, args.thinking) };
    InputStream::open(&args.file)?.read(DEFAULT_LINE_LIMIT, &mut view)?;
    view.conversation.finish()?;
    Ok(ExitCode::SUCCESS)
}

struct StreamView<W: Write> {
    conversation: ViewedConversation<W>,
}

impl<W: Write> LineSink for StreamView<W> {
    fn line(&mut self, line: Result<Line<'_>, LineError>) -> anyhow::Result<bool> {
        match line {
            Ok(line) => self.conversation.line(&line)?,
            Err(error) => self.conversation.bad_line(error.number(), &error.advised())?,
        }
        Ok(true)
    }

    fn pause(&mut self, _bytes_read: u64) -> anyhow::Result<()> {
        Ok(self.conversation.flush()?)
    }
}

#[cfg(test)]
mod tests;
