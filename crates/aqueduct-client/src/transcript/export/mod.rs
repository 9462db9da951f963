//! Conversations for elsewhere: to read as a page or a text, or to keep as they are.

mod document;
mod html;
mod markdown;
mod part;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::SystemTime;

use aqueduct_wire::json::Raw;
use jiff::Timestamp;

pub use self::document::Document;
use self::part::ExportPart;
use super::TranscriptError;
use super::reading::ReadOptions;
use super::session::StoredSession;
use super::walk::ConversationStep;

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
    /// Writes the session in another form, piece by piece. Pages and texts have the messages, with subagents
    /// where they were called; the lines are the whole file.
    pub fn export(&self, format: Format, out: &mut dyn Write) -> Result<(), TranscriptError> {
        let reported = |error| TranscriptError::Export { error };
        match format {
            Format::Jsonl => {
                io::copy(&mut self.file()?, out).map_err(reported)?;
                return out.flush().map_err(reported);
            }
            Format::Markdown => self.write_in(Document::markdown(out))?,
            Format::Html => self.write_in(Document::html(out))?,
        }
        out.flush().map_err(reported)
    }

    fn write_in(&self, mut document: Document<'_>) -> Result<(), TranscriptError> {
        let reported = |error| TranscriptError::Export { error };
        let summary = self.summary()?;
        document.begin(summary.title(), &about(&summary)).map_err(reported)?;
        let mut failed = None;
        let _ = self.walk(&ReadOptions::default(), |step| match write_step(&mut document, &step) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(reported(error));
        }
        document.end().map_err(reported)
    }
}

/// Writes a conversation in one form.
trait ExportWriter {
    fn begin(&mut self, title: &str, about: &[(&str, String)]) -> io::Result<()>;
    fn part(&mut self, part: &ExportPart<'_>, time: Option<&str>) -> io::Result<()>;
    fn subagent_begins(&mut self, title: &str) -> io::Result<()>;
    fn subagent_ends(&mut self) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}

fn write_step(document: &mut Document<'_>, step: &ConversationStep<'_>) -> io::Result<()> {
    match step {
        ConversationStep::Message { message, .. } => {
            let Some(line) = message.typed() else { return Ok(()) };
            let time = line.chained().and_then(|line| line.timestamp());
            match message.frame() {
                Some(frame) => document.frame(&frame, time),
                None => document.other("a message of an unknown form", time),
            }
        }
        ConversationStep::SubagentBegins { subagent, .. } => {
            let meta = subagent.map(|subagent| subagent.meta());
            let texts = meta.map(|meta| [meta.agent_type.as_deref(), meta.description.as_deref()]);
            let texts: Vec<&str> = texts.into_iter().flatten().flatten().collect();
            document.subagent_begins(&if texts.is_empty() { "subagent".to_owned() } else { texts.join(": ") })
        }
        ConversationStep::SubagentEnds { .. } => document.subagent_ends(),
    }
}

/// What an export contains about the session.
fn about(summary: &super::Summary) -> Vec<(&'static str, String)> {
    let time =
        |time: SystemTime| Timestamp::try_from(time).ok().and_then(|time| time_of(Some(&time.to_string())));
    let program = match &summary.program {
        super::TranscriptProgram::Named(name) => Some(name.clone()),
        super::TranscriptProgram::Reference => {
            summary.version.as_ref().map(|version| format!("reference {version}"))
        }
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

/// JSON over several lines, with its members in their order and its numbers as they are written.
fn pretty(value: &Raw<'_>) -> String {
    let text = value.as_str();
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut is_string, mut is_escaped) = (0usize, false, false);
    let mut chars = text.chars().filter(|c| !matches!(c, '\n' | '\r')).peekable();
    while let Some(c) = chars.next() {
        if is_string {
            out.push(c);
            (is_string, is_escaped) = (is_escaped || c != '"', !is_escaped && c == '\\');
            continue;
        }
        match c {
            ' ' | '\t' => {}
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
                match chars.next_if(|c| matches!(c, '}' | ']')) {
                    Some(close) => out.push(close),
                    None => {
                        depth += 1;
                        line_end(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line_end(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line_end(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                out.push(c);
                is_string = c == '"';
            }
        }
    }
    out
}

fn line_end(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_spread_out_and_nothing_else() {
        let text = r#"{"b":[1e2, {"a\"}":"x, {y}: \\"}],"a":{},"e": [ ],"n":null}"#;
        insta::assert_snapshot!(pretty(&Raw::parse(text).unwrap()), @r#"
        {
          "b": [
            1e2,
            {
              "a\"}": "x, {y}: \\"
            }
          ],
          "a": {},
          "e": [],
          "n": null
        }
        "#);
    }
}
