//! One table for every list of facts: the macros here turn a table of members, kinds or names into the
//! Rust type, its reader and writer, and the description that schema, TypeScript and docs are made from.
//!
//! | file | contents |
//! |---|---|
//! | `record.rs` | `record!`: an object and its members |
//! | `union.rs`, `unknown.rs` | `union!`: kinds, distinguished by a discriminator |
//! | `names.rs` | `names!`: open lists of strings |
//! | `either.rs` | `either!`: one of several shapes |
//! | `payload.rs` | `payloads!`: types that follow from a request |
//! | `definition.rs` | the definition of a type of which only the type is known |
//! | `serde_traits.rs` | serde's traits for all of them, with the feature `serde` |
//! | `schema.rs`, `typescript.rs`, `reach.rs` | generators: JSON Schema, TypeScript, the types that a type leads to |

mod definition;
mod either;
mod names;
mod payload;
mod reach;
mod record;
mod schema;
mod serde_traits;
mod typescript;
mod union;
mod unknown;

pub use crate::definition::{Definition, Field, Names, Presence, Record, Shape, Union, Variant};
pub use payload::{Payload, Survey};
pub use reach::reachable;
pub use schema::{schema, shape_schema};
pub use typescript::typescript;
pub use unknown::{Unknown, UnknownReason};

pub use either::either;
pub use names::names;
pub use record::record;
pub use union::union;

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use ::serde;
#[doc(hidden)]
pub use definition::definition_of;
#[doc(hidden)]
pub use serde_traits::through_serde;

#[doc(hidden)]
pub use record::{record_key, record_null, record_slot};

pub(crate) use payload::payloads;
