//! Standard output and standard error, so that they don't run into each other where both are one terminal.

use std::io::{self, Write};

use crate::output::TerminalInfo;
use crate::terminal::{Ink, MarkdownStream, Tone, fit, fit_end, plain, push_text, width};

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
    /// The answer as Markdown, where it is shown so.
    markdown: Option<MarkdownStream>,
    /// Whether an empty line separates the next line of the answer from the text before.
    is_gap_due: bool,
    /// Whether the answer ends inside a line.
    is_open: bool,
    has_answer: bool,
    /// The line that will be replaced, if there is one.
    live: Option<String>,
}

impl<O: Write, E: Write> Sheet<O, E> {
    pub(super) fn new(answers: O, notes: E, screen: &TerminalInfo) -> Self {
        let ink = Ink::new(screen.notes_colour);
        let markdown = screen.markdown().map(MarkdownStream::new);
        Sheet {
            answers,
            notes,
            screen: *screen,
            ink,
            markdown,
            is_gap_due: false,
            is_open: false,
            has_answer: false,
            live: None,
        }
    }

    /// Writes a piece of the answer. One that begins a text is separated from the text before.
    ///
    /// On a terminal nothing in it is obeyed, and Markdown is written as far as its blocks are complete. In a file or a
    /// pipe it is as the model wrote it.
    pub(super) fn say(&mut self, text: &str, begins: bool) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.markdown.is_some() {
            return self.say_markdown(text, begins);
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

    fn say_markdown(&mut self, text: &str, begins: bool) -> io::Result<()> {
        if begins {
            self.end_text()?;
            self.is_gap_due = self.has_answer;
        }
        self.has_answer = true;
        let lines = self.markdown.as_mut().map(|markdown| markdown.push(text)).unwrap_or_default();
        self.answer_lines(&lines)
    }

    fn answer_lines(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.live(None)?;
        let gap = if std::mem::take(&mut self.is_gap_due) { "\n" } else { "" };
        self.answers.write_all(format!("{gap}{}\n", lines.join("\n")).as_bytes())?;
        self.answers.flush()
    }

    /// Writes what is left of Markdown.
    pub(super) fn end_blocks(&mut self) -> io::Result<()> {
        let lines = self.markdown.as_mut().map(MarkdownStream::finish).unwrap_or_default();
        self.answer_lines(&lines)
    }

    /// Ends a text of the answer.
    pub(super) fn end_text(&mut self) -> io::Result<()> {
        self.end_blocks()?;
        self.end_line()
    }

    /// Whether anything has been written.
    pub(super) fn has_answer(&self) -> bool {
        self.has_answer
    }

    /// Ends the line of the answer, if it is in the middle of one.
    fn end_line(&mut self) -> io::Result<()> {
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
        let room = self.screen.width - 1;
        // Of Markdown, the line that the model writes is shown until its block can be written.
        let open = self.markdown.as_ref().map(MarkdownStream::open_line).filter(|line| !line.is_empty());
        let text = text.filter(|_| !is_in_the_way).map(|text| match open {
            Some(open) => fit_end(&plain(open), room),
            None => fit(&plain(text), room),
        });
        if text == self.live {
            return Ok(());
        }
        let shown = text.as_deref().map(|text| self.ink.dim(text)).unwrap_or_default();
        let line = format!("\r\x1b[K{shown}");
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
        self.end_text()
    }

    /// Notes that can't be written are not a reason to stop.
    fn write_note(&mut self, text: &str) -> io::Result<()> {
        let _ = self.notes.write_all(text.as_bytes()).and_then(|()| self.notes.flush());
        Ok(())
    }
}
