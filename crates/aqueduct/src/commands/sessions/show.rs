//! `aqueduct sessions show`: a conversation, as it was.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::SystemTime;

use aqueduct_client::transcript::{
    ConversationStep, Message, ReadOptions, StoredSession, Summary, Transcript, TranscriptProgram,
};
use aqueduct_wire::FromAgent;

use super::place::SessionSelector;
use super::{age, place};
use crate::commands::wire::view::ViewedConversation;
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, fit, plain};

/// Show a conversation
///
/// Shows all messages, with tool calls and their results, from the beginning. Subagents are indented under
/// the call that started them. Control characters in what is shown are made visible.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions show 550e84
  aqueduct sessions show 550e84 --thinking | less
  aqueduct sessions show 550e84 --json | aqueduct wire view

--json prints the messages as frames, one a line, as an agent would have sent them.

Exit code: 0; 2 if the session does not exist or can't be read.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: SessionSelector,
    /// Only messages since the last compaction: what the model still sees
    #[arg(long)]
    since_compaction: bool,
    /// How many messages to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// How many messages to show
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Leave out messages of subagents
    #[arg(long)]
    no_subagents: bool,
    /// Show what the model thought, in place of how much
    #[arg(long)]
    thinking: bool,
    /// Print frames
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let session = args.which.find()?;
    let options =
        if args.since_compaction { ReadOptions::since_compaction() } else { ReadOptions::default() };
    let transcript = session.open_with(&options)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        each(args, &session, &transcript, |message| match message.frame() {
            Some(frame) => writeln!(out, "{}", frame.to_line()),
            None => writeln!(out, "{}", message.line()),
        })?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", head(&session.summary()?, screen))?;
    let mut view = ViewedConversation::new(out, screen, args.thinking);
    each(args, &session, &transcript, |message| match message.frame() {
        Some(frame) => view.frame(&frame),
        // A message of an unknown form: the view shows its kind.
        None => FromAgent::parse(message.line()).map_or(Ok(()), |frame| view.frame(&frame)),
    })?;
    view.finish()?;
    remarks(&transcript);
    Ok(ExitCode::SUCCESS)
}

/// What to know of the session before its first word.
fn head(summary: &Summary, screen: &TerminalInfo) -> String {
    let ink = Ink::new(screen.colour);
    let program = match &summary.program {
        TranscriptProgram::Named(name) => Some(name.clone()),
        _ => summary.version.as_ref().map(|version| format!("reference {version}")),
    };
    let facts = [
        Some(summary.id.clone()),
        summary.cwd.as_deref().map(place::shown),
        summary.git_branch.clone().filter(|branch| branch != "HEAD"),
        summary.tag.as_ref().map(|tag| format!("#{tag}")),
        summary.created.and_then(age::local).map(|time| format!("begun {time}")),
        Some(format!("used {}", age::ago(summary.modified, SystemTime::now()))),
        Some(age::size(summary.size)),
        program,
    ];
    let facts: Vec<String> = facts.into_iter().flatten().map(|fact| plain(&fact)).collect();
    let title = fit(&plain(summary.title()), screen.width);
    format!("{}\n{}\n\n", ink.bold(&title), ink.dim(&facts.join(" · ")))
}

/// Hands the messages to show to `show`.
fn each(
    args: &Args,
    session: &StoredSession,
    transcript: &Transcript,
    mut show: impl FnMut(&Message) -> io::Result<()>,
) -> anyhow::Result<()> {
    let (mut passed, mut shown) = (0, 0);
    let mut failed = None;
    let _ = session.walk_through(transcript, |step| {
        let ConversationStep::Message { message, depth } = step else { return ControlFlow::Continue(()) };
        if depth > 0 && args.no_subagents {
            return ControlFlow::Continue(());
        }
        passed += 1;
        if passed <= args.offset {
            return ControlFlow::Continue(());
        }
        if args.limit.is_some_and(|limit| shown == limit) {
            return ControlFlow::Break(());
        }
        shown += 1;
        match show(message) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// What could not be shown.
fn remarks(transcript: &Transcript) {
    if let Some(first) = transcript.broken().first() {
        let count = transcript.broken_lines();
        output::remark(&format!("{count} of the file's lines can't be read; {}", plain(&first.to_string())));
    }
    let beside = transcript.messages_beside();
    if beside > 0 && !transcript.is_part() {
        let what = if beside == 1 { "1 message is".to_owned() } else { format!("{beside} messages are") };
        output::remark(&format!(
            "{what} on another way and not shown; `export --format jsonl` has every line"
        ));
    }
}
