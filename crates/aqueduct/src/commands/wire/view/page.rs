//! Puts lines and running text on the screen, so that they never run into each other.

use std::io::{self, Write};

use crate::output::TerminalInfo;
use crate::terminal::{Ink, Tone, fit, plain, push_text, width};

/// How far a subagent's lines are moved to the right.
const INDENT: &str = "│ ";
/// Indentation stops here; deeper nesting is shown at this depth.
const DEEPEST: usize = 8;

/// A piece of a line, with its tone.
pub(super) type PageSpan<'a> = (Tone, &'a str);

/// The screen.
pub(super) struct TextPage<W> {
    out: W,
    ink: Ink,
    width: usize,
    /// The text that is being written, if a line of it is open.
    open: Option<OpenText>,
    is_gap_due: bool,
    is_empty: bool,
}

#[derive(PartialEq)]
struct OpenText {
    depth: usize,
    tone: Tone,
    is_line_start: bool,
}

impl<W: Write> TextPage<W> {
    pub(super) fn new(out: W, screen: &TerminalInfo) -> Self {
        let (ink, width) = (Ink::new(screen.colour), screen.width);
        TextPage { out, ink, width, open: None, is_gap_due: false, is_empty: true }
    }

    /// Asks for an empty line before whatever comes next.
    pub(super) fn gap(&mut self) {
        self.is_gap_due = true;
    }

    /// How many columns a line at this depth has.
    pub(super) fn room(&self, depth: usize) -> usize {
        self.width.saturating_sub(depth.min(DEEPEST) * 2)
    }

    /// Writes a line. The pieces are made harmless, and what does not fit is cut off at the end.
    pub(super) fn line(&mut self, depth: usize, spans: &[PageSpan<'_>]) -> io::Result<()> {
        self.close()?;
        self.start(depth)?;
        let mut room = self.room(depth);
        for (tone, text) in spans {
            if text.is_empty() {
                continue;
            }
            let text = fit(&plain(text), room);
            room = room.saturating_sub(width(&text));
            write!(self.out, "{}{text}{}", self.ink.begin(*tone), self.ink.end(*tone))?;
            if room == 0 {
                break;
            }
        }
        writeln!(self.out)
    }

    /// Writes a text of any number of lines, each behind the same mark.
    pub(super) fn text(
        &mut self,
        depth: usize,
        mark: PageSpan<'_>,
        tone: Tone,
        text: &str,
    ) -> io::Result<()> {
        for line in text.trim_end().lines() {
            self.close()?;
            self.start(depth)?;
            let mut out = String::with_capacity(line.len());
            line.chars().for_each(|char| push_text(&mut out, char));
            let ink = self.ink;
            let (begin, end) = (ink.begin(mark.0), ink.end(mark.0));
            writeln!(self.out, "{begin}{}{end}{}{out}{}", mark.1, ink.begin(tone), ink.end(tone))?;
        }
        Ok(())
    }

    /// Writes text that may continue with the next call.
    pub(super) fn stream(&mut self, depth: usize, tone: Tone, text: &str) -> io::Result<()> {
        if self.open.as_ref().is_none_or(|open| open.depth != depth || open.tone != tone) {
            self.close()?;
            self.start(depth)?;
            self.open = Some(OpenText { depth, tone, is_line_start: true });
        }
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let (begin, end) = (self.ink.begin(tone), self.ink.end(tone));
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                writeln!(self.out)?;
                self.indent(depth)?;
                open.is_line_start = true;
            }
            if !line.is_empty() {
                let mut shown = String::with_capacity(line.len());
                line.chars().for_each(|char| push_text(&mut shown, char));
                write!(self.out, "{begin}{shown}{end}")?;
                open.is_line_start = false;
            }
        }
        self.open = Some(open);
        Ok(())
    }

    /// Ends the line of running text, if one is open.
    pub(super) fn close(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some(open) if !open.is_line_start || open.depth > 0 => writeln!(self.out),
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn start(&mut self, depth: usize) -> io::Result<()> {
        if std::mem::take(&mut self.is_gap_due) && !self.is_empty {
            writeln!(self.out)?;
        }
        self.is_empty = false;
        self.indent(depth)
    }

    fn indent(&mut self, depth: usize) -> io::Result<()> {
        if depth == 0 {
            return Ok(());
        }
        let bars = INDENT.repeat(depth.min(DEEPEST));
        write!(self.out, "{}{bars}{}", self.ink.begin(Tone::Dim), self.ink.end(Tone::Dim))
    }
}
