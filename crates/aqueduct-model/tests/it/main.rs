//! Tests of the model crate, against real sockets on loopback.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;
mod script;
mod server;
