//! Markdown on a terminal: headings, emphasis, code, lists, quotes, tables and links, wrapped to its width.
//!
//! The text is what a model wrote: no character of it reaches the terminal as a control character, and a link shows
//! where it leads.
//!
//! | file | contents |
//! |---|---|
//! | `stream.rs` | [`MarkdownStream`]: text that comes in pieces, written block by block |
//! | `block.rs` | a block as lines |
//! | `table.rs` | a table as lines |
//! | `inline.rs` | styled text, wrapped into lines |

mod block;
mod inline;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use stream::MarkdownStream;

/// How Markdown is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MarkdownLayout {
    /// How many columns a line has.
    pub(crate) width: usize,
    /// Whether links are sent to the terminal (OSC 8). Otherwise addresses follow their text.
    pub(crate) links: bool,
}
