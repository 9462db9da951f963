//! Telemetry as a collector gets it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod collector;
mod delivery;
mod page;
mod sessions;
mod tls;
mod tree;
