//! The crate's one integration binary.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod assembler;
mod codec;
mod exact;
mod fixtures;
mod gemini;
mod generated;
mod json;
mod lossless;
mod machine;
mod machine_properties;
mod peek;
mod protocol_page;
mod recording;
#[cfg(feature = "serde")]
mod through_serde;
mod transcript;
