//! Sessions of coding agents, carried to phones, browsers and programs.

mod failure;
pub mod keeper;
pub mod log;
pub mod message;

pub use failure::Failure;
