//! Tests of the crate through its public face: decisions, attacks, properties, settings, documentation.

#![allow(clippy::expect_used, reason = "an expectation that is not met is a failed test")]

mod attacks;
mod decisions;
mod documentation;
mod explanations;
mod options;
mod properties;
mod repositories;
mod settings;
mod suggestions;
mod updates;
mod world;
