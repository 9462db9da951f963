//! Models: the Messages API over HTTP, and a scripted model that needs no network.
//!
//! This crate owns the call of a model: what is asked ([`Request`]), what comes back ([`Stream`] of
//! [`ModelEvent`]s), how a call fails ([`Error`]), retries, and what tokens cost ([`price`]). It does not own the
//! conversation: which messages are sent, what tools do, when to stop.
//!
//! | module | holds |
//! |---|---|
//! | [`request`] | one call: messages, tools, thinking, cache marks, and its JSON |
//! | [`stream`] | the events of an answer, as they come |
//! | `client` | the HTTP client: keys, headers, proxies, retries, stalls |
//! | [`script`] | the scripted model: `@` lines, script files, the demo |
//! | `server` | the scripted model as a Messages API on a socket |
//! | [`sse`] | server-sent events: bytes to events |
//! | [`event_stream`] | Amazon's binary event stream: bytes to messages |
//! | [`image`] | images as the API accepts them |
//! | [`retry`] | when a call is made again, and after how long |
//! | [`price`] | what a model costs and how much it takes |
//!
//! The features `client` and `server`, both on by default, bring HTTP; `bedrock` and `vertex`, on by default too, bring
//! the credentials of AWS and Google. Without them the script, the parser and the
//! prices are left, and build in seconds.
//!
//! A call is a task that sends events through a bounded channel and ends when its [`Stream`] is dropped. Inside, `attempt`
//! makes attempts until an answer is complete or fails for good, and `answer` decides which events are passed on and when.
//!
//! # Invariants
//!
//! - **A caller never sees half a retry.** The beginning of a message is held back until its first block arrives; a stream
//!   that breaks after that is an error with `streamed` set, and the caller decides what to keep.
//! - **In process is the same as over HTTP.** Both go through `attempt` and `answer`; a test plays the same scripts both
//!   ways and compares all events.
//! - **Keys are sent to one address.** No redirects are followed, nothing is read from the environment, and no error or
//!   `Debug` output shows a key, a password in an address, or a server's copy of either.
//! - **Every wait has a limit**: the first byte, each silence in a stream, the body of an error, the size of an event, a
//!   delay that a server requests.
//! - The features `client` and `server` build without each other, and the crate builds without both.

mod answer;
mod attempt;
#[cfg(feature = "client")]
pub mod client;
pub mod error;
pub mod event_stream;
pub mod image;
pub mod price;
pub mod request;
pub mod retry;
pub mod script;
#[cfg(feature = "server")]
pub mod server;
pub mod sse;
pub mod stream;

#[cfg(feature = "client")]
pub use client::{Endpoint, ModelClient};
pub use error::{Error, ErrorKind};
pub use request::{ModelMessage, ModelTool, Request, RequestRole, ThinkingMode};
pub use script::Scripted;
pub use stream::{ModelEvent, RetryNotice, Stream};

/// What answers a request.
#[derive(Debug, Clone)]
pub enum Model {
    /// A Messages API.
    #[cfg(feature = "client")]
    Http(ModelClient),
    /// A script.
    Scripted(Scripted),
}

impl Model {
    /// Calls the model. Dropping the stream ends the call.
    pub fn stream(&self, request: Request) -> Stream {
        match self {
            #[cfg(feature = "client")]
            Model::Http(client) => client.stream(request),
            Model::Scripted(scripted) => scripted.stream(request),
        }
    }
}

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
