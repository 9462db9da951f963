//! Sessions of coding agents, carried to phones, browsers and programs.

mod failure;
pub mod hub;
pub mod keeper;
pub mod log;
pub mod message;
pub mod recent;
mod session;
pub mod settings;
mod work;
pub mod workspace;

pub use failure::Failure;
pub use settings::Settings;
