//! Tests of the crate through its public face: decisions, attacks, properties, settings, documentation.

mod attacks;
mod decisions;
mod documentation;
mod explanations;
mod operations;
mod properties;
mod settings;
mod suggestions;
mod world;
