//! Drive any stream-json coding agent from Rust: the reference CLI from 2.1.37 on, `aqueduct-agent`, or what comes
//! next. The page `docs/sdk.md` is a guide with programs; this is the reference.
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
//! match outcome {
//!     Outcome::Done(report) => println!("{}", report.text()),
//!     other => eprintln!("{other}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Where to begin
//!
//! | what | for |
//! |---|---|
//! | [`Session::builder`], [`Builder`] | what to start, with what, and who answers its questions |
//! | [`Builder::query`] | one prompt, one [`Outcome`] |
//! | [`Builder::start`] | a [`Session`] to speak to, and the [`Events`] that come of it |
//! | [`Session::turn`], [`Session::send`] | prompts |
//! | [`Session::interrupt`] and its siblings | requests, at any time and from any task |
//! | [`Permission`], [`Answers`], [`Hook`], [`Elicitation`], [`Dialog`] | what callbacks answer |
//! | [`mcp`] | MCP servers that are functions of this process |
//! | [`view`] | what a session shows, put together from events |
//! | [`transcript`] | sessions on disk: list, read, search, rename, fork, delete, without an agent |
//! | [`Transport`], [`Child`], [`Ladder`] | ways to an agent, and to its end |
//! | [`Version`], [`Capabilities`], [`probe()`] | what an agent can do |
//! | [`Profile`] | in what agents of another dialect differ, Qwen Code for one |
//! | [`wire`] | every frame and request of the protocol, typed |
//!
//! # What this crate owns, and what not
//!
//! It owns the agent's process and its pipes, a task for each session and one for each callback that runs, and
//! the requests of both directions. It reads no environment, no home, no settings and no terminal, and prints
//! nothing; where transcripts are, it is told. What the protocol is, it has from [`wire`].
//!
//! # What always holds
//!
//! - **One outcome for each prompt, its own.** [`Session::turn`] comes back once the run that served the prompt has
//!   ended, also when several prompts are served together, when a background task goes on, and when the agent dies.
//! - **One answer for each request.** What nobody handles is declined at once, as its kind wants it. A callback that
//!   panics has refused, a [`Responder`] that is dropped has declined, and one that the agent no longer wants is told
//!   so: its future is dropped.
//! - **No process outlives its owner.** The agent has a process group of its own, which ends as a whole: when the
//!   session is closed or dropped, when the runtime is shut down, and when this process dies, in whatever way.
//! - **Memory is bounded**, by [`EVENTS_BOUND`] and [`EVENTS_BYTES_BOUND`] and by constants like them: a reader who
//!   stops reading stops the agent.
//! - **Nothing hangs.** Whoever reads or does not, [`Session::close`] closes; when it returns, the process is reaped
//!   and nothing of the session is left.
//! - **Nothing is dropped silently.** Frames that nobody knows come as they are; what is no frame comes as [`Noise`].
//!
//! Callbacks run in tasks of their own and may panic. In a program that is built with `panic = "abort"` a panic ends
//! it, as everywhere.

mod builder;
mod control;
mod driver;
mod error;
mod event;
mod events;
mod exit;
mod handler;
mod known;
pub mod mcp;
mod options;
mod outcome;
mod probe;
mod profile;
mod prompt;
mod session;
mod start;
pub mod transcript;
mod transport;
mod version;
pub mod view;

/// Every frame and every request of the protocol, typed: the crate that this one is built on.
pub use aqueduct_wire as wire;

pub use builder::Builder;
pub use error::Error;
pub use event::{Event, Frame, Noise};
pub use events::{EVENTS_BOUND, EVENTS_BYTES_BOUND, Events};
pub use exit::{Exit, ExitStatus};
pub use handler::{
    Answering, Answers, Asked, Dialog, DialogRequest, Elicitation, ElicitationForm, Hook, HookCall,
    Permission, PermissionRequest, Questions, Responder,
};
pub use known::Capabilities;
pub use options::{Effort, OPTIONS, OptionRow, SettingSource, Thinking};
pub use outcome::{Outcome, Report, Violation};
pub use probe::{Probe, probe};
pub use profile::{Flag, PROFILES, Profile};
pub use prompt::Prompt;
pub use session::Session;
pub use transport::{Child, Ladder, Transport};
pub use version::{NoVersion, Version};
