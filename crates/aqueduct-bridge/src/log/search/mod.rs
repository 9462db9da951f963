//! Full-text search over stored events: `text.rs` extracts what can be found, `words.rs` parses queries, `index.rs` updates
//! the index, `hit.rs` runs searches.

mod hit;
mod index;
mod text;
mod words;

pub use hit::{EventHit, EventHits, EventQuery};
pub(super) use index::{index, reset_if_outdated, unindexed};
pub(super) use text::searchable_text;
