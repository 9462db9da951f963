//! Drive any stream-json coding agent from Rust.

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
pub use prompt::Prompt;
pub use session::Session;
pub use transport::{Child, Ladder, Transport};
pub use version::{NoVersion, Version};
