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
//! # Modules
//!
//! Entry points are [`FromAgent`], [`ToAgent`], [`peek()`], [`codec`], [`assemble`] and [`machine`].
//!
//! | module | contents |
//! |---|---|
//! | [`frame`] | [`FromAgent`] and [`ToAgent`]: the frames, one object a line |
//! | [`message`], [`block`], [`event`], [`usage`], [`media`], [`citation`], [`origin`] | messages, content blocks, the model's stream, tokens |
//! | [`system`] | `system` frames by `subtype` |
//! | [`control`], [`elicitation`], [`question`] | control requests of both directions and their responses |
//! | [`hook`], [`permission`], `tool`, [`mcp`], [`agent_definition`] | inputs and outputs of hooks; modes, rules, updates; inputs and results of tools; MCP; agents that a host defines |
//! | [`context_usage`], [`usage_report`], [`rate_limit`], [`error_name`] | reports on context, cost and limits; names of errors |
//! | [`mod@peek`] | type, subtype and ids of a line, for routing |
//! | [`codec`] | bytes to lines and back; the codec for tokio behind a feature |
//! | [`assemble`] | stream events to the message so far |
//! | [`machine`] | control requests of both directions: ids, responses, cancellation, deadlines |
//! | `recording` | both sides of a conversation in one file, as `aqueduct record` writes it (feature `recording`) |
//! | `transcript` | conversations on disk: their lines, and how they form a chain (feature `transcript`) |
//! | `gemini` | the events of Gemini CLI, a near dialect (feature `gemini`) |
//! | [`json`] | the JSON core: borrowed, exact, bounded |
//! | [`hint`] | errors whose hint is not part of their message |
//! | [`table`], `definition` | the macros that turn a table into a type, and the description that generators read |
//!
//! `examples/gen/` generates JSON Schema, TypeScript types and the tables of docs/protocol.md. `tests/fixtures/` has a
//! frame of every kind with every member and an unknown one.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `tools`, on by default | `tool`: inputs and results of tools by name |
//! | `transcript` | `transcript` |
//! | `gemini` | `gemini` |
//! | `recording` | `recording`; depends on `base64` |
//! | `serde` | `Serialize` and `Deserialize` of all types through their JSON text: lossless with `serde_json`, for no other format |
//! | `tokio` | `codec::FrameCodec` for `tokio_util`'s `Framed` |
//!
//! # Invariants
//!
//! - **One table.** A frame, member, subtype or name is defined in one table. Parser, writer, schema, TypeScript types and
//!   docs come from it. A kind or member without a fixture fails a test.
//! - **Nothing is lost.** Any JSON object is a frame. What can't be typed is kept in place: an unknown kind as the family's
//!   `Unknown`, an unknown member or one of another shape in `extra`, an unknown name as `Other`, an explicit `null` as a
//!   bit in `extra`. Writing returns the same JSON value, digit for digit. Of duplicate members the last counts.
//! - **Reading is lenient.** A value that does not fit its type is kept raw at the nearest optional member or open family;
//!   only text that is not JSON is an error.
//! - **All types are `#[non_exhaustive]`**: a new frame never breaks a build.
//! - **Bounded, without `unsafe`.** Nesting is bounded by [`json::MAX_DEPTH`], a line by [`codec::DEFAULT_LINE_LIMIT`], open
//!   requests by [`machine::MachineLimits`].
//! - Deliberately absent: files, sockets, processes, environment, clock, threads, async. [`codec::LineReader`] and
//!   `recording::read` read what the caller has opened. The feature `tokio` adds a codec
//!   for `tokio_util`'s `Framed` and nothing else. The crate would run in a browser.

mod definition;
pub mod json;
pub mod table;

pub mod frame;
pub mod peek;

pub mod agent_definition;
pub mod block;
pub mod citation;
pub mod context_usage;
pub mod control;
pub mod elicitation;
pub mod error_name;
pub mod event;
#[cfg(feature = "gemini")]
pub mod gemini;
pub mod hint;
pub mod hook;
pub mod mcp;
pub mod media;
pub mod message;
pub mod origin;
pub mod permission;
pub mod question;
pub mod rate_limit;
pub mod system;
#[cfg(feature = "tools")]
pub mod tool;
#[cfg(feature = "transcript")]
pub mod transcript;
pub mod usage;
pub mod usage_report;

pub mod assemble;
pub mod codec;
pub mod machine;
#[cfg(feature = "recording")]
pub mod recording;

pub use frame::{FromAgent, ToAgent};
pub use json::{IntoOwned, ParseError};
pub use peek::peek;

/// The example in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
