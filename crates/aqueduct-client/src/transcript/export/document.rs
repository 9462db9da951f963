use std::io::{self, Write};

use aqueduct_wire::FromAgent;

use super::part::{self, Part};
use super::{Writer, html, markdown};

/// A conversation that is written for elsewhere, piece by piece: also one that is no session on disk.
///
/// It begins once and ends once; in between come frames, in the order of the conversation.
pub struct Document<'w> {
    writer: Box<dyn Writer + 'w>,
}

impl<'w> Document<'w> {
    /// Text with marks, for people and for other programs' pages.
    pub fn markdown(out: &'w mut dyn Write) -> Self {
        Document { writer: Box::new(markdown::Markdown::new(out)) }
    }

    /// A page of its own, which loads nothing and runs nothing.
    pub fn html(out: &'w mut dyn Write) -> Self {
        Document { writer: Box::new(html::Html::new(out)) }
    }

    /// Writes what the conversation is called, and what else is known of it.
    pub fn begin(&mut self, title: &str, about: &[(&str, String)]) -> io::Result<()> {
        self.writer.begin(title, about)
    }

    /// Writes what a frame says, and when that was, as RFC 3339 writes it. Frames that say nothing are passed over.
    pub fn frame(&mut self, frame: &FromAgent<'_>, time: Option<&str>) -> io::Result<()> {
        part::each(frame, &mut |part| self.writer.part(&part, time))
    }

    /// Names something that has no form here.
    pub fn other(&mut self, what: &str, time: Option<&str>) -> io::Result<()> {
        self.writer.part(&Part::Other(what), time)
    }

    /// A subagent speaks from here on.
    pub fn subagent_begins(&mut self, title: &str) -> io::Result<()> {
        self.writer.subagent_begins(title)
    }

    /// It has said all it has to say.
    pub fn subagent_ends(&mut self) -> io::Result<()> {
        self.writer.subagent_ends()
    }

    /// Writes the end.
    pub fn end(mut self) -> io::Result<()> {
        self.writer.end()
    }
}
