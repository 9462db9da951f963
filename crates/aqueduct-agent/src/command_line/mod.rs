//! The command line: one table of flags feeds the parser and the help.

mod error;
mod flag;
mod help;
mod pairing;
mod parse;

pub use error::{AgentsFlagError, CommandLineError, FlagError};
pub use help::help;
pub use parse::{ParsedOptions, parse};
