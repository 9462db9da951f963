//! What commands need to show things to people on a terminal: text that can't do harm, colours, tool calls and
//! numbers in few words.

mod columns;
mod diff;
mod hyperlink;
mod ink;
mod markdown;
mod notice;
mod plain;
mod qr;
mod quantity;
mod summary;

pub(crate) use columns::{fit, fit_end, width};
pub(crate) use diff::ShownDiff;
pub(crate) use hyperlink::shows_links;
pub(crate) use ink::{Ink, Tone};
pub(crate) use markdown::{MarkdownLayout, MarkdownStream};
pub(crate) use notice::{notice, spent};
pub(crate) use plain::{exact, plain, push_text};
pub(crate) use qr::qr;
pub(crate) use quantity::{bytes, grouped, seconds};
pub(crate) use summary::{relative, summary_line, title};
