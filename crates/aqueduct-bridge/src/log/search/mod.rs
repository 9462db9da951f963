//! Full text search over everything that was said and done.

mod hit;
mod index;
mod text;
mod words;

pub use hit::{Found, Hit, SearchQuery};
pub(super) use index::{index, reset_if_outdated, unindexed};
pub(super) use text::searchable_text;
