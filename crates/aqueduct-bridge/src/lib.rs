//! Sessions of coding agents, carried to phones, browsers and programs.

mod failure;
pub mod fault;
mod journal;
mod session;
mod work;

pub mod door;
pub mod hub;
pub mod keeper;
pub mod log;
pub mod message;
pub mod private;
pub mod push;
pub mod recent;
pub mod server;
pub mod settings;
pub mod trust;
pub mod workspace;

pub use failure::Failure;
pub use journal::Journal;
pub use settings::Settings;
