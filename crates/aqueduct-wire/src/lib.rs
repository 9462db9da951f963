//! stream-json on the wire: every frame that a coding agent and its host exchange, in both directions,
//! with nothing lost.
//!
//! # Read a frame, look at it, write it back
//!
//! ```
//! use aqueduct_wire::FromAgent;
//!
//! let line = r#"{"type":"result","subtype":"success","is_error":false,"total_cost_usd":1e-3,"brand_new":[1]}"#;
//! let FromAgent::Result(frame) = FromAgent::parse(line)? else { panic!("not a result") };
//! assert_eq!(frame.is_error, Some(false));
//! assert_eq!(frame.total_cost_usd.as_ref().map(|cost| cost.as_str()), Some("1e-3"));
//! assert_eq!(frame.extra.get("brand_new").map(|value| value.as_str()), Some("[1]"));
//! assert!(FromAgent::Result(frame).to_line().contains(r#""brand_new":[1]"#));
//! # Ok::<(), aqueduct_wire::json::ParseError>(())
//! ```
//!
//! # What this crate owns
//!
//! | module | holds |
//! |---|---|
//! | [`frame`] | [`FromAgent`] and [`ToAgent`]: what stands in a line |
//! | [`message`], [`block`], [`event`], [`usage`] | messages, content blocks, the model's stream, tokens |
//! | [`system`], [`control`], [`hook`], [`permission`], [`question`], [`mcp`], [`tool`] | the rest of what frames hold, one noun a module |
//! | [`mod@peek`] | type, subtype and ids of a line, for routing |
//! | [`codec`] | bytes to lines, lines to bytes |
//! | [`assemble`] | stream events to the message so far |
//! | [`machine`] | control requests of both directions: ids, answers, cancels, deadlines |
//! | [`transcript`] | conversations on disk: their lines, and how those hang together |
//! | [`gemini`] | the events of Gemini CLI, a near dialect |
//! | [`json`] | the JSON core: borrowed, exact, bounded |
//! | [`table`] | the tables that types, schema and docs are made from |
//!
//! # What it does not own
//!
//! No files, sockets, processes, environment, clock or async runtime: strings and bytes in, values out. The
//! `tokio` feature adds a codec for `tokio_util`'s `Framed` and nothing else.
//!
//! # What always holds
//!
//! - Any JSON object is a frame. What can't be typed is kept where it stood: unknown kinds as `Unknown`,
//!   unknown members and members of another shape in `extra`, unknown names as `Other`.
//! - Reading and writing back gives the same JSON value, digit for digit. Of members that stand in an object
//!   twice the last counts.
//! - All types are `#[non_exhaustive]`: a new frame never breaks a build.

pub mod json;
pub mod table;

pub mod frame;
pub mod peek;

pub mod agent_definition;
pub mod block;
pub mod citation;
pub mod context_usage;
pub mod control;
pub mod error_name;
pub mod event;
pub mod gemini;
pub mod hook;
pub mod mcp;
pub mod media;
pub mod message;
pub mod origin;
pub mod permission;
pub mod question;
pub mod rate_limit;
pub mod system;
pub mod tool;
pub mod transcript;
pub mod usage;
pub mod usage_report;

pub mod assemble;
pub mod codec;
pub mod machine;

pub use frame::{FromAgent, ToAgent};
pub use json::{IntoOwned, ParseError};
pub use peek::peek;

/// The example in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
