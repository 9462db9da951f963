//! The scripted model as a Messages API on a socket: sufficient for clients of the real one.
//!
//! [`ScriptedServer`] answers `POST /v1/messages` as a stream or at once, counts tokens, and lists models. The
//! answers are made by [`crate::script`].

mod answer;
mod body;
mod listen;
mod log;
mod read;

pub use listen::{ScriptedServer, serve};
