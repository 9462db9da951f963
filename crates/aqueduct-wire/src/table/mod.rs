//! One table for every list of facts: the macros here turn a table of members, kinds or names into the
//! Rust type, its reader and writer, and the description that schema, TypeScript and docs are made from.

mod describe;
mod either;
mod names;
mod payload;
mod record;
mod union;
mod unknown;

pub use describe::{Definition, Field, Names, Presence, Record, Shape, Union, Variant};
pub use payload::{Payload, Survey};
pub use unknown::{Unknown, Why};

pub(crate) use either::either;
pub(crate) use names::names;
pub(crate) use payload::payloads;
pub(crate) use record::{record, record_key, record_null, record_slot};
pub(crate) use union::union;
