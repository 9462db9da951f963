//! The scripted model as a Messages API on a socket: good enough for the programs that speak to the real one.
//!
//! [`Server`] answers `POST /v1/messages` as a stream or at once, counts tokens, and lists models. What is said
//! is the business of [`crate::script`].

mod answer;
mod body;
mod listen;
mod log;
mod read;

pub use listen::{Server, serve};
