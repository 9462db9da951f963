//! HTML as Markdown, for a model to read.
//!
//! Pages are read as browsers read them: nothing is an error, what is left open is closed, and what is not visible is
//! left out. The time is linear in the page and nesting is bounded, whatever the page contains. This module is
//! self-contained, so that a fuzzer can build it alone.

mod converter;
mod element;
mod entity;
#[cfg(test)]
mod tests;
mod token;
mod writer;

use converter::Converter;

/// Where links lead.
pub(crate) trait Links {
    /// Sets the base of the page's links, as the page declares it.
    fn set_base(&mut self, href: &str);

    /// The whole address of a link; `None` where it leads nowhere.
    fn resolve(&self, href: &str) -> Option<String>;
}

/// The page as Markdown, cut off soon after `limit` bytes.
pub(crate) fn to_markdown(html: &str, links: &mut dyn Links, limit: usize) -> String {
    Converter::new(links, limit).convert(html)
}
