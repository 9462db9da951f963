//! Sessions of coding agents, carried to phones, browsers and programs.

pub mod log;
pub mod message;
