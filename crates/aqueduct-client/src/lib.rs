//! Drive any stream-json coding agent from Rust.

pub mod transcript;
