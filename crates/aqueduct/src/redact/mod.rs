//! Secrets, taken out of what is kept or shown.
//!
//! Two signs identify a secret: the name of the member, header, variable or flag that holds it, and the look
//! of the value itself. What is found is replaced by `[redacted]`; everything else stays as it was, to the
//! byte.
//!
//! A text is looked at by itself: a secret that arrives in parts, in several lines or deltas, is not found in them.
//!
//! `table.rs` lists the kinds of secrets, `look.rs` finds them by their form, `name.rs` has the names that they are assigned
//! to; `argv.rs`, `json.rs` and `text.rs` search command lines, JSON and text.

mod argv;
mod json;
mod look;
mod name;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use argv::argv;
pub(crate) use json::json;
pub(crate) use name::is_secret;
pub(crate) use text::text;

const REDACTED: &str = "[redacted]";
