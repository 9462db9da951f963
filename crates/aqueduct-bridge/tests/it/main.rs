//! The crate's one integration binary.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an expectation that is not met is a failed test"
)]

mod log;
mod message;
