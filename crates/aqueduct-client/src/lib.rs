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
//! # Tour
//!
//! **Start.** [`Session::builder`] takes the program, its surroundings and its options; [`Builder::query`], above, is for
//! one prompt. [`Builder::start`] gives a session for several, and the stream of its events.
//!
//! ```
//! use aqueduct_client::prelude::*;
#![doc = include_str!("../doc/agent.txt")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ""));
//! # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
//!
//! let session = builder.start_without_events().await?;
//! let first = session.turn("What does this project do?").await?.done()?;
//! let second = session.turn("Who wrote it?").await?.done()?;
//! println!("{} {}", first.text(), second.text());
//! session.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! **Stream.** [`Query::stream`] gives what happens on the way, and the outcome at its end.
//!
//! ```
//! use aqueduct_client::prelude::*;
#![doc = include_str!("../doc/agent.txt")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ""));
//! # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
//!
//! let mut stream = builder.query("Say hello.").stream();
//! while let Some(event) = stream.next().await {
//!     let event = event?;
//!     print!("{}", event.text().unwrap_or_default());
//!     event.tool_calls().for_each(|call| println!("> {}", call.name));
//! }
//! println!("{}", stream.finish().await?);
//! # Ok(())
//! # }
//! ```
//!
//! **Permissions.** A callback decides what the agent asks about: see [`Permission`]. With the feature `rules`, rules decide
//! what they can. Questions of the model to the user have typed answers: see [`Answers`].
//!
//! ```
//! # #[cfg(feature = "rules")]
//! # mod tour {
//! use aqueduct_client::prelude::*;
//!
//! async fn ask_me(request: PermissionRequest) -> Permission {
//!     match request.tool() {
//!         "WebFetch" => Permission::allow(),
//!         other => Permission::deny(format!("{other} is not for you.")),
//!     }
//! }
//!
//! # pub fn tour() -> Result<Builder, aqueduct_client::rules::InvalidRules> {
//! let rules = PermissionRules::new("/proj").allow(["Bash(make test)"])?.deny(["Bash(rm:*)"])?;
//! let builder = Session::builder().on_permission(rules.or(ask_me));
//! # Ok(builder)
//! # }
//! # }
//! # #[cfg(feature = "rules")]
//! # assert!(tour::tour().is_ok());
//! ```
//!
//! **Hooks.** Code of yours at points of a conversation: see [`Hook`] and [`hook`].
//!
//! ```
//! use aqueduct_client::prelude::*;
//!
//! let builder = Session::builder().hook(Hook::pre_tool_use(|call| async move {
//!     match call.tool_input.as_str().contains(".env") {
//!         true => call.block("That file is secret."),
//!         false => call.proceed(),
//!     }
//! }));
//! ```
//!
//! **MCP tools.** Functions of yours that the model can call, with the feature `schema` typed: see [`mcp`].
//!
//! ```
//! # #[cfg(feature = "schema")]
//! # mod tour {
//! use aqueduct_client::prelude::*;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Trip {
//!     /// Where it begins.
//!     from: String,
//!     to: String,
//! }
//!
//! # pub fn tour() -> Builder {
//! let distance = Tool::new("distance", "How far it is", |trip: Trip| async move {
//!     ToolResult::text(format!("From {} to {} it is 23 km.", trip.from, trip.to))
//! });
//! let builder = Session::builder().mcp(McpServer::new("map").tool(distance)).allowed_tools(["mcp__map__distance"]);
//! # builder
//! # }
//! # }
//! ```
//!
//! **Structured output.** With the feature `schema`, `Builder::answer` gives a value of a type, and `Builder::answer_type` asks
//! for one in streams and sessions.
//!
//! ```
//! # #[cfg(feature = "schema")]
//! # mod tour {
//! use aqueduct_client::prelude::*;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Verdict {
//!     /// Whether the change can be merged.
//!     approved: bool,
//! }
//!
//! # pub async fn tour() -> Result<(), Error> {
//! let verdict: Verdict = Session::builder().answer("Review the last commit.").await?;
//! println!("approved: {}", verdict.approved);
//! # Ok(())
//! # }
//! # }
//! ```
//!
//! **Resume.** A report names its session, which can be continued later, by another process too, or forked.
//!
//! ```no_run
//! use aqueduct_client::prelude::*;
//!
//! # async fn example() -> Result<(), Error> {
//! let report = Session::builder().query("Remember the number 7.").await?.done()?;
//! let id = report.session_id().unwrap_or_default();
//! let resumed = Session::builder().resume(id).query("Which number was it?").await?.done()?;
//! let forked = Session::builder().resume(id).fork_session(true).query("And twice that?").await?.done()?;
//! println!("{} {}", resumed.text(), forked.text());
//! # Ok(())
//! # }
//! ```
//!
//! **Budget and timeout.** Limits of the agent end a run as [`Outcome::Limited`]; [`Session::turn_within`] interrupts a run,
//! and a query is stopped by dropping it.
//!
//! ```
//! use std::time::Duration;
//!
//! use aqueduct_client::prelude::*;
#![doc = include_str!("../doc/agent.txt")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ""));
//!
//! let builder = Session::builder().max_budget_usd(0.5).max_turns(20);
//! # let builder = builder.transport(aqueduct_client::Transport::pipe(ours));
//! match tokio::time::timeout(Duration::from_secs(60), builder.query("Say hello.")).await {
//!     Ok(outcome) => match outcome? {
//!         Outcome::Limited(report) => println!("{} US$ were not enough", report.total_cost_usd().unwrap_or_default()),
//!         outcome => println!("{}", outcome.done()?.text()),
//!     },
//!     Err(_) => println!("It took too long, and has been ended."),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! **Images.** A prompt is text and what is attached to it: see [`Prompt`].
//!
//! ```
//! use aqueduct_client::prelude::*;
//!
//! let png = [0x89, b'P', b'N', b'G'];
//! let prompt = Prompt::text("What is different?").image("image/png", png).file("before.png");
//! ```
//!
//! **Subagents.** Agents that the model may call: see [`Builder::define_agent`].
//!
//! ```
//! use aqueduct_client::prelude::*;
//!
//! let reviewer = AgentDefinition::new("Reviews changes", "You review changes and change nothing.");
//! let builder = Session::builder().define_agent("reviewer", reviewer.with_tools(["Read", "Grep"]));
//! ```
//!
//! **Many sessions.** A builder can be cloned, a query is a future, and a session is a handle that can be.
//!
//! ```no_run
//! use std::future::IntoFuture;
//!
//! use aqueduct_client::prelude::*;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let builder = Session::builder().max_turns(5);
//! let prompts = ["Review a.rs.", "Review b.rs.", "Review c.rs."];
//! let running: Vec<_> =
//!     prompts.into_iter().map(|prompt| tokio::spawn(builder.clone().query(prompt).into_future())).collect();
//! for review in running {
//!     println!("{}", review.await??.done()?.text());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! **The view.** A [`view::View`] takes events and has the state of the session: text so far, calls, subagents, cost.
//!
//! ```
//! use aqueduct_client::prelude::*;
//! use aqueduct_client::view::View;
#![doc = include_str!("../doc/agent.txt")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ""));
//! # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
//!
//! let mut view = View::new();
//! let mut stream = builder.query("Say hello.").stream();
//! while let Some(event) = stream.next().await {
//!     view.push(&event?);
//!     println!("{} characters so far", view.run().text().len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! **Testing.** A fake agent is a task that reads and writes lines, behind [`Transport::pipe`]; the example `replay` plays
//! a recording in its place.
//!
//! ```
//! use aqueduct_client::Transport;
//! use aqueduct_client::prelude::*;
//! use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (ours, theirs) = tokio::io::duplex(4096);
//! tokio::spawn(async move {
//!     let mut agent = BufReader::new(theirs);
//!     agent.read_line(&mut String::new()).await?;
//!     agent.write_all(b"{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"Hi!\"}\n").await
//! });
//! let builder = Session::builder().transport(Transport::pipe(ours)).without_initialize();
//! assert_eq!(builder.query("Say hello.").await?.done()?.text(), "Hi!");
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
//! | `Builder::answer`, `Builder::answer_type` | answers of a Rust type (feature `schema`) |
//! | [`Builder::start`], [`Builder::start_without_events`] | a [`Session`], and its [`Events`] |
//! | [`Session::turn`], [`Session::turn_within`], [`Session::send`] | prompts |
//! | [`Session::interrupt`] and its siblings | requests, at any time and from any task |
//! | [`Permission`], [`Answers`], [`Hook`], [`Elicitation`], [`Dialog`] | what callbacks return |
//! | [`hook`] | for each event a typed call and a typed answer |
//! | `rules` | permissions by rules, with the feature of that name |
//! | [`prelude`] | the names that most programs use |
//! | [`mcp`] | MCP servers in this process |
//! | [`view`] | the state of a session, assembled from events |
//! | `transcript` | sessions on disk: list, read, search, rename, fork, delete, without an agent |
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
//! | [`view`], `transcript` | the assembled view; sessions on disk |
//! | [`trace`] | events and spans for programs that collect them with `tracing` |
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
pub mod trace;
#[cfg(feature = "transcripts")]
pub mod transcript;
mod transport;
mod version;
pub mod view;

/// Every frame and every request of the protocol, typed: the crate that this one is built on.
pub use aqueduct_wire as wire;

/// What errors have in addition to their message.
pub use aqueduct_wire::hint::{Hint, HintedError};

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
