//! What can be seen of the bridge's parts from outside, run for real.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod door;
mod keeper;
mod log;
mod message;
mod push;
mod recent;
mod server;
mod skipped;
mod workspace;
