//! Events become lines: which, how, and where.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod filters;
mod formats;
mod kept;
mod rotation;
