//! Drive any stream-json coding agent from Rust: the reference CLI from 2.1.37 on, `aqueduct-agent`, or a later one.
//! The page `docs/sdk.md` is a guide with programs; this is the reference.
//!
//! ```
//! use aqueduct_client::{Outcome, Session};
#![doc = include_str!("../doc/agent.txt")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), aqueduct_client::Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ""));
//!
//! let builder = Session::builder().program("aqueduct-agent").directory("/proj");
//! # let builder = builder.transport(aqueduct_client::Transport::pipe(ours));
//! let outcome = builder.query("Say hello.").await?;
//! # assert!(matches!(&outcome, Outcome::Done(report) if report.text() == "Hello!"));
//! println!("{}", outcome.done()?.text());
//! # Ok(())
//! # }
//! ```
//!
//! # Entry points
//!
//! | what | for |
//! |---|---|
//! | [`Session::builder`], [`Builder`] | what to start, its options and callbacks |
//! | [`Builder::query`] | one prompt, one [`Outcome`]; or a stream of events with [`Query::stream`] |
//! | `Builder::answer` | one prompt, one value of a Rust type (feature `schema`) |
//! | [`Builder::start`], [`Builder::start_without_events`] | a [`Session`], and its [`Events`] |
//! | [`Session::turn`], [`Session::turn_within`], [`Session::send`] | prompts |
//! | [`Session::interrupt`] and its siblings | requests, at any time and from any task |
//! | [`Permission`], [`Answers`], [`Hook`], [`Elicitation`], [`Dialog`] | what callbacks return |
//! | [`hook`] | for each event a typed call and a typed answer |
//! | `rules` | permissions by rules, with the feature of that name |
//! | [`prelude`] | the names that most programs use |
//! | [`mcp`] | MCP servers in this process |
//! | [`view`] | the state of a session, assembled from events |
//! | [`transcript`] | sessions on disk: list, read, search, rename, fork, delete, without an agent |
//! | [`Transport`], [`Child`], [`Ladder`] | connections to an agent, and how it is ended |
//! | [`Version`], [`Capabilities`], [`probe()`] | what an agent can do |
//! | [`Profile`] | dialects of other agents, such as Qwen Code |
//! | [`wire`] | every frame and request of the protocol, typed |
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | `builder`, `options`, `profile` | what to start: options of the agent as a table, dialects of agents |
//! | `query`, `query_stream`, `answer`, `answer_schema` | one prompt to an agent that is started for it |
//! | `start`, `close_guard`, `capabilities`, `version`, `probe` | from a builder to an initialized session; what an agent supports |
//! | `session`, `control`, `prompt`, `attachment` | the handle: prompts, a method for each control request |
//! | `event`, `events` | what a session reports: a queue bounded in events and bytes |
//! | `driver` | the task behind a session |
//! | `callback`, `handler` | callbacks for permissions, questions, hooks, elicitation, dialogs |
//! | [`mcp`] | MCP servers in this process |
//! | `transport` | the agent's process, or another connection to it |
//! | `outcome`, `not_done`, `exit`, `error`, `start_failure` | how runs, agents and calls end |
//! | [`view`], [`transcript`] | the assembled view; sessions on disk |
//!
//! `tests/conformance/` has the programs of two suites: `battery` takes any agent through everything, for `cargo xtask
//! conformance client`, and `dialect` takes an agent of a near dialect through a conversation, for `cargo xtask
//! conformance profiles`.
//!
//! # Features
//!
//! `transcripts`, on by default, has sessions on disk. `schema` has schemas from Rust types: of in-process MCP tools, and of
//! answers (`Builder::answer`). `rules` has permissions by rules, from aqueduct-rules.
//!
//! # Ownership
//!
//! The crate owns the agent's process and its pipes, one task for each session and one for each running callback, and the
//! requests of both directions. It reads no environment, home directory, settings or terminal, and prints nothing;
//! the caller provides the location of transcripts. The protocol itself is in [`wire`].
//!
//! # Invariants
//!
//! - **One outcome for each prompt, its own.** [`Session::turn`] returns when the run that served the prompt has ended,
//!   also when several prompts are served together, when a background task continues, and when the agent dies.
//! - **One response for each request.** A request without a handler is declined at once, as its kind requires. A callback
//!   that panics has refused, a [`Responder`] that is dropped has declined, and the future of a request that the agent
//!   cancels is dropped.
//! - **No process outlives its owner.** The agent has its own process group, which ends as a whole: when the session is
//!   closed or dropped, when the runtime is shut down, and when this process dies, in whatever way.
//! - **Memory is bounded**, by [`EVENTS_BOUND`] and [`EVENTS_BYTES_BOUND`] and by constants like them: a reader that stops
//!   reading stops the agent, unless a turn is awaited: see [`Events`].
//! - **What is dropped stops.** A dropped turn interrupts its run, a dropped query ends its agent at once.
//! - **Nothing hangs.** [`Session::close`] returns whether events are read or not; when it does, the process is reaped and
//!   nothing of the session is left.
//! - **Nothing is dropped silently.** Unknown frames are passed on as they are; lines that are not frames are
//!   [`Noise`].
//!
//! Callbacks run in their own tasks and may panic. With `panic = "abort"` a panic ends the program.

#[cfg(feature = "schema")]
mod answer;
mod answer_schema;
mod attachment;
mod builder;
mod callback;
mod capabilities;
mod close_guard;
mod control;
mod driver;
mod error;
mod event;
mod events;
mod exit;
mod handler;
pub mod mcp;
mod not_done;
mod options;
mod outcome;
pub mod prelude;
mod probe;
mod profile;
mod prompt;
mod query;
mod query_stream;
#[cfg(feature = "rules")]
pub mod rules;
mod session;
mod start;
mod start_failure;
#[cfg(feature = "transcripts")]
pub mod transcript;
mod transport;
mod version;
pub mod view;

/// Every frame and every request of the protocol, typed: the crate that this one is built on.
pub use aqueduct_wire as wire;

/// The crate of the types in signatures such as [`mcp::Tool::new`].
#[cfg(feature = "schema")]
pub use schemars;
/// The crate of JSON values in signatures such as [`Permission::allow_with`].
pub use serde_json;

pub use builder::Builder;
pub use callback::Answering;
pub use capabilities::Capabilities;
pub use error::Error;
pub use event::{Event, Frame, Noise};
pub use events::{EVENTS_BOUND, EVENTS_BYTES_BOUND, Events};
pub use exit::{Exit, ExitStatus};
pub use handler::hook_events as hook;
pub use handler::{
    Answers, Asked, Dialog, DialogRequest, Elicitation, ElicitationForm, Hook, HookCall, Permission,
    PermissionRequest, Questions, Responder,
};
pub use not_done::NotDone;
pub use options::{Effort, OPTIONS, OptionRow, SettingSource, Thinking};
pub use outcome::{Outcome, Report, Violation};
pub use probe::{Probe, probe};
pub use profile::{Flag, PROFILES, Profile};
pub use prompt::Prompt;
pub use query::Query;
pub use query_stream::QueryStream;
pub use session::Session;
pub use start_failure::StartFailure;
pub use transport::{Child, Ladder, OpenPipe, Transport};
pub use version::{NoVersion, Version};
