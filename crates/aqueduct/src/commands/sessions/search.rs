//! `aqueduct sessions search`: search messages of all conversations.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use aqueduct_client::transcript::{Hit, MessagePart, SearchQuery, SearchStats, Store};
use serde_json::json;

use super::row::short;
use super::{age, place};
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, fit, plain};

/// Search the messages of all sessions
///
/// Finds messages that have all the words, in any case: prompts, answers, thinking, what tools were asked and gave
/// back. The newest sessions come first, and each hit is printed as it is found.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions search flaky test
  aqueduct sessions search --project . --said migration
  aqueduct sessions search --json panic | jq -r .sessionId

--json prints one object a hit: sessionId, uuid, timestamp, agent, part, context, matches (beginnings and ends in
bytes of context).

Exit code: 0 if something was found, 1 if nothing was, 2 if the search could not be done.")]
pub(crate) struct Args {
    /// Words that a message must contain
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// Only in the sessions of this folder
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Search messages only: not thinking, tools and notes
    #[arg(long)]
    said: bool,
    /// How many hits to show
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// How many hits of one session to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    per_session: usize,
    /// Print JSON, one object a hit
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let store = place::store()?;
    let mut query = SearchQuery::new(&args.words.join(" "));
    query.project = place::project_path(args.project.as_deref())?;
    query.only_said = args.said;
    query.limit = args.limit.max(1);
    query.limit_per_session = args.per_session.max(1);
    query.context = (screen.width / 2).saturating_sub(14).max(20);
    let began = Instant::now();
    let mut printer = Printer { store: &store, screen, json: args.json, last: None };
    let mut failed = None;
    let searched = store.search(
        &query,
        || false,
        |hit| match printer.print(&hit) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(error);
    }
    if !args.json {
        closing(&searched, began, screen)?;
    }
    Ok(if searched.hits > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

struct Printer<'p> {
    store: &'p Store,
    screen: &'p TerminalInfo,
    json: bool,
    /// The session of the last hits.
    last: Option<String>,
}

impl Printer<'_> {
    fn print(&mut self, hit: &Hit) -> anyhow::Result<()> {
        let text = if self.json { as_json(hit) } else { self.readable(hit) };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    fn readable(&mut self, hit: &Hit) -> String {
        let ink = Ink::new(self.screen.colour);
        let mut text = String::new();
        if self.last.as_ref() != Some(&hit.session) {
            if self.last.is_some() {
                text.push('\n');
            }
            text.push_str(&self.session(&hit.session, ink));
            self.last = Some(hit.session.clone());
        }
        let who = match hit.part {
            MessagePart::Prompt => "you",
            MessagePart::Answer => "model",
            MessagePart::Thinking => "thought",
            MessagePart::ToolCall => "call",
            MessagePart::ToolResult => "result",
            MessagePart::Title => "title",
            _ => "note",
        };
        text.push_str(&format!("  {}  {}\n", ink.dim(&format!("{who:<7}")), marked(hit, ink)));
        text
    }

    /// The line above a session's hits.
    fn session(&self, id: &str, ink: Ink) -> String {
        let summary = self.store.find(id).and_then(|session| session.summary());
        let Ok(summary) = summary else { return format!("{}\n", short(id)) };
        let used = age::ago(summary.modified, SystemTime::now());
        let title = fit(&plain(summary.title()), self.screen.width.saturating_sub(12 + used.len()).max(20));
        format!("{}  {}  {}\n", short(id), ink.bold(&title), ink.dim(&used))
    }
}

/// A hit's text with the words highlighted.
fn marked(hit: &Hit, ink: Ink) -> String {
    let mut text = String::new();
    let mut at = 0;
    for range in &hit.matches {
        if range.start < at {
            continue;
        }
        text.push_str(&plain(&hit.context[at..range.start]));
        text.push_str(&ink.yellow(&plain(&hit.context[range.clone()])));
        at = range.end;
    }
    text.push_str(&plain(&hit.context[at..]));
    text
}

fn as_json(hit: &Hit) -> String {
    let part = match hit.part {
        MessagePart::Prompt => "prompt",
        MessagePart::Answer => "answer",
        MessagePart::Thinking => "thinking",
        MessagePart::ToolCall => "tool_call",
        MessagePart::ToolResult => "tool_result",
        MessagePart::Title => "title",
        _ => "note",
    };
    let matches: Vec<[usize; 2]> = hit.matches.iter().map(|range| [range.start, range.end]).collect();
    let hit = json!({
        "sessionId": hit.session,
        "uuid": hit.uuid,
        "timestamp": hit.timestamp,
        "agent": hit.agent,
        "part": part,
        "context": hit.context,
        "matches": matches,
    });
    format!("{hit}\n")
}

fn closing(searched: &SearchStats, began: Instant, screen: &TerminalInfo) -> anyhow::Result<()> {
    let hits = match searched.hits {
        0 => "nothing found".to_owned(),
        1 => "1 hit".to_owned(),
        hits => format!("{hits} hits"),
    };
    let cut = if searched.is_cut { "; there may be more, --limit shows more" } else { "" };
    let sessions = if searched.sessions == 1 { "session" } else { "sessions" };
    let text = format!(
        "{hits}; looked through {} {sessions}, {}, {}{cut}",
        searched.sessions,
        age::size(searched.bytes),
        age::took(began.elapsed()),
    );
    let space = if searched.hits > 0 { "\n" } else { "" };
    output::text(&format!("{space}{}\n", Ink::new(screen.colour).dim(&text)))
}
