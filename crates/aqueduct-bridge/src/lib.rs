//! Sessions of coding agents, carried to phones, browsers and programs.

pub mod keeper;
pub mod log;
pub mod message;
