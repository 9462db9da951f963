//! Standard output and standard error, so that they don't run into each other where both are one terminal.

use std::io::{self, Write};

use crate::output::TerminalInfo;
use crate::terminal::{Ink, Tone, fit, plain, push_text, width};

/// How far a subagent's lines are moved to the right.
const INDENT: &str = "│ ";
/// Indentation stops here; deeper nesting is shown at this depth.
const DEEPEST: usize = 8;

/// A piece of a line, with its tone.
pub(super) type Span<'a> = (Tone, &'a str);

/// What is written on: the answer on one side, everything else on the other.
pub(super) struct Sheet<O, E> {
    answers: O,
    notes: E,
    screen: TerminalInfo,
    ink: Ink,
    /// Whether the answer ends inside a line.
    is_open: bool,
    has_answer: bool,
    /// The line that will be replaced, if there is one.
    live: Option<String>,
}

impl<O: Write, E: Write> Sheet<O, E> {
    pub(super) fn new(answers: O, notes: E, screen: &TerminalInfo) -> Self {
        let ink = Ink::new(screen.notes_colour);
        Sheet { answers, notes, screen: *screen, ink, is_open: false, has_answer: false, live: None }
    }

    /// Writes a piece of the answer. One that begins a text is separated from the text before.
    ///
    /// On a terminal nothing in it is obeyed; in a file or a pipe it is as the model wrote it.
    pub(super) fn say(&mut self, text: &str, begins: bool) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.live(None)?;
        if begins && self.has_answer {
            self.end_line()?;
            self.answers.write_all(b"\n")?;
        }
        if self.screen.is_terminal {
            let mut shown = String::with_capacity(text.len());
            text.chars().for_each(|char| match char {
                '\n' => shown.push('\n'),
                char => push_text(&mut shown, char),
            });
            self.answers.write_all(shown.as_bytes())?;
        } else {
            self.answers.write_all(text.as_bytes())?;
        }
        self.is_open = !text.ends_with('\n');
        self.has_answer = true;
        self.answers.flush()
    }

    /// Whether anything has been written.
    pub(super) fn has_answer(&self) -> bool {
        self.has_answer
    }

    /// Ends the line of the answer, if it is in the middle of one.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_open) {
            self.answers.write_all(b"\n")?;
            self.answers.flush()?;
        }
        Ok(())
    }

    /// How many columns a line at this depth has.
    pub(super) fn room(&self, depth: usize) -> usize {
        self.screen.width.saturating_sub(depth.min(DEEPEST) * 2)
    }

    /// Writes a line of notes. What does not fit is cut off at the end.
    pub(super) fn line(&mut self, depth: usize, spans: &[Span<'_>]) -> io::Result<()> {
        self.make_way()?;
        let mut line = self.bars(depth);
        let mut room = self.room(depth);
        for (tone, text) in spans.iter().filter(|(_, text)| !text.is_empty()) {
            let text = fit(&plain(text), room);
            room = room.saturating_sub(width(&text));
            line.push_str(&format!("{}{text}{}", self.ink.begin(*tone), self.ink.end(*tone)));
            if room == 0 {
                break;
            }
        }
        line.push('\n');
        self.write_note(&line)
    }

    /// Writes a text of any number of lines as notes, each behind the same mark.
    pub(super) fn text(&mut self, depth: usize, mark: &str, tone: Tone, text: &str) -> io::Result<()> {
        self.make_way()?;
        for line in text.trim_end().lines() {
            let mut shown = self.bars(depth);
            shown.push_str(&self.ink.begin(tone));
            shown.push_str(mark);
            line.chars().for_each(|char| push_text(&mut shown, char));
            shown.push_str(self.ink.end(tone));
            shown.push('\n');
            self.write_note(&shown)?;
        }
        Ok(())
    }

    fn bars(&self, depth: usize) -> String {
        if depth == 0 {
            return String::new();
        }
        let bars = INDENT.repeat(depth.min(DEEPEST));
        format!("{}{bars}{}", self.ink.begin(Tone::Dim), self.ink.end(Tone::Dim))
    }

    /// Shows the current activity in a line that is removed again. Without a terminal, or where the
    /// answer is in the middle of a line, nothing is shown.
    pub(super) fn live(&mut self, text: Option<&str>) -> io::Result<()> {
        if !self.screen.progress {
            return Ok(());
        }
        let is_in_the_way = self.screen.is_terminal && self.is_open;
        // One column stays free: a full line would move on to the next.
        let text = text.filter(|_| !is_in_the_way).map(|text| fit(&plain(text), self.screen.width - 1));
        if text == self.live {
            return Ok(());
        }
        let shown = text.as_deref().unwrap_or_default();
        let line = format!("\r\x1b[K{}{shown}{}", self.ink.begin(Tone::Dim), self.ink.end(Tone::Dim));
        self.live = text;
        self.write_note(&line)
    }

    /// Makes room for something else on the terminal: a line of notes, or a question.
    pub(super) fn make_way(&mut self) -> io::Result<()> {
        self.live(None)?;
        if self.screen.is_terminal && self.screen.notes_are_terminal { self.end_line() } else { Ok(()) }
    }

    /// Ends the last line of the answer.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.live(None)?;
        self.end_line()
    }

    /// Notes that can't be written are not a reason to stop.
    fn write_note(&mut self, text: &str) -> io::Result<()> {
        let _ = self.notes.write_all(text.as_bytes()).and_then(|()| self.notes.flush());
        Ok(())
    }
}
