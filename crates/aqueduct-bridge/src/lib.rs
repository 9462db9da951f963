//! Sessions of coding agents, carried to phones, browsers and programs.

mod failure;
pub mod hub;
pub mod keeper;
pub mod log;
pub mod message;
mod session;
pub mod settings;

pub use failure::Failure;
pub use settings::Settings;
