use std::io::{self, Write};

use aqueduct_wire::json::Raw;

use super::part::ExportPart;
use super::{ExportWriter, pretty, time_of};

/// Writes a conversation as Markdown.
pub(super) struct Markdown<'w> {
    out: &'w mut dyn Write,
    /// The author of the last piece: a heading is written when that changes.
    heading: Option<&'static str>,
    depth: usize,
}

impl<'w> Markdown<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Markdown { out, heading: None, depth: 0 }
    }

    fn heading(&mut self, heading: &'static str, time: Option<&str>) -> io::Result<()> {
        if self.heading == Some(heading) {
            return Ok(());
        }
        self.heading = Some(heading);
        let marks = "#".repeat((2 + self.depth).min(6));
        match time_of(time) {
            Some(time) => writeln!(self.out, "{marks} {heading} · {time}\n"),
            None => writeln!(self.out, "{marks} {heading}\n"),
        }
    }

    /// A text between fences that are longer than any in it.
    fn fenced(&mut self, language: &str, text: &str) -> io::Result<()> {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        writeln!(self.out, "{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
    }

    fn quoted(&mut self, text: &str) -> io::Result<()> {
        for line in text.trim().lines() {
            writeln!(self.out, "> {line}")?;
        }
        writeln!(self.out)
    }

    fn call(&mut self, name: &str, input: &Raw<'_>) -> io::Result<()> {
        writeln!(self.out, "**{}**\n", escaped(name))?;
        self.fenced("json", &pretty(input))
    }
}

impl ExportWriter for Markdown<'_> {
    fn begin(&mut self, title: &str, about: &[(&str, String)]) -> io::Result<()> {
        writeln!(self.out, "# {}\n", escaped(title))?;
        for (what, value) in about {
            writeln!(self.out, "- {}: {}", escaped(what), escaped(value))?;
        }
        writeln!(self.out)
    }

    fn part(&mut self, part: &ExportPart<'_>, time: Option<&str>) -> io::Result<()> {
        match part {
            ExportPart::Prompt(text) => {
                self.heading("User", time)?;
                writeln!(self.out, "{}\n", text.trim())
            }
            ExportPart::Answer(text) => {
                self.heading("Assistant", time)?;
                writeln!(self.out, "{}\n", text.trim())
            }
            ExportPart::Thinking(text) => {
                self.heading("Assistant", time)?;
                self.quoted(&format!("*Thinking.* {text}"))
            }
            ExportPart::Note(text) => {
                self.heading("Note", time)?;
                self.quoted(text)
            }
            ExportPart::Error(text) => {
                self.heading("Assistant", time)?;
                self.quoted(&format!("**Error:** {text}"))
            }
            ExportPart::Call { name, input } => {
                self.heading("Assistant", time)?;
                self.call(name, input)
            }
            ExportPart::Result { text, is_error } => {
                self.heading("Tool", time)?;
                if *is_error {
                    writeln!(self.out, "**Error**\n")?;
                }
                self.fenced("", text)
            }
            ExportPart::Picture { kind, .. } => writeln!(self.out, "*[{}]*\n", escaped(kind)),
            ExportPart::Other(kind) => writeln!(self.out, "*[{}]*\n", escaped(kind)),
            ExportPart::Compacted(tokens) => {
                self.heading = None;
                let size = tokens.map(|tokens| format!(" at {tokens} tokens")).unwrap_or_default();
                writeln!(self.out, "---\n\n*The conversation was compacted here{size}.*\n\n---\n")
            }
        }
    }

    fn subagent_begins(&mut self, title: &str) -> io::Result<()> {
        self.depth += 1;
        self.heading = None;
        let marks = "#".repeat((1 + self.depth).min(6));
        writeln!(self.out, "{marks} Subagent: {}\n", escaped(title))
    }

    fn subagent_ends(&mut self) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        self.heading = None;
        writeln!(self.out, "*End of the subagent.*\n")
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A text in one line in which nothing is a mark.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
