//! Tests of the model crate, against real sockets on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod api;
mod client;
mod event_stream;
mod failure;
mod google;
mod gzip;
mod odd;
mod price;
mod request;
mod retry;
mod same;
mod script;
mod server;
mod services;
mod sse;
