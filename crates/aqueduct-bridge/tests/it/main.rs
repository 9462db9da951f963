//! What can be seen of the bridge from outside.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod log;
mod message;
