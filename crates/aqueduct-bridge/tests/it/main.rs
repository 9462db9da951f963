//! The bridge's parts, run for real.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod keeper;
