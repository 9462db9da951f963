//! Tests of the model crate, against real sockets on loopback.

mod client;
mod script;
mod server;
