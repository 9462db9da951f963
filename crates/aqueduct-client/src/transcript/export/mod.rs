//! Conversations for elsewhere: to read as a page or a text, or to keep as they are.

mod html;
mod markdown;
mod part;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::SystemTime;

use aqueduct_wire::json::Raw;
use jiff::Timestamp;

use self::part::Part;
use super::TranscriptError;
use super::session::StoredSession;
use super::transcript::ReadOptions;
use super::walk::Step;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text with marks, for people and for other programs' pages.
    Markdown,
    /// A page of its own, which loads nothing and runs nothing.
    Html,
    /// The file's lines as they are.
    Jsonl,
}

impl StoredSession {
    /// Writes the session in another form, piece by piece. Pages and texts have what was said, with subagents where
    /// they were called; the lines are the whole file.
    pub fn export(&self, format: Format, out: &mut dyn Write) -> Result<(), TranscriptError> {
        let told = |error| TranscriptError::Export { error };
        match format {
            Format::Jsonl => {
                io::copy(&mut self.file()?, out).map_err(told)?;
                return out.flush().map_err(told);
            }
            Format::Markdown => self.write_with(&mut markdown::Markdown::new(out))?,
            Format::Html => self.write_with(&mut html::Html::new(out))?,
        }
        out.flush().map_err(told)
    }

    fn write_with(&self, writer: &mut dyn Writer) -> Result<(), TranscriptError> {
        let told = |error| TranscriptError::Export { error };
        writer.begin(&self.summary()?).map_err(told)?;
        let mut failed = None;
        let _ = self.walk(&ReadOptions::default(), |step| match write_step(writer, &step) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(told(error));
        }
        writer.end().map_err(told)
    }
}

/// Writes a conversation in one form.
trait Writer {
    fn begin(&mut self, summary: &super::Summary) -> io::Result<()>;
    fn part(&mut self, part: &Part<'_>, time: Option<&str>) -> io::Result<()>;
    fn subagent_begins(&mut self, title: &str) -> io::Result<()>;
    fn subagent_ends(&mut self) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}

fn write_step(writer: &mut dyn Writer, step: &Step<'_>) -> io::Result<()> {
    match step {
        Step::Message { message, .. } => {
            let Some(line) = message.typed() else { return Ok(()) };
            let time = line.chained().and_then(|line| line.timestamp()).map(str::to_owned);
            let Some(frame) = message.frame() else { return Ok(()) };
            part::each(&frame, &mut |part| writer.part(&part, time.as_deref()))
        }
        Step::SubagentBegins { subagent, .. } => {
            let meta = subagent.map(|subagent| subagent.meta());
            let texts = meta.map(|meta| [meta.agent_type.as_deref(), meta.description.as_deref()]);
            let texts: Vec<&str> = texts.into_iter().flatten().flatten().collect();
            writer.subagent_begins(&if texts.is_empty() { "subagent".to_owned() } else { texts.join(": ") })
        }
        Step::SubagentEnds { .. } => writer.subagent_ends(),
    }
}

/// What an export tells about the session.
fn about(summary: &super::Summary) -> Vec<(&'static str, String)> {
    let time =
        |time: SystemTime| Timestamp::try_from(time).ok().and_then(|time| time_of(Some(&time.to_string())));
    let program = match &summary.program {
        super::Program::Named(name) => Some(name.clone()),
        super::Program::Reference => summary.version.as_ref().map(|version| format!("reference {version}")),
    };
    let rows = [
        ("Session", Some(summary.id.clone())),
        ("Folder", summary.cwd.clone()),
        ("Branch", summary.git_branch.clone().filter(|branch| branch != "HEAD")),
        ("Tag", summary.tag.clone()),
        ("Begun", summary.created.and_then(time)),
        ("Last used", time(summary.modified)),
        ("Program", program),
    ];
    rows.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

/// A time for people, to the minute, in the time of Greenwich: an export is read anywhere.
fn time_of(timestamp: Option<&str>) -> Option<String> {
    let time: Timestamp = timestamp?.parse().ok()?;
    let text = time.to_string();
    Some(format!("{} {} UTC", text.get(..10)?, text.get(11..16)?))
}

/// JSON over several lines.
fn pretty(value: &Raw<'_>) -> String {
    let parsed: Option<serde_json::Value> = value.to().ok();
    let text = parsed.and_then(|value| serde_json::to_string_pretty(&value).ok());
    text.unwrap_or_else(|| value.as_str().to_owned())
}
