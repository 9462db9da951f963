//! The client, driven as a program drives it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod probe;
mod view;
