//! The JSON that frames are made of: read once, borrowed from the line, written back as it was.
//!
//! [`Reader`] walks a line that is already known to be UTF-8 and checks the grammar as it goes. [`Str`],
//! [`Number`] and [`Raw`] keep what a general-purpose tree would lose: lone surrogates, the digits of a
//! number, the text of a value without a type. Nesting is bounded by [`MAX_DEPTH`].
//!
//! | file | contents |
//! |---|---|
//! | `scan.rs` | the loops that every byte passes through |
//! | `reader.rs`, `error.rs` | [`Reader`]: a line, checked and read |
//! | `text.rs`, `escape.rs`, `number.rs`, `raw.rs`, `lazy.rs` | values that keep their text |
//! | `extra.rs`, `map.rs` | members that a record has no field for; objects with open keys |
//! | `member.rs` | visitors of a record's members, the writer among them |
//! | `through_serde.rs` | serde's traits through the JSON text, with the feature `serde` |
//! | `walk.rs`, `value.rs`, `owned.rs` | visitors of all that; the trait of values; owned copies |

mod error;
mod escape;
mod extra;
mod lazy;
mod map;
mod member;
mod number;
mod owned;
mod raw;
mod reader;
mod scan;
mod text;
#[cfg(feature = "serde")]
mod through_serde;
mod value;
mod walk;

pub use error::{Expected, Fault, ParseError};
pub use extra::Extra;
pub use lazy::Lazy;
pub use map::Map;
pub use number::Number;
pub use owned::IntoOwned;
pub use raw::Raw;
pub use reader::{Mark, Reader};
pub use scan::MAX_DEPTH;
pub use text::Str;
pub use value::{Json, Tagged, Tags, read};
pub use walk::{Leftover, LeftoverKind, Walk};

#[doc(hidden)]
pub use member::{MAX_MEMBERS, MemberVisitor, MemberWriter};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use through_serde::{serde_serialize, serde_text, serde_unfit};

pub(crate) use escape::protect_line_ends;
