use std::io::{self, Write};

use aqueduct_wire::FromAgent;

use super::part::{self, ExportPart};
use super::{ExportWriter, html, markdown};

/// A conversation that is exported piece by piece: also one that is not a session on disk.
///
/// It begins once and ends once; in between come frames, in the order of the conversation.
pub struct Document<'w> {
    writer: Box<dyn ExportWriter + 'w>,
}

impl<'w> Document<'w> {
    /// Text with marks, for people and for other programs' pages.
    ///
    /// ```
    /// use aqueduct_client::transcript::Document;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mut text = Vec::new();
    /// let mut document = Document::markdown(&mut text);
    /// document.begin("The red build", &[("Folder", "/proj".to_owned())])?;
    /// document.subagent_begins("reviewer")?;
    /// document.other("a message of an unknown form", None)?;
    /// document.subagent_ends()?;
    /// document.end()?;
    /// assert!(String::from_utf8_lossy(&text).contains("The red build"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn markdown(out: &'w mut dyn Write) -> Self {
        Document { writer: Box::new(markdown::Markdown::new(out)) }
    }

    /// A page of its own, which loads nothing and runs nothing.
    ///
    /// ```
    /// use aqueduct_client::transcript::Document;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mut page = Vec::new();
    /// let mut document = Document::html(&mut page);
    /// document.begin("<b>", &[])?;
    /// document.end()?;
    /// assert!(String::from_utf8_lossy(&page).contains("&lt;b&gt;"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn html(out: &'w mut dyn Write) -> Self {
        Document { writer: Box::new(html::Html::new(out)) }
    }

    /// Writes what the conversation is called, and what else is known of it.
    pub fn begin(&mut self, title: &str, about: &[(&str, String)]) -> io::Result<()> {
        self.writer.begin(title, about)
    }

    /// Writes the content of a frame with its time, in RFC 3339. Frames without content are skipped.
    pub fn frame(&mut self, frame: &FromAgent<'_>, time: Option<&str>) -> io::Result<()> {
        part::each(frame, &mut |part| self.writer.part(&part, time))
    }

    /// Names something that has no form here.
    pub fn other(&mut self, what: &str, time: Option<&str>) -> io::Result<()> {
        self.writer.part(&ExportPart::Other(what), time)
    }

    /// A subagent's messages begin.
    pub fn subagent_begins(&mut self, title: &str) -> io::Result<()> {
        self.writer.subagent_begins(title)
    }

    /// The subagent's messages end.
    pub fn subagent_ends(&mut self) -> io::Result<()> {
        self.writer.subagent_ends()
    }

    /// Writes the end.
    pub fn end(mut self) -> io::Result<()> {
        self.writer.end()
    }
}
