//! The configuration file of a git repository, and which of its settings make git run programs.
//!
//! Texts go in and values come out; the host reads the files.

mod parse;
mod program;

pub use parse::{GitSetting, SyntaxError, parse};
pub use program::{Inspection, inspect, is_network};
