//! Tests of the model crate, against real sockets on loopback.

mod api;
mod client;
mod failure;
mod price;
mod request;
mod retry;
mod script;
mod server;
mod sse;
